use core::fmt;
use std::path::PathBuf;

/// The reason why a function could not be found or read.
///
/// `Debug` prints the same text as `Display`, so that a test which returns `Result<(), Error>` fails with a readable
/// message.
///
/// ```
/// # if cfg!(miri) { return; }
/// use simd_core_asm::Error;
///
/// match simd_core_asm::function("no_such_module::no_such_function") {
///     Err(Error::NotFound { path, similar }) => println!("no `{path}`, but {similar:?}"),
///     Err(error) => println!("{error}"), // no symbol table, or no decoder for this architecture
///     Ok(function) => unreachable!("{function:?}"),
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The binary could not be read from disk.
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// The file is not an ELF, Mach-O or PE file, or is damaged.
    Format {
        /// The file.
        file: PathBuf,
        /// The fault in the file.
        reason: String,
    },
    /// The code is for an architecture without a decoder here.
    Architecture {
        /// The file.
        file: PathBuf,
        /// The architecture.
        found: String,
    },
    /// Neither the file nor a debug file of the same build names any functions.
    Stripped {
        /// The file.
        file: PathBuf,
        /// The debug files that were looked for, each with the reason why it is of no use.
        tried: Vec<String>,
    },
    /// No function has this path.
    NotFound {
        /// The requested path.
        path: String,
        /// Similar paths, best first.
        similar: Vec<String>,
    },
    /// Several functions have paths with this end.
    Ambiguous {
        /// The requested path.
        path: String,
        /// All candidates.
        candidates: Vec<String>,
    },
    /// A function of this path exists, but none of its clones is for this target.
    NoSuchTarget {
        /// The dispatched function.
        path: String,
        /// The requested target.
        target: String,
        /// The targets that exist.
        targets: Vec<String>,
    },
    /// A word in place of a feature's name is unknown on this architecture.
    UnknownFeature {
        /// The word.
        name: String,
        /// Similar names.
        similar: Vec<String>,
    },
}

impl core::error::Error for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { file, reason } => write!(f, "cannot read `{}`: {reason}", file.display()),
            Self::Format { file, reason } => write!(f, "cannot take `{}` apart: {reason}", file.display()),
            Self::Architecture { file, found } => {
                write!(f, "`{}` holds {found} code; x86, x86_64 and aarch64 can be decoded", file.display())
            }
            Self::Stripped { file, tried } => {
                writeln!(f, "`{}` has no symbol table, so no function can be found in it", file.display())?;
                list(f, "looked for its debug file", tried)?;
                f.write_str(
                    "help: remove `strip = …` from the profile (and `-C strip`, `-s`) under which it is built, or put \
                     its debug file where a debugger finds it",
                )
            }
            Self::NotFound { path, similar } => {
                writeln!(f, "no function `{path}` in this binary")?;
                list(f, "did you mean", similar)?;
                f.write_str(
                    "help: code is there only if this binary uses it and it was not inlined everywhere; \
                     call it through `std::hint::black_box(f as fn(_) -> _)` to keep it. Of functions whose code is \
                     the same, the compiler keeps one",
                )
            }
            Self::Ambiguous { path, candidates } => {
                writeln!(f, "`{path}` can mean {} functions", candidates.len())?;
                list(f, "candidates", candidates)?;
                f.write_str(
                    "help: write more of the path, or the symbol in parentheses, or use `functions` to take them all",
                )
            }
            Self::NoSuchTarget { path, target, targets } => {
                writeln!(f, "`{path}` has no clone for `{target}` in this binary")?;
                list(f, "its clones are for", targets)?;
                f.write_str("help: name the features as in the attribute. Of clones whose code is the same in every way, the compiler keeps one")
            }
            Self::UnknownFeature { name, similar } => {
                writeln!(f, "`{name}` is no CPU feature that rustc knows on this architecture")?;
                list(f, "did you mean", similar)?;
                f.write_str("help: features are named as in `#[target_feature(enable = …)]`, separated by commas")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, title: &str, items: &[String]) -> fmt::Result {
    const SHOWN: usize = 12;
    if items.is_empty() {
        return Ok(());
    }
    writeln!(f, "{title}:")?;
    for item in items.iter().take(SHOWN) {
        writeln!(f, "    {item}")?;
    }
    if items.len() > SHOWN {
        writeln!(f, "    … and {} more", items.len() - SHOWN)?;
    }
    Ok(())
}
