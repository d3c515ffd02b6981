use core::fmt;
use core::ops::Range;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::architecture::Architecture;
use crate::error::Error;
use crate::features::Features;
use crate::format::Format;
use crate::load::load;
use crate::optimization::{self, Optimization};
use crate::path;
use crate::program::{Program, Symbol};

/// An executable or shared library, with the names of its functions.
///
/// The names are in the file itself or in a debug file next to it: see [the crate's page](crate#platforms).
///
/// [`Binary::current`] is the running test; [`Binary::open`] reads another one, for example a program that was built
/// for other flags or another architecture. To replace what was measured or assumed about its build:
///
/// ```
/// # if cfg!(miri) || !cfg!(target_arch = "x86_64") { return Ok(()); }
/// use simd_core_asm::Binary;
///
/// #[inline(never)]
/// pub fn parity(words: &[u64]) -> u32 {
///     words.iter().fold(0, |all, word| all ^ word).count_ones() & 1
/// }
///
/// # parity(core::hint::black_box(&[1, 2]));
/// let binary = Binary::open(std::env::current_exe().expect("a file"))?.optimized().with_enabled("sse4.2,popcnt")?;
/// println!("{binary:?}: {:?}, words at {:x?}", binary.architecture(), binary.feature_words());
/// let parity = binary.function("parity")?;
/// assert!(parity.features().contains("sse4.2"));
/// parity.assert().within_target().at_most(500);
///
/// // Checks that need optimised code are skipped here.
/// let parity = binary.unoptimized().function("parity")?;
/// assert_eq!(parity.assert().no_calls().skipped(), ["no_calls()"]);
/// # Ok::<(), simd_core_asm::Error>(())
/// ```
#[derive(Clone)]
pub struct Binary {
    pub(crate) program: Arc<Program>,
    pub(crate) optimization: Optimization,
    pub(crate) enabled: Features,
}

impl fmt::Debug for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binary").field("file", &self.program.file).finish_non_exhaustive()
    }
}

impl Binary {
    /// The running program. It is read once and kept.
    ///
    /// Whether its code is optimised is measured in the crate that calls this: see
    /// [the crate's page](crate#debug-builds).
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Format`], [`Error::Architecture`], [`Error::Stripped`].
    #[inline]
    pub fn current() -> Result<Self, Error> {
        Self::running(optimization::probe)
    }

    /// The running program, with the probe of the calling crate.
    #[doc(hidden)]
    pub fn running(probe: fn(u32) -> u32) -> Result<Self, Error> {
        static RUNNING: OnceLock<Result<Binary, Error>> = OnceLock::new();
        let running = RUNNING.get_or_init(|| {
            let unreadable = |reason: std::io::Error| Error::Read {
                file: PathBuf::from("the running program"),
                reason: reason.to_string(),
            };
            Self::open(std::env::current_exe().map_err(unreadable)?)
        });
        let mut binary = running.clone()?;
        binary.enabled = Features::enabled(binary.architecture());
        binary.optimization = optimization::measure(&binary.program, probe);
        Ok(binary)
    }

    /// Reads a file. Its code is assumed to be optimised, and its build to enable no features beyond those of the
    /// architecture; see [`unoptimized`](Self::unoptimized) and [`with_enabled`](Self::with_enabled).
    ///
    /// # Errors
    /// As [`Binary::current`].
    pub fn open(file: impl AsRef<Path>) -> Result<Self, Error> {
        let program = load(file.as_ref())?;
        let enabled = Features::architectural(program.image.architecture);
        Ok(Self { program: Arc::new(program), optimization: Optimization::On, enabled })
    }

    /// Declares that the code was compiled without optimisation: checks that need it are then skipped.
    #[must_use]
    pub fn unoptimized(mut self) -> Self {
        self.optimization = Optimization::Off;
        self
    }

    /// Declares that the code was compiled with optimisation, whatever was measured. For code of a dependency that a
    /// profile optimises while the tests are not.
    #[must_use]
    pub fn optimized(mut self) -> Self {
        self.optimization = Optimization::On;
        self
    }

    /// Declares the features that the build enabled for all code (`-C target-feature`, `-C target-cpu`), beyond those
    /// of the architecture.
    ///
    /// # Errors
    /// [`Error::UnknownFeature`].
    pub fn with_enabled(mut self, names: &str) -> Result<Self, Error> {
        let architecture = self.architecture();
        self.enabled = Features::architectural(architecture).union(&Features::parse(architecture, names)?);
        Ok(self)
    }

    /// The architecture of the code.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.program.image.architecture
    }

    /// The format of the file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.program.image.format
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.program.file
    }

    /// The separate file with the names, if there is one: a debug file, a PDB file, or one in a dSYM bundle.
    #[must_use]
    pub fn names_file(&self) -> Option<&Path> {
        self.program.names_file.as_deref()
    }

    /// All functions by their names, in the order of their addresses. Several names can share an address.
    #[must_use]
    pub fn symbols(&self) -> &[Symbol] {
        &self.program.symbols
    }

    /// The bytes that the file holds for these addresses, unless some of them are in no section.
    #[must_use]
    pub fn bytes(&self, addresses: Range<u64>) -> Option<&[u8]> {
        self.program.image.read(addresses)
    }

    /// The addresses of the feature words that dispatchers read, if this program has any.
    #[must_use]
    pub fn feature_words(&self) -> Option<Range<u64>> {
        self.program.words.clone()
    }

    /// `candidates` are names that work where `path` was written.
    pub(crate) fn not_found(path: &str, candidates: &BTreeSet<String>) -> Error {
        let similar = path::similar(path, candidates.iter().map(String::as_str));
        Error::NotFound { path: path.to_owned(), similar }
    }
}
