//! Arms of `match_target!`.
use simd_core::{dispatch, match_target};

#[dispatch(targets = "avx2 | aarch64: sve2")]
fn none_fits_a_clone() -> usize {
    match_target! { "avx2" => 8, "aarch64: sve2" => 4 }
}

#[dispatch(targets = "avx2 | sve2")]
fn unknown_in_clones() -> usize {
    match_target! { "avx22" => 8, "neno" => 4, _ => 1 }
}

#[dispatch(targets = "avx2 | sve2")]
fn a_word_in_clones() -> usize {
    match_target! { "avx2" => 8, neon => 4, _ => 1 }
}

fn main() {
    let none_fits: usize = match_target! { "x86_64: avx512f" => 16 };
    let unknown = match_target! { "x86, x86_46: avx2" => 8, "neno" => 4, "avx2,neon" => 2, _ => 1 };
    let words = match_target! { avx2 => 8, target_feature = "aes" => 2, "neon" => 4, _ => 1 };
    let guard = match_target! { "neon" if true => 4, _ => 1 };
    let comma = match_target! { "neon" => 4 _ => 1 };
    let nothing = match_target! {};
    let unreachable = match_target! { "sse4.1" => 4, "avx2" => 8, "aes" => 1, "x86: aes" | "aarch64: pmull" => 1, _ => 2, "neon" => 3 };
}
