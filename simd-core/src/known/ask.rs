//! What dispatchers ask of the two words, and what clones say of them.
//!
//! Each is compiled into every dispatcher and clone, in debug builds too, where nothing folds. So a set is a type, of
//! which the compiler leaves over one read and one comparison for each word that has bits of the set.

use core::hint::assert_unchecked;

use super::reader::{FOLDING, read};
use super::{ensure, possible};
use crate::mask::{self, FeatureSet};
use crate::set::Set;

/// The index of PRESENT's first word.
const PRESENT: usize = 0;
/// The index of ABSENT's first word.
const ABSENT: usize = mask::WORDS;

const _: () = assert!(mask::WORDS <= 3, "a question reads three words at most");

/// Whether something of a constant mask is, or is not, in the words that start at index `$first`: one comparison.
// Not a loop, and no condition that is left at run time: it has to fold before LLVM unrolls loops, and for size it never
// does.
macro_rules! any {
    ($first:ident, $mask:expr, $read:ident => $word:expr) => {{
        let mut any = 0;
        if const { $mask.at(0) != 0 } {
            let $read = read::<$first, 0>();
            any |= $word & const { $mask.at(0) };
        }
        if const { $mask.at(1) != 0 } {
            let $read = read::<$first, 1>();
            any |= $word & const { $mask.at(1) };
        }
        if const { $mask.at(2) != 0 } {
            let $read = read::<$first, 2>();
            any |= $word & const { $mask.at(2) };
        }
        any != 0
    }};
}

/// Whether PRESENT lacks something of a constant mask.
macro_rules! lacks {
    ($mask:expr) => {
        any!(PRESENT, $mask, word => !word)
    };
}

/// Whether `S` is known to be there. False says nothing.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn present<S: Set>() -> bool {
    !not_present::<S>()
}

/// Whether PRESENT lacks something of `S`, or detection cannot find it. True says nothing.
///
/// LLVM's first passes fold a test against an assertion of the very comparison that the test branches on; of its
/// inverse they know nothing, and later ones drop the assertion where the test is moved into a branch.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn not_present<S: Set>() -> bool {
    if const { possible(S::SET) } { lacks!(S::SET.witnesses) } else { true }
}

/// Whether `S` is known not to be there. False says nothing.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn absent<S: Set>() -> bool {
    if const { possible(S::SET) } { any!(ABSENT, S::SET.leaf, word => word) } else { true }
}

/// Tells the compiler that the CPU has `S`.
///
/// # Safety
///
/// [`present`] or [`choose`](super::choose) has found `S` in this process, and the caller is compiled with its features.
/// If the caller is inlined, it is below a [`present`] that was true in the same frame.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_present<S: Set>() {
    macro_rules! word {
        ($index:literal) => {
            if const { FOLDING && S::SET.full.at($index) != 0 } {
                let full = const { S::SET.full.at($index) };
                let (present, absent) = (read::<PRESENT, $index>(), read::<ABSENT, $index>());
                // SAFETY: PRESENT is closed under implication, so that one found bit shows all that it implies, and no
                // bit is ever in both masks. The caller runs after detection, so that the words have their final values.
                unsafe {
                    assert_unchecked(present & full == full);
                    assert_unchecked(absent & full == 0);
                }
            }
        };
    }
    word!(0);
    word!(1);
    word!(2);
}

/// Tells the compiler that the CPU lacks a feature of `S`, and that it is not one of `G`. Of what detection cannot find
/// it says nothing: of that nothing was read, so that a read of ABSENT may still be stale.
///
/// # Safety
///
/// `G` is there in this process. [`absent`] or [`choose`](super::choose) has found that `S` is not, if detection can find
/// it. If the caller is inlined, it is below an [`absent`] that was true in the same frame.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_absent<S: Set, G: Set>() {
    if const { FOLDING && possible(S::SET) } {
        // SAFETY: as the caller promises; no bit is ever in both masks.
        unsafe {
            assert_unchecked(absent::<S>());
            assert_unchecked(lacks!(S::SET.witnesses));
        }
        // Where LLVM knows what is given, it takes that out of the tests; the assertion has to look like them.
        if const { S::SET.witnesses.intersects(G::SET.full) } {
            // SAFETY: as above.
            unsafe { assert_unchecked(lacks!(S::SET.witnesses.without(G::SET.full))) }
        }
    }
}

/// Tells the compiler that no read of PRESENT shows `S`, if detection can find it.
///
/// # Safety
///
/// If detection can find `S`, [`absent`] or [`choose`](super::choose) has found that it is not there in this process.
/// Nothing is said of ABSENT, so that it does not matter which reads the caller's frame has made: of PRESENT this is true
/// before detection as well.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn assert_not_present<S: Set>() {
    if const { FOLDING && possible(S::SET) } {
        // SAFETY: as the caller promises; no bit is ever in both masks.
        unsafe { assert_unchecked(lacks!(S::SET.witnesses)) }
    }
}

/// Whether the CPU has `S`: what [`detected!`](crate::detected) expands to.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
#[must_use]
pub fn detected<S: Set>() -> bool {
    if present::<S>() {
        return true;
    }
    if absent::<S>() {
        return false;
    }
    first_detected(const { &S::SET })
}

#[cold]
#[inline(never)]
fn first_detected(set: &FeatureSet) -> bool {
    ensure().contains(set.leaf)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After detection each question about `S` has the answer that the masks give.
    fn check<S: Set>() {
        let found = ensure();
        let has = found.contains(S::SET.leaf);
        assert_eq!(present::<S>(), has, "{:?}", S::SET);
        assert_eq!(not_present::<S>(), !has, "{:?}", S::SET);
        assert_eq!(absent::<S>(), !has, "{:?}", S::SET);
        assert_eq!(detected::<S>(), has, "{:?}", S::SET);
    }

    macro_rules! define {
        ($($family:ident [$($arch:literal)*]
            detected [$(($seen:ident $seen_name:tt $seen_bit:tt $seen_full:tt))*]
            static [$(($fixed:ident $fixed_name:tt $fixed_bit:tt $fixed_full:tt))*]
            later $later:tt unstable $unstable:tt tied $tied:tt;)*) => {
            $(
                #[cfg(any($(target_arch = $arch),*))]
                #[test]
                fn questions_agree_with_the_masks() {
                    use crate::set::features;
                    $(
                        check::<features::$seen>();
                        // With every other one, of the same word and of others.
                        $family::<features::$seen>();
                    )*
                    $(check::<features::$fixed>();)*
                }

                #[cfg(any($(target_arch = $arch),*))]
                #[allow(non_snake_case, reason = "a family is a type elsewhere")]
                fn $family<A: Set>() {
                    use crate::set::features;
                    $(check::<(A, features::$seen)>();)*
                }
            )*
        };
    }
    simd_core_macros::__features!(define);
}
