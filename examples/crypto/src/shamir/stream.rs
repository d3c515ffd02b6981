//! Sharing from readers to writers, a piece at a time.
use alloc::vec;
use core::fmt;
use std::io::{self, Read, Write};

use rand_core::CryptoRng;

use super::bytes::wipe;
use super::{Combiner, Error, Scheme, alloc};
use crate::fill::fill;

/// What pieces of all streams together should not exceed, in bytes.
const MEMORY: usize = 4 << 20;

/// Why a stream could not be split or combined.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// The shares do not fit together.
    Shares(Error),
    /// The secret could not be read or written.
    Secret(io::Error),
    /// A share could not be read or written.
    Share {
        /// Its index among the readers or writers.
        share: usize,
        /// The error of that reader or writer.
        error: io::Error,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shares(error) => error.fmt(f),
            Self::Secret(error) => write!(f, "the secret: {error}"),
            Self::Share { share, error } => write!(f, "share {share}: {error}"),
        }
    }
}

impl core::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Shares(error) => Some(error),
            Self::Secret(error) | Self::Share { error, .. } => Some(error),
        }
    }
}

impl From<Error> for StreamError {
    fn from(error: Error) -> Self {
        Self::Shares(error)
    }
}

impl Scheme {
    /// Splits everything that a reader yields, and returns the number of bytes. A writer for each point gets as many.
    ///
    /// It uses at most about 4 MiB of memory, whatever the length. Neither side needs buffers of its own, and the
    /// writers are flushed. Constant time in the secret, whose length affects the time. It needs the feature `std`.
    ///
    /// # Errors
    /// [`StreamError::Shares`] with [`Error::WrongNumber`], and the errors of the reader and the writers, which may have got
    /// some of their bytes by then.
    ///
    /// ```
    /// # #[cfg(not(feature = "getrandom"))]
    /// # fn main() {}
    /// # #[cfg(feature = "getrandom")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use simd_crypto::shamir::{Combiner, Scheme, seeded_rng};
    /// let mut shares = [Vec::new(), Vec::new(), Vec::new()];
    /// Scheme::compact(2, 3)?.split_stream(&b"any length"[..], &mut shares, &mut seeded_rng()?)?;
    ///
    /// let mut secret = Vec::new();
    /// Combiner::new(&[1, 2])?.combine_stream(&mut [&shares[0][..], &shares[1]], &mut secret)?;
    /// assert_eq!(secret, b"any length");
    /// # Ok(())
    /// # }
    /// ```
    pub fn split_stream<W: Write, R: CryptoRng + ?Sized>(
        &self,
        mut secret: impl Read,
        shares: &mut [W],
        rng: &mut R,
    ) -> Result<u64, StreamError> {
        let points = self.points().len();
        if shares.len() != points {
            return Err(Error::WrongNumber { given: shares.len(), points }.into());
        }
        let length = piece(points);
        let mut memory = Memory(vec![0; (points + 1) * length]);
        let (input, output) = memory.0.split_at_mut(length);
        let mut total = 0;
        loop {
            let read = fill(&mut secret, input).map_err(StreamError::Secret)?;
            let mut pieces: alloc::vec::Vec<_> = output.chunks_mut(length).map(|piece| &mut piece[..read]).collect();
            self.split_into(&input[..read], &mut pieces, rng)?;
            for (share, (writer, piece)) in shares.iter_mut().zip(pieces).enumerate() {
                writer.write_all(piece).map_err(|error| StreamError::Share { share, error })?;
            }
            total += read as u64;
            if read < length {
                for (share, writer) in shares.iter_mut().enumerate() {
                    writer.flush().map_err(|error| StreamError::Share { share, error })?;
                }
                return Ok(total);
            }
        }
    }
}

impl Combiner {
    /// Combines everything that the readers of the shares yield, and returns the number of bytes. The readers are in
    /// the order of the points.
    ///
    /// It uses at most about 4 MiB of memory, whatever the length. Neither side needs buffers of its own, and the
    /// writer is flushed. Constant time in the shares, whose length affects the time. It needs the feature `std`.
    ///
    /// # Errors
    /// [`StreamError::Shares`] with [`Error::WrongNumber`], or with [`Error::DifferentLengths`] for the first share that does not
    /// end where share 0 ends, and the errors of the readers and the writer. The writer may have got some bytes by then, and
    /// even all of those of the shortest share.
    pub fn combine_stream<S: Read>(&self, shares: &mut [S], mut secret: impl Write) -> Result<u64, StreamError> {
        let points = self.points();
        if shares.len() != points {
            return Err(Error::WrongNumber { given: shares.len(), points }.into());
        }
        let length = piece(points);
        let mut memory = Memory(vec![0; (points + 1) * length]);
        let (output, input) = memory.0.split_at_mut(length);
        let mut total = 0;
        loop {
            let mut read = None;
            for (share, (reader, piece)) in shares.iter_mut().zip(input.chunks_mut(length)).enumerate() {
                let this = fill(reader, piece).map_err(|error| StreamError::Share { share, error })?;
                if *read.get_or_insert(this) != this {
                    return Err(Error::DifferentLengths { share }.into());
                }
            }
            let read = read.unwrap_or(0);
            let pieces: alloc::vec::Vec<_> = input.chunks(length).map(|piece| &piece[..read]).collect();
            self.combine_into(&pieces, &mut output[..read])?;
            secret.write_all(&output[..read]).map_err(StreamError::Secret)?;
            total += read as u64;
            if read < length {
                return secret.flush().map(|()| total).map_err(StreamError::Secret);
            }
        }
    }
}

/// Pieces of streams, which are wiped when dropped.
struct Memory(alloc::vec::Vec<u8>);

impl Drop for Memory {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// The length of a piece of one stream, next to the pieces of `points` others.
fn piece(points: usize) -> usize {
    (MEMORY / (points + 1)).min(1 << 17).next_multiple_of(64)
}
