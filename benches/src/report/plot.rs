//! The plots.

use super::data::Report;
use super::facts::{FACTS, Plot};
use super::format::digits;
use anyhow::{Result, anyhow};
use benchmarks::{FROM_PLAIN_CODE, OURS};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::RGBAColor;
use std::path::Path;

const SIZE: (u32, u32) = (960, 480);
/// How much of the width lines have; the rest is for their names.
const LINES: u32 = 620;

/// The colours of Okabe and Ito, which people with any kind of colour vision can tell apart: the strong one is ours.
const STRONG: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
const OTHERS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x00, 0x00),
];

/// The colour of a series, and the width of its line.
fn style(name: &str, i: usize) -> (RGBAColor, u32) {
    if is_ours(name) { (STRONG.to_rgba(), 4) } else { (OTHERS[i % OTHERS.len()].mix(0.7), 2) }
}

fn is_ours(name: &str) -> bool {
    name == OURS || ["simd-core, nested", "simd-core, unannotated caller", "root"].contains(&name)
}

/// Draws all plots for which there are figures, and says how many they are.
pub(crate) fn all(report: &Report, directory: &Path) -> Result<usize> {
    let mut count = 0;
    for plot in &FACTS.plot {
        let all = series(report, plot);
        let file = directory.join(&plot.file).with_extension("svg");
        let drawn = match &plot.x {
            _ if all.is_empty() => continue,
            Some(x) => draw_lines(&file, &plot.title, x, &plot.y, &all),
            None => draw_bars(&file, &plot.title, &plot.y, &all),
        };
        drawn.map_err(|error| anyhow!("{}: {error}", plot.file))?;
        count += 1;
    }
    Ok(count)
}

struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// A series for each contender; a bar is one point.
fn series(report: &Report, plot: &Plot) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    let groups = plot.groups.iter().flat_map(|group| report.group(group));
    let hidden = |by: &String| *by == FACTS.text["native-features"] || plot.without.as_ref() == Some(by);
    for figure in groups.filter(|figure| figure.work.starts_with(&plot.work) && !hidden(&figure.by)) {
        let ns = figure.value.number();
        let number = || figure.work.rsplit(' ').next()?.parse().ok();
        let point = match (plot.x.as_deref(), figure.bytes) {
            (None, _) => Some((0.0, ns / plot.unit)),
            _ if figure.by == FROM_PLAIN_CODE => None,
            (Some("bytes"), bytes) => bytes.map(|bytes| (bytes as f64, bytes as f64 / ns)),
            _ => number().map(|size| (size, ns)),
        };
        let many = plot.groups.len() > 1;
        let name = if many { format!("{}, {}", figure.group, figure.by) } else { figure.by.clone() };
        let Some(point) = point else { continue };
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name, points: vec![point] }),
        }
    }
    all
}

type Drawn = core::result::Result<(), Box<dyn core::error::Error>>;

fn draw_lines(file: &Path, title: &str, x: &str, y: &str, all: &[Series]) -> Drawn {
    let points = || all.iter().flat_map(|series| &series.points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = points().map(of).fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        (low / 1.2)..(high * 1.2)
    };
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, names) = root.split_horizontally(LINES);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(52)
        .y_label_area_size(76)
        .build_cartesian_2d(range(|point| point.0).log_scale(), range(|point| point.1).log_scale())?;
    let short = |value: &f64| format!("{}", (value * 1e4).round() / 1e4);
    let x = format!("{x} (logarithmic)");
    let y = format!("{y} (logarithmic)");
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(x).y_desc(y).x_label_formatter(&short).y_label_formatter(&short);
    mesh.axis_desc_style(("sans-serif", 17)).label_style(("sans-serif", 15)).draw()?;
    // Ours last, over the others.
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|i| is_ours(&all[*i].name));
    for i in order {
        let (color, width) = style(&all[i].name, i);
        chart.draw_series(LineSeries::new(all[i].points.iter().copied(), color.stroke_width(width)))?;
        for &point in &all[i].points {
            draw_marker(&left, chart.backend_coord(&point), i, color)?;
        }
    }
    for (i, series) in all.iter().enumerate() {
        let (color, width) = style(&series.name, i);
        let y = 60 + 26 * i as i32;
        names.draw(&PathElement::new([(4, y), (34, y)], color.stroke_width(width)))?;
        draw_marker(&names, (19, y), i, color)?;
        names.draw(&Text::new(series.name.clone(), (42, y - 7), ("sans-serif", 16)))?;
    }
    root.present()?;
    Ok(())
}

/// A point, of a shape that tells its series from those of a similar colour.
fn draw_marker(area: &DrawingArea<SVGBackend<'_>, Shift>, at: (i32, i32), i: usize, color: RGBAColor) -> Drawn {
    match i % 4 {
        0 => area.draw(&Circle::new(at, 4, color.filled())),
        1 => area.draw(&TriangleMarker::new(at, 5, color.filled())),
        2 => area.draw(&Cross::new(at, 4, color.stroke_width(2))),
        _ => area.draw(&Circle::new(at, 4, color.stroke_width(2))),
    }?;
    Ok(())
}

fn draw_bars(file: &Path, title: &str, y: &str, all: &[Series]) -> Drawn {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(title, ("sans-serif", 20))?;
    let high = all.iter().map(|series| series.points[0].1).fold(0.0, f64::max);
    let (width, height) = root.dim_in_pixel();
    let (left, right, below) = (270, 90, 40);
    let step = (height as i32 - below) / all.len() as i32;
    for (i, Series { name, points }) in all.iter().enumerate() {
        let value = points[0].1;
        let top = step * i as i32 + step / 8;
        let length = (f64::from(width as i32 - left - right) * value / high) as i32;
        let color = if is_ours(name) { STRONG.to_rgba() } else { OTHERS[0].mix(0.45) };
        root.draw(&Rectangle::new([(left, top), (left + length.max(1), top + step * 3 / 4)], color.filled()))?;
        let middle = top + step * 3 / 8 - 7;
        root.draw(&Text::new(name.clone(), (12, middle), ("sans-serif", 17)))?;
        root.draw(&Text::new(digits(value), (left + length + 8, middle), ("sans-serif", 17)))?;
    }
    let bottom = height as i32 - below;
    root.draw(&PathElement::new([(left, 0), (left, bottom), (width as i32 - right, bottom)], BLACK.mix(0.5)))?;
    root.draw(&Text::new(y.to_owned(), (left, bottom + 10), ("sans-serif", 17)))?;
    root.present()?;
    Ok(())
}
