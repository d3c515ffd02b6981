#[simd_core::dispatch(targets = "avx2 | sve2")]
pub(crate) type Sum = u64;

fn main() {
    let _: Sum = 3;
}
