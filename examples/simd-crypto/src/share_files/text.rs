//! The text format: a line for each share.
mod cursor;
mod mistake;

use core::str;
use std::io::{self, Read, Write};
use std::string::String;
use std::vec;
use std::vec::Vec;

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::binary::{FIELD, Hash, Header, digest_of, hash_of};
use super::error::{LineProblem, ShareError};
use crate::shamir::Set;
use cursor::{BLOCK, Cursor, Place, are_digits};
use mistake::{CHECK, Head, Typed};

const TAG: &str = "sss1";
/// Digits that are written without a space between them.
const GROUP: usize = 4;
/// The most characters before the digits of a share.
const HEAD: usize = 128;

fn finish(hash: &Sha256) -> [u8; CHECK] {
    let digest = digest_of(hash);
    core::array::from_fn(|i| digest[i])
}

/// Adds digits to a line, in groups. `before` is how many are before them.
fn add_groups(line: &mut Vec<u8>, digits: &[u8], before: usize) {
    for (i, digit) in digits.iter().enumerate() {
        if (before + i).is_multiple_of(GROUP) && before + i > 0 {
            line.push(b' ');
        }
        line.push(*digit);
    }
}

/// Writes the values of a share as a line of text: `sss1|threshold|set|x|values|check`.
///
/// The set, the values and the check value are hexadecimal digits, in groups of four with spaces between them. The check value is the
/// start of the SHA-256 of the header that a binary share has, and of the values.
pub struct TextWriter<W: Write> {
    output: W,
    hash: Hash,
    digits: Zeroizing<Vec<u8>>,
    line: Zeroizing<Vec<u8>>,
    /// Digits of values modulo the length of a group, and whether there are any.
    written: usize,
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
        let (mut set, mut groups) = ([0; 32], Vec::new());
        add_groups(&mut groups, base16ct::lower::encode(&id, &mut set).map_err(io::Error::other)?, 0);
        write!(output, "{TAG}|{threshold}|{}|{x}|", String::from_utf8_lossy(&groups))?;
        let digits = Zeroizing::new(vec![0; 2 * BLOCK]);
        let line = Zeroizing::new(Vec::with_capacity(2 * BLOCK / GROUP * (GROUP + 1) + 1));
        Ok(Self { output, hash: Hash::new(hash_of(&header)), digits, line, written: 0 })
    }

    /// Writes the check value, and ends the line.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        let (mut digits, mut end) = ([0; 2 * CHECK], vec![b'|']);
        add_groups(&mut end, base16ct::lower::encode(&finish(&self.hash), &mut digits).map_err(io::Error::other)?, 0);
        end.push(b'\n');
        self.output.write_all(&end)?;
        self.output.flush()?;
        Ok(self.output)
    }
}

impl<W: Write> Write for TextWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = &bytes[..bytes.len().min(BLOCK)];
        let digits = base16ct::lower::encode(taken, &mut self.digits[..]).map_err(io::Error::other)?;
        self.line.clear();
        add_groups(&mut self.line, digits, self.written);
        self.written = (self.written + digits.len() - 1) % GROUP + 1;
        self.output.write_all(&self.line)?;
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
/// A share begins a line, and may be wrapped to several. White space may be around numbers and anywhere among digits, digits may be of
/// either case, lines may be empty, and those that begin with `#` are comments. Byte order marks at the start of lines do not matter:
/// files that have one each can be put together. It needs no buffer.
///
/// Lines `x|values` of other programs are read too, and cannot be wrapped. A comment `# field: 0x11b` can say that their field is this
/// one; any other comment with the word `field` is an error.
///
/// Constant time in the values, but for their number and for whether the check value is right. The search for the mistake in a share
/// that is not takes time by where that is.
///
/// # Errors
/// [`ShareError::Read`], [`ShareError::Unknown`] if it is no text, [`ShareError::Utf16`], [`ShareError::Line`], [`ShareError::Empty`],
/// [`ShareError::TooMany`] if there are more than 255, [`ShareError::Field`].
pub fn scan(input: impl Read) -> Result<Vec<TextShare>, ShareError> {
    let (mut text, mut shares) = (Cursor::new(input), Vec::new());
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'!'..=b'~', 0, ..] | [0, b'!'..=b'~', ..] = text.ahead()? {
        return Err(ShareError::Utf16);
    }
    let mut piece = Zeroizing::new(vec![0; BLOCK]);
    while let Some((mut share, head)) = next_share(&mut text)? {
        if shares.len() == 255 {
            return Err(ShareError::TooMany);
        }
        let mut values = Values::of(&share);
        values.typed = share.set.map(|_| Typed::new());
        loop {
            let read = values.read(&mut text, &mut piece)?;
            share.length += read as u64;
            if read < BLOCK {
                break;
            }
        }
        values.end(&mut text, share.line, share.set.map(|set| (Header { set, x: share.x }, head)))?;
        shares.push(share);
    }
    if shares.is_empty() { Err(ShareError::Empty) } else { Ok(shares) }
}

