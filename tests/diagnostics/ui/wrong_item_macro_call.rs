macro_rules! sum {
    () => {
        fn sum() -> u64 {
            3
        }
    };
}

#[simd_core::dispatch(targets = "avx2 | neon")]
sum! {}

fn main() {
    sum();
}
