//! Detection on Linux and Android from the words `AT_HWCAP` and `AT_HWCAP2` of the auxiliary vector, which the kernel
//! passes to each program at its start.
//!
//! The crate `cpufeatures` reads the same words. But for a Rust feature that stands for several of Arm's (`aes` for
//! FEAT_AES and FEAT_PMULL) it accepts any one of them, and on `LoongArch` it needs `std`.
use crate::detect::kernel_rows::ROWS;
use crate::mask::Mask;
use libc::{AT_HWCAP, c_ulong, getauxval};

pub(crate) const DETECTABLE: Mask = {
    let mut detectable = Mask::EMPTY;
    let mut i = 0;
    while i < ROWS.len() {
        detectable = detectable.or(ROWS[i].0.leaf);
        i += 1;
    }
    detectable
};

pub(crate) fn detected() -> Mask {
    // SAFETY: the function reads a table that the process was given at its start; a word that is not there is zero.
    let words = unsafe { [getauxval(AT_HWCAP), getauxval(libc::AT_HWCAP2)] };
    features(words)
}

/// The features in the kernel's words.
fn features(words: [c_ulong; 2]) -> Mask {
    let mut seen = Mask::EMPTY;
    for &(feature, word, bits) in ROWS {
        if words[word] & bits == bits {
            seen = seen.or(feature.leaf);
        }
    }
    seen
}

#[cfg(all(test, target_arch = "aarch64"))]
mod tests {
    use super::features;
    use crate::mask::feature::{AES, NEON, SHA2};

    #[test]
    fn a_feature_of_rust_wants_all_of_arms() {
        let neon = libc::HWCAP_FP | libc::HWCAP_ASIMD;
        assert_eq!(features([neon, 0]), NEON.leaf);
        for half in [libc::HWCAP_AES, libc::HWCAP_PMULL, libc::HWCAP_SHA1, libc::HWCAP_SHA2] {
            assert_eq!(features([neon | half, 0]), NEON.leaf);
        }
        assert_eq!(features([neon | libc::HWCAP_AES | libc::HWCAP_PMULL, 0]), NEON.leaf.or(AES.leaf));
        assert_eq!(features([neon | libc::HWCAP_SHA1 | libc::HWCAP_SHA2, 0]), NEON.leaf.or(SHA2.leaf));
    }
}
