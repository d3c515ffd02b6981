#[simd_core::dispatch(targets = "avx2 | neon")]
macro_rules! sum {
    () => {
        3
    };
}

fn main() {
    let _ = sum!();
}
