//! OpenSSL's own benchmark, where the program is installed.

use super::measure::Figure;
use anyhow::{Context, Result};
use benchmarks::OPENSSL;
use benchmarks::case::length;
use indicatif::ProgressBar;
use std::process::Command;

/// Throughput of ChaCha20 and AES-128 in ECB mode. Nothing where there is no OpenSSL.
pub(super) fn figures(bar: &ProgressBar, wanted: impl Fn(&str) -> bool) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let decrypt: &[&str] = &["-decrypt"];
    let work: [(&str, &str, &str, &[&str], &[usize]); 3] = [
        ("ChaCha20", "chacha20", "", &[], &[64, 256, 1024, 4096, 16384, 65536]),
        ("AES-128", "aes-128-ecb", "encrypt ", &[], &[16, 128, 1024, 65536]),
        ("AES-128", "aes-128-ecb", "decrypt ", decrypt, &[16, 128, 1024, 65536]),
    ];
    for (group, cipher, what, arguments, sizes) in work {
        for &size in sizes.iter().filter(|_| wanted(group)) {
            bar.set_message(format!("OpenSSL {cipher}, {}", length(size)));
            let mut command = Command::new("openssl");
            command.args(["speed", "-mr", "-elapsed", "-seconds", "1", "-bytes", &size.to_string(), "-evp", cipher]);
            let Ok(output) = command.args(arguments).output() else { return Ok(Vec::new()) };
            let text = String::from_utf8_lossy(&output.stdout);
            let line = text.lines().find(|line| line.starts_with("+F:")).context("openssl speed gives no figure")?;
            let rate: f64 = line.rsplit(':').next().context("an empty figure")?.parse()?;
            let ns = size as f64 * 1e9 / rate;
            figures.push(Figure {
                group: group.to_owned(),
                work: format!("{what}{}", length(size)),
                by: OPENSSL.to_owned(),
                ns,
                quartiles: [ns; 2],
                bytes: Some(size as u64),
            });
        }
    }
    Ok(figures)
}
