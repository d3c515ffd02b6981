#[simd_core::dispatch(targets = "avx2 | sve2")]
macro_rules! sum {
    () => {
        3
    };
}

fn main() {
    let _ = sum!();
}
