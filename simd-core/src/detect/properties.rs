//! Properties of CPUs: some CPUs have a feature and lack the property, since the feature is slow there.
//!
//! A property depends on the vendor and the model of the CPU, from `cpuid` only: no file is read before `main`.
//! [`SLOW`] lists the models that lack a property. Any other CPU has it: one that is newer than the table, one that a
//! hypervisor renames, and every CPU without `cpuid`. A wrong answer costs speed only, since a target names the
//! feature as well.
//!
//! To add a property, add its name to the macro crate's `features/x86.rs`, the reason for lacking it to [`REASONS`],
//! and the models that lack it to [`SLOW`].
use crate::mask::Mask;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::mask::feature::{AVXVNNI, FAST_512, FAST_COMPRESS_STORE, FAST_GATHER, FAST_PEXT};

/// A property, the vendor as `cpuid` spells it, the family, the first and the last model.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
type Row = (Mask, &'static [u8; 12], u32, u32, u32);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const INTEL: &[u8; 12] = b"GenuineIntel";
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const AMD: &[u8; 12] = b"AuthenticAMD";
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const HYGON: &[u8; 12] = b"HygonGenuine";
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const CENTAUR: &[u8; 12] = b"CentaurHauls";
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const SHANGHAI: &[u8; 12] = b"  Shanghai  ";

/// The models that lack a property, with sources. Models are named as in Linux's `intel-family.h` and
/// `arch/x86/kernel/cpu/amd.c`.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[rustfmt::skip]
const SLOW: &[Row] = &[
    // PDEP and PEXT are microcode, with a time that grows with the bits of the mask, before Zen 3: Agner Fog,
    // "Instruction tables", Excavator and Zen 1 to 2. Hygon's Dhyana is a Zen 1.
    (FAST_PEXT.leaf, AMD, 0x15, 0x00, 0xff),
    (FAST_PEXT.leaf, AMD, 0x17, 0x00, 0xff),
    (FAST_PEXT.leaf, HYGON, 0x18, 0x00, 0xff),
    // 512-bit instructions lower the clock of the core, for other code as well: Intel, "Xeon Processor Scalable Family
    // Specification Update", the tables of AVX-512 turbo frequencies. Skylake-SP and -X, Cascade Lake, Cooper Lake.
    (FAST_512.leaf, INTEL, 6, 0x55, 0x55),
    // The microcode against gather data sampling (Downfall, INTEL-SA-00828) makes gathers slow: Linux's
    // `cpu_vuln_blacklist`. GCC's `m_GDS` has Cannon Lake (0x66) as well, for which there is no such microcode.
    (FAST_GATHER.leaf, INTEL, 6, 0x4e, 0x4e), // Skylake, mobile
    (FAST_GATHER.leaf, INTEL, 6, 0x55, 0x55), // Skylake-SP and -X, Cascade Lake, Cooper Lake
    (FAST_GATHER.leaf, INTEL, 6, 0x5e, 0x5e), // Skylake
    (FAST_GATHER.leaf, INTEL, 6, 0x6a, 0x6a), // Ice Lake-SP
    (FAST_GATHER.leaf, INTEL, 6, 0x6c, 0x6c), // Ice Lake-D
    (FAST_GATHER.leaf, INTEL, 6, 0x7d, 0x7e), // Ice Lake
    (FAST_GATHER.leaf, INTEL, 6, 0x8c, 0x8d), // Tiger Lake
    (FAST_GATHER.leaf, INTEL, 6, 0x8e, 0x8e), // Kaby Lake, Whiskey Lake, Amber Lake, mobile
    (FAST_GATHER.leaf, INTEL, 6, 0x9e, 0x9e), // Kaby Lake, Coffee Lake
    (FAST_GATHER.leaf, INTEL, 6, 0xa5, 0xa6), // Comet Lake
    (FAST_GATHER.leaf, INTEL, 6, 0xa7, 0xa7), // Rocket Lake
    // Gathers are microcode, and slower than single loads, up to Zen 4, and are avoided on Zhaoxin's Yongfeng (0x5b) and
    // Shijidadao (0x6b): GCC's `X86_TUNE_USE_GATHER_*` in `x86-tune.def`, and `get_zhaoxin_cpu` in `cpuinfo.h`.
    (FAST_GATHER.leaf, AMD, 0x15, 0x00, 0xff),
    (FAST_GATHER.leaf, AMD, 0x17, 0x00, 0xff),
    (FAST_GATHER.leaf, HYGON, 0x18, 0x00, 0xff),
    (FAST_GATHER.leaf, AMD, 0x19, 0x00, 0xff),
    (FAST_GATHER.leaf, CENTAUR, 7, 0x5b, 0x6b),
    (FAST_GATHER.leaf, SHANGHAI, 7, 0x5b, 0x6b),
    // VPCOMPRESS to memory is microcode on Zen 4, and fast to a register: Agner Fog, "Instruction tables", Zen 4; the
    // reason for the target `AVX3_ZEN4` of Highway.
    (FAST_COMPRESS_STORE.leaf, AMD, 0x19, 0x10, 0x1f),
    (FAST_COMPRESS_STORE.leaf, AMD, 0x19, 0x60, 0xaf),
];

/// Properties, each with the reason that is printed for a CPU that lacks it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
const REASONS: &[(Mask, &str)] = &[
    (FAST_PEXT.leaf, "PDEP and PEXT are slow on this CPU"),
    (FAST_512.leaf, "512-bit vectors are throttled on this CPU"),
    (FAST_GATHER.leaf, "gathers are slow on this CPU"),
    (FAST_COMPRESS_STORE.leaf, "compressing stores are slow on this CPU"),
];
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
const REASONS: &[(Mask, &str)] = &[];

/// Why this CPU lacks `properties`, a sentence for each. Properties that the environment disables have no such reason.
pub(crate) fn reasons(properties: Mask) -> impl Iterator<Item = &'static str> {
    reasons_where(properties, detected(super::source::detected()))
}

