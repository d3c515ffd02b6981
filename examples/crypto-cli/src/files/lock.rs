//! One program at a time writes shares into a directory.
use crate::failure::Failure;
use crate::shown::Shown;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A directory that no other `simd-crypto` writes shares to.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Nothing where there are no locks.
    _file: Option<File>,
}

impl Lock {
    /// Locks a directory.
    pub(crate) fn take(directory: &Path) -> Result<Self, Failure> {
        let failed = |error: &io::Error| Failure::general(format!("`{}` cannot be locked: {error}", Shown(directory)));
        let file = lockable(directory).map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) if is_still(directory, &file) => Ok(Self { _file: Some(file) }),
            Ok(()) | Err(TryLockError::WouldBlock) => Err(Failure::general(format!(
                "`{}`: another simd-crypto writes shares there; try again when it is done",
                Shown(directory)
            ))),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Self { _file: None }),
            Err(TryLockError::Error(error)) => Err(failed(&error)),
        }
    }
}

/// The directory itself: its lock leaves no file behind.
#[cfg(unix)]
fn lockable(directory: &Path) -> io::Result<File> {
    File::open(directory)
}

/// Directories cannot be opened here. The file stays: were it removed, two programs could have a lock each.
#[cfg(not(unix))]
fn lockable(directory: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(false).open(directory.join(".simd-crypto-lock"))
}

/// Whether the path still leads to what is locked: another program may have removed the directory it had made in vain.
#[cfg(unix)]
fn is_still(directory: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let now = std::fs::metadata(directory).and_then(|now| Ok((now, file.metadata()?)));
    now.is_ok_and(|(now, then)| (now.dev(), now.ino()) == (then.dev(), then.ino()))
}

#[cfg(not(unix))]
fn is_still(_: &Path, _: &File) -> bool {
    true
}
