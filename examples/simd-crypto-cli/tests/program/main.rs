//! The program as its users see it: files, exit codes, messages.
#![cfg(not(target_family = "wasm"))] // No program starts another one there.

mod damage;
mod other;
mod refusals;
mod sealed;
mod shamir;
#[cfg(unix)]
mod stopped;
#[cfg(unix)]
mod streams;
mod text;
#[cfg(unix)]
mod trees;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The program, under the emulator that cargo runs this one with.
fn program() -> Vec<String> {
    let arch = match std::env::consts::ARCH {
        "x86" => "i",
        arch => arch,
    };
    let prefix = format!("CARGO_TARGET_{}", arch.to_uppercase());
    let mut runners = std::env::vars().filter(|(name, _)| name.starts_with(&prefix) && name.ends_with("_RUNNER"));
    let runner = runners.next().map(|(_, runner)| runner).unwrap_or_default();
    runner.split_whitespace().chain([env!("CARGO_BIN_EXE_simd-crypto")]).map(str::to_owned).collect()
}

/// Whether the program is emulated, and cannot start itself.
fn is_emulated() -> bool {
    program().len() > 1
}

#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    /// Checks that it has done what it should, without a word, and returns what it has printed.
    #[track_caller]
    fn done(self) -> Vec<u8> {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        self.out
    }

    /// Checks that it has failed with this code, and one message for each of these words.
    #[track_caller]
    fn failed(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.err);
        for words in words {
            assert!(self.err.contains(words), "`{words}` is not in: {}", self.err);
        }
        assert!(self.err.starts_with("error: ") && self.err.ends_with('\n'), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names in a directory, hidden ones too.
    fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(directory)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with arguments, which are separated by white space.
    fn command(&self, arguments: &str) -> Command {
        let program = program();
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).args(arguments.split_whitespace()).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        finish(&mut self.command(arguments), &[])
    }

    fn run_with(&self, arguments: &str, input: &[u8]) -> Ran {
        finish(self.command(arguments).stdin(Stdio::piped()), input)
    }

    /// A command that reads, and whose input does not end.
    fn reading(&self, arguments: &str) -> Child {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        // More than a pipe holds, so that some of it has been read when this returns.
        child.stdin.as_mut().unwrap().write_all(&bytes(2_000_000)).unwrap();
        child
    }

    /// Runs a script of a shell, whose arguments are the program.
    #[cfg(unix)]
    fn shell(&self, script: &str) -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).args(program()).current_dir(self.0.path());
        finish(shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()), &[])
    }
}

fn finish(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().unwrap();
    let output = std::thread::scope(|scope| {
        if let Some(mut stdin) = child.stdin.take() {
            // A program that fails early does not read all of it.
            scope.spawn(move || drop(stdin.write_all(input)));
        }
        child.wait_with_output().unwrap()
    });
    Ran { code: output.status.code(), out: output.stdout, err: String::from_utf8(output.stderr).unwrap() }
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256) as u8).collect()
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777
}
