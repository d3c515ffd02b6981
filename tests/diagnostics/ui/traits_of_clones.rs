#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    pub trait Wide {
        fn f();
    }
    #[cfg(not(target_feature = "avx2"))]
    pub trait Wide {
        fn g();
    }
}

fn main() {}
