//! The plots.

use super::Report;
use super::measure::Figure;
use anyhow::{Result, anyhow};
use benchmarks::FROM_PLAIN_CODE;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::path::Path;

const SIZE: (u32, u32) = (860, 480);

/// Draws all plots for which there are figures.
pub(super) fn all(report: &Report, directory: &Path) -> Result<()> {
    let lines = |file: &str, title: &str, x: &str, y: &str, series: Vec<Series>| {
        if series.iter().all(|series| series.points.is_empty()) {
            return Ok(());
        }
        draw_lines(&directory.join(file), title, x, y, &series).map_err(|error| anyhow!("{file}: {error}"))
    };
    let bars = |file: &str, title: &str, y: &str, bars: Vec<(String, f64)>| {
        if bars.is_empty() {
            return Ok(());
        }
        draw_bars(&directory.join(file), title, y, &bars).map_err(|error| anyhow!("{file}: {error}"))
    };
    let rate = |figure: &Figure| figure.bytes.map(|bytes| (bytes as f64, bytes as f64 / figure.ns));
    let number = |text: &str| text.rsplit(' ').next().and_then(|number| number.parse().ok());
    lines("chacha20.svg", "ChaCha20", "bytes", "GB/s", series(report, |figure| figure.group == "ChaCha20", rate))?;
    let encrypt = |figure: &Figure| figure.group == "AES-128" && figure.work.starts_with("encrypt");
    lines("aes.svg", "AES-128, encryption", "bytes", "GB/s", series(report, encrypt, rate))?;
    for (file, group) in [("gf-multiply.svg", "GF(2^n) multiply"), ("gf-invert.svg", "GF(2^n) invert")] {
        let points = |figure: &Figure| Some((number(&figure.work)?, figure.ns));
        lines(file, group, "n", "ns", series(report, |figure| figure.group == group, points))?;
    }
    let mut haraka = Vec::new();
    for group in ["Haraka-512", "Haraka-256"] {
        let batches = |figure: &Figure| figure.group == group && figure.work.starts_with("batch");
        let points = |figure: &Figure| Some((number(&figure.work)?, figure.ns));
        let named = series(report, batches, points).into_iter();
        haraka.extend(named.map(|series| Series { name: format!("{group}, {}", series.name), ..series }));
    }
    lines("haraka.svg", "Haraka v2, five rounds", "hashes in a batch", "ns per hash", haraka)?;
    let group = |group: &str, work: &str| -> Vec<(String, f64)> {
        let figures = report.contenders().filter(|figure| figure.group == group && figure.work == work);
        figures.map(|figure| (figure.by.clone(), figure.ns)).collect()
    };
    let mut dispatch = group("dispatch", "throughput");
    dispatch.retain(|(by, _)| by != "portable");
    bars("dispatch.svg", "A call of one instruction, throughput", "ns", dispatch)?;
    bars(
        "strategies.svg",
        "Haraka-512 by where it dispatches",
        "ns per hash",
        group("strategies", "Haraka-512, independent"),
    )?;
    let shamir = group("Shamir", "split 1 MiB, 3 of 5").into_iter().map(|(by, ns)| (by, ns / 1e6)).collect();
    bars("shamir.svg", "Shamir, split 1 MiB, 3 of 5", "ms", shamir)
}

struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// A series for each contender.
fn series(
    report: &Report,
    wanted: impl Fn(&Figure) -> bool,
    point: impl Fn(&Figure) -> Option<(f64, f64)>,
) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for figure in report.contenders().filter(|figure| figure.by != FROM_PLAIN_CODE && wanted(figure)) {
        let Some(point) = point(figure) else { continue };
        match all.iter_mut().find(|series| series.name == figure.by) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name: figure.by.clone(), points: vec![point] }),
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
    mesh(&mut chart, x, y)?;
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

fn mesh<'a, X, Y>(chart: &mut ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>, x: &str, y: &str) -> Drawn
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64> + AsRangedCoord,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64> + AsRangedCoord,
{
    let short = |value: &f64| if *value < 10.0 { format!("{value}") } else { format!("{value:.0}") };
    chart.configure_mesh().x_desc(x).y_desc(y).x_label_formatter(&short).y_label_formatter(&short).draw()?;
    Ok(())
}

fn draw_bars(file: &Path, title: &str, y: &str, all: &[(String, f64)]) -> Drawn {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(title, ("sans-serif", 20))?;
    let high = all.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let (width, height) = root.dim_in_pixel();
    let (left, right) = (270, 110);
    let step = height as i32 / (all.len() as i32 + 1);
    for (i, (name, value)) in all.iter().enumerate() {
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
