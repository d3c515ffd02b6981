//! Refusals that all commands share.
use super::{Identity, identity, is_standard};
use crate::failure::Failure;
use crate::interrupt;
use crate::shown::Shown;
use crate::standard;
use simd_crypto::shamir::Set;
use simd_crypto::share_files::{MAGIC, Reader, ShareError, scan};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, IsTerminal, Seek};
use std::path::Path;

pub(super) const EXISTS: &str = "it exists; --force replaces it";
const LINK: &str = "it is a symbolic link, which is neither followed nor replaced; name what it leads to";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Bytes that no terminal shows.
    Binary,
    /// Whatever the user has; a terminal gets it as long as it is text.
    Any,
    /// A folder with shares.
    Shares,
}

/// The inputs and outputs of a command. Nothing is written before they have been [checked](Self::check).
pub(crate) struct Request<'a> {
    pub(crate) inputs: Vec<&'a Path>,
    pub(crate) output: &'a Path,
    pub(crate) content: Content,
    pub(crate) force: bool,
}

impl Request<'_> {
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.inputs.iter().filter(|path| is_standard(path)).count() > 1 {
            return Err(Failure::usage("standard input can be given only once"));
        }
        if !is_standard(self.output) {
            interrupt::watch();
        }
        if self.content == Content::Shares {
            // Whoever makes the folder looks at it under a lock.
            return Ok(());
        }
        if is_standard(self.output) {
            standard::output()?;
            if self.content == Content::Binary && io::stdout().is_terminal() {
                return Err(Failure::usage(
                    "standard output is a terminal, and the output is binary; --out names a file for it",
                ));
            }
            return self.check_inputs(stream(&io::stdout()).ok(), "standard output");
        }
        let name = Shown(self.output);
        let because = |problem: &str| Err(Failure::general(format!("`{name}`: {problem}")));
        match fs::symlink_metadata(self.output) {
            Ok(metadata) if metadata.is_dir() => because("it is a directory"),
            Ok(metadata) if metadata.is_symlink() => because(LINK),
            Ok(metadata) if !metadata.is_file() => because("it is no regular file; `-` writes to standard output"),
            Ok(_) if !self.force => because(EXISTS),
            Ok(_) => self.check_inputs(identity(self.output).ok(), &name.to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound && self.output.file_name().is_some() => Ok(()),
            Err(error) => Err(Failure::file(self.output, &error)),
        }
    }

    /// An input that is replaced is lost if anything goes wrong, and what is appended to has no end.
    fn check_inputs(&self, output: Option<Identity>, name: &str) -> Result<(), Failure> {
        // A file of unknown kind is no regular file, or an error of its own.
        let Some(output) = output else { return Ok(()) };
        let is_output = |input: &&&Path| {
            let input = if is_standard(input) { stream(&io::stdin()) } else { identity(input) };
            input.is_ok_and(|input| input == output)
        };
        match self.inputs.iter().find(is_output) {
            Some(input) => {
                let input = if is_standard(input) { "standard input".to_owned() } else { Shown(input).to_string() };
                Err(Failure::usage(format!("`{name}` is the same file as the input `{input}`, and would be replaced")))
            }
            None => Ok(()),
        }
    }

    /// Whether there is a folder where one is to be made. Anything else is an error.
    pub(super) fn is_folder_there(&self) -> Result<bool, Failure> {
        let name = Shown(self.output);
        let because = |problem: &str| Err(Failure::general(format!("`{name}`: {problem}")));
        if self.output.file_name().is_none() {
            return because("it has no name of its own: a folder that is replaced needs one");
        }
        match fs::symlink_metadata(self.output) {
            Ok(metadata) if metadata.is_symlink() => because(LINK),
            Ok(metadata) if !metadata.is_dir() => because("it is no directory"),
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Failure::file(self.output, &error)),
        }
    }

    /// The names in the folder that is to be replaced: a set of shares, and nothing else.
    pub(super) fn old_shares(&self) -> Result<Vec<OsString>, Failure> {
        let failed = |error: io::Error| Failure::file(self.output, &error);
        let mut names = Vec::new();
        // More names than there are shares need not be read.
        for entry in fs::read_dir(self.output).map_err(failed)?.take(256) {
            names.push(entry.map_err(failed)?.file_name());
        }
        if names.is_empty() {
            return Ok(names);
        }
        let because = |problem: &str| Failure::general(format!("`{}`: {problem}", Shown(self.output)));
        if !self.force {
            return Err(because("it is not empty; --force replaces a folder with a set of shares"));
        }
        let mut common = None;
        for name in &names {
            let path = self.output.join(name);
            let set = set_of(&path, name).map_err(|why| {
                because(&format!("--force replaces a set of shares and nothing else, and `{}` {why}", Shown(&path)))
            })?;
            if *common.get_or_insert(set) != set {
                return Err(because("--force replaces one set of shares, and these are of several"));
            }
            self.check_inputs(identity(&path).ok(), &Shown(&path).to_string())?;
        }
        Ok(names)
    }
}

/// The set of a share of this program, or why a file is none. Nothing but a regular file is opened.
fn set_of(path: &Path, name: &OsString) -> Result<Set, String> {
    let metadata = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("is no regular file".to_owned());
    }
    if !is_ours(&metadata) {
        return Err("belongs to somebody else".to_owned());
    }
    let read = || -> Result<_, ShareError> {
        let mut file = File::open(path)?;
        let mut first = [0];
        io::Read::read(&mut file, &mut first)?;
        file.rewind()?;
        if first[0] == MAGIC[0] {
            let header = *Reader::new(file)?.header();
            return Ok((Some(header.set), header.x, "sss"));
        }
        let shares = scan(file)?;
        Ok((shares[0].set.filter(|_| shares.len() == 1), shares[0].x, "txt"))
    };
    match read() {
        Ok((Some(set), x, extension)) if *name == *format!("share-{x:03}.{extension}") => Ok(set),
        Ok(_) => Err("is no share of that name".to_owned()),
        Err(error) => Err(format!("is no share that can be used: {error}")),
    }
}

#[cfg(unix)]
fn is_ours(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_ours(_: &Metadata) -> bool {
    true
}

/// The regular file that is standard input or output, if it is one.
#[cfg(unix)]
fn stream(stream: &impl std::os::fd::AsFd) -> io::Result<Identity> {
    let file = File::from(stream.as_fd().try_clone_to_owned()?);
    if file.metadata()?.is_file() { super::identity_of(&file) } else { Err(ErrorKind::Unsupported.into()) }
}

#[cfg(not(unix))]
fn stream<T>(_: &T) -> io::Result<Identity> {
    Err(ErrorKind::Unsupported.into())
}
