//! Sets of CPU features as bits.
//!
//! Bit 0 of word 0 means that detection has run. The other bits are the features of the compiled architecture, in the
//! order of the macro crate's table, followed by the properties of its CPUs. An architecture without features has bit 0
//! only.
#![allow(
    clippy::inline_always,
    reason = "each is an instruction or two, in the user's code and in debug builds as well"
)]

/// The unit in which masks are stored and read: as wide as a pointer, which one instruction loads.
#[cfg(target_pointer_width = "64")]
pub(crate) type Word = u64;
/// As for 64 bits.
#[cfg(target_pointer_width = "32")]
pub(crate) type Word = u32;
/// As for 64 bits.
#[cfg(target_pointer_width = "16")]
pub(crate) type Word = u16;

/// The number of words that hold the features of this architecture and bit 0.
pub(crate) const WORDS: usize = HIGHEST.div_ceil(Word::BITS) as usize;

/// One more than the highest bit.
const HIGHEST: u32 = {
    let mut highest = 1;
    let mut i = 0;
    while i < TABLE.len() {
        if TABLE[i].bit >= highest {
            highest = TABLE[i].bit + 1;
        }
        i += 1;
    }
    let mut i = 0;
    while i < PROPERTY_BITS.len() {
        if PROPERTY_BITS[i].0 >= highest {
            highest = PROPERTY_BITS[i].0 + 1;
        }
        i += 1;
    }
    highest
};

/// A set of CPU features, and whether detection has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask([Word; WORDS]);

impl Mask {
    /// The empty set: no feature, and detection has not run.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// Detection has run.
    pub const INIT: Self = Self::bit(0);
    /// The properties of CPUs of this architecture.
    pub const PROPERTIES: Self = {
        let mut all = Self::EMPTY;
        let mut i = 0;
        while i < PROPERTIES.len() {
            all = all.or(PROPERTIES[i].1.leaf);
            i += 1;
        }
        all
    };
    /// Every feature and property of this architecture, without [`INIT`](Self::INIT).
    pub const ALL: Self = {
        let mut all = Self::PROPERTIES;
        let mut i = 0;
        while i < TABLE.len() {
            all = all.or(Self::bit(TABLE[i].bit));
            i += 1;
        }
        all
    };
    /// The features that the build enables everywhere (`-C target-cpu`, `-C target-feature`), with all that they imply.
    pub const STATIC: Self = {
        let mut enabled = Self::EMPTY;
        let mut i = 0;
        while i < TABLE.len() {
            if TABLE[i].enabled {
                enabled = enabled.or(Self::bit(TABLE[i].bit));
            }
            i += 1;
        }
        enabled.closed()
    };

    /// The features that `--cfg simd_core_without="…"` leaves out of the program. Features that imply them are left out
    /// as well, where a set has to be [closed](Self::closed).
    pub const WITHOUT: Self = {
        let mut without = Self::EMPTY;
        let mut i = 0;
        while i < TABLE.len() {
            if TABLE[i].without {
                without = without.or(Self::bit(TABLE[i].bit));
            }
            i += 1;
        }
        let mut i = 0;
        while i < PROPERTY_BITS.len() {
            if PROPERTY_BITS[i].1 {
                without = without.or(Self::bit(PROPERTY_BITS[i].0));
            }
            i += 1;
        }
        assert!(
            !Self::STATIC.intersects(without),
            "`simd_core_without` names a feature that the build enables everywhere: see `-C target-cpu` and \
             `-C target-feature`"
        );
        without
    };

    /// The set of one bit.
    pub(crate) const fn bit(bit: u32) -> Self {
        Self::bits(&[bit])
    }

    /// The set of several bits.
    pub(crate) const fn bits(bits: &[u32]) -> Self {
        let mut words = [0; WORDS];
        let mut i = 0;
        while i < bits.len() {
            words[(bits[i] / Word::BITS) as usize] |= 1 << (bits[i] % Word::BITS);
            i += 1;
        }
        Self(words)
    }

