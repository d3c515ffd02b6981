//! How a set of shares takes its place: all of it or nothing, whenever the program or the machine stops.
//!
//! Next to the shares, a directory has `new/` with shares that are complete, and `old/` for those that they replace. While
//! there is no file `ready` in it, nothing else has been touched, and it can be removed. From then on the shares of
//! `new/` take their places, and only that can be done with it: each is in `new/` or in its place, never lost.
//!
//! | | on the disk before the next step |
//! |---|---|
//! | 1 | the shares in `new/`, and their names |
//! | 2 | `ready` |
//! | 3 | shares in their places, those of before in `old/` |
//! | 4 | `old/` is empty; `ready` goes last |
mod disk;
#[cfg(test)]
mod tests;

use crate::shown::Shown;
use core::fmt;
use disk::{hard_link, remove_dir, remove_file, rename, sync_directory};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The directory's name.
const NAME: &str = ".simd-crypto-split";
/// What `ready` says: whether shares that exist are replaced.
const REPLACE: &[u8] = b"replace\n";
const KEEP: &[u8] = b"keep\n";

/// What could not be done, with which file.
#[derive(Debug)]
pub(crate) struct Problem {
    path: PathBuf,
    error: io::Error,
}

impl Problem {
    /// Whether there is a file in the place of a share, which is kept.
    pub(crate) fn is_existing_file(&self) -> bool {
        self.error.kind() == ErrorKind::AlreadyExists
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", Shown(&self.path), self.error)
    }
}

/// Says which file an error is about.
trait At<T> {
    fn at(self, path: &Path) -> Result<T, Problem>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, Problem> {
        self.map_err(|error| Problem { path: path.to_owned(), error })
    }
}

/// The directory with the shares, which is locked, and the one in it.
#[derive(Debug)]
pub(crate) struct Journal {
    shares: PathBuf,
    /// Public for those who make and remove it.
    pub(crate) root: PathBuf,
    pub(crate) new: PathBuf,
    pub(crate) old: PathBuf,
    ready: PathBuf,
}

impl Journal {
    pub(crate) fn of(shares: &Path) -> Self {
        let root = shares.join(NAME);
        let (new, old, ready) = (root.join("new"), root.join("old"), root.join("ready"));
        Self { shares: shares.to_owned(), root, new, old, ready }
    }

    /// Whether a split has left something behind, or is at work.
    pub(crate) fn exists(&self) -> bool {
        fs::symlink_metadata(&self.root).is_ok()
    }

