#[simd_core::dispatch(targets = "avx2 | sve2")]
#[test]
fn sum() {
    assert_eq!(1 + 2, 3);
}

fn main() {}
