//! `shamir split`.
use crate::failure::{Failure, say};
use crate::files::{Content, Input, MANY, Place, ReopenedFile, Request};
use crate::progress::Progress;
use crate::protect;
use crate::shown::Shown;
use crate::standard;
use clap::{Args, ValueEnum};
use simd_crypto::shamir::{Scheme, Set, seeded_rng};
use simd_crypto::share_files::{Header, TextWriter, Writer};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// Bytes of the file that are worked on at once.
const PIECE: usize = 1 << 14;

/// Split a file into shares
///
/// Any THRESHOLD of the shares give the file back, and fewer say nothing about it but its length. A new folder has them as
/// share-001.sss, share-002.sss … (share-001.txt … for text), by their points; it appears with all of them, or not at all,
/// whenever the program is stopped. Their names are printed.
///
/// Shares notice when they are damaged or mistyped, or put together with shares of another file. Text shares are lines to paste, to
/// print and to type.
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
    /// The folder for the shares, which is made; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,
    /// The format of the shares
    #[arg(long, value_enum, default_value_t = Format::Binary)]
    format: Format,
    /// Take random points in place of 1, 2, … so that the shares do not show how many there are
    #[arg(long)]
    random_points: bool,
    /// Split a file that is empty
    #[arg(long)]
    allow_empty: bool,
    /// Replace a folder that has a set of shares, and nothing else
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Files of any length, with digests
    Binary,
    /// A line with a check value
    Text,
}

impl Split {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (threshold, shares) = (usize::from(self.threshold), usize::from(self.shares));
        if threshold == 1 {
            say(format_args!("warning: with a threshold of 1 each share gives the whole file to whoever has it"));
        }
        let mut rng = seeded_rng().map_err(|error| Failure::randomness(&error))?;
        let scheme = if self.random_points {
            Scheme::random(threshold, shares, &mut rng)
        } else {
            Scheme::compact(threshold, shares)
        };
        let scheme = scheme.map_err(|error| Failure::usage(error.to_string()))?;
        let set = Set::random(threshold, &mut rng);
        let files =
            Request { inputs: vec![&self.input], output: &self.out_dir, content: Content::Shares, force: self.force };
        let place = Place::claim(&files)?;
        let mut input = Input::open(&self.input)?;
        let (mut secret, mut pieces) = (protect::buffer(PIECE), protect::buffer(shares * PIECE));
        let mut read = input.fill(&mut secret)?;
        if read == 0 && !self.allow_empty {
            let name = &input.name;
            return Err(Failure::general(format!("`{name}`: it is empty; --allow-empty splits it all the same")));
        }
        let folder = place.begin()?;
        let names: Vec<String> = scheme.points().iter().map(|x| self.name(*x)).collect();
        // A failure with a file is told by the name that it is to have.
        let failed = |i: usize, error: &io::Error| Failure::file(&self.out_dir.join(&names[i]), error);
        let begin = |(i, x): (usize, &u8)| {
            let file = folder.file(&names[i], shares <= MANY);
            file.and_then(|file| self.begin(file, &Header { set, x: *x })).map_err(|error| failed(i, &error))
        };
        let mut outputs = scheme.points().iter().enumerate().map(begin).collect::<Result<Vec<_>, _>>()?;

        let mut progress = Progress::new(input.length);
        loop {
            progress.add(read);
            let mut pieces: Vec<_> = pieces.chunks_mut(PIECE).map(|piece| &mut piece[..read]).collect();
            let split = scheme.split_into(&secret[..read], &mut pieces, &mut rng);
            split.map_err(|error| Failure::general(error.to_string()))?;
            for (i, (output, piece)) in outputs.iter_mut().zip(pieces).enumerate() {
                output.write_all(piece).map_err(|error| failed(i, &error))?;
            }
            if read < PIECE {
                break;
            }
            read = input.fill(&mut secret)?;
        }
        drop(progress);
        for (i, output) in outputs.into_iter().enumerate() {
            output.end().map_err(|error| failed(i, &error))?;
        }
        folder.complete()?;
        let paths: Vec<String> = names.iter().map(|name| Shown(&self.out_dir.join(name)).to_string()).collect();
        match standard::print(&paths.join("\n")) {
            // Whoever reads no names does not want them.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                let directory = Shown(&self.out_dir);
                say(format_args!(
                    "warning: the shares are in `{directory}`, but their names cannot be printed: {error}"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn name(&self, x: u8) -> String {
        let extension = match self.format {
            Format::Binary => "sss",
            Format::Text => "txt",
        };
        format!("share-{x:03}.{extension}")
    }

    fn begin(&self, file: ReopenedFile, header: &Header) -> io::Result<ShareOutput> {
        match self.format {
            Format::Binary => Writer::new(file, header).map(ShareOutput::Binary),
            Format::Text => TextWriter::new(file, header).map(ShareOutput::Text),
        }
    }
}

enum ShareOutput {
    Binary(Writer<ReopenedFile>),
    Text(TextWriter<ReopenedFile>),
}

impl ShareOutput {
    /// Writes the end, and sees to it that all bytes are on the disk.
    fn end(self) -> io::Result<()> {
        let file = match self {
            Self::Binary(writer) => writer.finish(),
            Self::Text(writer) => writer.finish(),
        };
        file?.sync()
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
