//! Shares that are being written.
use super::journal::{Journal, Problem, names};
use crate::failure::Failure;
use crate::files::durable::{create_private, make_private, parent, sync_directory};
use crate::files::lock::Lock;
use crate::files::{EXISTS, may_write};
use crate::interrupt;
use crate::shown::{Shown, in_command};
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A directory for shares. Nothing of them is left in it, and the directory itself goes away again if it has been made for them,
/// unless [`complete`](Self::complete) succeeds.
#[derive(Debug)]
pub(super) struct Staging {
    directory: PathBuf,
    journal: Journal,
    force: bool,
    made: bool,
    _lock: Lock,
}

impl Staging {
    /// Makes the directory if it does not exist. What shares at these paths would replace must be allowed to be replaced.
    pub(super) fn begin(directory: &Path, paths: &[PathBuf], force: bool) -> Result<Self, Failure> {
        let made = interrupt::begin(|begun| {
            let made = make_private(directory);
            begun.extend(made.is_ok().then(|| directory.to_owned()));
            made
        });
        let made = match made {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && directory.is_dir() => false,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(Failure::general(format!("`{}` is no directory", Shown(directory))));
            }
            Err(error) => return Err(Failure::file(directory, &error)),
        };
        let begun = Self::begin_in(directory, paths, force, made);
        if begun.is_err() {
            interrupt::undo();
        }
        begun
    }

    fn begin_in(directory: &Path, paths: &[PathBuf], force: bool, made: bool) -> Result<Self, Failure> {
        let lock = Lock::take(directory)?;
        let journal = Journal::of(directory);
        if journal.exists() {
            return Err(Failure::general(left_over(directory)));
        }
        let unwritable = paths.iter().filter_map(|path| may_write(path, force).err());
        Failure::all(unwritable.collect())?;
        for path in [&journal.root, &journal.new, &journal.old] {
            let made = interrupt::begin(|begun| {
                make_private(path)?;
                begun.push(path.clone());
                Ok(())
            });
            made.map_err(|error| Failure::file(path, &error))?;
        }
        Ok(Self { directory: directory.to_owned(), journal, force, made, _lock: lock })
    }

    /// Begins the share that will be at `path`, which is in the directory.
    pub(super) fn create(&self, path: &Path) -> Result<File, Failure> {
        let new = self.journal.new.join(path.file_name().unwrap_or_default());
        let file = interrupt::begin(|begun| {
            let file = create_private(&new)?;
            begun.push(new);
            Ok(file)
        });
        file.map_err(|error| Failure::file(path, &error))
    }

    /// Has the shares, whose files have been written to the disk, take their places: all of them or none.
    pub(super) fn complete(self) -> Result<(), Failure> {
        interrupt::complete(|begun| {
            let names = names(&self.journal.new).map_err(|error| Failure::file(&self.journal.new, &error))?;
            // What is to be removed if this fails is not known before.
            let all = core::mem::take(begun);
            match self.take_places(&names) {
                Ok(()) => Ok(()),
                Err((failure, back)) => {
                    if back {
                        *begun = all;
                    }
                    Err(failure)
                }
            }
        })
    }

    /// An error comes with whether all is as it was before.
    fn take_places(&self, names: &[OsString]) -> Result<(), (Failure, bool)> {
        let forward = || {
            if self.made {
                let parent = parent(&self.directory);
                // Whether its own directory may be read is not of the essence.
                let _ = sync_directory(parent);
            }
            self.journal.make_ready(self.force)?;
            self.journal.forward()
        };
        if let Err(problem) = forward() {
            let failure = why(&problem);
            return Err(match self.journal.back(names) {
                Ok(()) => (failure, true),
                Err(_) => (failure.and(left_over(&self.directory)), false),
            });
        }
        // The shares are there. What cannot be removed is named by the next split.
        let _ = self.journal.clear();
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Nothing is on the list if the shares are there, or if only `recover` can help.
        interrupt::undo();
    }
}

fn why(problem: &Problem) -> Failure {
    if problem.is_existing_file() {
        return Failure::general(format!("`{}`: {EXISTS}", Shown(problem.path())));
    }
    Failure::general(problem.to_string())
}

/// What to do about a split that has been stopped.
pub(super) fn left_over(directory: &Path) -> String {
    let (name, directory) = (Shown(directory), in_command(directory));
    format!("`{name}`: an interrupted split has left its work there; run: simd-crypto recover {directory}")
}
