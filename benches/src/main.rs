//! Times simd-core and its kernels against what a user would take instead, and writes down the ratios.
#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "figures of three digits, and lengths in pixels"
)]
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
    /// Times everything for a short while and writes tables and plots.
    ///
    /// Builds this program some times more with other compiler flags or its functions in another order, for AArch64 where the
    /// tools for that are found, and some generated crates. `--build` does that ahead, so that the machine is quiet later.
    Report {
        /// The page to write; the plots go into the directory of the same name next to it, and what does not fit on the page
        /// into a second one, `NAME-details.md`.
        #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md"))]
        out: PathBuf,
        /// The page with marks, between which its tables are written.
        #[arg(long, value_name = "FILE", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))]
        readme: PathBuf,
        /// The same figures as data.
        #[arg(long, value_name = "FILE", conflicts_with = "merge")]
        json: Option<PathBuf>,
        /// Measures nothing, and takes the figures that `--json` has written, of one machine or of several side by side.
        #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["only", "build"])]
        merge: Vec<PathBuf>,
        /// Only the groups whose names contain one of these, or `start`, `call site` or `builds`; the page is printed, not
        /// written. `native` compares these groups with builds for this CPU as well, which take minutes to build.
        #[arg(long, value_name = "TEXT", value_delimiter = ',')]
        only: Vec<String>,
        /// Measures nothing, and builds what the other builds of this program and the peers from source need.
        #[arg(long)]
        build: bool,
        #[command(flatten)]
        sources: report::Sources,
    },
    /// Names all cases.
    List,
    /// Times what its standard input asks for.
    #[command(hide = true)]
    Worker,
}

fn main() -> Result<()> {
    match Arguments::parse().command {
        Command::Report { build: true, only, sources, .. } => report::build(&only, &sources),
        Command::Report { out, readme, json, merge, only, sources, .. } if merge.is_empty() => {
            report::measure(&out, &readme, json.as_deref(), &only, &sources)
        }
        Command::Report { out, readme, merge, .. } => report::merge(&out, &readme, &merge),
        Command::List => {
            for case in benchmarks::cases() {
                println!("{}", case.id());
            }
            Ok(())
        }
        Command::Worker => report::serve(),
    }
}
