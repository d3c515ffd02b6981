#[simd_core::dispatch(targets = "avx2 | neon")]
static SUM: u64 = 3;

fn main() {
    assert!(SUM == 3);
}
