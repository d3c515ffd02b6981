//! Shares from files of either format.
use crate::failure::Failure;
use crate::files::{Input, MANY, ReopenedFile};
use simd_crypto::shamir::Set;
use simd_crypto::share_files::{MAGIC, Reader, ShareError, TextReader, scan};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Text that can be read only once is kept in memory, up to so many bytes.
const TEXT_FROM_PIPE: usize = 8 << 20;

/// A share that has been opened.
pub(super) struct Share {
    /// How messages call it.
    pub(super) name: String,
    pub(super) x: u8,
    /// The set by a share of this program.
    pub(super) set: Option<Set>,
    /// How many values a text share has.
    pub(super) length: Option<u64>,
    values: Values,
}

enum Values {
    Binary(Reader<Box<dyn Read>>),
    Text(TextReader<Box<dyn Read>>),
}

impl Share {
    /// Reads values until the buffer is full or there are no more, and says how many.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let read = match &mut self.values {
            Values::Binary(reader) => reader.read(buffer),
            Values::Text(reader) => reader.read(buffer),
        };
        read.map_err(|error| bad(&self.name, &error))
    }

    /// Reads what is left, to see whether it is damaged, and says how many values that were.
    pub(super) fn rest(&mut self, piece: &mut [u8]) -> Result<u64, Failure> {
        let mut total = 0;
        loop {
            let read = self.read(piece)?;
            total += read as u64;
            if read < piece.len() {
                return Ok(total);
            }
        }
    }

    /// The kind of a whole share with so many values.
    pub(super) fn describe(&self, length: u64) -> String {
        let format = if self.length.is_some() { "text" } else { "binary" };
        let x = self.x;
        match self.set {
            Some(Set { id, threshold }) => {
                let id = base16ct::HexDisplay(&id);
                format!("a {format} share at point {x}, whole; {threshold} of set {id:x} are needed; {length} bytes")
            }
            None => format!("a line of another program at point {x}, with nothing to check it by; {length} bytes"),
        }
    }
}

/// All shares that some files have, or what is wrong with every one of the files.
pub(super) struct Opened {
    pub(super) shares: Vec<Share>,
    /// The length of all files together, if they are files, which can be read again.
    pub(super) length: Option<u64>,
}

impl Opened {
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut opened = Self { shares: Vec::new(), length: Some(0) };
        let failures = paths.iter().filter_map(|path| opened.add(path, paths.len() <= MANY).err()).collect();
        Failure::all(failures)?;
        Ok(opened)
    }

    fn add(&mut self, path: &Path, keep: bool) -> Result<(), Failure> {
        let mut input = Input::open(path)?;
        let (name, length) = (input.name.clone(), input.length);
        self.length = self.length.zip(length).map(|(all, length)| all + length);
        let mut first = [0];
        let read = input.fill(&mut first)?;
        let first = &first[..read];
        let file = |start, keep| Box::new(ReopenedFile::read(path.to_owned(), start, keep)) as Box<dyn Read>;
        let bad = |error| bad(&name, &error);
        if *first == MAGIC[..1] {
            let input = match length {
                Some(_) => file(0, keep),
                None => Box::new(Cursor::new(first.to_vec()).chain(input)),
            };
            let reader = Reader::new(input).map_err(bad)?;
            let header = *reader.header();
            let values = Values::Binary(reader);
            self.shares.push(Share { name, x: header.x, set: Some(header.set), length: None, values });
            return Ok(());
        }
        let text = match length {
            Some(_) => None,
            None => Some(Rc::new(read_pipe(Cursor::new(first).chain(input), &name)?)),
        };
        let found = match &text {
            Some(text) => scan(&text[..]),
            None => scan(file(0, true)),
        };
        let found = found.map_err(bad)?;
        let alone = found.len() == 1;
        for share in &found {
            let name = if alone { name.clone() } else { format!("{name}, line {}", share.line) };
            let input = match &text {
                Some(text) => Box::new(Part { text: Rc::clone(text), start: share.start as usize }),
                None => file(share.start, keep && alone),
            };
            let values = Values::Text(TextReader::new(input, share));
            self.shares.push(Share { name, x: share.x, set: share.set, length: Some(share.length), values });
        }
        Ok(())
    }
}

fn read_pipe(input: impl Read, name: &str) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = input.take(TEXT_FROM_PIPE as u64 + 1).read_to_end(&mut text);
    read.map_err(|error| Failure::io(name, &error))?;
    // Advice for text is for text only.
    if text.len() > TEXT_FROM_PIPE && !matches!(scan(&text[..]), Err(ShareError::Unknown)) {
        let limit = TEXT_FROM_PIPE >> 20;
        return Err(Failure::general(format!(
            "`{name}`: text that is no regular file can have {limit} MiB; make it a file"
        )));
    }
    Ok(text)
}

/// The rest of a text in memory.
struct Part {
    text: Rc<Vec<u8>>,
    start: usize,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.text[self.start..]).read(buffer)?;
        self.start += read;
        Ok(read)
    }
}

/// The fault of a share.
fn bad(name: &str, error: &ShareError) -> Failure {
    match error {
        ShareError::Read(error) => Failure::io(name, error),
        error => Failure::share(format!("`{name}`: {error}")),
    }
}
