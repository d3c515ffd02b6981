//! The bits of `cpuid` for features, of the table in the macro crate.
use crate::mask::{FeatureSet, feature};

/// The leaves and subleaves that are read.
pub(crate) const LEAVES: [(u32, u32); 5] = [(1, 0), (7, 0), (7, 1), (13, 1), (0x8000_0001, 0)];

/// The index of a leaf in [`LEAVES`], the register, a bit of it, and the feature that it stands for.
pub(crate) type Row = (usize, usize, u32, FeatureSet);

const fn index(leaf: u32, subleaf: u32) -> usize {
    let mut i = 0;
    while LEAVES[i].0 != leaf || LEAVES[i].1 != subleaf {
        i += 1;
    }
    i
}

macro_rules! define {
    ($family:ident $arches:tt $($group:ident [$(($feature:ident $name:tt $leaf:literal $part:literal $register:literal $bit:literal))*])*;) => {
        $(define!(@rows $group [$((index($leaf, $part), $register, $bit, feature::$feature)),*]);)*
    };
    // All but those that count under a condition.
    (@rows alone $rows:tt) => { pub(crate) const ALONE: &[Row] = &$rows; };
    // For instructions that need no more of the operating system than AVX does.
    (@rows with_avx $rows:tt) => { pub(crate) const WITH_AVX: &[Row] = &$rows; };
    (@rows if_saved $rows:tt) => {
        #[cfg(target_arch = "x86_64")]
        pub(crate) const IF_SAVED: &[Row] = &$rows;
    };
    // The operating system says more about these.
    (@rows if_loaded $rows:tt) => {};
}
table!(cpuid define);
