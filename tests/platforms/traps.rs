//! Executes one AES instruction, whatever the CPU says it has: on an emulated CPU without AES this has to die of an illegal
//! instruction, or a wrong choice of the dispatcher would go unnoticed there.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "aes")]
fn one_round() -> u8 {
    use std::arch::aarch64::{vaeseq_u8, vdupq_n_u8, vgetq_lane_u8};
    vgetq_lane_u8::<0>(vaeseq_u8(vdupq_n_u8(1), vdupq_n_u8(2)))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes")]
fn one_round() -> i32 {
    use std::arch::x86_64::{_mm_aesenc_si128, _mm_cvtsi128_si32, _mm_set1_epi8};
    _mm_cvtsi128_si32(_mm_aesenc_si128(_mm_set1_epi8(1), _mm_set1_epi8(2)))
}

fn main() {
    // SAFETY: there is no check, on purpose: an illegal instruction ends the process, which is what the caller wants to see.
    println!("{}", unsafe { one_round() });
}
