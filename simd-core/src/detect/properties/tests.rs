//! The table on what real CPUs say of themselves: EAX of leaf 1, as in `/proc/cpuinfo`'s numbers put together and in the
//! dumps of <http://users.atw.hu/instlatx64/>.
use super::*;
use std::vec::Vec;

const NOTHING: Mask = Mask::EMPTY;
const PEXT: Mask = FAST_PEXT.leaf;
const WIDE: Mask = FAST_512.leaf;
const GATHER: Mask = FAST_GATHER.leaf;
const COMPRESS: Mask = FAST_COMPRESS_STORE.leaf;

/// A CPU: its vendor, its signature, its family and model, and what it lacks.
type Cpu = (&'static str, &'static [u8; 12], u32, (u32, u32), Mask);

const CPUS: &[Cpu] = &[
    ("Xeon E5-2670 (Sandy Bridge)", INTEL, 0x0002_06d7, (6, 0x2d), NOTHING),
    ("Core i7-4770 (Haswell)", INTEL, 0x0003_06c3, (6, 0x3c), NOTHING),
    ("Xeon E5-2680 v4 (Broadwell)", INTEL, 0x0004_06f1, (6, 0x4f), NOTHING),
    ("Xeon Phi 7210 (Knights Landing)", INTEL, 0x0005_0671, (6, 0x57), NOTHING),
    ("Celeron N3350 (Goldmont)", INTEL, 0x0005_06c9, (6, 0x5c), NOTHING),
    ("Core i5-6200U (Skylake)", INTEL, 0x0004_06e3, (6, 0x4e), GATHER),
    ("Core i7-6700K (Skylake)", INTEL, 0x0005_06e3, (6, 0x5e), GATHER),
    ("Core i5-8250U (Kaby Lake)", INTEL, 0x0008_06ea, (6, 0x8e), GATHER),
    ("Core i7-8700K (Coffee Lake)", INTEL, 0x0009_06ea, (6, 0x9e), GATHER),
    ("Core i9-10900K (Comet Lake)", INTEL, 0x000a_0655, (6, 0xa5), GATHER),
    ("Xeon Gold 6148 (Skylake-SP)", INTEL, 0x0005_0654, (6, 0x55), WIDE.or(GATHER)),
    ("Xeon Gold 6248 (Cascade Lake)", INTEL, 0x0005_0657, (6, 0x55), WIDE.or(GATHER)),
    ("Xeon Platinum 8380H (Cooper Lake)", INTEL, 0x0005_065b, (6, 0x55), WIDE.or(GATHER)),
    ("Core i3-8121U (Cannon Lake)", INTEL, 0x0006_0663, (6, 0x66), NOTHING),
    ("Core i7-1065G7 (Ice Lake)", INTEL, 0x0007_06e5, (6, 0x7e), GATHER),
    ("Xeon Platinum 8380 (Ice Lake-SP)", INTEL, 0x0006_06a6, (6, 0x6a), GATHER),
    ("Core i7-1165G7 (Tiger Lake)", INTEL, 0x0008_06c1, (6, 0x8c), GATHER),
    ("Core i9-11900K (Rocket Lake)", INTEL, 0x000a_0671, (6, 0xa7), GATHER),
    ("Core i9-12900K (Alder Lake)", INTEL, 0x0009_0672, (6, 0x97), NOTHING),
    ("Core Ultra 7 155H (Meteor Lake)", INTEL, 0x000a_06a4, (6, 0xaa), NOTHING),
    ("Xeon Platinum 8480+ (Sapphire Rapids)", INTEL, 0x0008_06f8, (6, 0x8f), NOTHING),
    ("Xeon Platinum 8592+ (Emerald Rapids)", INTEL, 0x000c_06f2, (6, 0xcf), NOTHING),
    ("Xeon 6980P (Granite Rapids)", INTEL, 0x000a_06d1, (6, 0xad), NOTHING),
    ("FX-8350 (Piledriver)", AMD, 0x0060_0f20, (0x15, 0x02), PEXT.or(GATHER)),
    ("A12-9800 (Excavator)", AMD, 0x0066_0f51, (0x15, 0x65), PEXT.or(GATHER)),
    ("Athlon 5350 (Jaguar)", AMD, 0x0070_0f01, (0x16, 0x00), NOTHING),
    ("Ryzen 7 1800X (Zen)", AMD, 0x0080_0f11, (0x17, 0x01), PEXT.or(GATHER)),
    ("Ryzen 7 3700X (Zen 2)", AMD, 0x0087_0f10, (0x17, 0x71), PEXT.or(GATHER)),
    ("EPYC 7742 (Zen 2)", AMD, 0x0083_0f10, (0x17, 0x31), PEXT.or(GATHER)),
    ("C86 7185 (Dhyana)", HYGON, 0x0090_0f02, (0x18, 0x00), PEXT.or(GATHER)),
    ("Ryzen 9 5950X (Zen 3)", AMD, 0x00a2_0f10, (0x19, 0x21), GATHER),
    ("EPYC 7763 (Zen 3)", AMD, 0x00a0_0f11, (0x19, 0x01), GATHER),
    ("Ryzen 9 6900HX (Zen 3+)", AMD, 0x00a4_0f41, (0x19, 0x44), GATHER),
    ("Ryzen 9 7950X (Zen 4)", AMD, 0x00a6_0f12, (0x19, 0x61), GATHER.or(COMPRESS)),
    ("Ryzen 7 7840U (Zen 4)", AMD, 0x00a7_0f41, (0x19, 0x74), GATHER.or(COMPRESS)),
    ("EPYC 9654 (Zen 4)", AMD, 0x00a1_0f11, (0x19, 0x11), GATHER.or(COMPRESS)),
    ("EPYC 9754 (Zen 4c)", AMD, 0x00aa_0f02, (0x19, 0xa0), GATHER.or(COMPRESS)),
    ("Ryzen 9 9950X (Zen 5)", AMD, 0x00b4_0f40, (0x1a, 0x44), NOTHING),
    ("EPYC 9755 (Zen 5)", AMD, 0x00b0_0f21, (0x1a, 0x02), NOTHING),
    ("KX-U6780A (Lujiazui)", SHANGHAI, 0x0003_07b0, (7, 0x3b), NOTHING),
    ("KH-40000 (Yongfeng)", CENTAUR, 0x0005_07b0, (7, 0x5b), GATHER),
    ("KX-7000 (Shijidadao)", SHANGHAI, 0x0006_07b0, (7, 0x6b), GATHER),
    ("QEMU's qemu64, and max without KVM", AMD, 0x0006_0fb1, (0xf, 0x6b), NOTHING),
    ("QEMU's kvm64", INTEL, 0x0000_0f61, (0xf, 6), NOTHING),
    ("QEMU's pentium3", INTEL, 0x0000_0673, (6, 7), NOTHING),
    ("Rosetta 2", b"VirtualApple", 0x0002_06c1, (6, 0x2c), NOTHING),
    ("nobody", &[0; 12], 0, (0, 0), NOTHING),
    // The same numbers as a model that is listed, of somebody else.
    ("a model of another vendor", CENTAUR, 0x0005_0654, (6, 0x55), NOTHING),
];

