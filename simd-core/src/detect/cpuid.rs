//! Detection on x86 by the instruction `cpuid`. The bits are those of the Intel SDM, volume 2, CPUID.
//!
//! The crate `cpufeatures` detects `avx` and `avx512f`, since it also checks that the operating system saves the wide
//! registers. Every other feature that needs them implies one of the two, and [`detect`](super::super::detect) requires
//! implied features. The other bits are read here, each leaf once: the instruction takes microseconds in a virtual
//! machine, and the crate would run it again for each feature.
use crate::mask::{FeatureSet, Mask, feature};
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

cpufeatures::new!(avx, "avx");
cpufeatures::new!(avx512f, "avx512f");

/// The leaves and subleaves that are read.
const LEAVES: [(u32, u32); 5] = [(1, 0), (7, 0), (7, 1), (0xd, 1), (0x8000_0001, 0)];
/// Indices in [`LEAVES`].
const BASIC: usize = 0;
const EXTENDED: usize = 1;
const EXTENDED_1: usize = 2;
const STATE: usize = 3;
const AMD: usize = 4;
/// Indices in the result of [`cpuid`].
const EAX: usize = 0;
const EBX: usize = 1;
const ECX: usize = 2;
const EDX: usize = 3;

/// A leaf, a register, a bit of it, and the feature that it stands for.
type Row = (usize, usize, u32, FeatureSet);

/// All but `avx` and `avx512f`.
const PLAIN: &[Row] = &[
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
const XSAVE: &[Row] = &[
    (BASIC, ECX, 26, feature::XSAVE),
    (STATE, EAX, 0, feature::XSAVEOPT),
    (STATE, EAX, 1, feature::XSAVEC),
    (STATE, EAX, 3, feature::XSAVES),
];

pub(crate) const DETECTABLE: Mask = feature::AVX.leaf.or(feature::AVX512F.leaf).or(features(PLAIN)).or(features(XSAVE));

const fn features(rows: &[Row]) -> Mask {
    let mut all = Mask::EMPTY;
    let mut i = 0;
    while i < rows.len() {
        all = all.or(rows[i].3.leaf);
        i += 1;
    }
    all
}

pub(crate) fn seen() -> Mask {
    let [highest, vendor, ..] = cpuid(0, 0);
    // The first leaf of each range contains the number of the highest leaf. Beyond it, a CPU returns the values of
    // another leaf.
    let leaves = LEAVES.map(
        |(leaf, subleaf)| {
            if leaf <= cpuid(leaf & 0x8000_0000, 0)[0] { cpuid(leaf, subleaf) } else { [0; 4] }
        },
    );
    let set_in = |rows: &[Row]| {
        let set = rows.iter().filter(|&&(leaf, register, bit, _)| leaves[leaf][register] >> bit & 1 == 1);
        set.fold(Mask::EMPTY, |seen, row| seen.or(row.3.leaf))
    };
    let mut seen = set_in(PLAIN);
    for (has, feature) in [(avx::get(), feature::AVX), (highest >= 7 && avx512f::get(), feature::AVX512F)] {
        if has {
            seen = seen.or(feature.leaf);
        }
    }
    if seen.contains(feature::AVX.leaf) {
        seen = seen.or(set_in(XSAVE));
    } else if vendor.to_le_bytes() == *b"Genu" {
        // Some of Intel's CPUs without AVX report these and lack them: erratum SKL052 of the 6th generation.
        seen = seen.without(feature::BMI1.leaf).without(feature::BMI2.leaf);
    }
    seen
}

fn cpuid(leaf: u32, subleaf: u32) -> [u32; 4] {
    #[allow(unused_unsafe, reason = "a safe function on newer toolchains")]
    // SAFETY: every CPU that has SSE, which builds for these architectures enable, has `cpuid`.
    let found = unsafe { arch::__cpuid_count(leaf, subleaf) };
    [found.eax, found.ebx, found.ecx, found.edx]
}
