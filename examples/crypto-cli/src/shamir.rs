//! `shamir`: splitting of files, and putting them together.
mod combine;
pub(crate) mod journal;
mod shares;
mod split;
mod staging;

use super::failure::Failure;
use clap::Subcommand;

/// Split a file into shares, or restore it from enough of them (Shamir's secret sharing)
#[derive(Subcommand)]
pub(crate) enum Shamir {
    Split(split::Split),
    Combine(combine::Combine),
}

impl Shamir {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Split(split) => split.run(),
            Self::Combine(combine) => combine.run(),
        }
    }
}
