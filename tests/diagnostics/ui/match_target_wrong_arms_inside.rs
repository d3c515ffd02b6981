use simd_core::{dispatch, match_target};

#[dispatch(targets = "avx2 | sve2")]
fn lanes() -> usize {
    match_target! { "avx2" => 8, neon => 4, _ => 1 }
}

fn main() {
    lanes();
}
