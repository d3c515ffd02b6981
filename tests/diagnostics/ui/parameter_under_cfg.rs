#[simd_core::dispatch(targets = "avx2 | neon")]
fn length<T, #[cfg(all())] const N: usize>(_: [T; N]) -> usize {
    N
}

fn main() {
    length([1, 2]);
}
