#[simd_core::dispatch(targets = "avx2 | neon")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    fn only() -> u8 {
        1
    }

    pub fn call() -> u8 {
        #[allow(non_camel_case_types)]
        trait only {}
        only()
    }
}

fn main() {
    kernels::call();
}
