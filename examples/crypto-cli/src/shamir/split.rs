//! `shamir split`.
use super::journal::names;
use super::staging::Staging;
use crate::failure::Failure;
use crate::files::Input;
use crate::progress::{Counted, Progress};
use crate::say;
use crate::shown::Shown;
use clap::{Args, ValueEnum};
use simd_crypto::shamir::{Scheme, Set, StreamError, seeded_rng};
use simd_crypto::share_files::{Header, TextWriter, Writer};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Split a file into shares
///
/// Any THRESHOLD of the shares give the file back, and fewer say nothing about it but its length. The shares appear in the
/// directory as share-001.sss, share-002.sss … (share-001.txt … for text), by their points; all of them or none, whenever the
/// program is stopped. Their names are printed.
///
/// Binary shares notice when they are damaged, or put together with shares of another file. Text shares are lines
/// `x|hex` to paste and to print, and notice nothing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto shamir split --shares 5 --threshold 3 --in wallet.dat --out-dir shares
  pass show bank | simd-crypto shamir split -n 3 -t 2 --in - --out-dir shares --format text")]
pub(crate) struct Split {
    /// How many shares to make, at most 255
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    shares: u8,
    /// How many of them give the file back
    #[arg(long, short, value_name = "T", value_parser = clap::value_parser!(u8).range(1..))]
    threshold: u8,
    /// The file to split; `-` is standard input
    #[arg(long = "in", value_name = "FILE")]
    input: PathBuf,
    /// Where the shares go; the directory is made if it does not exist
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,
    /// The format of the shares
    #[arg(long, value_enum, default_value_t = Format::Binary)]
    format: Format,
    /// Take random points in place of 1, 2, … so that the shares do not show how many there are
    #[arg(long)]
    random_points: bool,
    /// Replace shares that exist; shares of other names stay
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Files of any length, with digests
    Binary,
    /// A line `x|hex`
    Text,
}

impl Split {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (threshold, shares) = (usize::from(self.threshold), usize::from(self.shares));
        if threshold > shares {
            return Err(Failure::usage(format!(
                "{threshold} of {shares} shares are impossible: --threshold is above --shares"
            )));
        }
        if threshold == 1 {
            say::say(format_args!("warning: with a threshold of 1 each share gives the whole file to whoever has it"));
        }
        let mut rng = seeded_rng()
            .map_err(|error| Failure::general(format!("the operating system has no randomness to give: {error}")))?;
        let scheme = if self.random_points {
            Scheme::random(threshold, shares, &mut rng)
        } else {
            Scheme::compact(threshold, shares)
        };
        let scheme = scheme.map_err(|error| Failure::usage(error.to_string()))?;
        let set = Set::random(threshold, &mut rng);
        let mut input = Input::open(&self.input)?;
        let paths: Vec<PathBuf> = scheme.points().iter().map(|x| self.path(*x)).collect();
        let staging = Staging::begin(&self.out_dir, &paths, self.force)?;
        let headers = scheme.points().iter().map(|x| Header { set, x: *x });
        let outputs = paths.iter().zip(headers);
        let outputs: Result<Vec<_>, _> = outputs.map(|(path, header)| self.begin(&staging, path, &header)).collect();
        let mut outputs = outputs?;
        let mut progress = Progress::new(input.length);
        let name = input.name.clone();
        let split =
            scheme.split_stream(Counted { reader: &mut input, progress: &mut progress }, &mut outputs, &mut rng);
        match split {
            Ok(_) => {}
            Err(StreamError::Share { share, error }) => return Err(Failure::file(&paths[share], &error)),
            Err(StreamError::Secret(error)) => return Err(Failure::io(&name, &error)),
            Err(error) => return Err(Failure::general(error.to_string())),
        }
        drop(progress);
        // Windows replaces no file that is open.
        drop(input);
        for (output, path) in outputs.into_iter().zip(&paths) {
            output.end().map_err(|error| Failure::file(path, &error))?;
        }
        staging.complete()?;
        self.name_others(&paths);
        let names: Vec<String> = paths.iter().map(|path| Shown(path).to_string()).collect();
        match say::print(&names.join("\n")) {
            // Whoever reads no names does not want them.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let directory = Shown(&self.out_dir);
                say::say(format_args!(
                    "warning: the shares are in `{directory}`, but their names cannot be printed: {error}"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Says that there are other shares in the directory: they do not go together with these, and look as if they did.
    fn name_others(&self, paths: &[PathBuf]) {
        let is_share = |path: &PathBuf| (0..=u8::MAX).any(|x| *path == self.path(x));
        let names = names(&self.out_dir).unwrap_or_default();
        let shares = names.into_iter().map(|name| self.out_dir.join(name)).filter(is_share);
        let mut others = shares.filter(|path| !paths.contains(path));
        if let Some(first) = others.next() {
            let (directory, first, count) = (Shown(&self.out_dir), Shown(&first), 1 + others.count());
            say::say(format_args!(
                "note: `{directory}` also has shares of other sets, {count} in all; the first is `{first}`"
            ));
        }
    }

    fn path(&self, x: u8) -> PathBuf {
        let extension = match self.format {
            Format::Binary => "sss",
            Format::Text => "txt",
        };
        self.out_dir.join(format!("share-{x:03}.{extension}"))
    }

    fn begin(&self, staging: &Staging, path: &Path, header: &Header) -> Result<ShareOutput, Failure> {
        let file = staging.create(path)?;
        let begun = match self.format {
            Format::Binary => Writer::new(file, header).map(ShareOutput::Binary),
            Format::Text => TextWriter::new(file, header.x).map(ShareOutput::Text),
        };
        begun.map_err(|error| Failure::file(path, &error))
    }
}

enum ShareOutput {
    Binary(Writer<File>),
    Text(TextWriter<File>),
}

impl ShareOutput {
    /// Writes the end, and sees to it that all bytes are on the disk.
    fn end(self) -> io::Result<()> {
        let file = match self {
            Self::Binary(writer) => writer.finish(),
            Self::Text(writer) => writer.finish(),
        };
        file?.sync_all()
    }
}

impl Write for ShareOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Binary(writer) => writer.write(bytes),
            Self::Text(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Binary(writer) => writer.flush(),
            Self::Text(writer) => writer.flush(),
        }
    }
}
