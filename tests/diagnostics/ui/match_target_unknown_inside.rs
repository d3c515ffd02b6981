use simd_core::{dispatch, match_target};

#[dispatch(targets = "avx2 | sve2")]
fn lanes() -> usize {
    match_target! { "avx22" => 8, "neno" => 4, _ => 1 }
}

fn main() {
    lanes();
}
