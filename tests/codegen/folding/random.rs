//! Numbers that are random, and the same on every platform.

use super::features::{FEATURES, closure};

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((x ^ (x >> 31)) >> 33).unwrap_or(0) % bound
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A list of `SIMD_CORE_ONLY`, with all that its features imply.
    pub(crate) fn limit(&mut self) -> String {
        let share = self.pick(&[0, 20, 50, 80]);
        let named: Vec<&str> = FEATURES.iter().map(|feature| feature.name).filter(|_| self.chance(share)).collect();
        closure(&named).join(",")
    }
}
