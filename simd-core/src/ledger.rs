//! Records which clones run: in builds with `--cfg simd_core_ledger`, for tests.
//!
//! Each clone has an entry in a section of the program, and records at its start that it runs. A process with
//! `SIMD_CORE_LEDGER=DIR` in its environment writes a file to that directory: its clones before `main`, and a line when
//! one of them runs for the first time. It writes the line at once, since a test may end the process in any way. `cargo
//! dispatch ledger` reads the files. Only linkers for ELF collect sections in this way; elsewhere there is no ledger.

extern crate std;

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::string::String;
use std::sync::OnceLock;
use std::{env, format};

#[cfg(not(all(unix, not(target_vendor = "apple"))))]
compile_error!("`simd_core_ledger` works only on ELF platforms, such as Linux");

/// The variable that names the directory, which has to exist.
const VARIABLE: &str = "SIMD_CORE_LEDGER";

/// A clone of a function. The section is an array of these.
pub struct Clone {
    /// The path of its module.
    module: &'static str,
    /// The function's name and line.
    function: &'static str,
    /// The target, as in the clone's name.
    label: &'static str,
    /// Whether detection can find the target in this build, and the program is not built without it.
    possible: bool,
    ran: AtomicBool,
}

impl Clone {
    /// A clone that has not run.
    #[must_use]
    pub const fn new(module: &'static str, function: &'static str, label: &'static str, possible: bool) -> Self {
        Self { module, function, label, possible, ran: AtomicBool::new(false) }
    }

    /// Records that the clone runs.
    #[inline]
    pub fn runs(&self) {
        if !self.ran.load(Relaxed) && !self.ran.swap(true, Relaxed) {
            write(&format!("ran\t{self}\n"));
        }
    }
}

impl fmt::Display for Clone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}\t{}", self.module, self.function, self.label)
    }
}

/// An entry for a clone, and a statement that records that it runs.
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    ($function:literal, $label:literal, $possible:expr) => {{
        #[used]
        #[unsafe(link_section = "simd_core_ledger")]
        static CLONE: $crate::__private::RecordedClone =
            $crate::__private::RecordedClone::new(::core::module_path!(), $function, $label, $possible);
        CLONE.runs();
    }};
}

/// Without an entry the section would not exist.
#[used]
#[unsafe(link_section = "simd_core_ledger")]
static NO_CLONE: Clone = Clone::new("", "", "", false);

/// The entries of the program or library that contains this code.
fn clones() -> impl Iterator<Item = &'static Clone> {
    unsafe extern "C" {
        // The linker defines both symbols for a section whose name is an identifier.
        static __start_simd_core_ledger: u8;
        static __stop_simd_core_ledger: u8;
    }
    let (start, stop) = (&raw const __start_simd_core_ledger, &raw const __stop_simd_core_ledger);
    let length = (stop.addr() - start.addr()) / size_of::<Clone>();
    // SAFETY: the section contains entries only, each a static with the alignment and size of the type.
    let entries = unsafe { core::slice::from_raw_parts(start.cast::<Clone>(), length) };
    entries.iter().filter(|entry| entry.possible)
}

/// Runs after detection, and after the standard library has received the arguments.
#[used]
#[unsafe(link_section = ".init_array")]
static BEGIN: extern "C" fn() = begin;

extern "C" fn begin() {
    if env::var_os(VARIABLE).is_none() {
        return;
    }
    let mut text = format!("simd-core ledger 1\nfeatures\t{}\n", crate::features());
    for clone in clones() {
        text += &format!("clone\t{clone}\n");
    }
    write(&text);
}

/// Appends to this process's file. A failure ends the process, since an incomplete ledger would report clones that have
/// run.
fn write(text: &str) {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let directory = env::var_os(VARIABLE)?;
        let program = env::current_exe().ok();
        let program = program.as_deref().and_then(|path| path.file_name()).unwrap_or_default().display();
        let process = std::process::id();
        let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let path = std::path::Path::new(&directory).join(format!("{program}-{process}-{time}.ledger"));
        match OpenOptions::new().create_new(true).append(true).open(&path) {
            Ok(file) => Some(file),
            Err(error) => fail(&format!("{VARIABLE}: {} cannot be written: {error}", path.display())),
        }
    });
    let Some(mut file) = file.as_ref() else { return };
    // One system call for each line, so that lines of several threads do not mix.
    if let Err(error) = file.write_all(text.as_bytes()) {
        fail(&format!("{VARIABLE}: {error}"));
    }
}

fn fail(message: &str) -> ! {
    let message = String::from(message) + "\n";
    let _ = std::io::stderr().write_all(message.as_bytes());
    std::process::exit(2)
}
