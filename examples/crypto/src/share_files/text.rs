//! The text format: a line for each share.
use core::str;
use std::io::{self, Read, Write};
use std::vec;
use std::vec::Vec;

use sha2::{Digest, Sha256};
use subtle::Choice;
use zeroize::Zeroizing;

use super::binary::{FIELD, Hash, Header, digest_of};
use super::{LineProblem, ShareError};
use crate::fill::fill;
use crate::shamir::Set;

/// How a share begins.
const TAG: &str = "sss1";
/// Bytes of the check value.
const CHECK: usize = 8;
/// Values that are converted at once. Digits are converted in constant time, in blocks.
const BLOCK: usize = 4096;
/// What can be before the digits of a share.
const HEAD: usize = 128;

/// The start of the hash that gives the check value: the values follow.
fn hash_of(header: &Header) -> Hash {
    Hash::new(Sha256::new_with_prefix(header.to_bytes()))
}

fn finish(hash: &Hash) -> [u8; CHECK] {
    let digest = digest_of(hash);
    core::array::from_fn(|i| digest[i])
}

/// Writes the values of a share as a line of text: `sss1|threshold|set|x|values|check`.
///
/// The set, the values and the check value are hexadecimal digits. The check value is the start of the SHA-256 of the header that a
/// binary share has, and of the values.
pub struct TextWriter<W: Write> {
    output: W,
    hash: Hash,
    digits: Zeroizing<Vec<u8>>,
}

impl<W: Write> TextWriter<W> {
    /// Writes what is before the values.
    ///
    /// # Errors
    /// Those of the output; [`ErrorKind::InvalidInput`](io::ErrorKind::InvalidInput) if the threshold is not from 1 to 255 or the
    /// point is zero.
    pub fn new(mut output: W, header: &Header) -> io::Result<Self> {
        let header = header.check().map_err(|what| io::Error::new(io::ErrorKind::InvalidInput, what))?;
        let Header { set: Set { id, threshold }, x } = header;
        write!(output, "{TAG}|{threshold}|{:x}|{x}|", base16ct::HexDisplay(&id))?;
        Ok(Self { output, hash: hash_of(&header), digits: Zeroizing::new(vec![0; 2 * BLOCK]) })
    }

    /// Writes the check value, and ends the line.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        let mut end = [b'|'; 2 * CHECK + 2];
        base16ct::lower::encode(&finish(&self.hash), &mut end[1..]).map_err(io::Error::other)?;
        end[2 * CHECK + 1] = b'\n';
        self.output.write_all(&end)?;
        self.output.flush()?;
        Ok(self.output)
    }
}

impl<W: Write> Write for TextWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = &bytes[..bytes.len().min(BLOCK)];
        let digits = base16ct::lower::encode(taken, &mut self.digits[..]).map_err(io::Error::other)?;
        self.output.write_all(digits)?;
        self.hash.update(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// A share that [`scan`] has found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextShare {
    /// The number of its line, from 1.
    pub line: u64,
    /// The set it belongs to. A share without one is a line `x|values` of another program, and has no check value.
    pub set: Option<Set>,
    /// The point.
    pub x: u8,
    /// Where its digits begin, in bytes from the start of the text. There may be white space before and between them.
    pub start: u64,
    /// How many values there are.
    pub length: u64,
}

