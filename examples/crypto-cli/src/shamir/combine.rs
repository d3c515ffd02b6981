//! `shamir combine`.
use super::journal::Journal;
use super::shares::{Opened, Share};
use super::staging::left_over;
use crate::failure::Failure;
use crate::files::durable::parent;
use crate::files::{self, Output, is_standard};
use crate::progress::Progress;
use crate::say::say;
use crate::shown::Shown;
use clap::Args;
use core::cell::Cell;
use simd_crypto::shamir::{Combiner, Set};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bytes of each share that are worked on at once.
const PIECE: usize = 1 << 15;
/// What goes to standard output from shares that can be read once alone is kept back up to so many bytes, until all is checked.
const KEPT_BACK: usize = 8 << 20;

/// Put shares together to the file that was split
///
/// Each SHARE is a binary share, or text with a share `x|hex` on each line. Of more shares than the threshold the first ones are
/// used, and the others have to agree with them. If a share is damaged, of another set or given twice, nothing is written.
///
/// Text shares do not say what the threshold is: all of them are used, unless --threshold says how many are needed.
///
/// To standard output, too, nothing goes before all shares have been checked, as long as they are files, which are read twice. From
/// pipes, what is longer than 8 MiB goes out as it is checked, piece by piece, and the exit code tells whether all was well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto shamir combine --out wallet.dat shares/share-001.sss shares/share-004.sss shares/share-005.sss
  cat anna.txt ben.txt | simd-crypto shamir combine --out - -")]
pub(crate) struct Combine {
    /// Where the file goes; `-` is standard output
    #[arg(long = "out", value_name = "FILE")]
    output: PathBuf,
    /// How many text shares are needed
    #[arg(long, short, value_name = "T", value_parser = clap::value_parser!(u8).range(1..))]
    threshold: Option<u8>,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
    /// Files with shares; `-` is standard input
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
    /// Whether it has been said that the threshold is not known: shares that are files are checked twice
    #[arg(skip)]
    noted: Cell<bool>,
}

impl Combine {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.try_run().map_err(|failure| {
            // Shares that are missing may be there.
            let directories: BTreeSet<_> = self.shares.iter().map(|share| parent(share)).collect();
            let left = directories.into_iter().filter(|directory| Journal::of(directory).exists());
            left.fold(failure, |failure, directory| failure.and(left_over(directory)))
        })
    }

    fn try_run(&self) -> Result<(), Failure> {
        let to_file = !is_standard(&self.output);
        if to_file {
            self.check_output()?;
        }
        let opened = Opened::open(&self.shares)?;
        let mut output = Output::create(&self.output, self.force)?;
        if to_file {
            // It appears when all is checked.
            self.combine(opened, &mut output)?;
        } else if opened.length.is_some() {
            self.combine(opened, &mut io::sink())?;
            self.combine(Opened::open(&self.shares)?, &mut output)?;
        } else {
            let mut kept = KeptBack { pieces: Vec::new(), output: &mut output };
            self.combine(opened, &mut kept)?;
            kept.give()?;
        }
        output.finish()
    }

    /// Finds out early that the output cannot be written.
    fn check_output(&self) -> Result<(), Failure> {
        files::may_write(&self.output, self.force)?;
        let Ok(output) = fs::canonicalize(&self.output) else { return Ok(()) };
        let is_output = |share: &&PathBuf| fs::canonicalize(share).is_ok_and(|share| share == output);
        match self.shares.iter().find(is_output) {
            Some(_) => {
                let name = Shown(&self.output);
                Err(Failure::usage(format!("`{name}` is one of the shares, and would be replaced")))
            }
            None => Ok(()),
        }
    }

    fn combine(&self, opened: Opened, output: &mut impl Sink) -> Result<(), Failure> {
        let Opened { mut shares, length } = opened;
        let threshold = self.check(&shares)?;
        let mut progress = Progress::new(length);
        let result = combine(&mut shares, threshold, output, &mut progress);
        drop(progress);
        let Err((place, failure)) = result else { return Ok(()) };
        // Where one share is bad, others may be; one message for each saves trying.
        let mut failures = vec![failure];
        if let Some(place) = place {
            let mut piece = Zeroizing::new(vec![0; PIECE]);
            for (_, share) in shares.iter_mut().enumerate().filter(|(i, _)| *i != place) {
                failures.extend(rest(share, &mut piece).err());
            }
        }
        Failure::all(failures)
    }

    /// Checks that the shares go together, and says how many of them are needed.
    fn check(&self, shares: &[Share]) -> Result<usize, Failure> {
        let set = usual_set(shares);
        let asked = self.threshold.map(usize::from);
        let mut failures = Vec::new();
        for (i, share) in shares.iter().enumerate() {
            let name = &share.name;
            if share.set.is_some() && share.set != set {
                failures.push(Failure::share(format!("`{name}`: of another set than the other shares")));
            } else if let Some(first) = shares[..i].iter().find(|first| first.x == share.x) {
                let message = if first.name == *name {
                    format!("`{name}`: given twice")
                } else {
                    format!("`{name}`: at the same point as `{}`, {}; each share counts once", first.name, share.x)
                };
                failures.push(Failure::share(message));
            } else if let Some(other) = shares[..i].iter().find(|other| differ(other.length, share.length)) {
                let other = &other.name;
                failures.push(Failure::share(format!("`{name}`: of another length than `{other}`")));
            }
        }
        Failure::all(failures)?;
        let threshold = match (set.map(|set| set.threshold), asked) {
            (Some(threshold), Some(asked)) if threshold != asked => {
                let message = format!("--threshold is {asked}, and the shares say that {threshold} are needed");
                return Err(Failure::usage(message));
            }
            (Some(threshold), _) | (None, Some(threshold)) => threshold,
            (None, None) => {
                let given = shares.len();
                if !self.noted.replace(true) {
                    say(format_args!(
                        "note: text shares do not say how many are needed; if it is more than {given}, the output is not what was split"
                    ));
                }
                given
            }
        };
        if shares.len() < threshold {
            let given = shares.len();
            return Err(Failure::too_few_shares(format!("{threshold} shares are needed, and {given} given")));
        }
        Ok(threshold)
    }
}

