#[simd_core::dispatch(targets = "avx2 | neon")]
pub(crate) type Sum = u64;

fn main() {
    let _: Sum = 3;
}
