//! Temporary files next to what they will be. Each is locked by the program that writes it, so that one that is not has been
//! left behind.
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const PREFIX: &str = ".simd-crypto-";
/// Behind the prefix.
const RANDOM: usize = 6;

/// Makes one, which goes away when it is dropped.
pub(crate) fn create_in(directory: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempfile_in(directory)?;
    // Where there are no locks, nothing is found that has been left behind either.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// The files in a directory that programs have left behind, in order.
pub(crate) fn left_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut left = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_ours =
            entry.file_name().to_str().and_then(|name| name.strip_prefix(PREFIX)).is_some_and(|random| {
                random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
        if is_ours && entry.file_type()?.is_file() && is_free(&entry.path()) {
            // `./` before a name helps nobody.
            left.push(if directory == Path::new(".") { entry.file_name().into() } else { entry.path() });
        }
    }
    left.sort();
    Ok(left)
}

/// Whether nobody writes the file. Whoever cannot open it cannot say.
fn is_free(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        },
        Err(_) => false,
    }
}
