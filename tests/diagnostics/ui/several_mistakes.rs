struct Counter(u64);

#[simd_core::dispatch(target = "avx2", targets = "avx22 | sve2,fma")]
impl Counter {
    fn numbers(&self) -> impl Iterator<Item = u64> {
        0..self.0
    }

    #[simd_core::dispatch(targets = "avx2")]
    const fn get(&self) -> u64 {
        self.0
    }

    #[simd_core::dispatch(skip, fast)]
    fn skipped(&self) -> u64 {
        self.0
    }

    #[simd_core::dispatch(targets)]
    fn count(&self) -> u64 {
        self.0
    }
}

fn main() {
    let counter = Counter(1);
    let _ = counter.numbers().sum::<u64>() + counter.get() + counter.skipped() + counter.count();
}
