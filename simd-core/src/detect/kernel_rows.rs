//! The bits of `AT_HWCAP` and `AT_HWCAP2` for features.
//!
//! On `LoongArch` `f` and `d` are left out: one bit of the kernel's word stands for both, and every such build enables
//! them. On Android only the first rows count: before Android 9, the kernel of a CPU with cores of two generations
//! (Exynos 9810) reports features that some of them lack, and the standard library relies on it for these few.
use crate::mask::FeatureSet;
use libc::c_ulong;

/// The rows that count here.
pub(crate) const ROWS: &[Row] = if cfg!(target_os = "android") { FEATURES.split_at(4).0 } else { FEATURES };

/// A feature, the index of the kernel's word, and the bits in it that must all be set.
pub(crate) type Row = (FeatureSet, usize, c_ulong);

#[cfg(target_arch = "loongarch64")]
const FEATURES: &[Row] = &{
    use crate::mask::feature::{LASX, LBT, LSX, LVZ};
    use libc::{
        HWCAP_LOONGARCH_LASX, HWCAP_LOONGARCH_LBT_ARM, HWCAP_LOONGARCH_LBT_MIPS, HWCAP_LOONGARCH_LBT_X86,
        HWCAP_LOONGARCH_LSX, HWCAP_LOONGARCH_LVZ,
    };
    [
        (LSX, 0, HWCAP_LOONGARCH_LSX),
        (LASX, 0, HWCAP_LOONGARCH_LASX),
        (LVZ, 0, HWCAP_LOONGARCH_LVZ),
        (LBT, 0, HWCAP_LOONGARCH_LBT_X86 | HWCAP_LOONGARCH_LBT_ARM | HWCAP_LOONGARCH_LBT_MIPS),
    ]
};

#[cfg(target_arch = "aarch64")]
const FEATURES: &[Row] = &{
    use crate::mask::feature::{
        AES, BF16, BTI, CRC, DIT, DOTPROD, DPB, DPB2, F32MM, F64MM, FCMA, FHM, FLAGM, FP16, FRINTTS, I8MM, JSCONV, LSE,
        MTE, NEON, PACA, PACG, RAND, RCPC, RCPC2, RDM, SB, SHA2, SHA3, SM4, SSBS, SVE, SVE2, SVE2_AES, SVE2_BITPERM,
        SVE2_SHA3, SVE2_SM4,
    };
    [
        (NEON, 0, libc::HWCAP_FP | libc::HWCAP_ASIMD),
        (AES, 0, libc::HWCAP_AES | libc::HWCAP_PMULL),
        (SHA2, 0, libc::HWCAP_SHA1 | libc::HWCAP_SHA2),
        (CRC, 0, libc::HWCAP_CRC32),
        (SHA3, 0, libc::HWCAP_SHA3 | libc::HWCAP_SHA512),
        (SM4, 0, libc::HWCAP_SM3 | libc::HWCAP_SM4),
        (LSE, 0, libc::HWCAP_ATOMICS),
        (RDM, 0, libc::HWCAP_ASIMDRDM),
        (FP16, 0, libc::HWCAP_FPHP | libc::HWCAP_ASIMDHP),
        (FHM, 0, libc::HWCAP_ASIMDFHM),
        (DOTPROD, 0, libc::HWCAP_ASIMDDP),
        (FCMA, 0, libc::HWCAP_FCMA),
        (JSCONV, 0, libc::HWCAP_JSCVT),
        (RCPC, 0, libc::HWCAP_LRCPC),
        (RCPC2, 0, libc::HWCAP_ILRCPC),
        (DPB, 0, libc::HWCAP_DCPOP),
        (DIT, 0, libc::HWCAP_DIT),
        (FLAGM, 0, libc::HWCAP_FLAGM),
        (SB, 0, libc::HWCAP_SB),
        (SSBS, 0, libc::HWCAP_SSBS),
        (PACA, 0, libc::HWCAP_PACA),
        (PACG, 0, libc::HWCAP_PACG),
        (SVE, 0, libc::HWCAP_SVE),
        // HWCAP2_… of the kernel's arch/arm64/include/uapi/asm/hwcap.h, which the crate `libc` has for Android only.
        (DPB2, 1, 1 << 0),
        (FRINTTS, 1, 1 << 8),
        (I8MM, 1, 1 << 13),
        (BF16, 1, 1 << 14),
        (RAND, 1, 1 << 16),
        (BTI, 1, 1 << 17),
        (MTE, 1, 1 << 18),
        (SVE2, 1, 1 << 1),
        (SVE2_AES, 1, 1 << 2 | 1 << 3),
        (SVE2_SHA3, 1, 1 << 5),
        (SVE2_SM4, 1, 1 << 6),
        (SVE2_BITPERM, 1, 1 << 4),
        (F32MM, 1, 1 << 10),
        (F64MM, 1, 1 << 11),
    ]
};
