macro_rules! sum {
    () => {
        fn sum() -> u64 {
            3
        }
    };
}

#[simd_core::dispatch(targets = "avx2 | sve2")]
sum! {}

fn main() {
    sum();
}
