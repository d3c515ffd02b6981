#[simd_core::dispatch(targets = "avx2 | sve2")]
static SUM: u64 = 3;

fn main() {
    assert!(SUM == 3);
}
