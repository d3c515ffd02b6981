//! Errors of share files.
use core::error::Error;
use core::fmt;
use std::io;

/// Why a file is no share that can be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ShareError {
    /// It could not be read.
    Read(io::Error),
    /// It begins like no binary share, and it is no text.
    Unknown,
    /// It is text in UTF-16, as some editors save it.
    Utf16,
    /// A digest is not that of the bytes before it.
    Damaged {
        /// Where the digest is, in bytes from the start.
        digest: u64,
    },
    /// It ends before its end.
    Truncated {
        /// How many bytes it has.
        length: u64,
    },
    /// It goes on behind its end.
    Trailing {
        /// Where the end should be, in bytes from the start.
        length: u64,
    },
    /// A version that is not known here. The digest of the header is right.
    Version(u16),
    /// An unknown field. The digest of the header is right.
    Field(u16),
    /// The digests are right, and the content is not a valid share.
    Impossible(&'static str),
    /// A line of text is not a share.
    Line {
        /// Its number, from 1.
        line: u64,
        /// The mistake in it.
        problem: LineProblem,
    },
    /// There is no share in the text.
    Empty,
    /// There are more shares in the text than points.
    TooMany,
    /// The text has changed since [`scan`](super::scan) has read it.
    Changed,
}

/// The mistake in a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineProblem {
    /// There is no `|`, or one is missing.
    NoBar,
    /// It begins neither like a share nor like a line `x|hex`.
    Tag,
    /// The threshold is no number from 1 to 255.
    Threshold,
    /// The set has not 32 hexadecimal digits.
    Set,
    /// Before the `|` of the values there is no number from 1 to 255.
    Point,
    /// There is something before `sss1`.
    Before,
    /// A character before the values belongs in no share.
    Character {
        /// The character's place in the line, in characters from 1.
        column: u64,
        /// The character.
        character: char,
    },
    /// There is another character in place of a `|`.
    Bar {
        /// The character's place in the line, in characters from 1.
        column: u64,
        /// The character.
        character: char,
    },
    /// A line `x|hex` has a second `|`.
    SecondBar {
        /// Its place in the line, in characters from 1.
        column: u64,
    },
    /// A character among hexadecimal digits is none.
    Digit {
        /// The character's place in the line, in characters from 1.
        column: u64,
        /// The character.
        character: char,
    },
    /// The digits are not two for each byte.
    OddDigits,
    /// The share ends before its check value.
    NoCheck,
    /// The check value has fewer than 16 digits.
    ShortCheck {
        /// How many it has.
        digits: usize,
    },
    /// The check value has more than 16 digits.
    LongCheck,
    /// There is something behind the check value.
    Behind {
        /// The first character's place in the line, in characters from 1.
        column: u64,
        /// The character.
        character: char,
    },
    /// There is one mistake, and the check value shows where.
    Mistyped {
        /// The place in the line, in characters from 1.
        column: u64,
        /// The mistake.
        mistake: Mistake,
    },
    /// The check value is not that of the rest of the share, in which there is more than one mistake.
    Check,
    /// A comment has the word `field`, and is not `# field: 0x` with hexadecimal digits.
    Field,
}

/// A mistake in typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// Another digit, or another number, belongs there.
    Other,
    /// A digit and the next one are exchanged.
    Exchanged,
    /// A digit is missing before the place.
    Missing,
    /// A digit that does not belong there.
    Extra,
}

