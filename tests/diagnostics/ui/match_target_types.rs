use simd_core::{dispatch, match_target};

#[dispatch(targets = "avx2")]
fn lanes() -> usize {
    match_target! { "avx2" => 8, "neon" => not_compiled(), _ => "one" }
}

fn main() {
    lanes();
}
