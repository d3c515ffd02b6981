struct Counter(u64);

#[simd_core::dispatch(targets = "avx2 | sve2")]
fn count() -> u64 {
    impl Counter {
        fn get(&self) -> u64 {
            self.0
        }
    }
    Counter(1).get()
}

fn main() {
    count();
}
