//! Messages on standard error, and lists on standard output.
use super::failure::Failure;
use core::fmt;
use std::io::{self, Write};

/// Says something on standard error. Where that cannot be written, nothing is said: the exit code tells what happened.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    // One write for a line, which other programs do not come between.
    let _ = io::stderr().lock().write_all(format!("{message}\n").as_bytes());
}

/// Prints a line or several on standard output.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}").and_then(|()| output.flush())
}

/// Prints what the command was asked for.
pub(crate) fn print_result(text: &str) -> Result<(), Failure> {
    print(text).map_err(|error| Failure::standard_output(&error))
}
