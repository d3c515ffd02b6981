//! The binary format: a header, records, an end; each with the digest of all bytes before.
use std::boxed::Box;
use std::io::{self, ErrorKind, Read, Write};
use std::vec;
use std::vec::Vec;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::error::ShareError;
use crate::shamir::Set;

/// How a binary share begins. The first byte is in no text, and the line ends show what has been sent as text.
pub const MAGIC: [u8; 8] = *b"\x89SSS\r\n\x1a\n";

const VERSION: u16 = 1;
/// GF(2^8) by its modulus, x^8 + x^4 + x^3 + x + 1.
pub(super) const FIELD: u16 = 0x011b;

const DIGEST: usize = 32;
/// A header with its digest.
const HEADER: usize = 64;
/// The values in a record. All records have as many, but for the last.
const RECORD: usize = 1 << 16;
/// Before the values of a record, their number.
const LENGTH: usize = 4;
/// Behind the length of zero that ends the records, the number of all values.
const TOTAL: usize = 8;

/// The hash so far, of a writer or reader that is moved. It may have bytes of the share, so it stays where it is until it is
/// wiped.
pub(super) type Hash = Box<Sha256>;

/// The start of a hash that goes on with what follows the header.
pub(super) fn hash_of(header: &Header) -> Sha256 {
    Sha256::new_with_prefix(header.to_bytes())
}

/// The digest of what has been hashed so far.
pub(super) fn digest_of(hash: &Sha256) -> [u8; DIGEST] {
    hash.clone().finalize().into()
}

/// Reads until the buffer is full or there is no more, and says how much that was.
pub(super) fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The set and the point of a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The set it belongs to.
    pub set: Set,
    /// The point.
    pub x: u8,
}

impl Header {
    /// The bytes of the header without the digest.
    pub(super) fn to_bytes(self) -> [u8; HEADER - DIGEST] {
        let mut bytes = [0; HEADER - DIGEST];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&FIELD.to_le_bytes());
        // Thresholds above the number of points are refused when they are written.
        bytes[12] = self.set.threshold as u8;
        bytes[13] = self.x;
        bytes[16..].copy_from_slice(&self.set.id);
        bytes
    }

    pub(super) fn check(self) -> Result<Self, &'static str> {
        match self {
            Self { set: Set { threshold: 0, .. }, .. } => Err("its threshold is zero"),
            Self { set: Set { threshold: 256.., .. }, .. } => Err("its threshold is above the number of points"),
            Self { x: 0, .. } => Err("it is at zero, where no share can be"),
            possible => Ok(possible),
        }
    }
}

/// Writes the values of a share, behind a header.
///
/// They are on their way when [`finish`](Self::finish) returns, and without it the file has no end. Neither side needs a buffer.
pub struct Writer<W: Write> {
    output: W,
    hash: Hash,
    /// A record: the length, values, and room for the digest.
    record: Zeroizing<Vec<u8>>,
    filled: usize,
    total: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of the output; [`ErrorKind::InvalidInput`](io::ErrorKind::InvalidInput) if the threshold is not from 1 to 255 or the
    /// point is zero.
    pub fn new(mut output: W, header: &Header) -> io::Result<Self> {
        let header = header.check().map_err(|what| io::Error::new(io::ErrorKind::InvalidInput, what))?;
        let mut hash = Hash::default();
        let header = header.to_bytes();
        hash.update(header);
        let digest = digest_of(&hash);
        hash.update(digest);
        output.write_all(&header)?;
        output.write_all(&digest)?;
        let record = Zeroizing::new(vec![0; LENGTH + RECORD + DIGEST]);
        Ok(Self { output, hash, record, filled: 0, total: 0 })
    }

    fn write_record(&mut self) -> io::Result<()> {
        self.record[..LENGTH].copy_from_slice(&(self.filled as u32).to_le_bytes());
        self.total += self.filled as u64;
        let end = LENGTH + self.filled;
        self.filled = 0;
        self.seal(end)
    }

    /// Adds the digest to the first bytes of the buffer, and writes them.
    fn seal(&mut self, end: usize) -> io::Result<()> {
        self.hash.update(&self.record[..end]);
        let digest = digest_of(&self.hash);
        self.hash.update(digest);
        self.record[end..][..DIGEST].copy_from_slice(&digest);
        self.output.write_all(&self.record[..end + DIGEST])
    }

    /// Writes what is left and the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        if self.filled > 0 {
            self.write_record()?;
        }
        self.record[..LENGTH].fill(0);
        let total = self.total;
        self.record[LENGTH..][..TOTAL].copy_from_slice(&total.to_le_bytes());
        self.seal(LENGTH + TOTAL)?;
        self.output.flush()?;
        Ok(self.output)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = &mut self.record[LENGTH + self.filled..][..RECORD - self.filled];
        let taken = bytes.len().min(room.len());
        room[..taken].copy_from_slice(&bytes[..taken]);
        self.filled += taken;
        if self.filled == RECORD {
            self.write_record()?;
        }
        Ok(taken)
    }

    /// Does nothing: a record is written when it is full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a share. Values are given when the digest behind them has been checked, and not before.