/// Reads the values of a share that [`scan`] has found.
pub struct TextReader<R: Read> {
    text: Cursor<R>,
    values: Values,
    left: u64,
    ended: bool,
}

impl<R: Read> TextReader<R> {
    /// Reads the digits of `share` from an input that is at their start. It needs no buffer.
    pub fn new(input: R, share: &TextShare) -> Self {
        Self { text: Cursor::new(input), values: Values::of(share), left: share.length, ended: false }
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
            self.values.end(&mut self.text, 0, None).map_err(changed)?;
        }
        Ok(read)
    }
}

/// Characters of a share before its values, and where each is.
type Part = [(u8, Place)];

/// The number from 1 to 255 that a part is. Leading zeros do not matter.
fn number(part: &Part) -> Option<u8> {
    let zeros = part.iter().take_while(|(digit, _)| *digit == b'0').count();
    let value = |value: u32, (digit, _): &(u8, Place)| Some(10 * value + char::from(*digit).to_digit(10)?);
    let digits = part[zeros..].iter().take(4);
    digits.into_iter().try_fold(0, value).and_then(|value| u8::try_from(value).ok()).filter(|value| *value > 0)
}

fn trim(part: &Part) -> &Part {
    let is_space = |(byte, _): &(u8, Place)| byte.is_ascii_whitespace();
    let start = part.iter().take_while(|one| is_space(one)).count();
    let end = part.iter().rev().take_while(|one| is_space(one)).count();
    part.get(start..part.len() - end).unwrap_or_default()
}

/// Whether the characters begin with the tag, and where they have it otherwise.
fn find_tag(part: &Part) -> Option<usize> {
    let is_tag = |four: &Part| four.iter().zip(TAG.bytes()).all(|((byte, _), tag)| byte.eq_ignore_ascii_case(&tag));
    part.windows(TAG.len()).position(is_tag)
}

/// The next share, up to where its digits begin, and where its parts are.
fn next_share<R: Read>(text: &mut Cursor<R>) -> Result<Option<(TextShare, Head)>, ShareError> {
    loop {
        match text.peek()? {
            None => return Ok(None),
            Some('\n' | ' ' | '\t' | '\r' | '\u{feff}') => _ = text.next()?,
            Some('#') => comment(text)?,
            Some('0'..='9' | '|') => return head(text, 1).map(Some),
            Some(_) => return head(text, 4).map(Some),
        }
    }
}

