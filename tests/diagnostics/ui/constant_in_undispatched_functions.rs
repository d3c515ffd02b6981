#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    const W: usize = 8;
    #[cfg(not(target_feature = "avx2"))]
    const W: usize = 4;

    pub const fn double() -> usize {
        2 * W
    }

    #[simd_core::dispatch(skip)]
    pub fn skipped() -> usize {
        W
    }

    #[test]
    fn width() {
        assert_eq!(double(), 2 * W);
    }
}

fn main() {}
