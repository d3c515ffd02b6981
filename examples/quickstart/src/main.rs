//! The smallest crate that uses `simd-core`: finds the nearest of many bit strings, with the best instructions of this CPU.
#![forbid(unsafe_code)]

use core::hint::black_box;
use simd_core::dispatch;
use std::time::Instant;

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

fn main() {
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

    let mut nearest = None;
    let start = Instant::now();
    for _ in 0..TIMES {
        nearest = search::nearest(black_box(&wanted), &strings);
    }
    let time = start.elapsed() / TIMES;

    println!("clone that ran: {}", search::target());
    println!("time for a search among {} strings of 1024 bits: {time:?}", strings.len());
    match nearest {
        Some((index, distance)) => println!("the nearest is number {index}, {distance} bits away"),
        None => println!("there is none"),
    }
}