/// The start of a share, before its digits: so many parts, with a bar behind each.
fn head<R: Read>(text: &mut Cursor<R>, mut bars: u8) -> Result<(TextShare, Head), ShareError> {
    let line = text.place.0;
    let bad = |problem| ShareError::Line { line, problem };
    let mut typed: Vec<(u8, Place)> = Vec::new();
    loop {
        let place = text.place;
        match text.peek()? {
            // A share of this program may go on in the next line.
            Some('\n') if find_tag(&typed) == Some(0) && typed.get(TAG.len()).is_some_and(|(bar, _)| *bar == b'|') => {
                typed.truncate(trim(&typed).len());
                text.next()?;
                text.skip_spaces()?;
                continue;
            }
            None | Some('\n') => return Err(no_bar(line, &typed)),
            Some(character) if !character.is_ascii() => {
                return Err(text.not_here(LineProblem::Character));
            }
            Some(character) => typed.push((character as u8, place)),
        }
        text.next()?;
        bars -= u8::from(typed.ends_with(&[(b'|', place)]));
        if bars == 0 {
            break;
        }
        if typed.len() > HEAD {
            return Err(no_bar(line, &typed));
        }
    }
    typed.pop();
    let parts: Vec<&Part> = typed.split(|(byte, _)| *byte == b'|').map(trim).collect();
    let mut head = Head::default();
    let (set, x) = match parts[..] {
        [x] if x.iter().any(|(byte, _)| byte.is_ascii_whitespace()) => return Err(bad(LineProblem::NoBar)),
        [x] => (None, x),
        [tag, threshold, digits, x] if tag.len() == TAG.len() && find_tag(tag) == Some(0) => {
            head.threshold = threshold.first().map_or((line, 1), |(_, place)| *place);
            head.point = x.first().map_or((line, 1), |(_, place)| *place);
            let threshold = number(threshold).ok_or_else(|| bad(LineProblem::Threshold))?;
            let digits: Vec<_> = digits.iter().filter(|(byte, _)| !byte.is_ascii_whitespace()).collect();
            if let Some((byte, (line, column))) = digits.iter().find(|(byte, _)| !are_digits(&[*byte])) {
                let problem = LineProblem::Digit(*column, char::from(*byte));
                return Err(ShareError::Line { line: *line, problem });
            }
            head.set = digits.iter().map(|(_, place)| *place).collect();
            let digits: Vec<u8> = digits.iter().map(|(byte, _)| *byte).collect();
            let mut id = [0; 16];
            match base16ct::mixed::decode(&digits, &mut id) {
                Ok(decoded) if decoded.len() == 16 => {}
                _ => return Err(bad(LineProblem::Set)),
            }
            (Some(Set { id, threshold: threshold.into() }), x)
        }
        _ if find_tag(&typed).is_some_and(|at| at > 0) => return Err(bad(LineProblem::Before)),
        _ => return Err(bad(LineProblem::Tag)),
    };
    let x = number(x).ok_or_else(|| bad(LineProblem::Point))?;
    Ok((TextShare { line, set, x, start: text.position, length: 0 }, head))
}

/// The mistake in a line that has too few bars.
fn no_bar(line: u64, typed: &Part) -> ShareError {
    match (find_tag(typed), typed.get(TAG.len())) {
        (Some(0), Some((byte, (line, column)))) if *byte != b'|' => {
            ShareError::Line { line: *line, problem: LineProblem::Bar(*column, char::from(*byte)) }
        }
        (Some(1..), _) => ShareError::Line { line, problem: LineProblem::Before },
        _ => ShareError::Line { line, problem: LineProblem::NoBar },
    }
}

/// A comment. Where it names a field, that must be clear, and the one that shares have here.
fn comment<R: Read>(input: &mut Cursor<R>) -> Result<(), ShareError> {
    const WORD: &str = "field";
    let line = input.place.0;
    let (mut last, mut names) = ([' '; WORD.len()], false);
    let mut text = String::new();
    while let Some(character) = input.next()?.filter(|character| *character != '\n') {
        last.rotate_left(1);
        last[WORD.len() - 1] = character.to_ascii_lowercase();
        names |= last.iter().copied().eq(WORD.chars());
        if !character.is_ascii_whitespace() && text.len() < HEAD {
            text.push(character);
        }
    }
    let digits = text.strip_prefix("#field:0x").filter(|digits| are_digits(digits.as_bytes()));
    match digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
        _ if !names => Ok(()),
        Some(FIELD) => Ok(()),
        Some(field) => Err(ShareError::Field(field)),
        None => Err(ShareError::Line { line, problem: LineProblem::Field }),
    }
}

