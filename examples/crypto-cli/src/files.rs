//! Files to read, and files that appear when they are complete.
use super::failure::Failure;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::{NamedTempFile, PersistError};

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How messages call a path that is read.
pub(crate) fn input_name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// A file, or standard input, to be read from the start to the end.
pub(crate) struct Input {
    pub(crate) name: String,
    /// The length of a regular file. Others can be read once alone.
    pub(crate) length: Option<u64>,
    reader: Reader,
}

enum Reader {
    Standard(io::StdinLock<'static>),
    File(File),
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let name = input_name(path);
        if is_standard(path) {
            return Ok(Self { name, length: None, reader: Reader::Standard(io::stdin().lock()) });
        }
        let open = || {
            // A directory can be opened on some systems, and gives an error of its own on others.
            if fs::metadata(path)?.is_dir() {
                return Err(ErrorKind::IsADirectory.into());
            }
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            Ok((file, metadata.is_file().then_some(metadata.len())))
        };
        let (file, length) = open().map_err(|error| Failure::io(&name, &error))?;
        Ok(Self { name, length, reader: Reader::File(file) })
    }

    /// Reads until the buffer is full or there is no more, and says how much that was.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::io(&self.name, &error)),
            }
        }
        Ok(filled)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.reader {
            Reader::Standard(input) => input.read(buffer),
            Reader::File(file) => file.read(buffer),
        }
    }
}

/// A file that appears, complete, when [`finish`](Self::finish) is called, and of which nothing is left otherwise; or standard
/// output.
pub(crate) struct Output {
    name: String,
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

/// The temporary files that there are, and directories for them, for when the program is interrupted.
static BEGUN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) fn begun<T>(change: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    watch_for_interrupts();
    locked(change)
}

fn locked<T>(change: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    change(&mut BEGUN.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// Has an interrupted program remove its temporary files.
fn watch_for_interrupts() {
    #[cfg(any(unix, windows))]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            // If something else watches already, it does so for a reason of its own.
            let _ = ctrlc::try_set_handler(|| {
                locked(|paths| {
                    // A directory goes when its files have gone.
                    for path in paths.iter().rev() {
                        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
                    }
                    // Still under the lock, so that no other file is begun.
                    std::process::exit(130)
                });
            });
        });
    }
}

impl Output {
    /// Begins an output. Existing files are replaced only by `force`, and other things than files not at all.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        if is_standard(path) {
            let target = Target::Standard(io::stdout().lock());
            return Ok(Self { name: "standard output".to_owned(), target });
        }
        let name = path.display().to_string();
        let path = may_write(path, force).map_err(|problem| Failure::general(format!("`{name}`: {problem}")))?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = begun(|paths| {
            let file = tempfile::Builder::new().prefix(".simd-crypto-").tempfile_in(directory)?;
            paths.push(file.path().to_owned());
            Ok(file)
        });
        let file = file.map_err(|error: io::Error| Failure::general(format!("`{name}` cannot be made: {error}")))?;
        Ok(Self { name, target: Target::File(Begun { file: Some(file), path, force }) })
    }

    /// What an error in writing means.
    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        match self.target {
            Target::Standard(_) => Failure::standard_output(error),
            Target::File(_) => Failure::io(&self.name, error),
        }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|error| self.failure(&error))
    }

    /// Sees to it that the bytes are where they stay, so that what [`finish`](Self::finish) makes appear is complete.
    pub(crate) fn settle(&mut self) -> Result<(), Failure> {
        let settled = match &mut self.target {
            Target::Standard(output) => output.flush(),
            Target::File(Begun { file, .. }) => file.as_ref().map_or(Ok(()), |file| file.as_file().sync_all()),
        };
        settled.map_err(|error| self.failure(&error))
    }

    /// Makes the file appear.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.settle()?;
        match &mut self.target {
            Target::Standard(_) => Ok(()),
            Target::File(begun) => begun.persist().map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => Failure::general(format!("`{}`: {EXISTS}", self.name)),
                _ => Failure::io(&self.name, &error),
            }),
        }
    }

    /// Removes the file that [`finish`](Self::finish) has made appear, if it cannot have replaced another one.
    pub(crate) fn take_back(path: &Path, force: bool) {
        if !force {
            // It is a failure already that has led here.
            let _ = fs::remove_file(path);
        }
    }
}

const EXISTS: &str = "it exists; --force replaces it";

/// The file that will be written, where links lead, or why it cannot be.
pub(crate) fn may_write(path: &Path, force: bool) -> Result<PathBuf, String> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err("it is a directory".to_owned()),
        Ok(metadata) if !metadata.is_file() => Err("it is no regular file; `-` writes to standard output".to_owned()),
        Ok(_) if !force => Err(EXISTS.to_owned()),
        Ok(_) => fs::canonicalize(path).map_err(|error| error.to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound && path.file_name().is_some() => Ok(path.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl Begun {
    fn persist(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let temporary = file.path().to_owned();
        let result = if self.force { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
        forget(&temporary);
        result.map(drop).map_err(|PersistError { error, .. }| error)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let temporary = file.path().to_owned();
            drop(file);
            forget(&temporary);
        }
    }
}

pub(crate) fn forget(temporary: &Path) {
    locked(|paths| paths.retain(|path| path != temporary));
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Standard(output) => output.write(bytes),
            Target::File(Begun { file, .. }) => file.as_mut().map_or(Ok(0), |file| file.write(bytes)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Standard(output) => output.flush(),
            Target::File(Begun { file, .. }) => file.as_mut().map_or(Ok(()), Write::flush),
        }
    }
}

/// Prints a line or several on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let printed = writeln!(output, "{text}").and_then(|()| output.flush());
    printed.map_err(|error| Failure::standard_output(&error))
}
