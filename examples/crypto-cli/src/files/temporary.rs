//! Temporary files and folders next to what they will be. Each is locked by the program that writes it, so that one that is not
//! has been left behind.
use crate::failure::Failure;
use crate::interrupt;
use crate::say::say;
use crate::shown::Shown;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".simd-crypto-";
/// Behind the prefix.
const RANDOM: usize = 6;

/// Makes something next to `path`, and names what is left of runs that were killed there. An interrupt removes it.
pub(super) fn make_for<T>(
    path: &Path,
    mut create: impl FnMut(&Path) -> io::Result<T>,
) -> Result<NamedTempFile<T>, Failure> {
    let directory = super::parent(path);
    for left in left_in(directory) {
        say(format_args!("note: `{}` is left from a run that was killed; remove it", Shown(&left)));
    }
    // The error of the library has a name in it that the user does not know.
    let mut os_error = None;
    let create = |path: &Path| create(path).inspect_err(|error| os_error = error.raw_os_error());
    let made = interrupt::begin(|begun| {
        let made = Builder::new().prefix(PREFIX).rand_bytes(RANDOM).make_in(directory, create)?;
        begun.push(made.path().to_owned());
        Ok(made)
    });
    made.map_err(|error: io::Error| {
        Failure::file(path, &os_error.map_or(error.kind().into(), io::Error::from_raw_os_error))
    })
}

/// The files and folders in a directory that programs have left behind, in order.
fn left_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let left = entries.filter(|entry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            && entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir())
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
    });
    // `./` before a name helps nobody.
    let mut left: Vec<_> =
        left.map(|entry| if directory == Path::new(".") { entry.file_name().into() } else { entry.path() }).collect();
    left.sort();
    left
}
