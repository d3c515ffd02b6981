//! The shares that are to be put together, from files of either format.
use crate::failure::Failure;
use crate::files::{Input, is_standard};
use simd_crypto::shamir::Set;
use simd_crypto::share_files::{MAGIC, Reader, ShareError, TextReader, TextShare, scan};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zeroize::Zeroizing;

/// Text that can be read once alone is kept in memory, up to so many bytes.
const TEXT_FROM_PIPE: usize = 8 << 20;

/// A share that has been opened.
pub(super) struct Share {
    /// How messages call it.
    pub(super) name: String,
    pub(super) x: u8,
    /// What a binary share says of its set.
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
}

/// All shares that some files have, or what is wrong with every one of the files.
pub(super) struct Opened {
    pub(super) shares: Vec<Share>,
    /// The length of all files together, if they are files, which can be read again.
    pub(super) length: Option<u64>,
}

impl Opened {
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self, Failure> {
        if paths.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err(Failure::usage("standard input can be given once alone"));
        }
        let mut opened = Self { shares: Vec::new(), length: Some(0) };
        let failures = paths.iter().filter_map(|path| opened.add(path).err()).collect();
        Failure::all(failures)?;
        Ok(opened)
    }

    fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let mut input = Input::open(path)?;
        let (name, length) = (input.name.clone(), input.length);
        self.length = self.length.zip(length).map(|(all, length)| all + length);
        let mut first = [0];
        let read = input.fill(&mut first)?;
        let first = first[..read].to_vec();
        let binary = first.starts_with(&MAGIC[..1]);
        let begun = Cursor::new(first).chain(input);
        if binary {
            let reader: Reader<Box<dyn Read>> =
                Reader::new(Box::new(begun) as _).map_err(|error| bad(&name, &error))?;
            let header = *reader.header();
            let values = Values::Binary(reader);
            self.shares.push(Share { name, x: header.x, set: Some(header.set), length: None, values });
            return Ok(());
        }
        let text = if length.is_none() { Some(Rc::new(read_pipe(begun, &name)?)) } else { None };
        let found = match &text {
            Some(text) => scan(&text[..]),
            None => scan(BufReader::with_capacity(1 << 16, Input::open(path)?)),
        };
        let found = found.map_err(|error| bad(&name, &error))?;
        for share in &found {
            let place = if found.len() == 1 { name.clone() } else { format!("{name}, line {}", share.line) };
            let input: Box<dyn Read> = match &text {
                Some(text) => Box::new(Part { text: Rc::clone(text), start: share.start as usize }),
                None => digits(path, share).map_err(|error| Failure::io(&name, &error))?,
            };
            let values = Values::Text(TextReader::new(input, share));
            self.shares.push(Share { name: place, x: share.x, set: None, length: Some(share.length), values });
        }
        Ok(())
    }
}

/// The file at the start of a share's digits.
fn digits(path: &Path, share: &TextShare) -> io::Result<Box<dyn Read>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(share.start))?;
    Ok(Box::new(file))
}

fn read_pipe(mut input: impl Read, name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let mut text = Zeroizing::new(Vec::with_capacity(1 << 16));
    loop {
        // As far as there is room, since a vector that grows by itself leaves its bytes behind.
        let room = (text.capacity() - text.len()) as u64;
        let read = (&mut input).take(room).read_to_end(&mut text);
        read.map_err(|error| Failure::io(name, &error))?;
        if text.len() < text.capacity() || text.len() > TEXT_FROM_PIPE {
            break;
        }
        let mut longer = Zeroizing::new(Vec::with_capacity(2 * text.len()));
        longer.extend_from_slice(&text);
        text = longer;
    }
    // What is no text needs no advice for text.
    if text.len() > TEXT_FROM_PIPE && !matches!(scan(&text[..]), Err(ShareError::Unknown)) {
        let limit = TEXT_FROM_PIPE >> 20;
        return Err(Failure::general(format!(
            "`{name}`: text that is no regular file can have {limit} MiB; make it a file"
        )));
    }
    Ok(text)
}

/// What is left of a text in memory.
struct Part {
    text: Rc<Zeroizing<Vec<u8>>>,
    start: usize,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = (&self.text[self.start..]).read(buffer)?;
        self.start += read;
        Ok(read)
    }
}

/// What is wrong with a share.
fn bad(name: &str, error: &ShareError) -> Failure {
    match error {
        ShareError::Read(error) => Failure::io(name, error),
        error => Failure::share(format!("`{name}`: {error}")),
    }
}
