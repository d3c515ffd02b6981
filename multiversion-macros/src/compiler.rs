//! The compiler that runs the macro, by its arguments.
//!
//! Tokens that a compiler has no use for are left out of its expansions. Unknown compilers get everything, and so do those with an option
//! that is not known here.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use crate::expansion;
use crate::tokens::is_listed;

pub(crate) static COMPILER: LazyLock<Compiler> = LazyLock::new(|| {
    // The arguments of unit tests are no compiler's.
    let arguments = std::env::args_os().filter(|_| proc_macro::is_available());
    let compiler = Compiler::of(&arguments.collect::<Vec<_>>());
    if WRITES.get().is_some() { Compiler { writes: true, leaves_features_out: true, ..compiler } } else { compiler }
});

/// Set before the first expansion in a program that writes expansions into files.
pub(crate) static WRITES: OnceLock<()> = OnceLock::new();

#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Compiler {
    /// It is Clippy's.
    pub(crate) clippy: bool,
    /// It is rust-analyzer, which shows code whose `cfg` is false in grey.
    pub(crate) editor: bool,
    /// It makes no code, as in `cargo check`. So it needs no clones with the code of the baseline, which have no error that
    /// the baseline lacks.
    pub(crate) only_checks: bool,
    /// It may optimise. If not, it needs no assertions.
    pub(crate) optimises: bool,
    /// The program may be built without some features, or for a system on which none is detected: clones for these then are
    /// not compiled at any level. LLVM cannot compile all of them without the registers of floating-point numbers.
    pub(crate) leaves_features_out: bool,
    /// The crate is of edition 2015, in which `::core` is no path to the library.
    pub(crate) edition_2015: bool,
    /// It is none: the expansion is written into a file, for people and for every compiler and build.
    pub(crate) writes: bool,
}

/// rustc's options with a value, by their short and long names, and those without one.
const VALUED: &str = "-A -C -D -F -L -W -Z -l -o --allow --cap-lints --cfg --check-cfg --codegen --color --crate-name \
    --crate-type --deny --diagnostic-width --edition --emit --env-set --error-format --explain --extern --forbid --force-warn \
    --json --out-dir --print --remap-path-prefix --remap-path-scope --sysroot --target --warn";
const FLAGS: &str = "-O -V -g -h -v --help --test --verbose --version";
/// Settings of code generation by which LLVM may optimise at level 0.
const PASSES: [&str; 3] = ["linker-plugin-lto", "llvm-args", "passes"];

impl Compiler {
    /// The compiler with these arguments, its own path among them.
    fn of(arguments: &[OsString]) -> Compiler {
        let name = arguments.first().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
        let clippy = name == "clippy-driver";
        let options = options(arguments.get(1..).unwrap_or_default());
        let known = (clippy || name == "rustc") && !expansion::is_shown() && options.is_some();
        let values = |name| {
            let options = options.iter().flatten();
            options.filter(move |(option, _)| option == name).map(|(_, value)| &**value)
        };
        let is = |key: &str, name: &str| key.replace('_', "-") == name;
        let passes = |setting: &str| PASSES.iter().any(|name| is(setting.split('=').next().unwrap_or_default(), name));
        // The last one wins.
        let level = options.iter().flatten().rev().find_map(|(option, value)| match &**option {
            "-O" => Some("2"),
            "-C" => value.split_once('=').filter(|(key, _)| is(key, "opt-level")).map(|(_, level)| level),
            _ => None,
        });
        let mut kinds = values("--emit").flat_map(|kinds| kinds.split(',')).peekable();
        // Someone reads the expansion.
        let known = known && !values("-Z").any(|value| value.contains("unpretty"));
        let bare = |target: &str| ["-none", "-uefi", "-sgx", ".json"].iter().any(|part| target.contains(part));
        Compiler {
            clippy,
            editor: name.to_string_lossy().starts_with("rust-analyzer"),
            only_checks: known && kinds.peek().is_some() && kinds.all(|kind| kind == "dep-info" || kind == "metadata"),
            optimises: !known || level.is_some_and(|level| level != "0") || values("-C").any(passes),
            leaves_features_out: options.is_none()
                || values("--cfg").any(|value| value.contains("simd_core_without"))
                || values("--target").any(bare),
            edition_2015: known && values("--edition").next_back().is_none_or(|edition| edition == "2015"),
            writes: false,
        }
    }
}

/// The options in `arguments`, each by its short name if it has one, with its value. `None` if rustc's way to read them is not known:
/// an option that is not, or a file of arguments that cannot be read.
fn options(arguments: &[OsString]) -> Option<Vec<(String, String)>> {
    let mut words = Vec::new();
    for argument in arguments {
        let word = argument.to_string_lossy();
        match word.strip_prefix('@') {
            Some(file) => words.extend(std::fs::read_to_string(file).ok()?.lines().map(str::to_owned)),
            None => words.push(word.into_owned()),
        }
    }
    let (mut options, mut words) = (Vec::new(), words.into_iter());
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word.starts_with("--") {
            let (name, value) = word.split_once('=').map_or((&*word, None), |(name, value)| (name, Some(value)));
            let value = match value {
                Some(value) if is_listed(VALUED, name) => value.to_owned(),
                None if is_listed(VALUED, name) => words.next()?,
                None if is_listed(FLAGS, name) => String::new(),
                _ => return None,
            };
            let name = if name == "--codegen" { "-C" } else { name };
            options.push((name.to_owned(), value));
            continue;
        }
        // Several letters may stand together, and the value of the last one follows it.
        let mut letters = word.strip_prefix('-').unwrap_or_default().chars();
        while let Some(letter) = letters.next() {
            let name = format!("-{letter}");
            let value = match letters.as_str() {
                "" if is_listed(VALUED, &name) => words.next()?,
                _ if is_listed(VALUED, &name) => core::mem::replace(&mut letters, "".chars()).as_str().to_owned(),
                _ if is_listed(FLAGS, &name) => String::new(),
                _ => return None,
            };
            options.push((name, value));
        }
    }
    Some(options)
}

#[cfg(test)]
mod tests;
