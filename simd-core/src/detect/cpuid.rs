//! Detection on x86 by the instruction `cpuid`: the crate `cpufeatures`, which asks the operating system's register for the
//! vector state as well, and the bits that it leaves out. The bits are those of the Intel SDM, volume 2, CPUID.
//!
//! What is read here needs no question about vector state of its own: each such feature implies `avx` or `avx512f`, of
//! which [`detect`](super::super::detect) makes sure.
use crate::mask::{FeatureSet, Mask, feature};
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

/// What `cpufeatures` knows, each with the lowest leaf that it is read from.
macro_rules! known {
    ($($leaf:literal: $($module:ident $feature:ident $name:tt),*;)*) => {
        $($(cpufeatures::new!($module, $name);)*)*

        const KNOWN: Mask = Mask::EMPTY$($(.or(feature::$feature.leaf))*)*;

        fn known(highest: u32) -> Mask {
            let mut seen = Mask::EMPTY;
            $($(
                if $leaf <= highest && $module::get() {
                    seen = seen.or(feature::$feature.leaf);
                }
            )*)*
            seen
        }
    };
}
known! {
    1: sse SSE "sse", sse2 SSE2 "sse2", sse3 SSE3 "sse3", ssse3 SSSE3 "ssse3", sse4_1 SSE4_1 "sse4.1",
        sse4_2 SSE4_2 "sse4.2", popcnt POPCNT "popcnt", rdrand RDRAND "rdrand", aes AES "aes",
        pclmulqdq PCLMULQDQ "pclmulqdq", avx AVX "avx", fma FMA "fma";
    7: bmi1 BMI1 "bmi1", bmi2 BMI2 "bmi2", adx ADX "adx", rdseed RDSEED "rdseed", sha SHA "sha", avx2 AVX2 "avx2",
        avx512f AVX512F "avx512f", avx512cd AVX512CD "avx512cd", avx512bw AVX512BW "avx512bw",
        avx512dq AVX512DQ "avx512dq", avx512vl AVX512VL "avx512vl", avx512ifma AVX512IFMA "avx512ifma",
        avx512vbmi AVX512VBMI "avx512vbmi", avx512vbmi2 AVX512VBMI2 "avx512vbmi2",
        avx512bitalg AVX512BITALG "avx512bitalg", avx512vpopcntdq AVX512VPOPCNTDQ "avx512vpopcntdq",
        sha512 SHA512 "sha512", sm3 SM3 "sm3", sm4 SM4 "sm4";
}

/// The leaves and subleaves that hold what `cpufeatures` leaves out.
const LEAVES: [(u32, u32); 5] = [(1, 0), (7, 0), (7, 1), (0xd, 1), (0x8000_0001, 0)];
/// Places in [`LEAVES`].
const BASIC: usize = 0;
const EXTENDED: usize = 1;
const EXTENDED_1: usize = 2;
const STATE: usize = 3;
const AMD: usize = 4;
/// Places in what [`cpuid`] returns.
const EAX: usize = 0;
const ECX: usize = 2;
const EDX: usize = 3;

/// A leaf, a register, a bit of it, and the feature that it tells of.
type Row = (usize, usize, u32, FeatureSet);

/// It has `gfni`, `vaes` and `vpclmulqdq`, but tells of them only where there is AVX-512.
const MORE: &[Row] = &[
    (BASIC, ECX, 13, feature::CMPXCHG16B),
    (BASIC, ECX, 22, feature::MOVBE),
    (BASIC, ECX, 29, feature::F16C),
    (BASIC, EDX, 24, feature::FXSR),
    (EXTENDED, ECX, 8, feature::GFNI),
    (EXTENDED, ECX, 9, feature::VAES),
    (EXTENDED, ECX, 10, feature::VPCLMULQDQ),
    (EXTENDED, ECX, 11, feature::AVX512VNNI),
    (EXTENDED, EDX, 8, feature::AVX512VP2INTERSECT),
    (EXTENDED, EDX, 23, feature::AVX512FP16),
    (EXTENDED_1, EAX, 4, feature::AVXVNNI),
    (EXTENDED_1, EAX, 5, feature::AVX512BF16),
    (EXTENDED_1, EAX, 23, feature::AVXIFMA),
    (EXTENDED_1, EDX, 4, feature::AVXVNNIINT8),
    (EXTENDED_1, EDX, 5, feature::AVXNECONVERT),
    (EXTENDED_1, EDX, 10, feature::AVXVNNIINT16),
    (AMD, ECX, 5, feature::LZCNT),
];
/// The same, of instructions that work if the operating system has enabled them, as it must for AVX.
const XSAVE: &[Row] = &[
    (BASIC, ECX, 26, feature::XSAVE),
    (STATE, EAX, 0, feature::XSAVEOPT),
    (STATE, EAX, 1, feature::XSAVEC),
    (STATE, EAX, 3, feature::XSAVES),
];

pub(crate) const DETECTABLE: Mask = KNOWN.or(features(MORE)).or(features(XSAVE));

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
    // The first leaf of each range tells the range's highest; beyond it, the answer is that of another leaf.
    let leaves = LEAVES.map(
        |(leaf, subleaf)| {
            if leaf <= cpuid(leaf & 0x8000_0000, 0)[0] { cpuid(leaf, subleaf) } else { [0; 4] }
        },
    );
    let set_in = |rows: &[Row]| {
        let set = rows.iter().filter(|&&(leaf, register, bit, _)| leaves[leaf][register] >> bit & 1 == 1);
        set.fold(Mask::EMPTY, |seen, row| seen.or(row.3.leaf))
    };
    let mut seen = known(highest).or(set_in(MORE));
    if seen.contains(feature::AVX.leaf) {
        seen = seen.or(set_in(XSAVE));
    } else if vendor.to_le_bytes() == *b"Genu" {
        // Some of Intel's CPUs without AVX claim these and lack them: erratum SKL052 of the 6th generation.
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
