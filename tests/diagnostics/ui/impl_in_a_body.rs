/// # Safety
/// The CPU has AVX-512.
pub unsafe trait Has<T> {}

pub struct Reader;
pub struct Vector<T>(T);

#[simd_core::dispatch(targets = "avx512f")]
pub fn by_an_argument() {
    #[cfg(target_feature = "avx512f")]
    {
        pub struct Local;
        unsafe impl Has<Local> for Reader {}
        unsafe impl Has<u8> for Vector<Local> {}
        unsafe impl Has<u16> for Local {}
    }
}

#[simd_core::dispatch(targets = "avx512f")]
pub fn in_another_block() {
    struct Local;
    #[cfg(target_feature = "avx512f")]
    {
        unsafe impl Has<Local> for Local {}
    }
}

fn main() {}
