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

/// The mistake in a line of text. A character or a mistake comes behind its column: its place in the line, in characters from 1.
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
    Character(u64, char),
    /// There is another character in place of a `|`.
    Bar(u64, char),
    /// A line `x|hex` has a second `|`.
    SecondBar(u64),
    /// A character among hexadecimal digits is none.
    Digit(u64, char),
    /// The digits are not two for each byte.
    OddDigits,
    /// The share ends before its check value.
    NoCheck,
    /// The check value has only so many digits, of 16.
    ShortCheck(usize),
    /// The check value has more than 16 digits.
    LongCheck,
    /// There is something behind the check value.
    Behind(u64, char),
    /// There is one mistake, and the check value shows where.
    Mistyped(u64, Mistake),
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
        f.write_str(match self {
            Self::NoBar => "there is no `|` between a number and hexadecimal digits",
            Self::Tag => "it begins neither with `sss1|`, whose last character is the digit 1, nor with a number",
            Self::Threshold => "the threshold is no number from 1 to 255",
            Self::Set => "the set has not 32 hexadecimal digits",
            Self::Point => "there is no number from 1 to 255 before the `|`",
            Self::Before => {
                "there is something before `sss1`: a share begins its line, and names go on lines that begin with `#`"
            }
            Self::OddDigits => "the number of hexadecimal digits is odd",
            Self::NoCheck => "cut off: no check value of 16 digits at its end",
            Self::LongCheck => "the check value at its end has more than 16 digits",
            Self::Check => "mistyped in several places, or damaged: the check value at its end is not that of the line",
            Self::Field => "a comment that names a field has to be `# field: 0x11b`",
            Self::Character(column, character) => {
                let (shown, help) = (Shown(*character), help(*character));
                return write!(f, "the character at column {column} is {shown}, which belongs in no share{help}");
            }
            Self::Digit(column, character) => {
                let (shown, help) = (Shown(*character), help(*character));
                return write!(f, "the character at column {column} is {shown}, which is no hexadecimal digit{help}");
            }
            Self::Bar(column, character) => {
                return write!(f, "the character at column {column} is {}, and has to be a `|`", Shown(*character));
            }
            Self::SecondBar(column) => {
                return write!(f, "a second `|` at column {column}: a share of this program begins with `sss1|`");
            }
            Self::ShortCheck(digits) => {
                return write!(f, "cut off: the check value at its end has {digits} digits, and 16 are needed");
            }
            Self::Behind(column, character) => {
                let help = "is behind the check value: each share and each comment begins a line";
                return write!(f, "{} at column {column} {help}", Shown(*character));
            }
            Self::Mistyped(column, mistake) => {
                return match mistake {
                    Mistake::Other => write!(f, "mistyped at column {column}: another character belongs there"),
                    Mistake::Exchanged => {
                        write!(f, "mistyped at column {column}: the digit and the next one are exchanged")
                    }
                    Mistake::Missing => write!(f, "mistyped: a digit is missing before column {column}"),
                    Mistake::Extra => write!(f, "mistyped: the digit at column {column} is one too many"),
                };
            }
        })
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
