//! On what it was measured.

use crate::report::data::Machine;
use anyhow::Result;
use benches::machine;
use core::hint::black_box;
use std::env;
use std::time::Instant;

/// Features that matter to the kernels.
const SHOWN: [&str; 11] =
    ["aes", "pclmulqdq", "avx2", "vaes", "vpclmulqdq", "gfni", "avx512f", "avx512vl", "avx512fp16", "sha3", "sve2"];

pub(crate) fn this() -> Result<Machine> {
    let (cpu, has) = (machine::cpu(), |name: &str| simd_core::features().contains(name));
    Ok(Machine {
        name: machine::name(&cpu, has),
        cpu,
        features: SHOWN.into_iter().filter(|name| has(name)).map(str::to_owned).collect(),
        gigahertz: gigahertz(),
        rustc: machine::rustc()?,
        flags: env::var("RUSTFLAGS").unwrap_or_else(|_| "none".to_owned()),
        system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        commit: machine::commit()?,
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