fn differ(a: Option<u64>, b: Option<u64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a != b)
}

/// The set that most of the shares are of, or the first of several.
fn usual_set(shares: &[Share]) -> Option<Set> {
    let sets: Vec<Set> = shares.iter().filter_map(|share| share.set).collect();
    let count = |set: &Set| sets.iter().filter(|other| *other == set).count();
    // Of equals, `max_by_key` takes the last.
    sets.iter().rev().max_by_key(|set| count(set)).copied()
}

/// Puts the first shares together, as many as are needed, and compares the others with them. An error comes with the share
/// whose own it is.
fn combine(
    shares: &mut [Share],
    threshold: usize,
    output: &mut impl Sink,
    progress: &mut Progress,
) -> Result<(), (Option<usize>, Failure)> {
    let points: Vec<u8> = shares.iter().map(|share| share.x).collect();
    let (used, others) = points.split_at(threshold);
    // The value at some point is the value at zero of the polynomial moved by it.
    let at = |x: u8| Combiner::new(&used.iter().map(|point| point ^ x).collect::<Vec<_>>());
    let combiners: Result<Vec<_>, _> = [0].iter().chain(others).map(|x| at(*x)).collect();
    let combiners = combiners.map_err(|error| (None, Failure::share(error.to_string())))?;

    let mut pieces = Zeroizing::new(vec![0; (shares.len() + 1) * PIECE]);
    loop {
        let (result, pieces) = pieces.split_at_mut(PIECE);
        let mut length = None;
        for (i, (share, piece)) in shares.iter_mut().zip(pieces.chunks_mut(PIECE)).enumerate() {
            let read = share.read(piece).map_err(|failure| (Some(i), failure))?;
            progress.add(read);
            if *length.get_or_insert(read) != read {
                let message = format!("`{}`: of another length than `{}`", shares[i].name, shares[0].name);
                return Err((Some(i), Failure::share(message)));
            }
        }
        let length = length.unwrap_or(0);
        let result = &mut result[..length];
        let pieces: Vec<_> = pieces.chunks(PIECE).map(|piece| &piece[..length]).collect();
        for (i, combiner) in combiners.iter().enumerate().rev() {
            let made = combiner.combine_into(&pieces[..threshold], result);
            made.map_err(|error| (None, Failure::share(error.to_string())))?;
            // The last one of this loop, number 0, makes the secret.
            if i > 0 && !bool::from(result.ct_eq(pieces[threshold + i - 1])) {
                let name = &shares[threshold + i - 1].name;
                let message =
                    format!("`{name}`: contradicts the {threshold} shares before: one of them all has been changed");
                return Err((None, Failure::share(message)));
            }
        }
        output.put(result).map_err(|failure| (None, failure))?;
        if length < PIECE {
            return Ok(());
        }
    }
}

/// Reads what is left of a share, to see whether it is damaged.
fn rest(share: &mut Share, piece: &mut [u8]) -> Result<(), Failure> {
    while share.read(piece)? == piece.len() {}
    Ok(())
}

/// Where the secret goes.
trait Sink {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Failure>;
}

impl Sink for Output {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Self::put(self, bytes)
    }
}

impl Sink for io::Sink {
    fn put(&mut self, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }
}

/// Keeps back what fits in memory.
struct KeptBack<'a> {
    pieces: Vec<Zeroizing<Vec<u8>>>,
    output: &'a mut Output,
}

impl KeptBack<'_> {
    fn give(&mut self) -> Result<(), Failure> {
        self.pieces.drain(..).try_for_each(|piece| self.output.put(&piece))
    }
}

impl Sink for KeptBack<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.pieces.len() == KEPT_BACK / PIECE {
            self.give()?;
        }
        self.pieces.push(Zeroizing::new(bytes.to_vec()));
        Ok(())
    }
}
