//! Files to read, and files and folders that appear when they are complete.
mod folder;
mod output;
mod refuse;
mod reopened;
mod temporary;
mod terminal;

pub(crate) use folder::Place;
pub(crate) use output::{Output, Put};
pub(crate) use refuse::{Content, Request};
pub(crate) use reopened::{MANY, ReopenedFile};

use super::failure::Failure;
use super::shown::Shown;
use super::standard;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file, or standard input, to be read from the start to the end.
pub(crate) struct Input {
    pub(crate) name: String,
    /// The length of a regular file. Others can be read only once.
    pub(crate) length: Option<u64>,
    reader: Box<dyn Read>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if is_standard(path) {
            return Ok(Self { name: "standard input".to_owned(), length: None, reader: standard::input()? });
        }
        let name = Shown(path).to_string();
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
        Ok(Self { name, length, reader: Box::new(file) })
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
        self.reader.read(buffer)
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Has the names in a directory written to the disk.
fn sync_directory(path: &Path) -> io::Result<()> {
    // Elsewhere directories cannot be opened.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(path)?.sync_all() {
        // There are file systems that write names at once, and have nothing to be asked for.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// The same for two names of one file, and for no two files.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::canonicalize(path)
}

#[cfg(unix)]
fn identity_of(file: &File) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;
    file.metadata().map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity_of(_: &File) -> io::Result<Identity> {
    Err(ErrorKind::Unsupported.into())
}

/// Opens a folder, and nothing that a link leads to.
#[cfg(unix)]
fn open_folder(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW).open(path)
}

#[cfg(not(unix))]
fn open_folder(_: &Path) -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}
