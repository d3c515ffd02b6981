//! Numbers and tables as the page shows them.

use core::fmt::Display;

/// A time with three digits and its unit.
pub(crate) fn time(ns: f64) -> String {
    match ns {
        ..1e3 => format!("{} ns", digits(ns)),
        1e3..1e6 => format!("{} µs", digits(ns / 1e3)),
        1e6..1e9 => format!("{} ms", digits(ns / 1e6)),
        _ => format!("{} s", digits(ns / 1e9)),
    }
}

/// Bytes in a nanosecond with three digits and their unit.
pub(crate) fn rate(bytes: f64) -> String {
    match bytes {
        ..1e-3 => format!("{} kB/s", digits(bytes * 1e6)),
        1e-3..1.0 => format!("{} MB/s", digits(bytes * 1e3)),
        _ => format!("{} GB/s", digits(bytes)),
    }
}

/// A number with about three digits.
pub(crate) fn digits(value: f64) -> String {
    match value {
        ..0.1 => format!("{value:.3}"),
        0.1..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// How many times faster work is than work that takes `ratio` of its time.
pub(crate) fn faster(ratio: f64) -> String {
    format!("{}×", digits(1.0 / ratio))
}

/// Whether a ratio is more than it may be, of the digits that the page shows.
pub(crate) fn above(ratio: f64, at_most: f64) -> bool {
    let digits = if at_most < 0.1 { 1000.0 } else { 100.0 };
    (ratio * digits).round() > (at_most * digits).round()
}

/// The geometric mean.
pub(crate) fn mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

/// `text` with each `{name}` replaced.
pub(crate) fn fill(text: &str, values: &[(&str, &dyn Display)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), &value.to_string()))
}

/// A table in Markdown, and the empty line after it.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |");
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rows: String = rows.into_iter().map(|row| line(&row)).collect();
    format!("{}|{}\n{rows}\n", line(&head), "---|".repeat(head.len()))
}
