//! The compiler that runs the macro, by its arguments.
//!
//! What a compiler has no use for is left out of its expansions. Unknown compilers get everything.

use std::ffi::OsString;
use std::path::Path;
use std::sync::LazyLock;

use crate::expansion;

pub(crate) static COMPILER: LazyLock<Compiler> =
    LazyLock::new(|| Compiler::of(&std::env::args_os().collect::<Vec<_>>()));

#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Compiler {
    /// It is Clippy's.
    pub(crate) clippy: bool,
    /// It makes no code, as in `cargo check`. So it needs no clones with the code of the baseline, which have no error that
    /// the baseline lacks.
    pub(crate) only_checks: bool,
    /// It may optimise. If not, it needs no assertions.
    pub(crate) optimises: bool,
    /// The program may be built without some features, or for a system on which none is detected: clones for these then are
    /// not compiled at any level. LLVM cannot compile all of them without the registers of floating-point numbers.
    pub(crate) leaves_features_out: bool,
}

impl Compiler {
    /// The compiler with these arguments, its own path among them.
    fn of(arguments: &[OsString]) -> Compiler {
        let name = arguments.first().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
        let clippy = name == "clippy-driver";
        let known = (clippy || name == "rustc") && !expansion::is_shown();
        let (mut emits, mut only_checks, mut optimises, mut leaves_features_out) = (false, known, !known, false);
        let mut before = String::new();
        for argument in arguments.iter().skip(1) {
            let text = argument.to_string_lossy().into_owned();
            let kinds = if before == "--emit" { Some(&*text) } else { text.strip_prefix("--emit=") };
            if let Some(kinds) = kinds {
                emits = true;
                only_checks &= kinds.split(',').all(|kind| kind == "dep-info" || kind == "metadata");
            }
            let option = if before == "-C" || before == "--codegen" { Some(&*text) } else { text.strip_prefix("-C") };
            let level = option.and_then(|option| option.strip_prefix("opt-level="));
            // A file may have more arguments.
            let more = text.starts_with('@');
            optimises |= more || text == "-O" || level.is_some_and(|level| level != "0");
            leaves_features_out |= more || text.contains("simd_core_without=");
            let target = if before == "--target" { Some(&*text) } else { text.strip_prefix("--target=") };
            let bare = |target: &str| ["-none", "-uefi", "-sgx", ".json"].iter().any(|part| target.contains(part));
            leaves_features_out |= target.is_some_and(bare);
            // Someone reads the expansion.
            let read = text.contains("unpretty");
            only_checks &= !more && !read;
            optimises |= read;
            before = text;
        }
        Compiler { clippy, only_checks: only_checks && emits, optimises, leaves_features_out }
    }
}

#[cfg(test)]
mod tests;
