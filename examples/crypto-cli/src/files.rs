//! Files to read, and files that appear when they are complete.
pub(crate) mod durable;
pub(crate) mod lock;
mod output;
pub(crate) mod temporary;

pub(crate) use output::{EXISTS, Output, may_write};

use super::failure::Failure;
use super::shown::Shown;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// How messages call a path that is read.
pub(crate) fn input_name(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { Shown(path).to_string() }
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
