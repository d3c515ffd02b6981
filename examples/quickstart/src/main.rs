//! The smallest crate that uses `simd-core`: finds the nearest of many bit strings, with the best instructions of this CPU.
#![forbid(unsafe_code)]

use core::hint::black_box;
use simd_core::dispatch;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, io};

/// How often the search is repeated to time it.
const TIMES: u32 = 10_000;

/// Each function of this module is compiled three times: for each target, and for every other CPU.
#[dispatch(targets = "avx512vpopcntdq | popcnt")]
mod search {
    /// The index of the string that is nearest to `wanted`, and its distance; `None` if there are no strings.
    pub(crate) fn nearest(wanted: &[u64; 16], strings: &[[u64; 16]]) -> Option<(usize, u32)> {
        strings.iter().map(|string| distance(wanted, string)).enumerate().min_by_key(|&(_, distance)| distance)
    }

    /// The number of bits in which two strings differ. Inside a clone of `nearest`, this is the clone for the same target.
    fn distance(a: &[u64; 16], b: &[u64; 16]) -> u32 {
        a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
    }

    /// The target whose clone runs: in each clone, `cfg!` sees the features of its target.
    pub(crate) fn target() -> &'static str {
        if cfg!(target_feature = "avx512vpopcntdq") {
            "avx512vpopcntdq"
        } else if cfg!(target_feature = "popcnt") {
            "popcnt"
        } else {
            "baseline"
        }
    }
}

/// The mean time of a search among `strings`.
fn time(wanted: &[u64; 16], strings: &[[u64; 16]]) -> Duration {
    let start = Instant::now();
    for _ in 0..TIMES {
        black_box(search::nearest(black_box(wanted), strings));
    }
    start.elapsed() / TIMES
}

/// The same time in another process of this program, without the features of all targets: so it runs the baseline, as on an old CPU.
fn time_of_baseline() -> io::Result<Duration> {
    let output = Command::new(env::current_exe()?).arg("time").env("SIMD_CORE_ONLY", "").output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().map(Duration::from_nanos).map_err(io::Error::other)
}

fn main() -> io::Result<()> {
    let mut state = 1;
    let mut random = || -> [u64; 16] {
        core::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
    };
    let strings: Vec<[u64; 16]> = (0..256).map(|_| random()).collect();
    let wanted = random();
    time(&wanted, &strings); // warms up
    let dispatched = time(&wanted, &strings);
    if env::args().nth(1).is_some() {
        println!("{}", dispatched.as_nanos());
        return Ok(());
    }

    if let Some((index, distance)) = search::nearest(&wanted, &strings) {
        println!("Of {} strings of 1024 bits, number {index} is the nearest, {distance} bits away.\n", strings.len());
    }
    let baseline = time_of_baseline()?;
    let gain = baseline.as_secs_f64() / dispatched.as_secs_f64();
    let width = |time: Duration| (40.0 * time.as_secs_f64() / baseline.as_secs_f64()).ceil() as usize;
    for (name, time) in [("baseline", baseline), (search::target(), dispatched)] {
        println!("{name:<16} {:<40} {time:>9.2?}", "█".repeat(width(time).min(40)));
    }
    println!("\nThe clone for {} is {gain:.1}× faster.", search::target());
    Ok(())
}
