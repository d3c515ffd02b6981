#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    mod imp {
        pub fn f() {}
    }
    #[cfg(not(target_feature = "avx2"))]
    mod imp {
        pub fn f() {}
    }

    pub fn run() {
        imp::f();
    }
}

fn main() {}
