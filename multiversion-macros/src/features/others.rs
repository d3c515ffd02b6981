//! The families with the fewest features: 32-bit Arm, `LoongArch`, s390x, PowerPC and WebAssembly.
use super::table::{Family, Feature, Table, number};

pub(super) static ARM: Table = Table { unstable: ARM_UNSTABLE, ..Table::EMPTY };

pub(super) static LOONGARCH: Table =
    Table { features: &LOONGARCH_FEATURES, unstable: LOONGARCH_UNSTABLE, detected_since: Some(89), ..Table::EMPTY };

pub(super) static S390X: Table = Table {
    features: &S390X_FEATURES,
    unstable: S390X_UNSTABLE,
    aliases: S390X_ALIASES,
    detected_since: Some(93),
    ..Table::EMPTY
};

pub(super) static POWERPC: Table = Table { unstable: POWERPC_UNSTABLE, ..Table::EMPTY };

pub(super) static WASM: Table = Table { features: &WASM_FEATURES, unstable: WASM_UNSTABLE, ..Table::EMPTY };

const ARM_UNSTABLE: &[&str] = &[
    "aclass",
    "aes",
    "crc",
    "d32",
    "dotprod",
    "dsp",
    "fp-armv8",
    "fp16",
    "fpregs",
    "i8mm",
    "mclass",
    "neon",
    "rclass",
    "sha2",
    "soft-float",
    "thumb-mode",
    "thumb2",
    "trustzone",
    "v5te",
    "v6",
    "v6k",
    "v6t2",
    "v7",
    "v8",
    "vfp2",
    "vfp3",
    "vfp4",
    "virtualization",
];

static LOONGARCH_FEATURES: [Feature; 12] = number(
    Family::Loongarch,
    [
        Feature::new("f", &[]),
        Feature::new("d", &["f"]),
        Feature::new("lsx", &["d"]),
        Feature::new("lasx", &["lsx"]),
        Feature::new("frecipe", &[]),
        Feature::new("lbt", &[]),
        Feature::new("lvz", &[]),
        Feature::new("div32", &[]).since(97),
        Feature::new("lam-bh", &[]).since(97),
        Feature::new("lamcas", &[]).since(97),
        Feature::new("ld-seq-sa", &[]).since(97),
        Feature::new("scq", &[]).since(97),
    ],
);

const LOONGARCH_UNSTABLE: &[&str] = &["32s", "relax", "ual"];

static S390X_FEATURES: [Feature; 12] = number(
    Family::S390x,
    [
        Feature::new("vector", &[]).since(93),
        Feature::new("vector-enhancements-1", &["vector"]).since(93),
        Feature::new("vector-enhancements-2", &["vector-enhancements-1"]).since(93),
        Feature::new("vector-enhancements-3", &["vector-enhancements-2"]).since(93),
        Feature::new("vector-packed-decimal", &["vector"]).since(93),
        Feature::new("vector-packed-decimal-enhancement", &["vector-packed-decimal"]).since(93),
        Feature::new("vector-packed-decimal-enhancement-2", &["vector-packed-decimal-enhancement"]).since(93),
        Feature::new("vector-packed-decimal-enhancement-3", &["vector-packed-decimal-enhancement-2"]).since(93),
        Feature::new("nnp-assist", &["vector"]).since(93),
        Feature::new("miscellaneous-extensions-2", &[]).since(93),
        Feature::new("miscellaneous-extensions-3", &[]).since(93),
        Feature::new("miscellaneous-extensions-4", &[]).since(93),
    ],
);

const S390X_UNSTABLE: &[&str] = &[
    "backchain",
    "concurrent-functions",
    "deflate-conversion",
    "enhanced-sort",
    "guarded-storage",
    "high-word",
    "message-security-assist-extension12",
    "message-security-assist-extension3",
    "message-security-assist-extension4",
    "message-security-assist-extension5",
    "message-security-assist-extension8",
    "message-security-assist-extension9",
    "transactional-execution",
];

const POWERPC_UNSTABLE: &[&str] = &[
    "altivec",
    "msync",
    "partword-atomics",
    "power10-vector",
    "power8-altivec",
    "power8-crypto",
    "power8-vector",
    "power9-altivec",
    "power9-vector",
    "quadword-atomics",
    "vsx",
];

static WASM_FEATURES: [Feature; 10] = number(
    Family::Wasm,
    [
        Feature::new("simd128", &[]),
        Feature::new("relaxed-simd", &["simd128"]),
        Feature::new("bulk-memory", &[]),
        Feature::new("extended-const", &[]),
        Feature::new("multivalue", &[]),
        Feature::new("mutable-globals", &[]),
        Feature::new("nontrapping-fptoint", &[]),
        Feature::new("reference-types", &[]),
        Feature::new("sign-ext", &[]),
        Feature::new("tail-call", &[]),
    ],
);

const WASM_UNSTABLE: &[&str] = &["atomics", "exception-handling", "gc", "wide-arithmetic"];

// The spellings of /proc/cpuinfo on Linux.
const S390X_ALIASES: &[(&str, &str)] = &[
    ("vx", "vector"),
    ("vxd", "vector-packed-decimal"),
    ("vxe", "vector-enhancements-1"),
    ("vxe2", "vector-enhancements-2"),
    ("vxp", "vector-packed-decimal-enhancement"),
    ("vxp2", "vector-packed-decimal-enhancement-2"),
    ("nnpa", "nnp-assist"),
    ("dflt", "deflate-conversion"),
    ("sort", "enhanced-sort"),
    ("gs", "guarded-storage"),
    ("te", "transactional-execution"),
];