    /// Whether the new shares are complete, so that they can take their places.
    ///
    /// A `ready` of which the content is missing was never followed by anything.
    pub(crate) fn is_ready(&self) -> Result<bool, Problem> {
        if !fs::symlink_metadata(&self.root).at(&self.root)?.is_dir() {
            return Err(io::Error::from(ErrorKind::NotADirectory)).at(&self.root);
        }
        match fs::read(&self.ready) {
            Ok(content) => Ok([REPLACE, KEEP].contains(&&content[..])),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error).at(&self.ready),
        }
    }

    /// Step 2: from here on there is only the way forward. The new shares have been written to the disk.
    pub(crate) fn make_ready(&self, replace: bool) -> Result<(), Problem> {
        sync_directory(&self.new).at(&self.new)?;
        sync_directory(&self.root).at(&self.root)?;
        sync_directory(&self.shares).at(&self.shares)?;
        let ready = disk::create(&self.ready, if replace { REPLACE } else { KEEP });
        ready.at(&self.ready)?;
        sync_directory(&self.root).at(&self.root)
    }

    /// Step 3: has all new shares take their places, those that have not done so yet.
    pub(crate) fn forward(&self) -> Result<(), Problem> {
        let replace = fs::read(&self.ready).at(&self.ready)? == REPLACE;
        let names = names(&self.new).at(&self.new)?;
        if replace {
            for name in &names {
                self.set_aside(name)?;
            }
        }
        for name in &names {
            let (new, place) = (self.new.join(name), self.shares.join(name));
            // What is replaced is in `old/`.
            if replace { rename(&new, &place) } else { put(&new, &place) }.at(&place)?;
        }
        [&self.shares, &self.new, &self.old].into_iter().try_for_each(|directory| sync_if_there(directory))
    }

    /// Puts what is in the place of a share into `old/` too. It stays where it is, if the file system has links.
    fn set_aside(&self, name: &OsString) -> Result<(), Problem> {
        let (place, old) = (self.shares.join(name), self.old.join(name));
        match fs::symlink_metadata(&place) {
            Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("it is no regular file")).at(&place),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error).at(&place),
        }
        match hard_link(&place, &old) {
            Ok(()) => Ok(()),
            // If it was not put there before the program was stopped, somebody has made another one since.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if same_bytes(&old, &place).at(&place)? {
                    Ok(())
                } else {
                    Err(error).at(&place)
                }
            }
            Err(_) => rename(&place, &old).at(&place),
        }
    }

    /// Takes step 3 back, and `ready`, as far as this process has come. `names` are those of all new shares.
    pub(crate) fn back(&self, names: &[OsString]) -> Result<(), Problem> {
        for name in names {
            let (new, old, place) = (self.new.join(name), self.old.join(name), self.shares.join(name));
            if !fs::exists(&new).at(&new)? {
                rename(&place, &new).at(&place)?;
            }
            if fs::exists(&old).at(&old)? {
                rename(&old, &place).at(&old)?;
                // Of two links to one file, renaming leaves both.
                gone(remove_file(&old)).at(&old)?;
            }
        }
        [&self.new, &self.shares, &self.old].into_iter().try_for_each(|directory| sync_if_there(directory))?;
        gone(remove_file(&self.ready)).at(&self.ready)?;
        sync_if_there(&self.root)
    }

    /// Step 4: removes the shares of before, and then all that is left.
    pub(crate) fn clear(&self) -> Result<(), Problem> {
        remove_files(&self.old)?;
        sync_if_there(&self.old)?;
        self.remove()
    }

    /// Removes new shares that have not been ready, and the directory.
    ///
    /// There is nothing in `old/` then. If there is, nothing is removed.
    pub(crate) fn discard(&self) -> Result<(), Problem> {
        gone(remove_dir(&self.old)).at(&self.old)?;
        remove_files(&self.new)?;
        self.remove()
    }

    fn remove(&self) -> Result<(), Problem> {
        for directory in [&self.new, &self.old] {
            gone(remove_dir(directory)).at(directory)?;
        }
        gone(remove_file(&self.ready)).at(&self.ready)?;
        gone(remove_dir(&self.root)).at(&self.root)?;
        sync_directory(&self.shares).at(&self.shares)
    }
}

/// Moves a share to its place, if that is free.
fn put(new: &Path, place: &Path) -> io::Result<()> {
    match hard_link(new, place) {
        Ok(()) => remove_file(new).inspect_err(|_| {
            let _ = remove_file(place);
        }),
        // The program was stopped between the two, or the share has been copied there.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if same_bytes(new, place)? {
                remove_file(new)
            } else {
                Err(error)
            }
        }
        // File systems without links. Nobody else who writes shares comes between: the directory is locked.
        Err(_) => match fs::symlink_metadata(place) {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == ErrorKind::NotFound => rename(new, place),
            Err(error) => Err(error),
        },
    }
}

/// What is not there need not be removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

fn sync_if_there(directory: &Path) -> Result<(), Problem> {
    gone(sync_directory(directory)).at(directory)
}

fn remove_files(directory: &Path) -> Result<(), Problem> {
    for name in names(directory).at(directory)? {
        let path = directory.join(name);
        gone(remove_file(&path)).at(&path)?;
    }
    Ok(())
}

/// The names in a directory, in order; none if it does not exist.
pub(crate) fn names(directory: &Path) -> io::Result<Vec<OsString>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    Ok(names)
}

fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    if !fs::symlink_metadata(other)?.is_file() {
        return Ok(false);
    }
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let mut buffers = [const { [0; 1 << 12] }; 2];
    loop {
        let read = one.read(&mut buffers[0])?;
        if read == 0 {
            return Ok(true);
        }
        other.read_exact(&mut buffers[1][..read])?;
        if buffers[0][..read] != buffers[1][..read] {
            return Ok(false);
        }
    }
}
