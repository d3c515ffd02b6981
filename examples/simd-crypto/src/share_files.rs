//! Share files: the formats in which the program `simd-crypto` keeps the shares of [`shamir`](crate::shamir) of bytes.
//!
//! | format | use | detected errors |
//! |---|---|---|
//! | binary: [`Writer`], [`Reader`] | files of any length | any change, a cut, and shares that do not belong together |
//! | text: [`TextWriter`], [`scan`], [`TextReader`] | a line to paste, to print or to type | the same |
//!
//! Both are written and read a piece at a time, in bounded memory. `examples/simd-crypto-cli/README.md` specifies every byte.
//!
//! Text also has lines `x|hex` of other programs, in which no error is detected.
//!
//! The digests in a share are those of the share only, so fewer shares than the threshold cannot confirm a guess of the
//! secret. They detect accidents. An attacker who changes a share can compute matching digests; only more shares than
//! the threshold reveal that.
//!
//! ```
//! use simd_crypto::shamir::Set;
//! use simd_crypto::share_files::{Header, Reader, Writer};
//! use std::io::Write;
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let header = Header { set: Set { id: [7; 16], threshold: 2 }, x: 1 };
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.write_all(b"values at 1")?;
//! let file = writer.finish()?;
//!
//! let mut reader = Reader::new(&file[..])?;
//! let mut values = [0; 64];
//! assert_eq!(reader.read(&mut values)?, 11);
//! assert_eq!(&values[..11], b"values at 1");
//!
//! let cut = &file[..file.len() - 1];
//! assert!(Reader::new(cut)?.read(&mut values).is_err());
//! # Ok(())
//! # }
//! ```
use core::fmt;
use std::io::{Read, Write};

mod binary;
mod error;
mod text;

pub use binary::{Header, MAGIC, Reader, Writer};
pub use error::{LineProblem, Mistake, ShareError};
pub use text::{TextReader, TextShare, TextWriter, scan};

/// They hold values of shares, of which nothing is shown.
macro_rules! hidden {
    ($($Type:ident<$Bound:ident>)*) => { $(
        impl<T: $Bound> fmt::Debug for $Type<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Type)).finish_non_exhaustive()
            }
        }
    )* };
}
hidden!(Reader<Read> Writer<Write> TextReader<Read> TextWriter<Write>);
