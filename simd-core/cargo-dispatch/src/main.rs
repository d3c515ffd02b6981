//! `cargo dispatch`: what has become of the clones of dispatched functions.

mod audit;
mod ledger;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    what was checked does not hold
  2    failed, or the arguments are wrong";

/// What has become of the clones of dispatched functions
#[derive(Parser)]
#[command(name = "cargo dispatch", bin_name = "cargo dispatch", version, max_term_width = 80, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Audit(audit::Audit),
    Ledger(ledger::Ledger),
}

fn main() -> ExitCode {
    // As a subcommand of cargo the program gets its own name first.
    let named = std::env::args_os().nth(1).is_some_and(|first| first == "dispatch");
    let cli = Cli::parse_from(std::env::args_os().skip(usize::from(named)));
    let result = match cli.command {
        Command::Audit(audit) => audit.run(),
        Command::Ledger(ledger) => ledger.run(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
