#[simd_core::dispatch(targets = "avx2 | neon")]
#[test]
fn sum() {
    assert_eq!(1 + 2, 3);
}

fn main() {}
