//! On what it was measured.

use anyhow::{Context, Result};
use core::hint::black_box;
use serde::Serialize;
use std::fs;
use std::process::Command;
use std::time::Instant;

/// The CPU, the compiler, the flags.
#[derive(Serialize)]
pub(crate) struct Machine {
    pub(super) cpu: String,
    /// What of AVX-512, VAES, VPCLMULQDQ, GFNI, AVX2, AES it has.
    pub(super) features: Vec<&'static str>,
    /// Cycles in a nanosecond, by a chain of multiplications and exclusive ors, four cycles a step.
    pub(super) gigahertz: f64,
    pub(super) rustc: String,
    pub(super) flags: String,
    pub(super) system: String,
}

pub(super) fn this() -> Result<Machine> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let rustc = Command::new("rustc").arg("--version").output().context("could not start rustc")?;
    let mut features = Vec::new();
    macro_rules! feature {
        ($($name:tt)*) => { $(if simd_core::detected!($name) { features.push($name); })* };
    }
    feature!("aes" "pclmulqdq" "avx2" "vaes" "vpclmulqdq" "gfni" "avx512f" "avx512vl" "pmull");
    Ok(Machine {
        cpu: cpu.map_or_else(|| "unknown".to_owned(), |(_, name)| name.to_owned()),
        features,
        gigahertz: gigahertz(),
        rustc: String::from_utf8_lossy(&rustc.stdout).trim().to_owned(),
        flags: std::env::var("RUSTFLAGS").unwrap_or_else(|_| "none".to_owned()),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    })
}

fn gigahertz() -> f64 {
    const STEPS: u32 = 1 << 20;
    let factor = black_box(0x9e37_79b9_7f4a_7c15_u64);
    let best = (0..20).map(|_| {
        let start = Instant::now();
        let mut value = black_box(1u64);
        for _ in 0..STEPS {
            value = value.wrapping_mul(factor) ^ value >> 7;
        }
        black_box(value);
        start.elapsed()
    });
    let best = best.min().unwrap_or_default();
    f64::from(STEPS) * 4.0 / best.as_nanos() as f64
}
