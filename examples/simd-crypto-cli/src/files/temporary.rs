//! Temporary files and folders next to what they will be.
//!
//! A run that is killed leaves them behind, and a later run names what is left: what has a name that runs look for, and is not
//! locked. So nothing gets such a name before it is locked. Linux makes files that have no name until they are complete. Others, and
//! folders, are made under a name that no run looks for. They keep that name where there are no locks.
use crate::failure::{Failure, say};
use crate::interrupt;
use crate::shown::Shown;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempPath};

/// How the names begin that runs look for.
const LOOKED_FOR: &str = ".simd-crypto-";
/// How others begin.
const NEW: &str = ".simd-crypto-new-";
/// Characters behind these.
const RANDOM: usize = 6;

/// A file that appears when it is complete.
pub(super) struct TemporaryFile {
    // The name goes before the lock does.
    name: Option<TempPath>,
    file: File,
}

impl TemporaryFile {
    /// Makes a file that is going to be at `path`, and names what is left of runs that were killed there.
    pub(super) fn make_for(path: &Path) -> Result<Self, Failure> {
        let directory = super::parent(path);
        name_left(directory);
        if let Some(file) = interrupt::begin(|_| unnamed(directory)) {
            return Ok(Self { name: None, file });
        }
        let (name, file) = named(path, |path| create_private(path).map(Some))?;
        file.map(|file| Self { name: Some(name), file }).ok_or_else(|| Failure::file(path, &ErrorKind::Other.into()))
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The name that it has meanwhile.
    pub(super) fn name(&self) -> Option<PathBuf> {
        self.name.as_deref().map(Path::to_owned)
    }

    /// Has it appear at `path`; with `force` in place of what is there.
    pub(super) fn persist(self, path: &Path, force: bool) -> io::Result<()> {
        let name = match self.name {
            Some(name) => name,
            None => match link(&self.file, path) {
                Err(error) if force && error.kind() == ErrorKind::AlreadyExists => {
                    // It is locked, unless it cannot be.
                    let prefix = if is_locked(&self.file) { LOOKED_FOR } else { NEW };
                    make_in(super::parent(path), prefix, |name| link(&self.file, name))?.0
                }
                result => return result,
            },
        };
        let persisted = if force { name.persist(path) } else { name.persist_noclobber(path) };
        persisted.map_err(|error| error.error)
    }
}

/// Makes a folder that is going to be at `path`, and names what is left of runs that were killed there. Gives its name until
/// then, and the lock.
pub(super) fn make_folder_for(path: &Path) -> Result<(PathBuf, Option<File>), Failure> {
    name_left(super::parent(path));
    let (name, lock) = named(path, |path| make_private(path).map(|()| super::open_folder(path).ok()))?;
    let name = name.keep().map_err(|error| Failure::file(path, &error.error))?;
    Ok((name, lock))
}

/// Makes something, locks it, and gives it a name that runs look for. An interrupt removes it.
fn named(
    path: &Path,
    mut create: impl FnMut(&Path) -> io::Result<Option<File>>,
) -> Result<(TempPath, Option<File>), Failure> {
    let directory = super::parent(path);
    // The error of the library has a name in it that the user does not know.
    let mut os_error = None;
    let create = |name: &Path| create(name).inspect_err(|error| os_error = error.raw_os_error());
    let made = interrupt::begin(|begun| {
        let (mut name, file) = make_in(directory, NEW, create)?;
        if file.as_ref().is_some_and(is_locked)
            && let Ok((locked, ())) = make_in(directory, LOOKED_FOR, |locked| rename_new(&name, locked))
        {
            // Nothing has the first name.
            drop(core::mem::replace(&mut name, locked));
        }
        begun.push(name.to_path_buf());
        Ok((name, file))
    });
    made.map_err(|error: io::Error| {
        if path.is_relative() && std::env::current_dir().is_err() {
            return Failure::general(format!(
                "`{}`: the folder that the program runs in has been deleted",
                Shown(path)
            ));
        }
        Failure::file(path, &os_error.map_or(error.kind().into(), io::Error::from_raw_os_error))
    })
}

fn make_in<T>(directory: &Path, prefix: &str, create: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(TempPath, T)> {
    let (made, name) = Builder::new().prefix(prefix).rand_bytes(RANDOM).make_in(directory, create)?.into_parts();
    Ok((name, made))
}

/// Locks a file or a folder, if that is possible here. Only on Unix can folders be opened for that, and be looked for.
fn is_locked(file: &File) -> bool {
    cfg!(unix) && file.try_lock().is_ok()
}

/// A file without a name, which is locked, where there are such files and [`link`] can name them.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn unnamed(directory: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = File::options();
    options.read(true).write(true).mode(0o600).custom_flags(libc::O_TMPFILE);
    let file = options.open(directory).ok()?;
    // It is given a name by one that it has there.
    let is_there = fs::metadata(name_of(&file)).is_ok_and(|metadata| metadata.is_file());
    // Without a lock it is as good: nobody sees it.
    let _ = is_locked(&file);
    Some(file).filter(|_| is_there)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn name_of(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    linkat(CWD, name_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(Into::into)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn unnamed(_: &Path) -> Option<File> {
    None
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Gives something another name, which nothing has yet.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
            result => return result.map_err(Into::into),
        }
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn make_private(path: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "there is no mode"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn name_left(directory: &Path) {
    for left in left_in(directory) {
        say(format_args!("note: `{}` is left from a run that was killed; remove it", Shown(&left)));
    }
}

/// The files and folders in a directory that programs have left behind, in order.
#[cfg(unix)]
fn left_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let left = entries.filter(|entry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(LOOKED_FOR));
        random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            && entry.file_type().is_ok_and(|kind| kind.is_file() || kind.is_dir())
            && is_left(&entry.path())
    });
    // `./` before a name helps nobody.
    let mut left: Vec<_> =
        left.map(|entry| if directory == Path::new(".") { entry.file_name().into() } else { entry.path() }).collect();
    left.sort();
    left
}

/// Whether nobody has locked it. Several programs may look at a time.
#[cfg(unix)]
fn is_left(path: &Path) -> bool {
    use std::os::unix::fs::OpenOptionsExt;
    let file = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path);
    // A run that is done gives up its lock when the name is gone: the name has to be looked at again.
    file.is_ok_and(|file| {
        file.try_lock_shared().is_ok()
            && super::identity_of(&file).is_ok_and(|one| super::identity(path).is_ok_and(|other| one == other))
    })
}

/// Where folders cannot be locked, nobody can tell whether one is left.
#[cfg(not(unix))]
fn left_in(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The way where files without a name cannot be made.
    #[test]
    fn names_that_are_looked_for_are_locked() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("out");
        let (name, file) = named(&path, |path| create_private(path).map(Some)).unwrap_or_else(|_| panic!());
        let (folder, lock) = make_folder_for(&path).unwrap_or_else(|_| panic!());
        for path in [&name, &*folder] {
            let random = path.file_name().unwrap().to_str().unwrap().strip_prefix(LOOKED_FOR).unwrap();
            assert_eq!(random.len(), RANDOM, "{random}");
        }
        assert_eq!(left_in(place.path()), [""; 0].map(PathBuf::from));
        drop((file, lock));
        let mut both = [name.to_path_buf(), folder];
        both.sort();
        assert_eq!(left_in(place.path()), both);
    }

    #[test]
    fn what_cannot_be_locked_is_not_looked_for() {
        let place = tempfile::TempDir::new().unwrap();
        // Somebody else has locked it at once.
        let mut other = None;
        let create = |path: &Path| {
            let file = create_private(path)?;
            let stranger = File::open(path)?;
            stranger.lock()?;
            other = Some(stranger);
            Ok(Some(file))
        };
        let (name, file) = named(&place.path().join("out"), create).unwrap_or_else(|_| panic!());
        assert!(name.file_name().unwrap().to_str().unwrap().starts_with(NEW));
        drop((file, other));
        assert_eq!(left_in(place.path()), [""; 0].map(PathBuf::from));
    }

    /// A name that is gone, or leads to another file, when its lock has been given up.
    #[test]
    fn a_name_is_looked_at_again() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join(".simd-crypto-abcdef");
        fs::write(&path, "").unwrap();
        assert!(is_left(&path));
        fs::rename(&path, place.path().join("out")).unwrap();
        assert!(!is_left(&path));
    }
}
