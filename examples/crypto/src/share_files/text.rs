//! The text format: lines `x|hex`.
use std::io::{self, BufRead, Read, Write};
use std::vec;
use std::vec::Vec;

use zeroize::Zeroizing;

use super::binary::FIELD;
use super::{LineProblem, ShareError};
use crate::fill::fill;

/// Bytes that are converted at once. Digits are converted in constant time, in blocks.
const BLOCK: usize = 4096;

/// Writes the values of a share as a line of text: the point in decimal, `|`, two hexadecimal digits for each value.
pub struct TextWriter<W: Write> {
    output: W,
    digits: Zeroizing<Vec<u8>>,
}

impl<W: Write> TextWriter<W> {
    /// Writes the point.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut output: W, x: u8) -> io::Result<Self> {
        write!(output, "{x}|")?;
        Ok(Self { output, digits: Zeroizing::new(vec![0; 2 * BLOCK]) })
    }

    /// Ends the line.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.write_all(b"\n")?;
        self.output.flush()?;
        Ok(self.output)
    }
}

impl<W: Write> Write for TextWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = &bytes[..bytes.len().min(BLOCK)];
        let digits = base16ct::lower::encode(taken, &mut self.digits[..]).map_err(io::Error::other)?;
        self.output.write_all(digits)?;
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
    /// The point.
    pub x: u8,
    /// Where its digits begin, in bytes from the start of the text. There may be white space before and between them.
    pub start: u64,
    /// How many values there are.
    pub length: u64,
}

/// Finds the shares in a text, and checks that all of them can be read.
///
/// Each has a line. White space may be anywhere, digits may be of either case, lines may be empty, and those that begin with `#` are
/// comments. Byte order marks at the start of lines do not matter: files that have one each can be put together.
///
/// A comment `# field: 0x11b` names the field, GF(2^8) by its modulus. Shares under a comment that names another one are refused.
///
/// Constant time in the digits, but for their number.
///
/// # Errors
/// [`ShareError::Read`], [`ShareError::Unknown`] if it is no text, [`ShareError::Line`], [`ShareError::Empty`],
/// [`ShareError::TooMany`] if there are more than 255, [`ShareError::Field`].
pub fn scan(mut input: impl BufRead) -> Result<Vec<TextShare>, ShareError> {
    let (shares, comment) = (Vec::new(), Comment::default());
    let mut scanner = Scanner { shares, line: 1, column: 0, position: 0, place: Place::Start, comment };
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        let length = bytes.len();
        let mut left = bytes;
        while let Some((byte, others)) = left.split_first() {
            left = match scanner.take_digits(left) {
                0 => {
                    scanner.next(*byte)?;
                    others
                }
                taken => &left[taken..],
            };
        }
        input.consume(length);
    }
    scanner.end_line()?;
    if scanner.shares.is_empty() { Err(ShareError::Empty) } else { Ok(scanner.shares) }
}

struct Scanner {
    shares: Vec<TextShare>,
    line: u64,
    /// Bytes of the line, and of the text, that have been looked at.
    column: u64,
    position: u64,
    place: Place,
    comment: Comment,
}

/// What of a line has been seen.
#[derive(Clone, Copy)]
enum Place {
    Start,
    /// So many bytes of a byte order mark.
    Mark(usize),
    Point {
        x: u16,
    },
    BeforeBar {
        x: u16,
    },
    Digits {
        x: u8,
        start: u64,
        count: u64,
    },
    Comment,
}

const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

/// The start of a comment, without white space.
#[derive(Default)]
struct Comment {
    start: [u8; 16],
    length: usize,
}

impl Comment {
    fn push(&mut self, byte: u8) {
        if !is_space(byte) {
            if let Some(place) = self.start.get_mut(self.length) {
                *place = byte;
            }
            self.length += 1;
        }
    }

    /// The field that it names, if it does.
    fn field(&self) -> Option<u16> {
        let text = core::str::from_utf8(self.start.get(..self.length)?).ok()?;
        u16::from_str_radix(text.strip_prefix("field:0x")?, 16).ok()
    }
}

/// Whether a byte is white space. Digits are not told apart.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether all bytes are hexadecimal digits. Constant time in which digits they are.
fn are_digits(bytes: &[u8]) -> bool {
    let is_digit = |byte: u8| (byte.wrapping_sub(b'0') < 10) | ((byte | 0x20).wrapping_sub(b'a') < 6);
    bytes.iter().fold(true, |all, byte| all & is_digit(*byte))
}

impl Scanner {
    /// Takes digits a block at a time, where there are whole ones, and says how many.
    fn take_digits(&mut self, bytes: &[u8]) -> usize {
        let Place::Digits { x, start, count } = self.place else { return 0 };
        let blocks = bytes.chunks_exact(256).take_while(|block| are_digits(block)).count();
        let taken = 256 * blocks;
        self.column += taken as u64;
        self.position += taken as u64;
        self.place = Place::Digits { x, start, count: count + taken as u64 };
        taken
    }

