//! The plots.

use super::data::Report;
use super::facts::{FACTS, Plot};
use anyhow::{Result, anyhow};
use benchmarks::FROM_PLAIN_CODE;
use plotters::prelude::*;
use std::path::Path;

const SIZE: (u32, u32) = (860, 480);

/// Draws all plots for which there are figures.
pub(crate) fn all(report: &Report, directory: &Path) -> Result<()> {
    for plot in &FACTS.plot {
        let all = series(report, plot);
        let file = directory.join(&plot.file).with_extension("svg");
        let drawn = match &plot.x {
            _ if all.is_empty() => continue,
            Some(x) => draw_lines(&file, &plot.title, x, &plot.y, &all),
            None => draw_bars(&file, &plot.title, &plot.y, &all),
        };
        drawn.map_err(|error| anyhow!("{}: {error}", plot.file))?;
    }
    Ok(())
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
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(range(|point| point.0).log_scale(), range(|point| point.1).log_scale())?;
    let short = |value: &f64| if *value < 10.0 { format!("{value}") } else { format!("{value:.0}") };
    chart.configure_mesh().x_desc(x).y_desc(y).x_label_formatter(&short).y_label_formatter(&short).draw()?;
    for (i, series) in all.iter().enumerate() {
        let color = Palette99::pick(i).to_rgba();
        let line = LineSeries::new(series.points.iter().copied(), color.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(&series.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    let mut legend = chart.configure_series_labels();
    legend.background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.4)).label_font(("sans-serif", 13));
    legend.position(SeriesLabelPosition::UpperLeft).draw()?;
    root.present()?;
    Ok(())
}

fn draw_bars(file: &Path, title: &str, y: &str, all: &[Series]) -> Drawn {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(title, ("sans-serif", 20))?;
    let high = all.iter().map(|series| series.points[0].1).fold(0.0, f64::max);
    let (width, height) = root.dim_in_pixel();
    let (left, right) = (270, 110);
    let step = height as i32 / (all.len() as i32 + 1);
    for (i, Series { name, points }) in all.iter().enumerate() {
        let value = points[0].1;
        let top = step * i as i32 + step / 2;
        let length = (f64::from(width as i32 - left - right) * value / high) as i32;
        let color = Palette99::pick(usize::from(!name.starts_with("simd-core") && !name.starts_with("root"))).to_rgba();
        root.draw(&Rectangle::new([(left, top), (left + length.max(1), top + step * 7 / 10)], color.filled()))?;
        root.draw(&Text::new(name.clone(), (12, top + step / 6), ("sans-serif", 14)))?;
        root.draw(&Text::new(format!("{value:.2} {y}"), (left + length + 8, top + step / 6), ("sans-serif", 14)))?;
    }
    root.present()?;
    Ok(())
}
