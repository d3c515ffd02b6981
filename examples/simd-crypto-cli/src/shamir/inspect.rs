//! `shamir inspect`.
use super::shares::Opened;
use crate::failure::Failure;
use crate::files::{Content, Request};
use crate::protect;
use crate::standard;
use clap::Args;
use std::path::{Path, PathBuf};

/// Say what shares are, and whether they are whole
///
/// Prints the point, the set, the number of shares that are needed and the length of each share. Every digest and check value is
/// compared. Nothing of the secret is shown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  simd-crypto shamir inspect shares/*")]
pub(crate) struct Inspect {
    /// Files with shares; `-` is standard input
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
}

impl Inspect {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let inputs = self.shares.iter().map(PathBuf::as_path).collect();
        Request { inputs, output: Path::new("-"), content: Content::Any, force: false }.check()?;
        let mut piece = protect::buffer(1 << 15);
        let (mut lines, mut failures) = (Vec::new(), Vec::new());
        for path in &self.shares {
            match Opened::open(core::slice::from_ref(path)) {
                Err(failure) => failures.push(failure),
                Ok(opened) => {
                    for mut share in opened.shares {
                        let length = share.rest(&mut piece);
                        match length {
                            Ok(length) => lines.push(format!("{}: {}", share.name, share.describe(length))),
                            Err(failure) => failures.push(failure),
                        }
                    }
                }
            }
        }
        if !lines.is_empty() {
            standard::print_result(&lines.join("\n"))?;
        }
        Failure::all(failures)
    }
}
