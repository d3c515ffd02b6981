struct Counter(u64);

impl Counter {
    #[simd_core::dispatch(targets = "avx2 | neon")]
    fn new() -> Self {
        Self(0)
    }
}

fn main() {
    let _ = Counter::new().0;
}