/// The values of a share, as far as they have been read.
struct Values {
    /// Of a share that has a check value.
    hash: Option<Hash>,
    digits: Zeroizing<Vec<u8>>,
    /// Whether there is a digit more than there are two for each value.
    odd: bool,
    /// The digits among which a mistake is looked for.
    typed: Option<Typed>,
}

impl Values {
    fn of(share: &TextShare) -> Self {
        let hash = share.set.map(|set| Hash::new(hash_of(&Header { set, x: share.x })));
        Self { hash, digits: Zeroizing::new(vec![0; 2 * BLOCK]), odd: false, typed: None }
    }

    /// Reads values until the buffer is full, or there are no more digits.
    fn read<R: Read>(&mut self, text: &mut Cursor<R>, buffer: &mut [u8]) -> Result<usize, ShareError> {
        let mut read = 0;
        for values in buffer.chunks_mut(BLOCK) {
            let digits = &mut self.digits[..2 * values.len()];
            let mut found = |place| self.typed.as_mut().map_or((), |typed| typed.place(place));
            let count = text.digits(digits, self.hash.is_some(), &mut found)?;
            if let Some(typed) = &mut self.typed {
                typed.digits(&digits[..count]);
            }
            self.odd = count % 2 != 0;
            let decoded = base16ct::mixed::decode(&digits[..count & !1], values).map_err(|_| ShareError::Changed)?;
            if let Some(hash) = &mut self.hash {
                hash.update(decoded);
            }
            read += decoded.len();
            if count < digits.len() {
                break;
            }
        }
        Ok(read)
    }

    /// Reads what is behind the values, and compares the check value. `typed` is what was before them.
    fn end<R: Read>(
        &mut self,
        text: &mut Cursor<R>,
        line: u64,
        typed: Option<(Header, Head)>,
    ) -> Result<(), ShareError> {
        let bad = |problem| Err(ShareError::Line { line, problem });
        // White space, and no digit.
        if text.digits(&mut [0], self.hash.is_some(), |_| ())? != 0 {
            return Err(ShareError::Changed);
        }
        let Some(hash) = self.hash.take() else {
            return match text.peek()? {
                None | Some('\n') if self.odd => bad(LineProblem::OddDigits),
                None | Some('\n') => text.next().map(|_| ()),
                Some('|') => Err(text.not_here(|column, _| LineProblem::SecondBar(column))),
                Some(_) => Err(text.not_here(LineProblem::Digit)),
            };
        };
        match text.peek()? {
            Some('|') => _ = text.next()?,
            Some(_) if text.place.1 > 1 => return Err(text.not_here(LineProblem::Digit)),
            _ => return bad(LineProblem::NoCheck),
        }
        let (mut digits, mut places) = ([0; 2 * CHECK], Vec::new());
        let count = text.digits(&mut digits, true, |place| places.push(place))?;
        if count < digits.len() {
            return match text.peek()? {
                Some(_) if text.place.1 > 1 => Err(text.not_here(LineProblem::Digit)),
                _ if count == 0 => bad(LineProblem::NoCheck),
                _ => bad(LineProblem::ShortCheck(count)),
            };
        }
        text.skip_spaces()?;
        match text.peek()? {
            None | Some('\n') => _ = text.next()?,
            Some(character) if character.is_ascii_hexdigit() => return bad(LineProblem::LongCheck),
            Some(_) => return Err(text.not_here(LineProblem::Behind)),
        }
        let (mut check, right) = ([0; CHECK], finish(&hash));
        base16ct::mixed::decode(digits, &mut check).map_err(|_| ShareError::Changed)?;
        if check == right && !self.odd {
            return Ok(());
        }
        let in_check = mistake::find_in_check(check, right, &places).filter(|_| !self.odd);
        let found = in_check.or_else(|| {
            let (header, head) = typed?;
            self.typed.as_ref()?.find(header, &head, check)
        });
        match found {
            Some(((line, column), mistake)) => {
                Err(ShareError::Line { line, problem: LineProblem::Mistyped(column, mistake) })
            }
            None if self.odd => bad(LineProblem::OddDigits),
            None => bad(LineProblem::Check),
        }
    }
}
