//! A function that rustc compiles may use the build's features anywhere. So what runs before the answer is known is in
//! assembly, and reads tables without pointers, which need no relocation. It calls nothing but the system. Generic, it is compiled only
//! where it is used: Cranelift, which builds of other programs may take, has no symbols in assembly.

use crate::mask::{self, FeatureSet, Mask};

#[cfg_attr(target_arch = "x86_64", path = "machine/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "machine/aarch64.rs")]
mod base;

#[inline]
pub(super) fn lacking() -> u64 {
    base::lacking::<true>()
}

/// For the macro's code.
pub use base::end_if_lacking;

/// A feature, and the bits that are all set where the CPU has it.
#[repr(C)]
struct Row {
    bits: u64,
    /// The index of the word with the bits.
    word: u16,
    /// The length of `name`.
    length: u16,
    name: [u8; 20],
}

const _: () = assert!(size_of::<Row>() == 32);

/// Text for assembly.
#[repr(C)]
pub struct Text<const ROOM: usize> {
    length: usize,
    bytes: [u8; ROOM],
}

impl<const ROOM: usize> Text<ROOM> {
    const fn with(mut self, text: &str) -> Self {
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.length] = text.as_bytes()[i];
            self.length += 1;
            i += 1;
        }
        self
    }
}

/// The name of a program.
pub type ProgramName = Text<256>;

impl ProgramName {
    /// The first of both that there is.
    #[must_use]
    pub const fn new(binary: Option<&str>, library: Option<&str>) -> Self {
        let empty = Self { length: 0, bytes: [0; 256] };
        match (binary, library) {
            (Some(name), _) | (None, Some(name)) => empty.with(name),
            (None, None) => empty.with("this program"),
        }
    }
}

/// An initialiser in a section: assembly that jumps to `end_if_lacking` with the address of the program's `name`.
#[doc(hidden)]
#[macro_export]
macro_rules! __initialiser {
    ($section:literal, $($line:literal,)*) => {
        const _: () = {
            #[used]
            static NAME: $crate::__private::ProgramName =
                $crate::__private::ProgramName::new(option_env!("CARGO_BIN_NAME"), option_env!("CARGO_CRATE_NAME"));

            #[unsafe(naked)]
            extern "C" fn check() {
                $crate::__private::core::arch::naked_asm!(
                    $($line,)*
                    name = sym NAME,
                    end_if_lacking = sym $crate::__private::end_if_lacking::<true>,
                )
            }

            #[used]
            #[unsafe(link_section = $section)]
            static INITIALISER: extern "C" fn() = check;
        };
    };
}

/// The features that the build enables and the architecture does not have anyway, as far as they can be checked.
const COUNT: usize = {
    let mut count = 0;
    let mut i = 0;
    while i < mask::NAMES.len() {
        count += is_required(i) as usize;
        i += 1;
    }
    assert!(count <= 64, "one bit each in a word");
    count
};

const fn is_required(name: usize) -> bool {
    let set = mask::NAMES[name].1;
    Mask::STATIC.contains(set.leaf) && !BASE.contains(set.leaf) && base::bits(set).is_some()
}

/// The features of every CPU of the architecture.
const BASE: Mask = base::BASE;

static REQUIRED: [Row; COUNT] = {
    let mut rows = [const { Row { bits: 0, word: 0, length: 0, name: [0; 20] } }; COUNT];
    let (mut i, mut row) = (0, 0);
    while i < mask::NAMES.len() {
        if is_required(i)
            && let (name, set) = mask::NAMES[i]
            && let Some((bits, word)) = base::bits(set)
        {
            rows[row].bits = bits;
            rows[row].word = word;
            rows[row].length = name.len() as u16;
            let mut at = 0;
            while at < name.len() {
                rows[row].name[at] = name.as_bytes()[at];
                at += 1;
            }
            row += 1;
        }
        i += 1;
    }
    rows
};

/// `built for x86-64-v3, aes; this CPU lacks `
static BUILT_FOR: Text<1024> = {
    let mut text = Text { length: 0, bytes: [0; 1024] }.with("built for ");
    // The highest level comes last.
    let mut level = Mask::EMPTY;
    let mut level_name = "";
    let mut i = 0;
    while i < mask::OTHER_NAMES.len() {
        let (name, features) = mask::OTHER_NAMES[i];
        let mut all = Mask::EMPTY;
        let mut j = 0;
        while j < features.len() {
            all = all.or(features[j].full);
            j += 1;
        }
        if features.len() > 1 && Mask::STATIC.contains(all) {
            (level, level_name) = (all, name);
        }
        i += 1;
    }
    let mut comma = !level_name.is_empty();
    text = text.with(level_name);
    let mut i = 0;
    while i < mask::NAMES.len() {
        let (name, set) = mask::NAMES[i];
        if is_required(i) && !level.contains(set.leaf) && !is_implied(set) {
            text = text.with(if comma { ", " } else { "" }).with(name);
            comma = true;
        }
        i += 1;
    }
    text.with("; this CPU lacks ")
};

/// Whether the build enables a feature that implies `set`.
const fn is_implied(set: FeatureSet) -> bool {
    let mut i = 0;
    while i < mask::NAMES.len() {
        let other = mask::NAMES[i].1;
        if Mask::STATIC.contains(other.leaf) && other.full.contains(set.leaf) && !set.leaf.contains(other.leaf) {
            return true;
        }
        i += 1;
    }
    false
}

/// Room for the message: the program's name, what it is built for, and every feature with a comma.
const ROOM: usize = (size_of::<ProgramName>() + size_of_val(&BUILT_FOR) + COUNT * (size_of::<Row>() - 8)).next_multiple_of(16);

// Less than a page, which Windows needs no probe of the stack for.
const _: () = assert!(ROOM < 3500);

/// The features of the rows whose bits are set in `lacking`.
pub(super) fn features(lacking: u64) -> impl Iterator<Item = FeatureSet> {
    let required = (0..mask::NAMES.len()).filter(|name| is_required(*name)).enumerate();
    required.filter(move |(row, _)| lacking >> row & 1 == 1).map(|(_, name)| mask::NAMES[name].1)
}

pub(super) fn built_for() -> &'static str {
    core::str::from_utf8(&BUILT_FOR.bytes[..BUILT_FOR.length]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_cpu_runs_these_tests() {
        assert_eq!(lacking(), 0);
        assert!(crate::check_cpu().is_ok());
    }

    #[test]
    fn what_is_required_is_what_the_build_enables() {
        let all = features(u64::MAX).fold(Mask::EMPTY, |all, feature| all.or(feature.leaf));
        assert_eq!(all.without(Mask::STATIC), Mask::EMPTY);
        assert!(!all.intersects(BASE));
        let names = REQUIRED.iter().map(|row| core::str::from_utf8(&row.name[..row.length.into()]).unwrap());
        assert!(names.eq(crate::Features::of(all).names()));
        assert!(built_for().starts_with("built for ") && built_for().ends_with("; this CPU lacks "));
    }

    /// The macro's page names them.
    #[test]
    #[cfg(all(target_arch = "x86_64", not(simd_core_unstable)))]
    fn features_that_are_not_checked() {
        let unchecked = mask::NAMES.iter().filter(|(_, set)| !BASE.contains(set.leaf) && base::bits(*set).is_none());
        let names: std::vec::Vec<&str> = unchecked.map(|(name, _)| *name).collect();
        assert!(names.iter().all(|name| ["kl", "widekl"].contains(name)), "{names:?}");
    }
}