fn identity(vendor: &[u8; 12], signature: u32) -> Identity {
    let word = |at: usize| u32::from_le_bytes([vendor[at], vendor[at + 1], vendor[at + 2], vendor[at + 3]]);
    Identity::new([word(0), word(4), word(8)], signature)
}

#[test]
fn real_cpus() {
    for &(name, vendor, signature, (family, model), lacking) in CPUS {
        let identity = identity(vendor, signature);
        assert_eq!(identity, Identity { vendor: *vendor, family, model }, "{name}");
        assert_eq!(identity.properties(), Mask::PROPERTIES.without(lacking), "{name}");
    }
}

#[test]
fn each_row_is_of_use() {
    for (place, (property, vendor, family, first, last)) in SLOW.iter().enumerate() {
        assert!(first <= last && Mask::PROPERTIES.contains(*property));
        let overlaps = SLOW[..place].iter().any(|(other, v, f, low, high)| {
            (other, v, f) == (property, vendor, family) && first <= high && low <= last
        });
        assert!(!overlaps, "row {place} covers models of an earlier one");
    }
}

#[test]
fn each_property_has_a_reason() {
    let reasons = REASONS.iter().fold(Mask::EMPTY, |all, (property, _)| all.or(*property));
    assert_eq!(reasons, Mask::PROPERTIES);
    let zen_4 = identity(AMD, 0x00a1_0f11).properties();
    let why: Vec<_> = reasons_where(COMPRESS.or(WIDE), zen_4).collect();
    assert_eq!(why, ["compressing stores are slow on this CPU"]);
    // The CPU has them, and somebody else has taken them away.
    assert_eq!(reasons_where(zen_4.or(Mask::ALL.without(Mask::PROPERTIES)), zen_4).count(), 0);
    assert_eq!(super::reasons(crate::detect::detect()).count(), 0);
}

/// The CPUs in [`CPUS`] with AVX-VNNI: GCC's `PTA_ALDERLAKE`, `PTA_SAPPHIRERAPIDS` and what builds on them, and
/// `PTA_ZNVER5`, in `i386.h`.
const NEWER: [&str; 7] = [
    "(Alder Lake)",
    "(Meteor Lake)",
    "(Sapphire Rapids)",
    "(Emerald Rapids)",
    "(Granite Rapids)",
    "9950X (Zen 5)",
    "9755 (Zen 5)",
];

#[test]
fn newer_cpus_need_no_identification() {
    for name in NEWER {
        let newer: Vec<_> = CPUS.iter().filter(|cpu| cpu.0.ends_with(name)).collect();
        assert!(matches!(newer[..], [&(.., NOTHING)]), "{name}");
    }
    assert_eq!(detected(AVXVNNI.leaf), Mask::PROPERTIES);
    assert_eq!(detected(Mask::ALL.without(AVXVNNI.leaf)), identify::this_cpu());
    assert_eq!(detected(Mask::EMPTY), identify::this_cpu());
}
