//! `cargo dispatch`: what has become of the clones of dispatched functions.
use std::process::ExitCode;

mod ledger;

const USAGE: &str = "\
usage: cargo dispatch ledger DIR... [--require-all]

  ledger    merges what test runs with `--cfg simd_core_ledger` and SIMD_CORE_LEDGER=DIR have left in the directories,
            on one machine or on several, and lists the clones that never ran

options:
  --require-all    fail if a clone never ran
";

fn main() -> ExitCode {
    // As a subcommand of cargo the program gets its own name first.
    let mut arguments = std::env::args().skip(1).peekable();
    arguments.next_if(|first| first == "dispatch");
    let arguments: Vec<String> = arguments.collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        ["ledger", ref rest @ ..] => ledger::run(rest),
        _ => misuse("expected a command"),
    }
}

fn misuse(message: &str) -> ExitCode {
    eprint!("error: {message}\n\n{USAGE}");
    ExitCode::from(2)
}