pub struct Reader<R: Read> {
    input: R,
    hash: Sha256,
    header: Header,
    /// The bytes that have been read.
    position: u64,
    record: Zeroizing<Vec<u8>>,
    /// The values of the record that have not been given yet.
    start: usize,
    end: usize,
    total: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Records,
    /// A record has been short: only the end can follow.
    LastRecord,
    End,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// All but those of text.
    pub fn new(mut input: R) -> Result<Self, ShareError> {
        let mut bytes = [0; HEADER];
        let read = fill(&mut input, &mut bytes)?;
        let common = read.min(MAGIC.len());
        if read == 0 || bytes[..common] != MAGIC[..common] {
            return Err(ShareError::Unknown);
        }
        if read < HEADER {
            return Err(ShareError::Truncated { length: read as u64 });
        }
        let mut hash = Sha256::new();
        let (header, digest) = bytes.split_at(HEADER - DIGEST);
        hash.update(header);
        if digest_of(&hash) != *digest {
            return Err(ShareError::Damaged { digest: (HEADER - DIGEST) as u64 });
        }
        hash.update(digest);
        let [_, _, _, _, _, _, _, _, v0, v1, f0, f1, threshold, x, zero @ ..] = bytes;
        let version = u16::from_le_bytes([v0, v1]);
        if version != VERSION {
            return Err(ShareError::Version(version));
        }
        let field = u16::from_le_bytes([f0, f1]);
        if field != FIELD {
            return Err(ShareError::Field(field));
        }
        if zero[..2] != [0; 2] {
            return Err(ShareError::Impossible("bytes 14 and 15 are not zero"));
        }
        let mut id = [0; 16];
        id.copy_from_slice(&header[16..]);
        let header = Header { set: Set { id, threshold: threshold.into() }, x };
        let header = header.check().map_err(ShareError::Impossible)?;
        let record = Zeroizing::default();
        let (position, start, end) = (HEADER as u64, 0, 0);
        Ok(Self { input, hash, header, position, record, start, end, total: 0, state: State::Records })
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The values that there are in the share, as far as it has been read.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Reads values until the buffer is full or there are no more, and says how many. If the buffer is not full, all of the
    /// share has been checked.
    ///
    /// # Errors
    /// [`ShareError::Read`], [`ShareError::Damaged`], [`ShareError::Truncated`], [`ShareError::Trailing`],
    /// [`ShareError::Impossible`]. There is nothing to be read after one.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ShareError> {
        let mut filled = 0;
        loop {
            let values = &self.record[self.start..self.end];
            let taken = values.len().min(buffer.len() - filled);
            buffer[filled..][..taken].copy_from_slice(&values[..taken]);
            filled += taken;
            self.start += taken;
            if filled == buffer.len() || self.state == State::End {
                return Ok(filled);
            }
            self.next_record()?;
        }
    }

    fn next_record(&mut self) -> Result<(), ShareError> {
        let mut length = [0; LENGTH];
        self.take(&mut length)?;
        self.hash.update(length);
        match u32::from_le_bytes(length) as usize {
            0 => self.end(),
            length if length > RECORD || self.state == State::LastRecord => {
                // No writer writes that, so there is no need to look for a digest.
                let digest = self.position + length.min(RECORD) as u64;
                Err(ShareError::Damaged { digest })
            }
            length => {
                if length < RECORD {
                    self.state = State::LastRecord;
                }
                (self.start, self.end) = (0, 0);
                if self.record.len() < length {
                    self.record = Zeroizing::new(vec![0; length]);
                }
                let read = fill(&mut self.input, &mut self.record[..length])?;
                self.position += read as u64;
                if read < length {
                    return Err(ShareError::Truncated { length: self.position });
                }
                self.hash.update(&self.record[..length]);
                self.check_digest()?;
                self.end = length;
                self.total += length as u64;
                Ok(())
            }
        }
    }

    fn end(&mut self) -> Result<(), ShareError> {
        let mut total = [0; TOTAL];
        self.take(&mut total)?;
        self.hash.update(total);
        self.check_digest()?;
        if u64::from_le_bytes(total) != self.total {
            return Err(ShareError::Impossible("its length is not that of its records"));
        }
        if fill(&mut self.input, &mut [0])? != 0 {
            return Err(ShareError::Trailing { length: self.position });
        }
        self.state = State::End;
        Ok(())
    }

    fn check_digest(&mut self) -> Result<(), ShareError> {
        let place = self.position;
        let mut digest = [0; DIGEST];
        self.take(&mut digest)?;
        if digest_of(&self.hash) != digest {
            return Err(ShareError::Damaged { digest: place });
        }
        self.hash.update(digest);
        Ok(())
    }

    fn take(&mut self, bytes: &mut [u8]) -> Result<(), ShareError> {
        let read = fill(&mut self.input, bytes)?;
        self.position += read as u64;
        if read < bytes.len() {
            return Err(ShareError::Truncated { length: self.position });
        }
        Ok(())
    }
}
