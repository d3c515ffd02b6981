use simd_core::{dispatch, match_target};

#[dispatch(targets = "avx2 | aarch64: sve2")]
fn lanes() -> usize {
    match_target! { "avx2" => 8, "aarch64: sve2" => 4 }
}

fn main() {
    lanes();
    let _: usize = match_target! { "x86_64: avx512f" => 16 };
}