impl fmt::Display for ShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Unknown => f.write_str("neither a binary share nor text shares"),
            Self::Utf16 => f.write_str("text in UTF-16; save it as UTF-8"),
            Self::Damaged { digest } => {
                write!(f, "damaged: the digest at byte {digest} is not that of the bytes before it")
            }
            Self::Truncated { length } => write!(f, "cut off after {length} bytes"),
            Self::Trailing { length } => write!(f, "damaged: it goes on behind its end at byte {length}"),
            Self::Version(version) => write!(f, "a share of format version {version}, and only version 1 is known"),
            Self::Field(field) => write!(f, "a share over a field that is not known ({field:#06x})"),
            Self::Impossible(what) => write!(f, "no possible share: {what}"),
            Self::Line { line, problem } => write!(f, "line {line}: {problem}"),
            Self::Empty => f.write_str("no share in it"),
            Self::TooMany => f.write_str("more than 255 shares in it"),
            Self::Changed => f.write_str("changed while it was read"),
        }
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBar => f.write_str("there is no `|` between a number and hexadecimal digits"),
            Self::Tag => {
                f.write_str("it begins neither with `sss1|`, whose last character is the digit 1, nor with a number")
            }
            Self::Threshold => f.write_str("the threshold is no number from 1 to 255"),
            Self::Set => f.write_str("the set has not 32 hexadecimal digits"),
            Self::Point => f.write_str("there is no number from 1 to 255 before the `|`"),
            Self::Before => f.write_str(
                "there is something before `sss1`: a share begins its line, and names go on lines that begin with `#`",
            ),
            Self::Character { column, character } => {
                let (shown, help) = (Shown(*character), help(*character));
                write!(f, "the character at column {column} is {shown}, which belongs in no share{help}")
            }
            Self::Bar { column, character } => {
                write!(f, "the character at column {column} is {}, and has to be a `|`", Shown(*character))
            }
            Self::SecondBar { column } => {
                write!(f, "a second `|` at column {column}: a share of this program begins with `sss1|`")
            }
            Self::Digit { column, character } => {
                let (shown, help) = (Shown(*character), help(*character));
                write!(f, "the character at column {column} is {shown}, which is no hexadecimal digit{help}")
            }
            Self::OddDigits => f.write_str("the number of hexadecimal digits is odd"),
            Self::NoCheck => f.write_str("cut off: no check value of 16 digits at its end"),
            Self::ShortCheck { digits } => {
                write!(f, "cut off: the check value at its end has {digits} digits, and 16 are needed")
            }
            Self::LongCheck => f.write_str("the check value at its end has more than 16 digits"),
            Self::Behind { column, character } => {
                let shown = Shown(*character);
                write!(
                    f,
                    "{shown} at column {column} is behind the check value: each share and each comment begins a line"
                )
            }
            Self::Mistyped { column, mistake: Mistake::Other } => {
                write!(f, "mistyped at column {column}: another character belongs there")
            }
            Self::Mistyped { column, mistake: Mistake::Exchanged } => {
                write!(f, "mistyped at column {column}: the digit and the next one are exchanged")
            }
            Self::Mistyped { column, mistake: Mistake::Missing } => {
                write!(f, "mistyped: a digit is missing before column {column}")
            }
            Self::Mistyped { column, mistake: Mistake::Extra } => {
                write!(f, "mistyped: the digit at column {column} is one too many")
            }
            Self::Check => f.write_str(
                "mistyped in several places, or damaged: the check value at its end is not that of the line",
            ),
            Self::Field => f.write_str("a comment that names a field has to be `# field: 0x11b`"),
        }
    }
}

/// A character; its number if it cannot be seen, or looks like others.
struct Shown(char);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(character) = *self;
        match character {
            ' ' => f.write_str("a space"),
            '!'..='~' => write!(f, "`{character}`"),
            _ if character.escape_debug().count() > 1 => write!(f, "U+{:04X}", u32::from(character)),
            _ => write!(f, "`{character}` (U+{:04X})", u32::from(character)),
        }
    }
}

/// The likely meaning of a character that is no digit.
fn help(character: char) -> &'static str {
    match character {
        'O' | 'o' => "; is it the digit `0`?",
        'I' | 'i' | 'l' => "; is it the digit `1`, or a `|`?",
        '/' | '\\' | '!' | '\u{a6}' | '\u{2223}' | '\u{2502}' | '\u{ff5c}' => "; is it a `|`?",
        '=' => "; mail programs break lines with it",
        '-' | '.' | ',' | ':' | '_' | '\u{2010}'..='\u{2015}' => "; between groups there are spaces",
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => "; it looks like a space, and has to be one",
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => "; it is invisible: remove it",
        _ => "",
    }
}

impl Error for ShareError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ShareError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}
