//! `recover`: what a run that was killed has left behind.
use crate::failure::Failure;
use crate::files::lock::Lock;
use crate::files::temporary;
use crate::say;
use crate::shamir::journal::{Journal, Problem};
use crate::shown::Shown;
use clap::Args;
use std::path::PathBuf;

/// Complete or remove the files that a killed run has left in a directory
///
/// If all new shares were written, they are renamed to their final names, and replace older ones if --force was given. Otherwise they
/// are removed, and older shares stay as they are. Temporary files of other commands are removed. Prints each action.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto recover shares")]
pub(crate) struct Recover {
    /// The directory: where the shares go, or where the output does
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Recover {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let directory = &self.directory;
        let shown = Shown(directory);
        if !directory.is_dir() {
            return Err(Failure::general(format!("`{shown}` is no directory")));
        }
        let _lock = Lock::take(directory)?;
        let mut done = Vec::new();
        let journal = Journal::of(directory);
        if journal.exists() {
            // Whoever stops this can do it again.
            let recover = || {
                let ready = journal.is_ready()?;
                if ready { journal.forward().and_then(|()| journal.clear()) } else { journal.discard() }.map(|()| ready)
            };
            let ready = recover().map_err(|problem: Problem| {
                Failure::general(if problem.is_existing_file() {
                    format!("`{}` is in the way of a new share: move it away, and try again", Shown(problem.path()))
                } else {
                    problem.to_string()
                })
            })?;
            done.push(if ready {
                format!("{shown}: finished a split: all new shares are in their places")
            } else {
                format!("{shown}: removed a split that was not finished; other shares are as they were")
            });
        }
        for path in temporary::left_in(directory).map_err(|error| Failure::file(directory, &error))? {
            std::fs::remove_file(&path).map_err(|error| Failure::file(&path, &error))?;
            done.push(format!("{}: removed", Shown(&path)));
        }
        if done.is_empty() {
            done.push(format!("{shown}: nothing is left behind"));
        }
        say::print_result(&done.join("\n"))
    }
}