    /// The set in `words`.
    #[must_use]
    #[inline(always)]
    pub const fn from_words(words: [Word; WORDS]) -> Self {
        Self(words)
    }

    /// The words of the set.
    #[must_use]
    #[inline(always)]
    pub const fn words(self) -> [Word; WORDS] {
        self.0
    }

    /// The union of both sets.
    #[must_use]
    #[inline(always)]
    pub const fn or(self, other: Self) -> Self {
        let mut words = self.0;
        let mut i = 0;
        while i < WORDS {
            words[i] |= other.0[i];
            i += 1;
        }
        Self(words)
    }

    /// The intersection of both sets.
    #[must_use]
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        let mut words = self.0;
        let mut i = 0;
        while i < WORDS {
            words[i] &= other.0[i];
            i += 1;
        }
        Self(words)
    }

    /// This set without `other`.
    #[must_use]
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        let mut words = self.0;
        let mut i = 0;
        while i < WORDS {
            words[i] &= !other.0[i];
            i += 1;
        }
        Self(words)
    }

    /// Word `index` of the set, or zero after the last one.
    #[inline(always)]
    pub(crate) const fn at(self, index: usize) -> Word {
        if index < WORDS { self.0[index] } else { 0 }
    }

    /// Whether all of `other` is in this set.
    // Not a loop: a dispatcher's test has to fold before LLVM unrolls loops, and at the levels `s` and `z` LLVM does
    // not unroll them.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, other: Self) -> bool {
        const { assert!(WORDS <= 3) };
        self.at(0) & other.at(0) == other.at(0)
            && self.at(1) & other.at(1) == other.at(1)
            && self.at(2) & other.at(2) == other.at(2)
    }

    /// Whether any of `other` is in this set.
    #[must_use]
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        (self.at(0) & other.at(0)) | (self.at(1) & other.at(1)) | (self.at(2) & other.at(2)) != 0
    }

    /// Whether nothing is in this set.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        !self.intersects(Self([Word::MAX; WORDS]))
    }

    /// The features of the set whose implied features are in it as well, and its properties, which imply nothing.
    /// [`INIT`](Self::INIT) is dropped.
    #[must_use]
    pub const fn closed(self) -> Self {
        let mut closed = self.and(Self::PROPERTIES);
        let mut i = 0;
        while i < TABLE.len() {
            // Each crate evaluates this again. Few features are enabled, and the others take one test.
            let bit = TABLE[i].bit;
            let has = self.0[(bit / Word::BITS) as usize] >> (bit % Word::BITS) & 1 == 1;
            if has && self.contains(Self::bits(TABLE[i].full)) {
                closed = closed.or(Self::bit(bit));
            }
            i += 1;
        }
        closed
    }
}

/// The features of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSet {
    /// The features that are named, without those that they imply.
    pub leaf: Mask,
    /// The features that are named and all that they imply.
    pub full: Mask,
}

impl FeatureSet {
    #[allow(dead_code, reason = "some architectures have no features")]
    const fn new(bit: u32, full: &[u32]) -> Self {
        Self { leaf: Mask::bit(bit), full: Mask::bits(full) }
    }

    /// No feature.
    pub const EMPTY: Self = Self { leaf: Mask::EMPTY, full: Mask::EMPTY };

    /// The features of both. A leaf remains one even if the other set implies it.
    #[must_use]
    #[inline(always)]
    pub const fn and(self, other: Self) -> Self {
        Self { leaf: self.leaf.or(other.leaf), full: self.full.or(other.full) }
    }
}

/// A feature's facts that are known at compile time.
struct Entry {
    bit: u32,
    /// The bits of all that the feature implies, itself included.
    full: &'static [u32],
    /// Whether the build enables the feature everywhere.
    enabled: bool,
    /// Whether the program is built without it.
    without: bool,
}

impl Entry {
    #[allow(dead_code, reason = "some architectures have no features")]
    const fn new(bit: u32, full: &'static [u32], enabled: bool, without: bool) -> Self {
        Self { bit, full, enabled, without }
    }
}

