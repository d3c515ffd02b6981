#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[cfg(target_feature = "avx2")]
    pub fn first(bytes: &[u8]) -> u8 {
        bytes[0]
    }

    #[cfg(not(target_feature = "avx2"))]
    pub unsafe fn first(bytes: &[u8]) -> u8 {
        unsafe { *bytes.get_unchecked(0) }
    }

    #[cfg(target_feature = "avx2")]
    pub async extern "C" fn last() {}

    #[cfg(not(target_feature = "avx2"))]
    pub extern "C" fn last() {}

    #[cfg(target_feature = "avx2")]
    pub fn all() {}

    #[cfg(not(target_feature = "avx2"))]
    fn all() {}

    #[cfg(target_feature = "avx2")]
    pub fn sum(bytes: &[u8]) -> u32 {
        bytes.iter().map(|&byte| u32::from(byte)).sum()
    }

    #[cfg(not(target_feature = "avx2"))]
    pub fn sum(bytes: &[u8]) -> u64 {
        bytes.iter().map(|&byte| u64::from(byte)).sum()
    }
}

fn main() {}
