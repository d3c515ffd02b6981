use core::fmt;
use std::path::PathBuf;

/// Why a function could not be found or read.
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
        /// What the operating system said.
        reason: String,
    },
    /// The file is no ELF, Mach-O or PE file, or a damaged one.
    Format {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The code is for an architecture that this module has no decoder for.
    Architecture {
        /// The file.
        file: PathBuf,
        /// The architecture.
        found: String,
    },
    /// The file names no functions, and no debug file of the same build does.
    Stripped {
        /// The file.
        file: PathBuf,
        /// The debug files that were looked for, each with the reason why it does not help.
        tried: Vec<String>,
    },
    /// No function has this path.
    NotFound {
        /// The path that was asked for.
        path: String,
        /// Paths that look like it, best first.
        similar: Vec<String>,
    },
    /// Several functions have a path that ends like this.
    Ambiguous {
        /// The path that was asked for.
        path: String,
        /// All that it can mean.
        candidates: Vec<String>,
    },
    /// A function of this path exists, but none of its clones is for this target.
    NoSuchTarget {
        /// The dispatched function.
        path: String,
        /// The target that was asked for.
        target: String,
        /// The targets that there are.
        targets: Vec<String>,
    },
    /// A word that should be the name of a CPU feature is none on this architecture.
    UnknownFeature {
        /// The word.
        name: String,
        /// Names that look like it.
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
