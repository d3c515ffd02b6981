//! Times simd-core and its kernels against what a user would take instead, and writes down the ratios.
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "figures of three digits, and lengths in pixels"
)]
#![allow(clippy::type_complexity, reason = "tables of tuples with their types beside them")]

mod report;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Times everything for a short while and writes tables and plots.
    ///
    /// Builds this program some times more with other compiler flags or its functions in another order, for AArch64 where the
    /// tools for that are found, and some generated crates; takes about a quarter of an hour.
    Report {
        /// The page to write; the plots go into the directory of the same name beside it.
        #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md"))]
        out: PathBuf,
        /// The same figures as data.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// Measures nothing, and takes the figures that `--json` has written.
        #[arg(long, value_name = "FILE", conflicts_with = "only")]
        from: Option<PathBuf>,
        /// Only the groups whose names contain one of these, or `start`, `call site` or `builds`; the page is printed, not
        /// written.
        #[arg(long, value_name = "TEXT", value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Names all cases.
    List,
    /// Times what its standard input asks for.
    #[command(hide = true)]
    Worker,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Report { out, json, from, only } => report::run(&out, json.as_deref(), from.as_deref(), &only),
        Command::List => {
            for case in benchmarks::cases() {
                println!("{}", case.id());
            }
            Ok(())
        }
        Command::Worker => report::serve(),
    }
}
