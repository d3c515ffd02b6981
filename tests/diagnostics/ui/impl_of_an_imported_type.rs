mod outer {
    pub struct Counter(pub u64);
}

#[simd_core::dispatch(targets = "avx2 | sve2")]
fn count() -> u64 {
    use self::outer::Counter;

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
