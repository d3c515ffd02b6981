//! The needs of an aarch64 instruction word.
//!
//! Encodings: Arm ARM (DDI 0487), chapter C4. The
//! words are classified here, by bits, and not by the decoder's mnemonics: `fadd` is `neon` or `fp16` by its operands,
//! and an instruction that the decoder does not know must not pass for one that needs nothing.

/// A class of instruction words: those with `word & mask == value`.
struct Class {
    mask: u32,
    value: u32,
    feature: &'static str,
}

const fn class(mask: u32, value: u32, feature: &'static str) -> Class {
    Class { mask, value, feature }
}

/// The first class that fits decides, so exceptions stand before the rule.
const CLASSES: &[Class] = &[
    // Scalable vectors. Of what SVE2 and later added, only the parts with a name of their own are told from SVE.
    class(0xffff_f800, 0x4522_e000, "sve2-aes"),     // aese, aesd
    class(0xffff_f800, 0x4520_e000, "sve2-aes"),     // aesmc, aesimc
    class(0xffe0_f800, 0x4500_6800, "sve2-aes"),     // pmullb, pmullt on .q
    class(0xffe0_fc00, 0x4520_f400, "sve2-sha3"),    // rax1
    class(0xffff_fc00, 0x4523_e000, "sve2-sm4"),     // sm4e
    class(0xffe0_fc00, 0x4520_f000, "sve2-sm4"),     // sm4ekey
    class(0xff20_f000, 0x4500_b000, "sve2-bitperm"), // bext, bdep, bgrp
    class(0x1e00_0000, 0x0400_0000, "sve"),
    // AES, and the carry-less multiply of doublewords
    class(0xffff_cc00, 0x4e28_4800, "aes"),
    class(0xbfe0_fc00, 0x0ee0_e000, "aes"),
    // SHA-1 and SHA-256: three and two registers
    class(0xffe0_8c00, 0x5e00_0000, "sha2"),
    class(0xffff_cc00, 0x5e28_0800, "sha2"),
    // SHA-512, rax1, eor3, bcax, xar; SM3 and SM4
    class(0xffe0_f000, 0xce60_8000, "sha3"),
    class(0xffff_fc00, 0xcec0_8000, "sha3"),
    class(0xffc0_8000, 0xce00_0000, "sha3"),
    class(0xffe0_0000, 0xce80_0000, "sha3"),
    class(0xffe0_8000, 0xce40_0000, "sm4"),
    class(0xffe0_c000, 0xce40_8000, "sm4"),
    class(0xffe0_f000, 0xce60_c000, "sm4"),
    class(0xffff_fc00, 0xcec0_8400, "sm4"),
    // Dot products: vectors, by element
    class(0x9fe0_fc00, 0x0e80_9400, "dotprod"),
    class(0x9fc0_f400, 0x0f80_e000, "dotprod"),
    // usdot, smmla and ummla, usmmla; usdot and sudot by element
    class(0xbfe0_fc00, 0x0e80_9c00, "i8mm"),
    class(0xdfe0_fc00, 0x4e80_a400, "i8mm"),
    class(0xffe0_fc00, 0x4e80_ac00, "i8mm"),
    class(0xbf40_f400, 0x0f00_f000, "i8mm"),
    // bfdot, bfmlal, bfmmla; by element; conversions
    class(0xbf60_fc00, 0x2e40_fc00, "bf16"),
    class(0xffe0_fc00, 0x6e40_ec00, "bf16"),
    class(0xbf40_f400, 0x0f40_f000, "bf16"),
    class(0xffff_fc00, 0x1e63_4000, "bf16"),
    class(0xbfff_fc00, 0x0ea1_6800, "bf16"),
    // fmlal, fmlsl and their second halves; by element
    class(0xbf60_fc00, 0x0e20_ec00, "fhm"),
    class(0xbf60_fc00, 0x2e20_cc00, "fhm"),
    class(0xbfc0_b400, 0x0f80_0000, "fhm"),
    class(0xbfc0_b400, 0x2f80_8000, "fhm"),
    // sqrdmlah, sqrdmlsh: vectors, scalars, by element
    class(0xbf20_f400, 0x2e00_8400, "rdm"),
    class(0xff20_f400, 0x7e00_8400, "rdm"),
    class(0xbf00_d400, 0x2f00_d000, "rdm"),
    class(0xff00_d400, 0x7f00_d000, "rdm"),
    // fcadd, fcmla, fcmla by element
    class(0xbf20_ec00, 0x2e00_e400, "fcma"),
    class(0xbf20_e400, 0x2e00_c400, "fcma"),
    class(0xbf00_9400, 0x2f00_1000, "fcma"),
    class(0xffff_fc00, 0x1e7e_0000, "jsconv"),
    class(0xffbe_7c00, 0x1e28_4000, "frintts"),
    class(0x9fbf_ec00, 0x0e21_e800, "frintts"),
    // Half precision: conversions from it are as old as the architecture
    class(0xffff_7c00, 0x1ee2_4000, "neon"),
    class(0x7fc0_0000, 0x1ec0_0000, "fp16"),
    class(0xffc0_0000, 0x1fc0_0000, "fp16"),
    class(0x9f60_c400, 0x0e40_0400, "fp16"),
    class(0xdf60_c400, 0x5e40_0400, "fp16"),
    class(0x9f7e_0c00, 0x0e78_0800, "fp16"),
    class(0xdf7e_0c00, 0x5e78_0800, "fp16"),
    class(0xbf7f_cc00, 0x0e30_c800, "fp16"),
    class(0xff7e_0c00, 0x5e30_0800, "fp16"),
    class(0x9fc0_0400, 0x0f00_0000, "fp16"),
    class(0xdfc0_0400, 0x5f00_0000, "fp16"),
    class(0xbff8_fc00, 0x0f00_fc00, "fp16"),
    class(0x9ff0_fc00, 0x0f10_e400, "fp16"),
    class(0x9ff0_fc00, 0x0f10_fc00, "fp16"),
    class(0xdff0_fc00, 0x5f10_e400, "fp16"),
    class(0xdff0_fc00, 0x5f10_fc00, "fp16"),
    // All other vector and floating-point instructions, and their loads and stores
    class(0x0e00_0000, 0x0e00_0000, "neon"),
    class(0x0e00_0000, 0x0c00_0000, "neon"),
    class(0x7fe0_e000, 0x1ac0_4000, "crc"),
    // ldapr before the atomics that it lies among; cas, casp, swp and ld<op>
    class(0x3fff_fc00, 0x38bf_c000, "rcpc"),
    class(0x3f20_0c00, 0x1900_0000, "rcpc2"),
    class(0x3fa0_7c00, 0x08a0_7c00, "lse"),
    class(0xbfa0_7c00, 0x0820_7c00, "lse"),
    class(0x3f20_0c00, 0x3820_0000, "lse"),
    // Pointer authentication outside the hint space, where it is a no-op on CPUs without it
    class(0xffff_0000, 0xdac1_0000, "paca"),
    class(0xfe1f_f800, 0xd61f_0800, "paca"),
    class(0xff20_0400, 0xf820_0400, "paca"),
    class(0xffe0_fc00, 0x9ac0_3000, "pacg"),
    // addg and subg; irg, gmi, subp; tag loads and stores
    class(0xbfc0_c000, 0x9180_0000, "mte"),
    class(0xffe0_f800, 0x9ac0_1000, "mte"),
    class(0xdfe0_fc00, 0x9ac0_0000, "mte"),
    class(0xff20_0000, 0xd920_0000, "mte"),
    class(0xffff_ffff, 0xd500_401f, "flagm"),
    class(0xffe0_7c10, 0xba00_0400, "flagm"),
    class(0xffff_bc1f, 0x3a00_080d, "flagm"),
    class(0xffff_ffff, 0xd503_30ff, "sb"),
    class(0xffff_ffc0, 0xd53b_2400, "rand"),
    class(0xffdf_ffe0, 0xd51b_42a0, "dit"),
    class(0xffff_f0ff, 0xd503_405f, "dit"),
    class(0xffff_ffe0, 0xd50b_7c20, "dpb"),
    class(0xffff_ffe0, 0xd50b_7d20, "dpb2"),
];

