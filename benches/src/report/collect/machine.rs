//! On what it was measured.

use crate::report::data::Machine;
use anyhow::{Context, Result};
use core::hint::black_box;
use std::env;
use std::fs;
use std::process::Command;
use std::time::Instant;

pub(crate) fn this() -> Result<Machine> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = |line: &'_ str| {
            line.split_once(':').filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
        };
        cpuinfo.lines().find_map(line)
    };
    // Names by themselves do not tell generations apart, and virtual machines shorten them.
    let fields = [("", "model name"), ("family ", "cpu family"), ("model ", "model"), ("part ", "CPU part")];
    let cpu: Vec<String> = fields.iter().filter_map(|(name, key)| Some(format!("{name}{}", field(key)?))).collect();
    let rustc = env::var_os("RUSTC").unwrap_or("rustc".into());
    let rustc = Command::new(rustc).arg("--version").output().context("could not start rustc")?;
    let shown =
        ["aes", "pclmulqdq", "avx2", "vaes", "vpclmulqdq", "gfni", "avx512f", "avx512vl", "avx512fp16", "sha3", "sve2"];
    let features = shown.into_iter().filter(|name| simd_core::features().contains(name)).map(str::to_owned).collect();
    Ok(Machine {
        cpu: if cpu.is_empty() { "unknown CPU".to_owned() } else { cpu.join(", ") },
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