/// Finds the shares in a text, and checks that all of them can be read and have the right check values.
///
/// Each has a line. White space may be around numbers and anywhere in the values, digits may be of either case, lines may be empty,
/// and those that begin with `#` are comments. Byte order marks at the start of lines do not matter: files that have one each can
/// be put together. It needs no buffer.
///
/// Lines `x|values` of other programs are read too. A comment `# field: 0x11b` can say that their field is this one; any other
/// comment with the word `field` is an error.
///
/// Constant time in the values, but for their number and for whether the check value is right.
///
/// # Errors
/// [`ShareError::Read`], [`ShareError::Unknown`] if it is no text, [`ShareError::Line`], [`ShareError::Empty`],
/// [`ShareError::TooMany`] if there are more than 255, [`ShareError::Field`].
pub fn scan(input: impl Read) -> Result<Vec<TextShare>, ShareError> {
    let (mut text, mut shares) = (Text::new(input), Vec::new());
    let mut piece = Zeroizing::new(vec![0; BLOCK]);
    while let Some(mut share) = text.share()? {
        if shares.len() == 255 {
            return Err(ShareError::TooMany);
        }
        let mut values = Values::of(&share);
        loop {
            let read = values.read(&mut text, &mut piece)?;
            share.length += read as u64;
            if read < BLOCK {
                break;
            }
        }
        values.end(&mut text)?;
        shares.push(share);
    }
    if shares.is_empty() { Err(ShareError::Empty) } else { Ok(shares) }
}

/// Reads the values of a share that [`scan`] has found.
pub struct TextReader<R: Read> {
    text: Text<R>,
    values: Values,
    left: u64,
    ended: bool,
}

impl<R: Read> TextReader<R> {
    /// Reads the digits of `share` from an input that is at their start. It needs no buffer.
    pub fn new(input: R, share: &TextShare) -> Self {
        Self { text: Text::new(input), values: Values::of(share), left: share.length, ended: false }
    }

    /// Reads values until the buffer is full or there are no more, and says how many. If the buffer is not full, the check value
    /// has been checked again.
    ///
    /// Constant time in the values.
    ///
    /// # Errors
    /// [`ShareError::Read`], and [`ShareError::Changed`] if the text is not what [`scan`] has seen.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ShareError> {
        let changed = |error| match error {
            ShareError::Read(error) => ShareError::Read(error),
            _ => ShareError::Changed,
        };
        let wanted = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.values.read(&mut self.text, &mut buffer[..wanted]).map_err(changed)?;
        self.left -= read as u64;
        if read < wanted {
            return Err(ShareError::Changed);
        }
        if wanted < buffer.len() && !core::mem::replace(&mut self.ended, true) {
            self.values.end(&mut self.text).map_err(changed)?;
        }
        Ok(read)
    }
}

/// A text, of which a place has been reached.
struct Text<R> {
    input: R,
    buffer: Zeroizing<Vec<u8>>,
    /// The bytes of the buffer that have not been looked at yet: from here …
    start: usize,
    /// … to here.
    end: usize,
    line: u64,
    /// Bytes of the line, and of the text, that have been looked at.
    column: u64,
    position: u64,
}

/// Whether all bytes are hexadecimal digits. Constant time in which digits they are.
fn are_digits(bytes: &[u8]) -> bool {
    let is_digit = |byte: u8| u8::from(byte.wrapping_sub(b'0') < 10) | u8::from((byte | 0x20).wrapping_sub(b'a') < 6);
    // As a `Choice`, so that there is one branch and not one for each kind of digit.
    Choice::from(bytes.iter().fold(1, |all, byte| all & is_digit(*byte))).into()
}

/// The number from 1 to 255 that a text is. Leading zeros do not matter.
fn number(text: &str) -> Option<u8> {
    let digits = text.trim_start_matches('0');
    let are_digits = digits.len() <= 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| are_digits)
}

impl<R: Read> Text<R> {
    fn new(input: R) -> Self {
        let buffer = Zeroizing::new(vec![0; BLOCK]);
        Self { input, buffer, start: 0, end: 0, line: 1, column: 0, position: 0 }
    }

