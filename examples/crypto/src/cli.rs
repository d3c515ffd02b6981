//! Arguments and subcommands.
//!
//! Exit codes: 0 for success, 1 if the command ran and its answer is bad, 2 if it could not run.
mod demo;

use clap::{Parser, Subcommand};
use core::error::Error;
use std::process::ExitCode;

/// Kernels that run on the best instructions of the CPU at hand
#[derive(Parser)]
#[command(version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
}

impl Cli {
    pub(crate) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self.command {
            Command::Demo(demo) => demo.run(),
        }
    }
}
