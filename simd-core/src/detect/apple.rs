//! Detection on Apple's 64-bit Arm systems, by `cpufeatures`.
//!
//! The crate covers `dit` as well, but panics if the system is too old to have that name.
use crate::mask::{Mask, feature};

cpufeatures::new!(aes, "aes");
cpufeatures::new!(sha2, "sha2");
cpufeatures::new!(sha3, "sha3");

pub(crate) const DETECTABLE: Mask =
    feature::NEON.leaf.or(feature::AES.leaf).or(feature::SHA2.leaf).or(feature::SHA3.leaf);

pub(crate) fn detected() -> Mask {
    // Every such system has vector instructions.
    let mut seen = feature::NEON.leaf;
    for (has, set) in [(aes::get(), feature::AES), (sha2::get(), feature::SHA2), (sha3::get(), feature::SHA3)] {
        if has {
            seen = seen.or(set.leaf);
        }
    }
    seen
}
