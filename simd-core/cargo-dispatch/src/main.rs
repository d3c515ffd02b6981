//! `cargo dispatch`: what has become of the clones of dispatched functions.

mod audit;
mod bench;
mod built;
mod columns;
mod cpu;
mod expand;
mod ledger;
mod report;
mod selection;
mod timing;
mod tune;
mod why;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    what was checked does not hold
  2    failed, or the arguments are wrong";

/// Inspect the clones of dispatched functions
#[derive(Parser)]
#[command(name = "cargo dispatch", bin_name = "cargo dispatch", version, max_term_width = 80, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Audit(audit::Audit),
    Bench(Box<bench::Bench>),
    /// Print the completions for a shell
    #[command(
        after_help = "Example:\n  cargo dispatch completions bash > ~/.local/share/bash-completion/completions/cargo-dispatch"
    )]
    Completions {
        shell: clap_complete::Shell,
    },
    Expand(Box<expand::Expand>),
    Ledger(ledger::Ledger),
    Report(Box<report::Report>),
    Tune(Box<tune::Tune>),
    Why(Box<why::Why>),
}

fn main() -> ExitCode {
    if let Some(code) = expand::wrap().or_else(why::wrap) {
        return code;
    }
    if std::env::args_os().nth(1).is_some_and(|first| first == cpu::PRINT) {
        cpu::print();
        return ExitCode::SUCCESS;
    }
    // As a subcommand of cargo the program gets its own name first.
    let named = std::env::args_os().nth(1).is_some_and(|first| first == "dispatch");
    let cli = Cli::parse_from(std::env::args_os().skip(usize::from(named)));
    let result = match cli.command {
        Command::Audit(audit) => audit.run(),
        Command::Bench(bench) => bench.run(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "cargo-dispatch", &mut script);
            columns::show(String::from_utf8_lossy(&script)).map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
        Command::Expand(expand) => expand.run(),
        Command::Ledger(ledger) => ledger.run(),
        Command::Report(report) => report.run(),
        Command::Tune(tune) => tune.run(),
        Command::Why(why) => why.run(),
    };
    result.unwrap_or_else(|error| {
        columns::say(columns::broken(&format!("error: {error:#}")));
        ExitCode::from(2)
    })
}