    /// The bytes that are there, at least one of them but at the end.
    fn ahead(&mut self) -> Result<&[u8], ShareError> {
        if self.start == self.end {
            (self.start, self.end) = (0, fill(&mut self.input, &mut self.buffer[..])?);
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn advance(&mut self, count: usize) {
        self.start += count;
        self.column += count as u64;
        self.position += count as u64;
    }

    /// The next byte, which must not be a digit of a secret.
    fn next(&mut self) -> Result<Option<u8>, ShareError> {
        let byte = self.ahead()?.first().copied();
        if byte.is_some() {
            self.advance(1);
        }
        if byte == Some(b'\n') {
            (self.line, self.column) = (self.line + 1, 0);
        }
        Ok(byte)
    }

    /// What it means that a byte, the last one that has been read, is among digits.
    fn not_here(&self, byte: u8) -> ShareError {
        match byte {
            b'!'..=b'~' => ShareError::Line { line: self.line, problem: LineProblem::Digit { column: self.column } },
            _ => ShareError::Unknown,
        }
    }

    /// Moves digits to a buffer until it is full, or there is something else than digits and white space. Says how many.
    fn digits(&mut self, digits: &mut [u8]) -> Result<usize, ShareError> {
        let mut filled = 0;
        while filled < digits.len() {
            let room = &mut digits[filled..];
            let ahead = self.ahead()?;
            if let (Some(block), Some(room)) = (ahead.first_chunk::<256>(), room.first_chunk_mut())
                && are_digits(block)
            {
                *room = *block;
                self.advance(256);
                filled += 256;
                continue;
            }
            let Some(&byte) = ahead.first() else { break };
            if are_digits(&[byte]) {
                room[0] = byte;
                filled += 1;
            } else if !matches!(byte, b' ' | b'\t' | b'\r') {
                break;
            }
            self.advance(1);
        }
        Ok(filled)
    }

    /// The next share, up to where its digits begin.
    fn share(&mut self) -> Result<Option<TextShare>, ShareError> {
        loop {
            match self.ahead()?.first() {
                None => return Ok(None),
                Some(b'\n' | b' ' | b'\t' | b'\r') => _ = self.next()?,
                Some(0xef) => {
                    // A byte order mark.
                    if [self.next()?, self.next()?, self.next()?] != [Some(0xef), Some(0xbb), Some(0xbf)] {
                        return Err(ShareError::Unknown);
                    }
                }
                Some(b'#') => self.comment()?,
                Some(first) => {
                    let bars = if first.is_ascii_digit() || *first == b'|' { 1 } else { 4 };
                    return self.head(bars).map(Some);
                }
            }
        }
    }

    /// What is before the digits of a share: so many parts, with a bar behind each.
    fn head(&mut self, mut bars: u8) -> Result<TextShare, ShareError> {
        let line = self.line;
        let bad = |problem| Err(ShareError::Line { line, problem });
        let (mut head, mut length) = ([0; HEAD], 0);
        loop {
            let byte = match self.next()? {
                None | Some(b'\n') => return bad(LineProblem::NoBar),
                Some(byte @ (b' '..=b'~' | b'\t' | b'\r')) => byte,
                Some(_) => return Err(ShareError::Unknown),
            };
            bars -= u8::from(byte == b'|');
            if bars == 0 {
                break;
            }
            let Some(place) = head.get_mut(length) else { return bad(LineProblem::NoBar) };
            *place = byte;
            length += 1;
        }
        let parts = str::from_utf8(&head[..length]).map_err(|_| ShareError::Unknown)?.split('|');
        let parts: Vec<&str> = parts.map(str::trim_ascii).collect();
        if parts.iter().any(|part| part.contains([' ', '\t', '\r'])) {
            return bad(LineProblem::NoBar);
        }
        let (set, x) = match parts[..] {
            [x] => (None, x),
            [tag, threshold, digits, x] if tag.eq_ignore_ascii_case(TAG) => {
                let Some(threshold) = number(threshold) else { return bad(LineProblem::Threshold) };
                let mut id = [0; 16];
                match base16ct::mixed::decode(digits, &mut id) {
                    Ok(decoded) if decoded.len() == 16 => {}
                    _ => return bad(LineProblem::Set),
                }
                (Some(Set { id, threshold: threshold.into() }), x)
            }
            _ => return bad(LineProblem::Tag),
        };
        let Some(x) = number(x) else { return bad(LineProblem::Point) };
        Ok(TextShare { line, set, x, start: self.position, length: 0 })
    }

    /// A comment. Where it names a field, that must be clear, and the one that shares have here.
    fn comment(&mut self) -> Result<(), ShareError> {
        const WORD: &[u8; 5] = b"field";
        let line = self.line;
        let (mut last, mut names) = ([0; WORD.len()], false);
        let mut text = Vec::new();
        while let Some(byte) = self.next()?.filter(|byte| *byte != b'\n') {
            last.rotate_left(1);
            last[WORD.len() - 1] = byte;
            names |= last.eq_ignore_ascii_case(WORD);
            if !byte.is_ascii_whitespace() && text.len() < HEAD {
                text.push(byte);
            }
        }
        let digits = text.strip_prefix(b"#field:0x").filter(|digits| are_digits(digits));
        let field = digits.and_then(|digits| u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        match field {
            _ if !names => Ok(()),
            Some(FIELD) => Ok(()),
            Some(field) => Err(ShareError::Field(field)),
            None => Err(ShareError::Line { line, problem: LineProblem::Field }),
        }
    }
}

/// The values of a share, as far as they have been read.
struct Values {
    /// Of a share that has a check value.
    hash: Option<Hash>,
    digits: Zeroizing<Vec<u8>>,
}

impl Values {
    fn of(share: &TextShare) -> Self {
        let hash = share.set.map(|set| hash_of(&Header { set, x: share.x }));
        Self { hash, digits: Zeroizing::new(vec![0; 2 * BLOCK]) }
    }

    /// Reads values until the buffer is full, or there are no more digits.
    fn read<R: Read>(&mut self, text: &mut Text<R>, buffer: &mut [u8]) -> Result<usize, ShareError> {
        let mut read = 0;
        for values in buffer.chunks_mut(BLOCK) {
            let digits = &mut self.digits[..2 * values.len()];
            let count = text.digits(digits)?;
            if count % 2 != 0 {
                let line = text.line;
                return match text.next()? {
                    None | Some(b'\n' | b'|') => Err(ShareError::Line { line, problem: LineProblem::OddDigits }),
                    Some(byte) => Err(text.not_here(byte)),
                };
            }
            let decoded = base16ct::mixed::decode(&digits[..count], values).map_err(|_| ShareError::Changed)?;
            if let Some(hash) = &mut self.hash {
                hash.update(decoded);
            }
            read += count / 2;
            if count < digits.len() {
                break;
            }
        }
        Ok(read)
    }

    /// Reads what is behind the values, and compares the check value.
    fn end<R: Read>(&mut self, text: &mut Text<R>) -> Result<(), ShareError> {
        let line = text.line;
        let bad = |problem| Err(ShareError::Line { line, problem });
        // White space, and no digit.
        if text.digits(&mut [0])? != 0 {
            return Err(ShareError::Changed);
        }
        if let Some(hash) = self.hash.take() {
            match text.next()? {
                Some(b'|') => {}
                None | Some(b'\n') => return bad(LineProblem::NoCheck),
                Some(byte) => return Err(text.not_here(byte)),
            }
            let mut digits = [0; 2 * CHECK + 1];
            let count = text.digits(&mut digits)?;
            let mut check = [0; CHECK];
            if count != 2 * CHECK || base16ct::mixed::decode(&digits[..count], &mut check).is_err() {
                return bad(LineProblem::NoCheck);
            }
            if check != finish(&hash) {
                return bad(LineProblem::Check);
            }
        }
        match text.next()? {
            None | Some(b'\n') => Ok(()),
            Some(byte) => Err(text.not_here(byte)),
        }
    }
}
