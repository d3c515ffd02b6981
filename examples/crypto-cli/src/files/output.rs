//! Files that appear when they are complete.
use super::durable::{parent, sync_directory};
use super::{is_standard, temporary};
use crate::failure::Failure;
use crate::interrupt;
use crate::say::say;
use crate::shown::{Shown, in_command};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, PersistError};

/// A file that appears, complete, when [`finish`](Self::finish) is called, and of which nothing is left otherwise; or standard
/// output.
pub(crate) struct Output {
    target: Target,
}

enum Target {
    Standard(io::StdoutLock<'static>),
    File(Begun),
}

/// A temporary file next to the one that it will be.
struct Begun {
    file: Option<NamedTempFile>,
    path: PathBuf,
    force: bool,
}

impl Output {
    /// Begins an output. Existing files are replaced only by `force`, and other things than files not at all.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        if is_standard(path) {
            return Ok(Self { target: Target::Standard(io::stdout().lock()) });
        }
        may_write(path, force)?;
        let directory = parent(path);
        for path in temporary::left_in(directory).unwrap_or_default() {
            let (path, directory) = (Shown(&path), in_command(directory));
            say(format_args!(
                "note: `{path}` is left from a run that was killed; to remove it, run: simd-crypto recover {directory}"
            ));
        }
        let file = interrupt::begin(|begun| {
            let file = temporary::create_in(directory)?;
            begun.push(file.path().to_owned());
            Ok(file)
        });
        let file =
            file.map_err(|error: io::Error| Failure::general(format!("`{}` cannot be made: {error}", Shown(path))))?;
        Ok(Self { target: Target::File(Begun { file: Some(file), path: path.to_owned(), force }) })
    }

    /// What an error in writing means.
    fn failure(&self, error: &io::Error) -> Failure {
        match &self.target {
            Target::Standard(_) => Failure::standard_output(error),
            Target::File(Begun { path, .. }) => Failure::file(path, error),
        }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let put = match &mut self.target {
            Target::Standard(output) => output.write_all(bytes),
            Target::File(Begun { file, .. }) => file.as_mut().map_or(Ok(()), |file| file.write_all(bytes)),
        };
        put.map_err(|error| self.failure(&error))
    }

    /// Makes the file appear, of which all bytes are on the disk.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let finished = match &mut self.target {
            Target::Standard(output) => output.flush(),
            Target::File(begun) => begun.persist(),
        };
        finished.map_err(|error| match (&self.target, error.kind()) {
            (Target::File(Begun { path, .. }), ErrorKind::AlreadyExists) => exists(path),
            _ => self.failure(&error),
        })
    }
}

pub(crate) const EXISTS: &str = "it exists; --force replaces it";

fn exists(path: &Path) -> Failure {
    Failure::general(format!("`{}`: {EXISTS}", Shown(path)))
}

/// Why a file cannot be written, if it cannot.
pub(crate) fn may_write(path: &Path, force: bool) -> Result<(), Failure> {
    let because = |problem: &str| Err(Failure::general(format!("`{}`: {problem}", Shown(path))));
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => because("it is a directory"),
        Ok(metadata) if metadata.is_symlink() => {
            because("it is a symbolic link, which is neither followed nor replaced; name the file itself")
        }
        Ok(metadata) if !metadata.is_file() => because("it is no regular file; `-` writes to standard output"),
        Ok(_) if !force => Err(exists(path)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound && path.file_name().is_some() => Ok(()),
        Err(error) => Err(Failure::file(path, &error)),
    }
}

impl Begun {
    fn persist(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let temporary = file.path().to_owned();
        let result = file.as_file().sync_all().and_then(|()| {
            interrupt::complete(|begun| {
                let persisted = if self.force { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
                persisted.map_err(|PersistError { error, .. }| error)?;
                begun.clear();
                // It is there, and complete. Whether its directory may be read does not change that.
                let _ = sync_directory(parent(&self.path));
                Ok(())
            })
        });
        interrupt::forget(&temporary);
        result
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let temporary = file.path().to_owned();
            drop(file);
            interrupt::forget(&temporary);
        }
    }
}
