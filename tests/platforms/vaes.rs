//! Fails if a VAES instruction on two blocks is not the AES instruction on each.
use std::arch::x86_64::{
    __m128i, __m256i, _mm_aesenc_si128, _mm_cmpeq_epi64, _mm_movemask_epi8, _mm256_aesenc_epi128,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_set_epi64x,
};
use std::process::ExitCode;

#[target_feature(enable = "aes,avx2,vaes")]
fn halves_agree() -> bool {
    let (state, key) = (_mm256_set_epi64x(1, 2, 3, 4), _mm256_set_epi64x(5, 6, 7, 8));
    let halves = |v: __m256i| -> [__m128i; 2] { [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)] };
    let (states, keys, both) = (halves(state), halves(key), halves(_mm256_aesenc_epi128(state, key)));
    (0..2).all(|i| _mm_movemask_epi8(_mm_cmpeq_epi64(both[i], _mm_aesenc_si128(states[i], keys[i]))) == 0xffff)
}

fn main() -> ExitCode {
    if !is_x86_feature_detected!("vaes") || !is_x86_feature_detected!("avx2") {
        return ExitCode::FAILURE;
    }
    // SAFETY: the CPU has the features, as just asked; VAES implies AES.
    if unsafe { halves_agree() } { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