fn reasons_where(properties: Mask, seen: Mask) -> impl Iterator<Item = &'static str> {
    let lacking = properties.without(seen);
    REASONS.iter().filter(move |(property, _)| lacking.intersects(*property)).map(|(_, reason)| *reason)
}

/// The properties of this CPU, which has `features`.
///
/// A CPU with AVX-VNNI is newer than those in [`SLOW`] and is not identified, since each `cpuid` takes microseconds in a virtual
/// machine, and some of these give the CPU an older model's number. The first such CPUs are Intel's Alder Lake and Sapphire
/// Rapids, and AMD's Zen 5: GCC, "x86 Options", `-march`.
pub(crate) fn detected(features: Mask) -> Mask {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if features.contains(AVXVNNI.leaf) {
        return Mask::PROPERTIES;
    }
    let _ = features;
    identify::this_cpu()
}

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    not(any(miri, simd_core_no_detect, target_env = "sgx", target_os = "none", target_os = "uefi"))
))]
mod identify {
    #[cfg(target_arch = "x86")]
    use core::arch::x86 as arch;
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64 as arch;

    use super::Identity;
    use crate::mask::Mask;

    pub(super) fn this_cpu() -> Mask {
        #[allow(unused_unsafe, reason = "a safe function on newer toolchains")]
        // SAFETY: every CPU that has SSE, which builds for these architectures enable, has `cpuid` with these two leaves.
        let (vendor, signature) = unsafe { (arch::__cpuid(0), arch::__cpuid(1)) };
        Identity::new([vendor.ebx, vendor.edx, vendor.ecx], signature.eax).properties()
    }
}

/// Elsewhere there are no properties, or no `cpuid`.
#[cfg(not(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    not(any(miri, simd_core_no_detect, target_env = "sgx", target_os = "none", target_os = "uefi"))
)))]
mod identify {
    use crate::mask::Mask;

    pub(super) fn this_cpu() -> Mask {
        Mask::PROPERTIES
    }
}

/// The vendor, family and model of a CPU.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[cfg_attr(
    any(miri, simd_core_no_detect, target_env = "sgx", target_os = "none", target_os = "uefi"),
    allow(dead_code, reason = "nobody is asked")
)]
#[derive(Debug, PartialEq)]
struct Identity {
    vendor: [u8; 12],
    family: u32,
    model: u32,
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[cfg_attr(
    any(miri, simd_core_no_detect, target_env = "sgx", target_os = "none", target_os = "uefi"),
    allow(dead_code, reason = "nobody is asked")
)]
impl Identity {
    /// From the registers EBX, EDX and ECX of leaf 0 of `cpuid`, and EAX of leaf 1: Intel SDM, volume 2, CPUID, and
    /// AMD's manual, volume 3, appendix E, which agree for all CPUs that exist.
    fn new(vendor: [u32; 3], signature: u32) -> Self {
        let mut name = [0; 12];
        for (place, letter) in name.iter_mut().zip(vendor.into_iter().flat_map(u32::to_le_bytes)) {
            *place = letter;
        }
        let bits = |first: u32, count: u32| signature >> first & ((1 << count) - 1);
        let base = bits(8, 4);
        let family = if base == 0xf { base + bits(20, 8) } else { base };
        let model = if base >= 6 { bits(16, 4) << 4 | bits(4, 4) } else { bits(4, 4) };
        Self { vendor: name, family, model }
    }

    fn properties(&self) -> Mask {
        let slow = SLOW.iter().filter(|(_, vendor, family, first, last)| {
            self.vendor == **vendor && self.family == *family && (*first..=*last).contains(&self.model)
        });
        slow.fold(Mask::PROPERTIES, |left, row| left.without(row.0))
    }
}

#[cfg(all(test, any(target_arch = "x86", target_arch = "x86_64")))]
mod tests;
