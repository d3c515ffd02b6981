simd_core::target_list!(pub(crate) simd = "avx2,fmaa | neno");
simd_core::target_list!(wide = ["avx512ff", simd]);

/// Is not told again.
#[simd_core::dispatch(targets = crate::simd)]
mod kernels {
    #[dispatch(targets = crate::wide)]
    pub fn sum(a: u64, b: u64) -> u64 {
        a + b
    }
}

#[simd_core::dispatch(targets = wide)]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, kernels::sum(1, 2));
    let _: simd_core::Targets = simd_core::targets!(simd);
    #[simd_core::dispatch(targets = simd)]
    fn nested(a: u64, b: u64) -> u64 {
        sum(a, b)
    }
    let _ = nested as fn(u64, u64) -> u64;
}
