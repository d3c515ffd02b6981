//! `shamir combine`.
use super::forged;
use super::shares::{Opened, Share};
use crate::failure::Failure;
use crate::files::{Content, Output, Put, Request};
use crate::progress::Progress;
use crate::protect;
use clap::Args;
use simd_crypto::shamir::{Combiner, Set};
use std::path::PathBuf;
use subtle::ConstantTimeEq;

/// Bytes of each share that are worked on at once.
const PIECE: usize = 1 << 15;

/// Put shares together to the file that was split
///
/// Each SHARE is a binary share, or text with a share on each line. Of more shares than the threshold the first ones are used, and
/// the others have to agree with them. If a share is damaged, mistyped, of another set or given twice, nothing is written.
///
/// Lines `x|hex` of other programs need --threshold: they do not say how many are needed.
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
    /// How many shares are needed, for those of other programs
    #[arg(long, short, value_name = "T", value_parser = clap::value_parser!(u8).range(1..))]
    threshold: Option<u8>,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
    /// Files with shares; `-` is standard input
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
}

impl Combine {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let inputs = self.shares.iter().map(PathBuf::as_path).collect();
        let files = Request { inputs, output: &self.output, content: Content::Any, force: self.force };
        files.check()?;
        let mut first = Some(Opened::open(&self.shares)?);
        let repeatable = first.as_ref().is_some_and(|opened| opened.length.is_some());
        Output::create(&files)?.checked(repeatable, |put| {
            let opened = first.take().map_or_else(|| Opened::open(&self.shares), Ok)?;
            self.combine(opened, put)
        })
    }

    fn combine(&self, opened: Opened, put: &mut Put<'_>) -> Result<(), Failure> {
        let Opened { mut shares, length } = opened;
        let threshold = self.check(&shares)?;
        let mut progress = Progress::new(length);
        let Err((place, failure)) = combine(&mut shares, threshold, put, &mut progress) else { return Ok(()) };
        drop(progress);
        // Where one share is bad, others may be; one message for each saves trying.
        let mut failures = vec![failure];
        if let Some(place) = place {
            let mut piece = protect::buffer(PIECE);
            for (_, share) in shares.iter_mut().enumerate().filter(|(i, _)| *i != place) {
                failures.extend(share.rest(&mut piece).err());
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
            if share.set.is_some() != set.is_some() {
                let message = "a line of another program and a share of this program do not go together";
                failures.push(Failure::share(format!("`{name}`: {message}")));
            } else if share.set != set {
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
                let name = &shares[0].name;
                let message =
                    format!("`{name}`: a line of another program does not say how many are needed; --threshold does");
                return Err(Failure::usage(message));
            }
        };
        if shares.len() < threshold {
            let given = shares.len();
            let names: Vec<_> = shares.iter().take(10).map(|share| format!("`{}`", share.name)).collect();
            let (names, more) = (names.join(", "), if given > 10 { " …" } else { "" });
            let message = format!("{threshold} shares are needed, and {given} given: {names}{more}");
            return Err(Failure::too_few_shares(message));
        }
        Ok(threshold)
    }
}

fn differ(a: Option<u64>, b: Option<u64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a != b)
}

/// The set that most of the shares are of, or the first of several. Nothing is the set of shares that have none.
fn usual_set(shares: &[Share]) -> Option<Set> {
    let count = |set: &Option<Set>| shares.iter().filter(|share| share.set == *set).count();
    // Of equals, `max_by_key` takes the last.
    shares.iter().rev().map(|share| share.set).max_by_key(count).flatten()
}

/// For the first shares, as many as are needed, what makes of them the value at zero, and at the point of each other.
fn combiners(points: &[u8], threshold: usize) -> Result<Vec<Combiner>, Failure> {
    let (used, others) = points.split_at(threshold);
    // The value at some point is the value at zero of the polynomial moved by it.
    let at = |x: &u8| Combiner::new(&used.iter().map(|point| point ^ x).collect::<Vec<_>>());
    let combiners: Result<Vec<_>, _> = [0].iter().chain(others).map(at).collect();
    combiners.map_err(|error| Failure::share(error.to_string()))
}

/// Puts the first shares together, as many as are needed, and compares the others with them. An error comes with the share
/// whose own it is.
fn combine(
    shares: &mut [Share],
    threshold: usize,
    put: &mut Put<'_>,
    progress: &mut Progress,
) -> Result<(), (Option<usize>, Failure)> {
    // Those that have not been found to be forged, and messages for the others.
    let (mut honest, mut failures): (Vec<usize>, _) = ((0..shares.len()).collect(), Vec::new());
    let points = |honest: &[usize], shares: &[Share]| honest.iter().map(|i| shares[*i].x).collect::<Vec<u8>>();
    let mut made = combiners(&points(&honest, shares), threshold).map_err(|failure| (None, failure))?;

    let (mut result, mut pieces) = (protect::buffer(PIECE), protect::buffer(shares.len() * PIECE));
    loop {
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
        while let Some((other, column)) = make(&made, &honest, &pieces, result).map_err(|failure| (None, failure))? {
            let values: Vec<u8> = honest.iter().map(|i| pieces[i * PIECE + column]).collect();
            let Some(forged) = forged::find(&points(&honest, shares), &values, threshold) else {
                let name = &shares[honest[other]].name;
                failures.push(Failure::share(format!(
                    "`{name}`: contradicts the {threshold} shares before: one of them all has been changed; more shares would show which"
                )));
                return Failure::all(failures).map_err(|failure| (None, failure));
            };
            for place in forged.into_iter().rev() {
                let name = &shares[honest.remove(place)].name;
                failures.push(Failure::share(format!("`{name}`: has been changed: it contradicts all others")));
            }
            made = combiners(&points(&honest, shares), threshold).map_err(|failure| (None, failure))?;
        }
        if failures.is_empty() {
            put(result).map_err(|failure| (None, failure))?;
        }
        if length < PIECE {
            return Failure::all(failures).map_err(|failure| (None, failure));
        }
    }
}

/// Makes the value at zero. Otherwise, the place among the `honest` and the column of a value that contradicts those before.
fn make(
    combiners: &[Combiner],
    honest: &[usize],
    pieces: &[u8],
    result: &mut [u8],
) -> Result<Option<(usize, usize)>, Failure> {
    let threshold = honest.len() + 1 - combiners.len();
    let length = result.len();
    let pieces: Vec<_> = honest.iter().map(|i| &pieces[i * PIECE..][..length]).collect();
    for (i, combiner) in combiners.iter().enumerate().rev() {
        let made = combiner.combine_into(&pieces[..threshold], result);
        made.map_err(|error| Failure::share(error.to_string()))?;
        // The last one of this loop, number 0, makes the secret.
        if i > 0 && !bool::from(result.ct_eq(pieces[threshold + i - 1])) {
            let other = threshold + i - 1;
            let column = result.iter().zip(pieces[other]).position(|(a, b)| a != b).unwrap_or(0);
            return Ok(Some((other, column)));
        }
    }
    Ok(None)
}
