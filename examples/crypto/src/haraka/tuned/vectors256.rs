//! One message of Haraka-512 in two 256-bit registers. A shuffle that takes any columns of both is then one step of mixing
//! instead of two, and two vectors do not wait for each other at the CPU's AES and shuffle units, as four blocks do.
pub(in crate::haraka) use pair::hash512;

#[simd_core::dispatch(targets = crate::targets::haraka512)]
mod pair {
    #![allow(unused, clippy::wildcard_imports, reason = "only one target works on pairs of blocks")]
    use crate::arch::*;
    use crate::haraka::constants::RoundKeys;
    use crate::haraka::order::{MIX_KEPT, MIX512, UNMIX512};
    use simd_core::match_target;
    use zerocopy::transmute;

    /// The hash, on targets that work on pairs of blocks.
    #[inline]
    pub(in crate::haraka) fn hash512(message: &[u8; 64], keys: &[RoundKeys]) -> Option<[u8; 32]> {
        match_target! {
            "x86, x86_64: vaes,avx512vl" => {
                let (last, keys) = keys.split_last()?;
                let message: [__m256i; 2] = transmute!(*message);
                let mut state = message;
                for keys in keys {
                    state = aesenc2(aesenc2(state, keys.first.0.into()), keys.second.0.into());
                    state = mixed(state, MIX512);
                }
                // The hash is the mixed state plus the message. That is the same as the mixing of the state plus what the mixing
                // makes the message of, and so the message is added with the last key: its way to there is not as long as the state's.
                let [low, high] = mixed(message, UNMIX512);
                let [second_low, second_high]: [__m256i; 2] = last.second.0.into();
                let second = [_mm256_xor_si256(second_low, low), _mm256_xor_si256(second_high, high)];
                state = aesenc2(aesenc2(state, last.first.0.into()), second);
                Some(transmute!(columns(state, MIX_KEPT)))
            }
            _ => None,
        }
    }

    /// [`aesenc`](crate::aes::aesenc) on four blocks in two vectors.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline]
    #[target_feature(enable = "vaes,avx512vl")]
    fn aesenc2([a, b]: [__m256i; 2], [first, second]: [__m256i; 2]) -> [__m256i; 2] {
        [_mm256_aesenc_epi128(a, first), _mm256_aesenc_epi128(b, second)]
    }

    /// All 16 columns of four blocks, in another order.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline]
    #[target_feature(enable = "vaes,avx512vl")]
    fn mixed(state: [__m256i; 2], order: [u32; 16]) -> [__m256i; 2] {
        let [low, high]: [[u32; 8]; 2] = transmute!(order);
        [columns(state, low), columns(state, high)]
    }

    /// These of the 16 columns of four blocks.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    #[inline]
    #[target_feature(enable = "vaes,avx512vl")]
    fn columns([a, b]: [__m256i; 2], from: [u32; 8]) -> __m256i {
        _mm256_permutex2var_epi32(a, transmute!(from), b)
    }
}