/// The feature that an instruction word needs, if it needs one that has a name.
pub(crate) fn need(word: u32) -> Option<&'static str> {
    CLASSES.iter().find(|class| word & class.mask == class.value).map(|class| class.feature)
}

/// Names for vector instructions that the decoder does not know.
pub(crate) fn mnemonic(word: u32) -> Option<&'static str> {
    const NAMES: &[(u32, u32, &str)] = &[
        (0xbfe0_fc00, 0x0e80_9c00, "usdot"),
        (0xbfc0_f400, 0x0f80_f000, "usdot"),
        (0xbfc0_f400, 0x0f00_f000, "sudot"),
        (0xffe0_fc00, 0x4e80_a400, "smmla"),
        (0xffe0_fc00, 0x6e80_a400, "ummla"),
        (0xffe0_fc00, 0x4e80_ac00, "usmmla"),
        (0xbfe0_fc00, 0x2e40_fc00, "bfdot"),
        (0xbfc0_f400, 0x0f40_f000, "bfdot"),
        (0xffe0_fc00, 0x6e40_ec00, "bfmmla"),
        (0xffe0_fc00, 0x2ec0_fc00, "bfmlalb"),
        (0xffe0_fc00, 0x6ec0_fc00, "bfmlalt"),
        (0xffc0_f400, 0x0fc0_f000, "bfmlalb"),
        (0xffc0_f400, 0x4fc0_f000, "bfmlalt"),
        (0xffff_fc00, 0x1e63_4000, "bfcvt"),
        (0xffff_fc00, 0x0ea1_6800, "bfcvtn"),
        (0xffff_fc00, 0x4ea1_6800, "bfcvtn2"),
        (0xbfe0_fc00, 0x0e20_ec00, "fmlal"),
        (0xbfe0_fc00, 0x0ea0_ec00, "fmlsl"),
        (0xbfe0_fc00, 0x2e20_cc00, "fmlal2"),
        (0xbfe0_fc00, 0x2ea0_cc00, "fmlsl2"),
        (0xbfc0_f400, 0x0f80_0000, "fmlal"),
        (0xbfc0_f400, 0x0f80_4000, "fmlsl"),
        (0xbfc0_f400, 0x2f80_8000, "fmlal2"),
        (0xbfc0_f400, 0x2f80_c000, "fmlsl2"),
    ];
    NAMES.iter().find(|&&(mask, value, _)| word & mask == value).map(|&(_, _, name)| name)
}

#[cfg(test)]
mod tests;
