//! OpenSSL's own benchmark, where the program is installed.

use crate::report::data::{Figure, Value};
use crate::report::facts::FACTS;
use anyhow::{Context, Result};
use benches::OPENSSL;
use benches::case::length;
use indicatif::ProgressBar;
use std::process::Command;

/// Throughput of ciphers. Nothing where there is no OpenSSL.
pub(crate) fn figures(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for cipher in FACTS.cipher.iter().filter(|cipher| wanted(&cipher.group)) {
        for &size in &cipher.sizes {
            bar.set_message(format!("OpenSSL {}, {}", cipher.name, length(size)));
            let mut command = Command::new("openssl");
            command.args(["speed", "-mr", "-elapsed", "-seconds", "1", "-evp", &cipher.name]).args(&cipher.arguments);
            let Ok(output) = command.args(["-bytes", &size.to_string()]).output() else { return Ok(Vec::new()) };
            let text = String::from_utf8_lossy(&output.stdout);
            let line = text.lines().find(|line| line.starts_with("+F:")).context("openssl speed gives no figure")?;
            let rate: f64 = line.rsplit(':').next().context("an empty figure")?.parse()?;
            let (work, ns) = (format!("{}{}", cipher.prefix, length(size)), size as f64 * 1e9 / rate);
            let figure = Figure::new(&cipher.group, work, OPENSSL, Value::Ns(ns));
            figures.push(Figure { bytes: Some(size as u64), ..figure });
        }
    }
    Ok(figures)
}