/// The properties of CPUs, which `feature` and `TABLE` include besides the features.
macro_rules! define_properties {
    ($($family:ident [$($arch:literal)*] [$(($constant:ident $name:literal $bit:literal))*];)*) => {
        $(
            /// The bit of each, and whether the program is built without it.
            #[cfg(any($(target_arch = $arch),*))]
            const PROPERTY_BITS: &[(u32, bool)] = &[$(($bit, cfg!(simd_core_without = $name))),*];

            /// The properties by name.
            #[cfg(any($(target_arch = $arch),*))]
            const PROPERTIES: &[(&str, FeatureSet)] = &[$(($name, property::$constant)),*];

            #[cfg(any($(target_arch = $arch),*))]
            mod property {
                $(
                    #[doc = concat!("`", $name, "`")]
                    pub const $constant: super::FeatureSet = super::FeatureSet::new($bit, &[$bit]);
                )*
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        const PROPERTY_BITS: &[(u32, bool)] = &[];

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        const PROPERTIES: &[(&str, FeatureSet)] = &[];

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        mod property {}
    };
}
table!(properties define_properties);

#[cfg(feature = "macros")]
simd_core_macros::__table!(left_out);

macro_rules! define_names {
    ($(($arch:literal $name:literal [$($feature:ident)*]))*) => {
        /// The aliases and levels of this architecture. Levels have several features, and the highest comes last.
        #[allow(dead_code, reason = "for messages, which not all builds have")]
        pub(crate) const OTHER_NAMES: &[(&str, &[FeatureSet])] =
            &[$(#[cfg(target_arch = $arch)] ($name, &[$(feature::$feature),*]),)*];
    };
}
table!(names define_names);

/// The features and the properties by name; features come after those that they imply.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, FeatureSet)> {
    NAMES.iter().chain(PROPERTIES).copied()
}

macro_rules! define {
    ($($family:ident [$($arch:literal)*]
        detected [$(($seen:ident $seen_name:literal $seen_bit:literal [$($seen_full:literal)*]))*]
        static [$(($fixed:ident $fixed_name:literal $fixed_bit:literal [$($fixed_full:literal)*]))*]
        later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
        $(
            #[cfg(any($(target_arch = $arch),*))]
            const TABLE: &[Entry] = &[
                $(Entry::new(
                    $seen_bit,
                    &[$($seen_full),*],
                    cfg!(target_feature = $seen_name),
                    cfg!(simd_core_without = $seen_name)
                ),)*
                $(Entry::new(
                    $fixed_bit,
                    &[$($fixed_full),*],
                    cfg!(target_feature = $fixed_name),
                    cfg!(simd_core_without = $fixed_name)
                ),)*
            ];

            /// The features by name; features come after those that they imply.
            #[cfg(any($(target_arch = $arch),*))]
            pub(crate) const NAMES: &[(&str, FeatureSet)] =
                &[$(($seen_name, feature::$seen),)* $(($fixed_name, feature::$fixed),)*];

            /// The features of this architecture, each by itself.
            #[cfg(any($(target_arch = $arch),*))]
            pub mod feature {
                #[allow(unused_imports, unreachable_pub, reason = "most architectures have none")]
                pub use super::property::*;
                $(
                    #[doc = concat!("`", $seen_name, "`")]
                    pub const $seen: super::FeatureSet = super::FeatureSet::new($seen_bit, &[$($seen_full),*]);
                )*
                $(
                    #[doc = concat!("`", $fixed_name, "`")]
                    pub const $fixed: super::FeatureSet = super::FeatureSet::new($fixed_bit, &[$($fixed_full),*]);
                )*
            }
        )*

        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        const TABLE: &[Entry] = &[];

        /// The features by name: there are none.
        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        pub(crate) const NAMES: &[(&str, FeatureSet)] = &[];

        /// The features of this architecture: there are none.
        #[cfg(not(any($($(target_arch = $arch),*),*)))]
        pub mod feature {}
    };
}
table!(features define);

#[cfg(test)]
mod tests;
