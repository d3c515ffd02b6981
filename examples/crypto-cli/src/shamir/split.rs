//! `shamir split`.
use crate::failure::Failure;
use crate::files::{self, Input, Output};
use crate::progress::{Counted, Progress};
use clap::{Args, ValueEnum};
use simd_crypto::shamir::{Scheme, Set, StreamError, seeded_rng};
use simd_crypto::share_files::{Header, TextWriter, Writer};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Split a file into shares
///
/// Any THRESHOLD of the shares give the file back, and fewer say nothing about it but its length. The shares appear in the
/// directory as share-001.sss, share-002.sss … (share-001.txt … for text), by their points; all of them or none. Their names are
/// printed.
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
    /// Replace shares that exist
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
            eprintln!("warning: with a threshold of 1 each share gives the whole file to whoever has it");
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
        let directory = Directory::make(&self.out_dir)?;
        let paths: Vec<PathBuf> = scheme.points().iter().map(|x| self.path(*x)).collect();
        let unwritable = paths.iter().filter_map(|path| {
            let problem = files::may_write(path, self.force).err()?;
            Some(Failure::general(format!("`{}`: {problem}", path.display())))
        });
        Failure::all(unwritable.collect())?;

        let headers = scheme.points().iter().map(|x| Header { set, x: *x });
        let outputs = paths.iter().zip(headers);
        let outputs: Result<Vec<_>, _> = outputs.map(|(path, header)| self.begin(path, &header)).collect();
        let mut outputs = outputs?;
        let mut progress = Progress::new(input.length);
        let name = input.name.clone();
        let split =
            scheme.split_stream(Counted { reader: &mut input, progress: &mut progress }, &mut outputs, &mut rng);
        match split {
            Ok(_) => {}
            Err(StreamError::Share { share, error }) => {
                return Err(Failure::io(&paths[share].display().to_string(), &error));
            }
            Err(StreamError::Secret(error)) => return Err(Failure::io(&name, &error)),
            Err(error) => return Err(Failure::general(error.to_string())),
        }
        drop(progress);
        let ended: Result<Vec<_>, _> = outputs.into_iter().map(ShareOutput::end).collect();
        for (i, output) in ended?.into_iter().enumerate() {
            if let Err(failure) = output.finish() {
                for path in &paths[..i] {
                    Output::take_back(path, self.force);
                }
                return Err(failure);
            }
        }
        directory.keep();
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        files::print(&names.join("\n"))
    }

    fn path(&self, x: u8) -> PathBuf {
        let extension = match self.format {
            Format::Binary => "sss",
            Format::Text => "txt",
        };
        self.out_dir.join(format!("share-{x:03}.{extension}"))
    }

    fn begin(&self, path: &Path, header: &Header) -> Result<ShareOutput, Failure> {
        let output = Output::create(path, self.force)?;
        let name = path.display().to_string();
        let begun = match self.format {
            Format::Binary => Writer::new(output, header).map(ShareOutput::Binary),
            Format::Text => TextWriter::new(output, header.x).map(ShareOutput::Text),
        };
        begun.map_err(|error| Failure::io(&name, &error))
    }
}

enum ShareOutput {
    Binary(Writer<Output>),
    Text(TextWriter<Output>),
}

impl ShareOutput {
    /// Writes the end, and all that has not been written yet.
    fn end(self) -> Result<Output, Failure> {
        let ended = match self {
            Self::Binary(writer) => writer.finish(),
            Self::Text(writer) => writer.finish(),
        };
        let mut output = ended.map_err(|error| Failure::general(format!("a share cannot be written: {error}")))?;
        output.settle()?;
        Ok(output)
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

/// The directory for the shares, which goes away again if it has been made in vain.
struct Directory<'a> {
    path: &'a Path,
    made: bool,
}

#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> io::Result<()> {
    fs::create_dir(path)
}

impl<'a> Directory<'a> {
    fn make(path: &'a Path) -> Result<Self, Failure> {
        let made = files::begun(|paths| {
            let made = make_private(path);
            paths.extend(made.is_ok().then(|| path.to_owned()));
            made
        });
        match made {
            Ok(()) => Ok(Self { path, made: true }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(Self { path, made: false }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(Failure::general(format!("`{}` is no directory", path.display())))
            }
            Err(error) => Err(Failure::io(&path.display().to_string(), &error)),
        }
    }

    fn keep(mut self) {
        self.made = false;
    }
}

impl Drop for Directory<'_> {
    fn drop(&mut self) {
        files::forget(self.path);
        if self.made {
            // It stays if something else is in it.
            let _ = fs::remove_dir(self.path);
        }
    }
}
