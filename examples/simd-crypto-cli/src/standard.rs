//! Standard input and output, without the buffers of the standard library, which would keep secrets.
use super::failure::Failure;
use core::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::fs::File;
use std::io::{self, Read, Write};

/// Why standard input or output is refused, which the standard library takes for `/dev/null`.
const CLOSED: &str = "it is closed";

pub(crate) fn input() -> Result<Box<dyn Read>, Failure> {
    if INPUT_IS_CLOSED.load(Ordering::Relaxed) {
        return Err(Failure::io("standard input", &io::Error::other(CLOSED)));
    }
    #[cfg(unix)]
    if let Ok(input) = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned() {
        return Ok(Box::new(File::from(input)));
    }
    Ok(Box::new(io::stdin()))
}

pub(crate) fn output() -> Result<Box<dyn Write>, Failure> {
    open().map_err(|error| Failure::standard_output(&error))
}

fn open() -> io::Result<Box<dyn Write>> {
    if OUTPUT_IS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other(CLOSED));
    }
    #[cfg(unix)]
    if let Ok(output) = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned() {
        return Ok(Box::new(File::from(output)));
    }
    Ok(Box::new(io::stdout()))
}

/// Prints a line or several.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut output = open()?;
    output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush())
}

/// Prints what the command was asked for.
pub(crate) fn print_result(text: &str) -> Result<(), Failure> {
    print(text).map_err(|error| Failure::standard_output(&error))
}

/// Which of the two were closed when the program was started. The standard library opens `/dev/null` in their places before
/// `main`, which nobody can tell from one that was given.
static INPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[ctor::ctor(unsafe)]
fn look() {
    INPUT_IS_CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdin()).is_err(), Ordering::Relaxed);
    OUTPUT_IS_CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
}