    #[inline]
    fn next(&mut self, byte: u8) -> Result<(), ShareError> {
        self.column += 1;
        self.position += 1;
        match self.place {
            _ if byte == b'\n' => {
                self.end_line()?;
                (self.line, self.column, self.place) = (self.line + 1, 0, Place::Start);
            }
            Place::Comment => self.comment.push(byte),
            Place::Digits { x, start, count } => {
                if !is_space(byte) {
                    if !are_digits(&[byte]) {
                        return match byte {
                            b'!'..=b'~' => self.bad_line(LineProblem::Digit { column: self.column }),
                            _ => Err(ShareError::Unknown),
                        };
                    }
                    self.place = Place::Digits { x, start, count: count + 1 };
                }
            }
            place => self.place = self.before_digits(place, byte)?,
        }
        Ok(())
    }

    fn before_digits(&self, place: Place, byte: u8) -> Result<Place, ShareError> {
        let digit = u16::from(byte.wrapping_sub(b'0'));
        Ok(match (place, byte) {
            (Place::Start, byte) if byte == BYTE_ORDER_MARK[0] => Place::Mark(1),
            (Place::Mark(seen), byte) if byte == BYTE_ORDER_MARK[seen] => match seen {
                1 => Place::Mark(2),
                _ => Place::Start,
            },
            (Place::Mark(_), _) => return Err(ShareError::Unknown),
            (Place::Point { x }, b' ' | b'\t' | b'\r') => Place::BeforeBar { x },
            (place, b' ' | b'\t' | b'\r') => place,
            (Place::Start, b'#') => Place::Comment,
            (Place::Start, b'0'..=b'9') => Place::Point { x: digit },
            // Leading zeros do not matter, and no number from 256 on comes back below.
            (Place::Point { x }, b'0'..=b'9') => Place::Point { x: (10 * x + digit).min(256) },
            (Place::Start, b'|') => return self.bad_line(LineProblem::Point),
            (Place::Point { x } | Place::BeforeBar { x }, b'|') => match u8::try_from(x) {
                Ok(0) | Err(_) => return self.bad_line(LineProblem::Point),
                Ok(x) => Place::Digits { x, start: self.position, count: 0 },
            },
            (_, b'!'..=b'~') => return self.bad_line(LineProblem::NoBar),
            _ => return Err(ShareError::Unknown),
        })
    }

    fn end_line(&mut self) -> Result<(), ShareError> {
        match self.place {
            Place::Start => Ok(()),
            Place::Mark(_) => Err(ShareError::Unknown),
            Place::Comment => match core::mem::take(&mut self.comment).field() {
                Some(field) if field != FIELD => Err(ShareError::Field(field)),
                _ => Ok(()),
            },
            Place::Point { .. } | Place::BeforeBar { .. } => self.bad_line(LineProblem::NoBar),
            Place::Digits { x, start, count } => {
                if count % 2 != 0 {
                    return self.bad_line(LineProblem::OddDigits);
                }
                if self.shares.len() == 255 {
                    return Err(ShareError::TooMany);
                }
                self.shares.push(TextShare { line: self.line, x, start, length: count / 2 });
                Ok(())
            }
        }
    }

    fn bad_line<T>(&self, problem: LineProblem) -> Result<T, ShareError> {
        Err(ShareError::Line { line: self.line, problem })
    }
}

/// Reads the values of a share that [`scan`] has found.
pub struct TextReader<R: Read> {
    input: R,
    left: u64,
    buffer: Zeroizing<Vec<u8>>,
    /// The bytes of the buffer that have not been looked at yet: from here …
    start: usize,
    /// … to here.
    end: usize,
    digits: Zeroizing<Vec<u8>>,
}

impl<R: Read> TextReader<R> {
    /// Reads the digits of `share` from an input that is at their start. It needs no buffer.
    pub fn new(input: R, share: &TextShare) -> Self {
        let (buffer, digits) = (Zeroizing::new(vec![0; BLOCK]), Zeroizing::new(vec![0; 2 * BLOCK]));
        Self { input, left: share.length, buffer, start: 0, end: 0, digits }
    }

    /// Reads values until the buffer is full or there are no more, and says how many.
    ///
    /// Constant time in the values.
    ///
    /// # Errors
    /// [`ShareError::Read`], and [`ShareError::Changed`] if the digits are not what [`scan`] has seen.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ShareError> {
        let wanted = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        for values in buffer[..wanted].chunks_mut(BLOCK) {
            let count = 2 * values.len();
            self.collect(count)?;
            let decoded = base16ct::mixed::decode(&self.digits[..count], values);
            decoded.map_err(|_| ShareError::Changed)?;
        }
        self.left -= wanted as u64;
        Ok(wanted)
    }

    /// Reads as many digits.
    fn collect(&mut self, count: usize) -> Result<(), ShareError> {
        let mut filled = 0;
        while filled < count {
            if self.start == self.end {
                self.end = fill(&mut self.input, &mut self.buffer[..])?;
                self.start = 0;
                if self.end == 0 {
                    return Err(ShareError::Changed);
                }
            }
            let block = &self.buffer[self.start..self.end.min(self.start + 256)];
            if block.len() == 256 && count - filled >= 256 && are_digits(block) {
                self.digits[filled..filled + 256].copy_from_slice(block);
                self.start += 256;
                filled += 256;
                continue;
            }
            let byte = block[0];
            self.start += 1;
            if !is_space(byte) {
                self.digits[filled] = byte;
                filled += 1;
            }
        }
        Ok(())
    }
}
