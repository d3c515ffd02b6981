//! Which features an instruction needs.

pub(crate) mod aarch64;
pub(crate) mod x86;

use crate::architecture::Architecture;

/// Whether the decoder has this name for something that rustc has none for.
pub(crate) fn is_unnamed(architecture: Architecture, name: &str) -> bool {
    match architecture {
        Architecture::X86 | Architecture::X86_64 => x86::is_unnamed(name),
        Architecture::Aarch64 => false,
    }
}
