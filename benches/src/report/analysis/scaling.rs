//! How throughput grows with the size of the work, and where it stops to.

use crate::report::data::{Knee, Report};
use crate::report::facts::{By, FACTS, Scale};
use crate::report::format::{digits, rate, time};
use benchmarks::OURS;
use benchmarks::case::length;

/// The part of the best throughput that makes a knee.
const KNEE: f64 = 0.9;

/// The knees of all work of which there are at least three sizes.
pub(crate) fn all(report: &Report) -> Vec<Knee> {
    FACTS.scales.iter().filter_map(|scale| knee(scale, report)).collect()
}

/// One size: as it is called, the number, the nanoseconds of all the work of that size, and the work in a nanosecond.
struct Point {
    name: String,
    size: f64,
    ns: f64,
    throughput: f64,
}

fn points(scale: &Scale, report: &Report) -> Vec<Point> {
    let point = |work: &str, ns: f64, bytes: Option<u64>| {
        let number = || work.rsplit(' ').next()?.parse::<f64>().ok();
        let (size, ns, work_of_one) = match scale.by {
            By::Length => (bytes? as f64, ns, 1.0),
            By::Batch => (number()?, ns * number()?, 1.0),
            By::Shares => (number()?, ns, bytes? as f64),
            By::Field => (number()?, ns, number()?),
        };
        let throughput = size * work_of_one / ns;
        let name = if matches!(scale.by, By::Length) { length(bytes? as usize) } else { size.to_string() };
        // Of `split 1 KiB, 3 of 5` the length is the size, and the rest says which series it is of.
        work.replacen(&format!(" {name},"), "", 1).starts_with(&scale.prefix).then_some(Point {
            name,
            size,
            ns,
            throughput,
        })
    };
    let figures = report.group(&scale.group).filter(|figure| figure.by == OURS);
    let mut points: Vec<Point> =
        figures.filter_map(|figure| point(&figure.work, figure.value.number(), figure.bytes)).collect();
    points.sort_by(|a, b| a.size.total_cmp(&b.size));
    points
}

fn knee(scale: &Scale, report: &Report) -> Option<Knee> {
    let points = points(scale, report);
    let (last, rest) = points.split_last().filter(|(_, rest)| rest.len() >= 2)?;
    let best = points.iter().max_by(|a, b| a.throughput.total_cmp(&b.throughput))?;
    let knee = points.iter().find(|point| point.throughput >= KNEE * best.throughput)?;
    // Through the knee and the end, and where the knee is the end, through what comes before it.
    let from = if knee.size < last.size { knee } else { rest.last()? };
    let slope = (last.ns - from.ns) / (last.size - from.size);
    let cost = from.ns - slope * from.size;
    let (throughput, unit) = match scale.by {
        By::Length => (rate(best.throughput), "bytes"),
        By::Batch => (format!("{} hashes/ns", digits(best.throughput)), "hashes"),
        By::Shares => (format!("{} of shares", rate(best.throughput)), "shares"),
        By::Field => (format!("{} bit products/ns", digits(best.throughput)), "bits"),
    };
    let linear = !matches!(scale.by, By::Field) && slope > 0.0 && cost > 0.0;
    let overhead = || format!("{}, as long as {} {unit}", time(cost), digits(cost / slope));
    let comma = if scale.prefix.is_empty() { "" } else { ", " };
    Some(Knee {
        work: format!("{}{comma}{}", scale.group, scale.prefix),
        at: knee.name.clone(),
        best: format!("{throughput}, at {}", best.name),
        overhead: if linear { overhead() } else { String::new() },
        why: scale.why.clone(),
    })
}
