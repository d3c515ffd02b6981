//! A folder that appears with all its files, or not at all.
use super::refuse::Request;
use super::{Identity, ReopenedFile, identity, identity_of, open_folder, parent, sync_directory, temporary};
use crate::failure::{Failure, say};
use crate::interrupt;
use crate::shown::Shown;
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// How often the folder can be replaced while it is opened.
const TRIES: usize = 16;

/// A place for a folder. While a folder that is there is replaced, nobody else who runs this program changes it.
pub(crate) struct Place<'a> {
    path: &'a Path,
    old: Option<Old>,
}

/// A folder that is filled under a temporary name next to its own, and of which nothing is left unless it is
/// [completed](Self::complete).
pub(crate) struct Folder<'a> {
    place: Place<'a>,
    temporary: PathBuf,
    _lock: Option<File>,
}

/// The folder that is replaced, with the shares in it.
struct Old {
    names: Vec<OsString>,
    identity: Identity,
    _lock: Option<File>,
}

impl<'a> Place<'a> {
    /// Opens the folder that is there, locks it, and reads it, once.
    pub(crate) fn claim(files: &Request<'a>) -> Result<Self, Failure> {
        files.check()?;
        let path = files.output;
        let name = Shown(path);
        let failed = |error: io::Error| Failure::file(path, &error);
        let busy = || Failure::general(format!("`{name}`: another program has locked it; try again when that is done"));
        for _ in 0..TRIES {
            if !files.is_folder_there()? {
                return Ok(Self { path, old: None });
            }
            let lock = match open_folder(path) {
                Ok(lock) => Some(lock),
                Err(error) if error.kind() == ErrorKind::Unsupported => None,
                // It has gone, or something else has come.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
                Err(error) => return Err(failed(error)),
            };
            // Where there are no locks, two programs may both replace it, one after the other.
            if let Some(Err(TryLockError::WouldBlock)) = lock.as_ref().map(File::try_lock) {
                return Err(busy());
            }
            let found = identity(path);
            if let (Some(lock), Ok(found)) = (&lock, &found)
                && identity_of(lock).map_err(failed)? != *found
            {
                continue;
            }
            let old = Old { identity: found.map_err(failed)?, names: files.old_shares()?, _lock: lock };
            if !old.names.is_empty() && !can_exchange() {
                return Err(Failure::general(format!(
                    "`{name}`: this system cannot exchange two folders in one step; move it away"
                )));
            }
            return Ok(Self { path, old: Some(old) });
        }
        Err(busy())
    }

    pub(crate) fn begin(self) -> Result<Folder<'a>, Failure> {
        let (temporary, lock) = temporary::make_folder_for(self.path)?;
        Ok(Folder { place: self, temporary, _lock: lock })
    }
}

impl Folder<'_> {
    pub(crate) fn file(&self, name: &str, keep: bool) -> io::Result<ReopenedFile> {
        let path = self.temporary.join(name);
        interrupt::begin(|begun| {
            let file = ReopenedFile::create(path.clone(), keep)?;
            begun.push(path);
            Ok(file)
        })
    }

    /// Gives the folder its name. All its files have been written to the disk.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        let path = self.place.path;
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                Failure::general(format!("`{}`: it has been made by somebody else meanwhile", Shown(path)))
            }
            _ => Failure::file(path, &error),
        };
        // An empty one is replaced as if it were not there.
        let old = self.place.old.as_ref().filter(|old| !old.names.is_empty());
        sync_directory(&self.temporary).map_err(failed)?;
        interrupt::complete(|begun| {
            match old {
                Some(old) => old.exchange(path, &self.temporary)?,
                None => rename(&self.temporary, path).map_err(failed)?,
            }
            begun.clear();
            // It is there. Whether its own directory may be read does not change that.
            let _ = sync_directory(parent(path));
            Ok(())
        })?;
        if let Some(old) = old
            && let Err(error) = old.remove(&self.temporary)
        {
            let (name, path) = (Shown(&self.temporary), Shown(path));
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
