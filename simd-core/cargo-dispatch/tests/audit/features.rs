// Each feature with an instruction that needs it, behind the right test and behind that of the feature before it.
use std::arch::{asm, is_x86_feature_detected};

macro_rules! features {
    (@each $before:tt; [$($feature:tt $text:tt)*]) => {
        fn main() {
            let mut ways: Vec<fn()> = Vec::new();
            features!(@ways ways; $before; $($feature $text)*);
            std::hint::black_box(ways).iter().for_each(|way| way());
        }
    };
    (@ways $ways:ident; $before:tt;) => {};
    (@ways $ways:ident; $before:tt; $feature:tt $text:tt $($rest:tt)*) => {
        {
            #[inline(never)]
            fn right() {
                if is_x86_feature_detected!($feature) {
                    unsafe { asm!($text, clobber_abi("C")) }
                }
            }
            #[inline(never)]
            fn wrong() {
                if is_x86_feature_detected!($before) {
                    unsafe { asm!($text, clobber_abi("C")) }
                }
            }
            $ways.push(right);
            $ways.push(wrong);
        }
        features!(@ways $ways; $feature; $($rest)*);
    };
    ($first:tt $first_text:tt $($feature:tt $text:tt)*) => {
        features!(@each $first; [$($feature $text)*]);
    };
}
features! {
    "aes" "aesenc xmm0, xmm1"
    "pclmulqdq" "pclmulqdq xmm0, xmm1, 0"
    "rdrand" "rdrand eax"
    "rdseed" "rdseed eax"
    "sse3" "addsubps xmm0, xmm1"
    "ssse3" "pshufb xmm0, xmm1"
    "sse4.1" "pmulld xmm0, xmm1"
    "sse4.2" "pcmpgtq xmm0, xmm1"
    "sse4a" "extrq xmm0, xmm1"
    "sha" "sha1nexte xmm0, xmm1"
    "avx" "vaddps ymm0, ymm1, ymm2"
    "avx2" "vpaddd ymm0, ymm1, ymm2"
    "sha512" "vsha512msg1 ymm0, xmm1"
    "sm3" "vsm3msg1 xmm0, xmm1, xmm2"
    "sm4" "vsm4key4 xmm0, xmm1, xmm2"
    "avx512f" "vpaddd zmm0, zmm1, zmm2"
    "avx512cd" "vplzcntd zmm0, zmm1"
    "avx512bw" "vpaddb zmm0, zmm1, zmm2"
    "avx512dq" "vpmullq zmm0, zmm1, zmm2"
    "avx512vl" "vpaddd xmm16, xmm17, xmm18"
    "avx512ifma" "vpmadd52luq zmm0, zmm1, zmm2"
    "avx512vbmi" "vpermb zmm0, zmm1, zmm2"
    "avx512vpopcntdq" "vpopcntd zmm0, zmm1"
    "avx512vbmi2" "vpshldd zmm0, zmm1, zmm2, 1"
    "gfni" "gf2p8mulb xmm0, xmm1"
    "vaes" "vaesenc ymm0, ymm1, ymm2"
    "vpclmulqdq" "vpclmulqdq ymm0, ymm1, ymm2, 0"
    "avx512vnni" "vpdpbusd zmm0, zmm1, zmm2"
    "avx512bitalg" "vpopcntb zmm0, zmm1"
    "avx512bf16" "vcvtneps2bf16 ymm0, zmm1"
    "avx512vp2intersect" "vp2intersectd k0, zmm1, zmm2"
    "avx512fp16" "vaddph zmm0, zmm1, zmm2"
    "avxifma" "{{vex}} vpmadd52luq ymm0, ymm1, ymm2"
    "avxneconvert" "vcvtneebf162ps xmm0, xmmword ptr [rsp]"
    "avxvnni" "{{vex}} vpdpbusd ymm0, ymm1, ymm2"
    "avxvnniint16" "vpdpwsud ymm0, ymm1, ymm2"
    "avxvnniint8" "vpdpbssd ymm0, ymm1, ymm2"
    "f16c" "vcvtph2ps xmm0, xmm1"
    "fma" "vfmadd132ps xmm0, xmm1, xmm2"
    "bmi1" "andn eax, ecx, edx"
    "bmi2" "mulx eax, ecx, edx"
    "lzcnt" "lzcnt eax, ecx"
    "tbm" "blcfill eax, ecx"
    "popcnt" "popcnt eax, ecx"
    "xsave" "xgetbv"
    "xsaveopt" "xsaveopt [rsp]"
    "xsavec" "xsavec [rsp]"
    "xsaves" "xsaves [rsp]"
    "cmpxchg16b" "cmpxchg16b [rsp]"
    "kl" "aesenc128kl xmm0, [rsp]"
    "widekl" "aesencwide128kl [rsp]"
    "adx" "adcx eax, ecx"
    "movbe" "movbe eax, [rsp]"
    "aes" "aesenc xmm0, xmm1"
}
