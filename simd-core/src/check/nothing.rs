use crate::mask::FeatureSet;

pub(super) fn lacking() -> u64 {
    0
}

pub(super) fn features(_: u64) -> impl Iterator<Item = FeatureSet> {
    core::iter::empty()
}

pub(super) fn built_for() -> &'static str {
    ""
}

#[doc(hidden)]
#[macro_export]
macro_rules! __check_cpu {
    () => {};
}
