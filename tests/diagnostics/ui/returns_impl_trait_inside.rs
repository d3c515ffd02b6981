struct Numbers(Vec<u64>);

#[simd_core::dispatch(targets = "avx2 | sve2")]
impl Numbers {
    fn doubled(&self) -> Option<Box<impl Fn(u64) -> u64>> {
        let first = *self.0.first()?;
        Some(Box::new(move |number| number + first))
    }
}

fn main() {
    Numbers(vec![1]).doubled();
}
