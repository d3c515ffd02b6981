//! What can be wrong with a share file.
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
    /// A character after the `|` is no hexadecimal digit.
    Digit {
        /// The character's place in the line, in bytes from 1.
        column: u64,
    },
    /// The digits are not two for each byte.
    OddDigits,
    /// The line ends before its check value has 16 digits.
    NoCheck,
    /// The check value is not that of the rest of the line.
    Check,
    /// A comment has the word `field`, and is not `# field: 0x` with hexadecimal digits.
    Field,
}

impl fmt::Display for ShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Unknown => f.write_str("neither a binary share nor text shares"),
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
            Self::Tag => f.write_str("it begins neither with `sss1|` nor with a number"),
            Self::Threshold => f.write_str("the threshold is no number from 1 to 255"),
            Self::Set => f.write_str("the set has not 32 hexadecimal digits"),
            Self::Point => f.write_str("there is no number from 1 to 255 before the `|`"),
            Self::Digit { column } => write!(f, "the character at column {column} is no hexadecimal digit"),
            Self::OddDigits => f.write_str("the number of hexadecimal digits is odd"),
            Self::NoCheck => f.write_str("cut off: no check value of 16 digits at its end"),
            Self::Check => f.write_str("mistyped or damaged: the check value at its end is not that of the line"),
            Self::Field => f.write_str("a comment that names a field has to be `# field: 0x11b`"),
        }
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
