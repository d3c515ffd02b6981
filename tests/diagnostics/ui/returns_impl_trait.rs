#[simd_core::dispatch(targets = "avx2 | sve2")]
fn doubled(numbers: &[u64]) -> impl Iterator<Item = u64> {
    numbers.iter().map(|number| number * 2)
}

fn main() {
    doubled(&[1, 2]).count();
}
