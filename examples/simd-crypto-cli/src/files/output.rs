//! Files that appear when they are complete.
use super::refuse::Request;
use super::temporary::TemporaryFile;
use super::terminal::Text;
use super::{is_standard, parent, sync_directory};
use crate::failure::Failure;
use crate::{interrupt, protect, standard};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

/// Output from inputs that can be read only once is kept back up to so many bytes, until all is checked.
const KEPT_BACK: usize = 8 << 20;

pub(crate) type Put<'a> = dyn FnMut(&[u8]) -> Result<(), Failure> + 'a;

/// A file that appears, complete, when [`finish`](Self::finish) is called, and of which nothing is left otherwise; or standard
/// output.
pub(crate) struct Output {
    target: Target,
}

enum Target {
    /// With what has been written, if it is a terminal.
    Standard(Box<dyn Write>, Option<Text>),
    File(Begun),
}

/// A file that is not there yet.
struct Begun {
    file: Option<TemporaryFile>,
    path: PathBuf,
    force: bool,
}

impl Output {
    pub(crate) fn create(files: &Request<'_>) -> Result<Self, Failure> {
        files.check()?;
        let Request { output: path, force, .. } = *files;
        let target = if is_standard(path) {
            Target::Standard(standard::output()?, io::stdout().is_terminal().then(Text::default))
        } else {
            Target::File(Begun { file: Some(TemporaryFile::make_for(path)?), path: path.to_owned(), force })
        };
        Ok(Self { target })
    }

    fn failure(&self, error: &io::Error) -> Failure {
        match &self.target {
            Target::Standard(..) => Failure::standard_output(error),
            Target::File(Begun { path, .. }) => Failure::file(path, error),
        }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let put = match &mut self.target {
            Target::Standard(output, text) => {
                text.as_mut().map_or(Ok(()), |text| text.add(bytes))?;
                output.write_all(bytes)
            }
            Target::File(Begun { file, .. }) => file.as_ref().map_or(Ok(()), |file| file.file().write_all(bytes)),
        };
        put.map_err(|error| self.failure(&error))
    }

    /// Makes the file appear, of which all bytes are on the disk.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let finished = match &mut self.target {
            Target::Standard(output, _) => output.flush(),
            Target::File(begun) => begun.persist(),
        };
        finished.map_err(|error| self.failure(&error))
    }

    /// Writes what `work` makes of its inputs, so that standard output gets nothing of it before all has been checked: `work` is
    /// done twice if it is `repeatable`. Otherwise what is short is kept back; what is long goes out piece by piece, but not to a
    /// terminal.
    pub(crate) fn checked(
        mut self,
        repeatable: bool,
        mut work: impl FnMut(&mut Put<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut text = match &self.target {
            Target::Standard(_, text) => text.as_ref().map(|_| Text::default()),
            Target::File(_) => {
                work(&mut |bytes| self.put(bytes))?;
                return self.finish();
            }
        };
        let (mut kept, mut length) = (Vec::new(), 0);
        work(&mut |bytes| {
            if let Some(text) = &mut text {
                text.add(bytes)?;
            }
            if repeatable {
                return Ok(());
            }
            length += bytes.len();
            if length > KEPT_BACK {
                if text.is_some() {
                    return Err(Failure::general(
                        "standard output is a terminal, and this is more than 8 MiB; --out names a file for it",
                    ));
                }
                length = bytes.len();
                kept.drain(..).try_for_each(|piece: Vec<u8>| self.put(&piece))?;
            }
            let mut piece = protect::buffer(bytes.len());
            piece.copy_from_slice(bytes);
            kept.push(piece);
            Ok(())
        })?;
        text.map_or(Ok(()), Text::end)?;
        if repeatable {
            work(&mut |bytes| self.put(bytes))?;
        } else {
            kept.iter().try_for_each(|piece| self.put(piece))?;
        }
        self.finish()
    }
}

impl Begun {
    fn persist(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let name = file.name();
        let result = file.file().sync_all().and_then(|()| {
            interrupt::complete(|begun| {
                file.persist(&self.path, self.force)?;
                begun.clear();
                // It is there, and complete. Whether its directory may be read does not change that.
                let _ = sync_directory(parent(&self.path));
                Ok(())
            })
        });
        forget(name);
        match result {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(io::Error::other(super::refuse::EXISTS)),
            result => result,
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let name = file.name();
            drop(file);
            forget(name);
        }
    }
}

fn forget(name: Option<PathBuf>) {
    if let Some(name) = name {
        interrupt::forget(&name);
    }
}
