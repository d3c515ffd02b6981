//! The needs of an x86 or x86-64 instruction, by rustc's names.

use iced_x86::CpuidFeature as C;

/// A need of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing that has a name: every CPU that Rust supports has it, or runs it as a no-op.
    Nothing,
    /// A feature by rustc's name.
    Feature(&'static str),
    /// A feature that rustc has no name for.
    Unnamed,
}

/// Translates the decoder's CPUID bit.
#[allow(clippy::too_many_lines, reason = "a table")]
pub(crate) fn need(bit: C) -> Need {
    let name = match bit {
        C::ADX => "adx",
        C::AES => "aes",
        C::AVX => "avx",
        C::AVX2 => "avx2",
        C::AVX512_BF16 => "avx512bf16",
        C::AVX512_BITALG => "avx512bitalg",
        C::AVX512BW => "avx512bw",
        C::AVX512CD => "avx512cd",
        C::AVX512DQ => "avx512dq",
        C::AVX512F => "avx512f",
        C::AVX512_FP16 => "avx512fp16",
        C::AVX512_IFMA => "avx512ifma",
        C::AVX512_VBMI => "avx512vbmi",
        C::AVX512_VBMI2 => "avx512vbmi2",
        C::AVX512VL => "avx512vl",
        C::AVX512_VNNI => "avx512vnni",
        C::AVX512_VP2INTERSECT => "avx512vp2intersect",
        C::AVX512_VPOPCNTDQ => "avx512vpopcntdq",
        C::AVX_IFMA => "avxifma",
        C::AVX_NE_CONVERT => "avxneconvert",
        C::AVX_VNNI => "avxvnni",
        C::AVX_VNNI_INT16 => "avxvnniint16",
        C::AVX_VNNI_INT8 => "avxvnniint8",
        C::BMI1 => "bmi1",
        C::BMI2 => "bmi2",
        C::CMPXCHG16B => "cmpxchg16b",
        C::F16C => "f16c",
        C::FMA => "fma",
        C::FXSR => "fxsr",
        C::GFNI => "gfni",
        C::KL | C::AESKLE => "kl",
        C::WIDE_KL => "widekl",
        C::LZCNT => "lzcnt",
        C::MOVBE => "movbe",
        C::PCLMULQDQ => "pclmulqdq",
        C::POPCNT => "popcnt",
        C::RDRAND => "rdrand",
        C::RDSEED => "rdseed",
        C::SHA => "sha",
        C::SHA512 => "sha512",
        C::SM3 => "sm3",
        C::SM4 => "sm4",
        C::SSE => "sse",
        C::SSE2 => "sse2",
        C::SSE3 => "sse3",
        C::SSE4_1 => "sse4.1",
        C::SSE4_2 => "sse4.2",
        C::SSE4A => "sse4a",
        C::SSSE3 => "ssse3",
        C::TBM => "tbm",
        C::VAES => "vaes",
        C::VPCLMULQDQ => "vpclmulqdq",
        C::XSAVE => "xsave",
        C::XSAVEC => "xsavec",
        C::XSAVEOPT => "xsaveopt",
        C::XSAVES => "xsaves",
        // `endbr64` and shadow-stack reads are no-ops where the CPU does not know them; so is `xacquire`.
        C::INTEL8086
        | C::INTEL186
        | C::INTEL286
        | C::INTEL386
        | C::INTEL486
        | C::X64
        | C::CMOV
        | C::CX8
        | C::CPUID
        | C::FPU
        | C::FPU287
        | C::FPU387
        | C::MMX
        | C::TSC
        | C::SYSCALL
        | C::SEP
        | C::MULTIBYTENOP
        | C::PAUSE
        | C::CLFSH
        | C::CET_IBT
        | C::CET_SS
        | C::HLE_or_RTM
        | C::HLE => return Need::Nothing,
        _ => return Need::Unnamed,
    };
    Need::Feature(name)
}

/// Whether one of the decoder's bits that rustc has no name for is called so.
pub(crate) fn is_unnamed(name: &str) -> bool {
    C::values().any(|bit| need(bit) == Need::Unnamed && format!("{bit:?}") == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use crate::audit::sources::CPUID;
    use crate::features;

    #[test]
    fn every_feature_is_what_an_instruction_needs_and_a_bit_of_cpuid() {
        let named: Vec<&str> =
            C::values().filter_map(|bit| if let Need::Feature(name) = need(bit) { Some(name) } else { None }).collect();
        for name in features::all_names(Architecture::X86_64) {
            assert!(named.contains(&name), "no instruction is said to need {name}");
            assert!(CPUID.iter().any(|(.., known)| *known == name), "{name} has no bit of `cpuid`");
        }
        for name in named {
            assert!(features::all_names(Architecture::X86_64).any(|other| other == name), "{name} is in no table");
        }
    }
}
