#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    pub const fn lanes() -> usize {
        if cfg!(target_feature = "avx2") { 8 } else { 1 }
    }

    #[cfg(target_feature = "avx2")]
    pub const fn selected() -> usize {
        8
    }

    #[cfg(not(target_feature = "avx2"))]
    pub const fn selected() -> usize {
        1
    }

    #[dispatch(skip)]
    pub const fn of_the_build() -> usize {
        if cfg!(target_feature = "avx2") { 8 } else { 1 }
    }
}

fn main() {
    kernels::lanes();
    kernels::of_the_build();
}
