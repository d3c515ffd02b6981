//! The bits of `cpuid` for features, from the Intel SDM, volume 2, CPUID.
use crate::mask::{FeatureSet, feature};

/// The leaves and subleaves that are read.
pub(crate) const LEAVES: [(u32, u32); 5] = [(1, 0), (7, 0), (7, 1), (0xd, 1), (0x8000_0001, 0)];
/// Indices in [`LEAVES`].
const BASIC: usize = 0;
const EXTENDED: usize = 1;
const EXTENDED_1: usize = 2;
const STATE: usize = 3;
const AMD: usize = 4;
/// Indices of registers in a leaf.
const EAX: usize = 0;
const EBX: usize = 1;
const ECX: usize = 2;
const EDX: usize = 3;

/// A leaf, a register, a bit of it, and the feature that it stands for.
pub(crate) type Row = (usize, usize, u32, FeatureSet);

/// All but `avx` and `avx512f`.
pub(crate) const PLAIN: &[Row] = &[
    (BASIC, ECX, 0, feature::SSE3),
    (BASIC, ECX, 1, feature::PCLMULQDQ),
    (BASIC, ECX, 9, feature::SSSE3),
    (BASIC, ECX, 12, feature::FMA),
    (BASIC, ECX, 13, feature::CMPXCHG16B),
    (BASIC, ECX, 19, feature::SSE4_1),
    (BASIC, ECX, 20, feature::SSE4_2),
    (BASIC, ECX, 22, feature::MOVBE),
    (BASIC, ECX, 23, feature::POPCNT),
    (BASIC, ECX, 25, feature::AES),
    (BASIC, ECX, 29, feature::F16C),
    (BASIC, ECX, 30, feature::RDRAND),
    (BASIC, EDX, 24, feature::FXSR),
    (BASIC, EDX, 25, feature::SSE),
    (BASIC, EDX, 26, feature::SSE2),
    (EXTENDED, EBX, 3, feature::BMI1),
    (EXTENDED, EBX, 5, feature::AVX2),
    (EXTENDED, EBX, 8, feature::BMI2),
    (EXTENDED, EBX, 17, feature::AVX512DQ),
    (EXTENDED, EBX, 18, feature::RDSEED),
    (EXTENDED, EBX, 19, feature::ADX),
    (EXTENDED, EBX, 21, feature::AVX512IFMA),
    (EXTENDED, EBX, 28, feature::AVX512CD),
    (EXTENDED, EBX, 29, feature::SHA),
    (EXTENDED, EBX, 30, feature::AVX512BW),
    (EXTENDED, EBX, 31, feature::AVX512VL),
    (EXTENDED, ECX, 1, feature::AVX512VBMI),
    (EXTENDED, ECX, 6, feature::AVX512VBMI2),
    (EXTENDED, ECX, 8, feature::GFNI),
    (EXTENDED, ECX, 9, feature::VAES),
    (EXTENDED, ECX, 10, feature::VPCLMULQDQ),
    (EXTENDED, ECX, 11, feature::AVX512VNNI),
    (EXTENDED, ECX, 12, feature::AVX512BITALG),
    (EXTENDED, ECX, 14, feature::AVX512VPOPCNTDQ),
    (EXTENDED, EDX, 8, feature::AVX512VP2INTERSECT),
    (EXTENDED, EDX, 23, feature::AVX512FP16),
    (EXTENDED_1, EAX, 0, feature::SHA512),
    (EXTENDED_1, EAX, 1, feature::SM3),
    (EXTENDED_1, EAX, 2, feature::SM4),
    (EXTENDED_1, EAX, 4, feature::AVXVNNI),
    (EXTENDED_1, EAX, 5, feature::AVX512BF16),
    (EXTENDED_1, EAX, 23, feature::AVXIFMA),
    (EXTENDED_1, EDX, 4, feature::AVXVNNIINT8),
    (EXTENDED_1, EDX, 5, feature::AVXNECONVERT),
    (EXTENDED_1, EDX, 10, feature::AVXVNNIINT16),
    (AMD, ECX, 5, feature::LZCNT),
];
/// The same, for instructions that need no more of the operating system than AVX does.
pub(crate) const XSAVE: &[Row] = &[
    (BASIC, ECX, 26, feature::XSAVE),
    (STATE, EAX, 0, feature::XSAVEOPT),
    (STATE, EAX, 1, feature::XSAVEC),
    (STATE, EAX, 3, feature::XSAVES),
];
