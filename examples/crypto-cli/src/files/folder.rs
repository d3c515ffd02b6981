//! A folder that appears with all its files, or not at all.
use super::refuse::{Files, Identity, identity};
use super::{Spared, parent, sync_directory, temporary};
use crate::failure::Failure;
use crate::interrupt;
use crate::say::say;
use crate::shown::Shown;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A folder that is filled under a temporary name next to its own, and of which nothing is left unless it is
/// [completed](Self::complete).
pub(crate) struct Folder<'a> {
    path: &'a Path,
    temporary: PathBuf,
    old: Option<Old>,
    _lock: io::Result<File>,
}

/// The folder of a set of shares that is replaced. Nobody else who runs this program does that at the same time.
struct Old {
    names: Vec<OsString>,
    identity: Identity,
    _lock: File,
}

impl<'a> Folder<'a> {
    pub(crate) fn create(files: &Files<'a>) -> Result<Self, Failure> {
        files.check()?;
        let path = files.output;
        let old = if path.exists() { Old::lock(files)? } else { None };
        let made = temporary::make_for(path, make_private)?;
        let ((), temporary) = made.keep().map_err(|error| Failure::file(path, &error.error))?;
        let lock = File::open(&temporary).inspect(|folder| _ = folder.try_lock());
        Ok(Self { path, temporary, old, _lock: lock })
    }

    /// Makes a file in it.
    pub(crate) fn file(&self, name: &str, keep: bool) -> io::Result<Spared> {
        let path = self.temporary.join(name);
        interrupt::begin(|begun| {
            let file = Spared::create(path.clone(), keep)?;
            begun.push(path);
            Ok(file)
        })
    }

    /// Gives the folder its name. All its files have been written to the disk.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                Failure::general(format!("`{}`: it has been made by somebody else meanwhile", Shown(self.path)))
            }
            _ => Failure::file(self.path, &error),
        };
        sync_directory(&self.temporary).map_err(failed)?;
        interrupt::complete(|begun| {
            match &self.old {
                Some(old) => old.exchange(self.path, &self.temporary)?,
                None => rename(&self.temporary, self.path).map_err(failed)?,
            }
            begun.clear();
            // It is there. Whether its own directory may be read does not change that.
            let _ = sync_directory(parent(self.path));
            Ok(())
        })?;
        if let Some(old) = &self.old
            && let Err(error) = old.remove(&self.temporary)
        {
            let (name, path) = (Shown(&self.temporary), Shown(self.path));
            say(format_args!("note: `{name}` is what `{path}` was, and cannot be removed: {error}"));
        }
        Ok(())
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // Nothing is on the list if the folder has its name.
        interrupt::undo();
    }
}

impl Old {
    /// The folder if it is not empty: an empty one is replaced as if it were not there.
    fn lock(files: &Files<'_>) -> Result<Option<Self>, Failure> {
        let (path, name) = (files.output, Shown(files.output));
        let failed = |error: io::Error| Failure::file(path, &error);
        if files.old_shares()?.is_empty() {
            return Ok(None);
        }
        if !can_exchange() {
            return Err(Failure::general(format!(
                "`{name}`: this system cannot exchange two folders in one step; move it away"
            )));
        }
        let lock = File::open(path).map_err(failed)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::general(format!(
                    "`{name}`: another program has locked it; try again when that is done"
                )));
            }
            // Where there are no locks, two programs may both replace it, one after the other.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // What counts is there now, under the lock.
        let (identity, names) = (identity(path).map_err(failed)?, files.old_shares()?);
        Ok(Some(Self { names, identity, _lock: lock }))
    }

    fn exchange(&self, path: &Path, temporary: &Path) -> Result<(), Failure> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::InvalidInput | ErrorKind::Unsupported => Failure::general(format!(
                "`{}`: this file system cannot exchange two folders in one step; move it away",
                Shown(path)
            )),
            _ => Failure::file(path, &error),
        };
        exchange(temporary, path).map_err(failed)?;
        if fs::symlink_metadata(temporary).is_ok_and(|old| old.is_dir())
            && identity(temporary).is_ok_and(|old| old == self.identity)
        {
            return Ok(());
        }
        exchange(temporary, path).map_err(failed)?;
        Err(Failure::general(format!("`{}`: somebody else has replaced it meanwhile", Shown(path))))
    }

    /// Removes the shares that there were. Anything else stays, and so does the folder then.
    fn remove(&self, temporary: &Path) -> io::Result<()> {
        for name in &self.names {
            fs::remove_file(temporary.join(name))?;
        }
        fs::remove_dir(temporary)
    }
}

fn can_exchange() -> bool {
    cfg!(any(target_os = "linux", target_os = "android", target_vendor = "apple"))
}

/// Exchanges two names in one step.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(Into::into)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        let _ = (one, other);
        Err(ErrorKind::Unsupported.into())
    }
}

/// Renames a folder. One that is in its way is replaced if it is empty, and nothing else is.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        match fs::remove_dir(to) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(from, to)
}

/// Makes a directory that only its owner can read, where there are owners.
#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}
