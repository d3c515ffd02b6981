//! Messages on standard error, and how commands fail.
use super::shown::Shown;
use core::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Says something on standard error. Where that cannot be written, nothing is said: the exit code tells what happened.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    // One write for a line, which other programs do not come between.
    let _ = io::stderr().lock().write_all(format!("{message}\n").as_bytes());
}

/// More messages than these help nobody.
const MESSAGES: usize = 10;

/// An exit code, and what to say: a sentence each.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    messages: Vec<String>,
}

impl Failure {
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self { code: 1, messages: vec![message.into()] }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: 2, messages: vec![message.into()] }
    }

    /// Shares that cannot be used, or not together, and sealed files that are not authentic.
    pub(crate) fn share(message: impl Into<String>) -> Self {
        Self { code: 3, messages: vec![message.into()] }
    }

    pub(crate) fn too_few_shares(message: impl Into<String>) -> Self {
        Self { code: 4, messages: vec![message.into()] }
    }

    /// The reader of standard output has gone, which is its own business: there is nothing to say.
    fn broken_pipe() -> Self {
        Self { code: 141, messages: Vec::new() }
    }

    pub(crate) fn randomness(error: &impl fmt::Display) -> Self {
        Self::general(format!("the operating system has no randomness to give: {error}"))
    }

    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::io(&Shown(path).to_string(), error)
    }

    pub(crate) fn io(name: &str, error: &io::Error) -> Self {
        Self::general(format!("`{name}`: {error}"))
    }

    pub(crate) fn standard_output(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::broken_pipe(),
            _ => Self::io("standard output", error),
        }
    }

    /// Several failures, if there are any. The first one's exit code counts.
    pub(crate) fn all(failures: Vec<Self>) -> Result<(), Self> {
        let together = failures.into_iter().reduce(|mut all, next| {
            all.messages.extend(next.messages);
            all
        });
        together.map_or(Ok(()), Err)
    }

    pub(crate) fn report(self) -> ExitCode {
        for message in self.messages.iter().take(MESSAGES) {
            say(format_args!("error: {message}"));
        }
        if self.messages.len() > MESSAGES {
            say(format_args!("error: and {} more", self.messages.len() - MESSAGES));
        }
        ExitCode::from(self.code)
    }
}
