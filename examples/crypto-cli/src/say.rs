//! Messages on standard error.
use core::fmt;
use std::io::{self, Write};

/// Says something on standard error. Where that cannot be written, nothing is said: the exit code tells what happened.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    // One write for a line, which other programs do not come between.
    let _ = io::stderr().lock().write_all(format!("{message}\n").as_bytes());
}
