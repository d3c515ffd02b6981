//! Files that appear when they are complete.
use super::refuse::Files;
use super::{is_standard, parent, sync_directory, temporary};
use crate::failure::Failure;
use crate::interrupt;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, PersistError};
use zeroize::Zeroizing;

/// What goes to standard output from inputs that can be read only once is kept back up to so many bytes, until all is checked.
const KEPT_BACK: usize = 8 << 20;

/// Where the bytes of an output go.
pub(crate) type Put<'a> = dyn FnMut(&[u8]) -> Result<(), Failure> + 'a;

/// A file that appears, complete, when [`finish`](Self::finish) is called, and of which nothing is left otherwise; or standard
/// output.
pub(crate) struct Output {
    target: Target,
}

enum Target {
    Standard { output: Box<dyn Write>, terminal: bool },
    File(Begun),
}

/// A temporary file next to the one that it will be.
struct Begun {
    file: Option<NamedTempFile>,
    path: PathBuf,
    force: bool,
}

impl Output {
    /// Begins an output, unless it is refused.
    pub(crate) fn create(files: &Files<'_>) -> Result<Self, Failure> {
        files.check()?;
        let Files { output: path, force, .. } = *files;
        if is_standard(path) {
            let target = Target::Standard { output: standard_output(), terminal: io::stdout().is_terminal() };
            return Ok(Self { target });
        }
        let file = temporary::make_for(path, create_private)?;
        // Where there are no locks, nothing is found that has been left behind either.
        let _ = file.as_file().try_lock();
        Ok(Self { target: Target::File(Begun { file: Some(file), path: path.to_owned(), force }) })
    }

    /// What an error in writing means.
    fn failure(&self, error: &io::Error) -> Failure {
        match &self.target {
            Target::Standard { .. } => Failure::standard_output(error),
            Target::File(Begun { path, .. }) => Failure::file(path, error),
        }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let put = match &mut self.target {
            Target::Standard { terminal: true, .. } if bytes.iter().copied().any(is_control) => {
                return Err(Failure::general(
                    "standard output is a terminal, and this is no text; --out names a file for it",
                ));
            }
            Target::Standard { output, .. } => output.write_all(bytes),
            Target::File(Begun { file, .. }) => file.as_ref().map_or(Ok(()), |file| file.as_file().write_all(bytes)),
        };
        put.map_err(|error| self.failure(&error))
    }

    /// Makes the file appear, of which all bytes are on the disk.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let finished = match &mut self.target {
            Target::Standard { output, .. } => output.flush(),
            Target::File(begun) => begun.persist(),
        };
        finished.map_err(|error| self.failure(&error))
    }

    /// Writes what `work` makes of its inputs, so that standard output gets nothing of it before all has been checked: `work` is
    /// done twice if it is `repeatable`. Otherwise what is short is kept back; what is long goes out piece by piece.
    pub(crate) fn checked(
        mut self,
        repeatable: bool,
        mut work: impl FnMut(&mut Put<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let is_standard = matches!(self.target, Target::Standard { .. });
        if is_standard && !repeatable {
            let (mut kept, mut length) = (Vec::new(), 0);
            let mut give = |kept: &mut Vec<Zeroizing<Vec<u8>>>| kept.drain(..).try_for_each(|piece| self.put(&piece));
            work(&mut |bytes| {
                length += bytes.len();
                if length > KEPT_BACK {
                    length = bytes.len();
                    give(&mut kept)?;
                }
                kept.push(Zeroizing::new(bytes.to_vec()));
                Ok(())
            })?;
            give(&mut kept)?;
        } else {
            if is_standard {
                work(&mut |_| Ok(()))?;
            }
            work(&mut |bytes| self.put(bytes))?;
        }
        self.finish()
    }
}

/// What no text has.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Standard output without the buffer of the standard library, which would keep secrets.
fn standard_output() -> Box<dyn Write> {
    #[cfg(unix)]
    if let Ok(output) = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned() {
        return Box::new(File::from(output));
    }
    Box::new(io::stdout())
}

/// Makes a file that only its owner can read, where there are owners.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
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
        match result {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(io::Error::other(super::refuse::EXISTS)),
            result => result,
        }
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
