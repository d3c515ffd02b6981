//! A place in a text, with its line and column.
use std::io::Read;
use std::vec;
use std::vec::Vec;

use subtle::Choice;
use zeroize::Zeroizing;

use super::super::binary::fill;
use super::super::error::{LineProblem, ShareError};

/// Values that are converted at once. Digits are converted in constant time, in blocks.
pub(super) const BLOCK: usize = 4096;

/// The line and the column of a character, both from 1. Columns are characters.
pub(super) type Place = (u64, u64);

/// A text, of which a place has been reached.
pub(super) struct Cursor<R> {
    input: R,
    buffer: Zeroizing<Vec<u8>>,
    /// The bytes of the buffer that have not been looked at yet.
    start: usize,
    end: usize,
    /// The place of the next character.
    pub(super) place: Place,
    /// Bytes of the text that have been looked at.
    pub(super) position: u64,
}

/// Whether all bytes are hexadecimal digits. Constant time in which digits they are.
pub(super) fn are_digits(bytes: &[u8]) -> bool {
    let is_digit = |byte: u8| u8::from(byte.wrapping_sub(b'0') < 10) | u8::from((byte | 0x20).wrapping_sub(b'a') < 6);
    // As a `Choice`, so that there is one branch and not one for each kind of digit.
    Choice::from(bytes.iter().fold(1, |all, byte| all & is_digit(*byte))).into()
}

impl<R: Read> Cursor<R> {
    pub(super) fn new(input: R) -> Self {
        let buffer = Zeroizing::new(vec![0; BLOCK]);
        Self { input, buffer, start: 0, end: 0, place: (1, 1), position: 0 }
    }

    /// The bytes that are there, at least as many as a character has but at the end.
    pub(super) fn ahead(&mut self) -> Result<&[u8], ShareError> {
        if self.end - self.start < 4 && (self.end == 0 || self.end == self.buffer.len()) {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            self.end += fill(&mut self.input, &mut self.buffer[self.end..])?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Goes on by bytes that are characters of one line.
    fn advance(&mut self, count: usize) {
        self.start += count;
        self.place.1 += count as u64;
        self.position += count as u64;
    }

    /// The next character, which must not be a digit of a secret.
    pub(super) fn peek(&mut self) -> Result<Option<char>, ShareError> {
        let ahead = self.ahead()?;
        let ahead = &ahead[..ahead.len().min(4)];
        let valid = match str::from_utf8(ahead) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&ahead[..error.valid_up_to()]).unwrap_or_default(),
        };
        match valid.chars().next() {
            None if ahead.is_empty() => Ok(None),
            None | Some('\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}') => Err(ShareError::Unknown),
            character => Ok(character),
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<char>, ShareError> {
        let next = self.peek()?;
        if let Some(character) = next {
            self.advance(character.len_utf8());
            self.place.1 -= character.len_utf8() as u64 - 1;
            if character == '\n' {
                self.place = (self.place.0 + 1, 1);
            }
        }
        Ok(next)
    }

    /// The error of a next character that is not of the kind that has to be here.
    pub(super) fn not_here(&mut self, problem: impl FnOnce(u64, char) -> LineProblem) -> ShareError {
        match self.peek() {
            Ok(character) => {
                let (line, column) = self.place;
                ShareError::Line { line, problem: problem(column, character.unwrap_or('\n')) }
            }
            Err(error) => error,
        }
    }

    /// Moves digits to a buffer until it is full, or there is something else than digits and white space. Says how many, and where
    /// each is. Ends of lines are white space if they are `wrapped`.
    pub(super) fn digits(
        &mut self,
        digits: &mut [u8],
        wrapped: bool,
        mut found: impl FnMut(Place),
    ) -> Result<usize, ShareError> {
        let mut filled = 0;
        while filled < digits.len() {
            let room = &mut digits[filled..];
            let ahead = self.ahead()?;
            let count = ahead.iter().take(room.len()).take_while(|byte| are_digits(&[**byte])).count();
            room[..count].copy_from_slice(&ahead[..count]);
            let next = ahead.get(count).copied();
            (0..count as u64).for_each(|i| found((self.place.0, self.place.1 + i)));
            self.advance(count);
            filled += count;
            match next {
                Some(b' ' | b'\t' | b'\r') => self.advance(1),
                Some(b'\n') if wrapped && filled < digits.len() => _ = self.next()?,
                None if count > 0 => {}
                _ if filled < digits.len() => break,
                _ => {}
            }
        }
        Ok(filled)
    }

    /// Goes to the end of the line, or to the first character in it that is no white space.
    pub(super) fn skip_spaces(&mut self) -> Result<(), ShareError> {
        while let Some(b' ' | b'\t' | b'\r') = self.ahead()?.first() {
            self.advance(1);
        }
        Ok(())
    }
}
