struct Counter(u64);

impl Counter {
    #[simd_core::dispatch(targets = "avx2 | neon")]
    fn count(&self) -> u64 {
        self.0
    }
}

fn main() {
    Counter(1).count();
}
