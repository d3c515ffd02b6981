//! The program `simd-crypto`: arguments and subcommands.
#![deny(unsafe_code)]

mod demo;
mod exact;
mod explain;
mod failure;
mod files;
mod haraka;
mod interrupt;
mod key;
mod progress;
mod protect;
mod sealed;
mod shamir;
mod shown;
mod standard;

use clap::{Parser, Subcommand};
use failure::{Failure, say};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    failed: a file cannot be read or written, an output exists, a result does not match
  2    the arguments are wrong
  3    a share is damaged, of another set, given twice, or contradicts the others; a sealed file is not authentic
  4    there are fewer shares than the threshold
  130  interrupted; nothing is left of the output
  141  standard output was closed before the end";

/// Shamir's secret sharing, authenticated encryption and Haraka, with the best instructions of this CPU
///
/// An example of the library simd-core, which nobody has audited: keep no secret with it that you cannot afford to lose.
///
/// Secrets come from files and from standard input, never from arguments. Output files appear when they are complete, are
/// readable only by their owner, and replace existing ones only with --force. Symbolic links are neither followed nor replaced.
#[derive(Parser)]
#[command(name = "simd-crypto", version, after_help = EXIT_CODES, arg_required_else_help = true)]
struct Cli {
    /// Print the CPU, its features, and the selected target of each kernel with the reason; on standard error if there is a command
    #[arg(long, global = true)]
    explain: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
    Haraka(haraka::Haraka),
    #[command(subcommand)]
    Shamir(shamir::Shamir),
    Key(key::Key),
    Seal(sealed::Seal),
    Open(sealed::Open),
}

fn main() -> ExitCode {
    protect::harden();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => return say_of_arguments(&said),
    };
    let result = cli.run();
    protect::wipe_stack();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints help that was asked for, or what is wrong with the arguments.
fn say_of_arguments(said: &clap::Error) -> ExitCode {
    if said.use_stderr() || io::stdout().is_terminal() {
        // Where it cannot be written, the exit code tells what happened.
        let _ = said.print();
        return ExitCode::from(if said.use_stderr() { 2 } else { 0 });
    }
    let text = said.render().to_string();
    standard::print_result(text.trim_end()).map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

impl Cli {
    /// Never a part of `main`, so that all its stack can be wiped.
    #[inline(never)]
    fn run(self) -> Result<(), Failure> {
        let Some(command) = self.command else {
            // `--explain` is the only argument that needs none.
            return standard::print_result(&explain::text(explain::KERNELS));
        };
        if self.explain {
            say(format_args!("{}", explain::text(command.kernels())));
        }
        match command {
            Command::Demo(demo) => demo.run(),
            Command::Haraka(haraka) => haraka.run(),
            Command::Shamir(shamir) => shamir.run(),
            Command::Key(key) => key.run(),
            Command::Seal(seal) => seal.run(),
            Command::Open(open) => open.run(),
        }
    }
}

impl Command {
    fn kernels(&self) -> &'static [explain::Kernel] {
        match self {
            Self::Demo(_) => explain::KERNELS,
            Self::Haraka(_) => &[explain::SINGLE, explain::HARAKA512],
            Self::Shamir(_) => &[explain::BYTES, explain::CHACHA20],
            Self::Key(_) | Self::Seal(_) | Self::Open(_) => &[explain::CHACHA20],
        }
    }
}
