//! Detection on x86 by the instruction `cpuid`.
//!
//! The crate `cpufeatures` detects `avx` and `avx512f`, since it also checks that the operating system saves the wide
//! registers. Every other feature that needs them implies one of the two, and [`detect`](super::super::detect) requires
//! implied features. The other bits are read here, each leaf once: the instruction takes microseconds in a virtual
//! machine, and the crate would run it again for each feature.
use crate::detect::cpuid_rows::{ALONE, LEAVES, Row, WITH_AVX};
use crate::mask::{Mask, feature};
#[cfg(target_arch = "x86")]
use core::arch::x86 as arch;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64 as arch;

cpufeatures::new!(avx, "avx");
cpufeatures::new!(avx512f, "avx512f");

pub(crate) const DETECTABLE: Mask =
    feature::AVX.leaf.or(feature::AVX512F.leaf).or(features(ALONE)).or(features(WITH_AVX));

const fn features(rows: &[Row]) -> Mask {
    let mut all = Mask::EMPTY;
    let mut i = 0;
    while i < rows.len() {
        all = all.or(rows[i].3.leaf);
        i += 1;
    }
    all
}

pub(crate) fn detected() -> Mask {
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
    let mut seen = set_in(ALONE);
    for (has, feature) in [(avx::get(), feature::AVX), (highest >= 7 && avx512f::get(), feature::AVX512F)] {
        if has {
            seen = seen.or(feature.leaf);
        }
    }
    if seen.contains(feature::AVX.leaf) {
        seen = seen.or(set_in(WITH_AVX));
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
