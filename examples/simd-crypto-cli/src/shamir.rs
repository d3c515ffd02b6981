//! `shamir`: splitting of files, putting them together, and looking at shares.
mod combine;
mod forged;
mod inspect;
mod shares;
mod split;

use super::failure::Failure;
use clap::Subcommand;

/// Split a file into shares, or restore it from enough of them (Shamir's secret sharing)
#[derive(Subcommand)]
pub(crate) enum Shamir {
    Split(split::Split),
    Combine(combine::Combine),
    Inspect(inspect::Inspect),
}

impl Shamir {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Split(split) => split.run(),
            Self::Combine(combine) => combine.run(),
            Self::Inspect(inspect) => inspect.run(),
        }
    }
}
