//! Times simd-core and its kernels against what a user would take instead, and writes down the ratios.
#![allow(clippy::cast_precision_loss, reason = "figures of three digits")]
#![allow(clippy::type_complexity, reason = "tables of tuples with their types next to them")]

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
    /// Times everything for a short while.
    ///
    /// Builds this program some times more with other compiler flags or its functions in another order, for AArch64 where the
    /// tools for that are found, and some generated crates. `--build` does that ahead, so that the machine is quiet later.
    Measure {
        /// The figures, as JSON; without it, their tables are printed.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Only the groups whose names contain one of these. `native` compares these groups with builds for this CPU as well,
        /// which take minutes to build.
        #[arg(long, value_name = "TEXT", value_delimiter = ',')]
        only: Vec<String>,
        /// Measures nothing, and builds what the other builds of this program and the peers from source need.
        #[arg(long, conflicts_with = "out")]
        build: bool,
        #[command(flatten)]
        sources: report::Sources,
    },
    /// Writes the pages of figures.
    Pages {
        /// The repository's directory: `docs/performance.md` and `tree.svg`, `benches/details.md`, and the tables in `README.md`.
        #[arg(long, value_name = "DIRECTORY", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/.."))]
        to: PathBuf,
        /// Figures that `measure --out` has written, of one machine or of several side by side.
        #[arg(required = true, value_name = "FILE")]
        runs: Vec<PathBuf>,
    },
    /// Names all cases.
    List,
    /// Times what its standard input asks for.
    #[command(hide = true)]
    Worker,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Measure { build: true, only, sources, .. } => report::build(&only, &sources),
        Command::Measure { out, only, sources, .. } => report::measure(out.as_deref(), &only, &sources),
        Command::Pages { to, runs } => report::pages(&to, &runs),
        Command::List => {
            for case in benches::cases() {
                println!("{}", case.id());
            }
            Ok(())
        }
        Command::Worker => report::serve(),
    }
}
