//! Counts of instructions of rows, under valgrind: what a change of the macro costs, without the noise of times.
#![allow(clippy::unnecessary_debug_formatting, reason = "paths are written as string literals of TOML and Rust")]

use core::fmt::Write as _;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::subject::{Subject, write};
use crate::times::{self, only};
use crate::{cargo, here, machine, made, output, root};

/// Crates that are counted: they build in seconds.
const CRATES: [&str; 6] = ["adler2", "written/adler2", "whole/blake2", "whole/hex", "whole/kurbo", "whole/siphasher"];
/// Valgrind's CPU has the first.
const TARGETS: [&str; 2] = ["x86-64-v3,aes,pclmulqdq", "baseline"];
/// How much more than before fails.
const MORE: f64 = 1.03;

type Counts = BTreeMap<String, f64>;

/// Counts all rows, and compares with `counts.txt`, or writes it.
pub(crate) fn run(save: bool) -> Result<()> {
    let mut programs = vec![own()?];
    for name in CRATES {
        programs.push(times::program(&Subject::read(name)?)?);
    }
    let mut counts = Counts::new();
    for program in &programs {
        for target in TARGETS {
            counts.extend(count(program, target)?);
        }
    }
    let (file, rustc) = (here().join("counts.txt"), machine::rustc()?);
    if save {
        let mut text = format!("{rustc}\n");
        for (row, count) in &counts {
            writeln!(text, "{row}\t{count:.0}")?;
        }
        return Ok(fs::write(file, text)?);
    }
    let text = fs::read_to_string(&file)?;
    let mut lines = text.lines();
    let of = lines.next().unwrap_or_default();
    if of != rustc {
        bail!("counts.txt is of {of}, and this is {rustc}: count with that, or write the file again with --save");
    }
    let mut faults = String::new();
    for line in lines {
        let (row, before) = line.split_once('\t').context("a line has a row and a count")?;
        let (before, Some(now)) = (before.parse::<f64>()?, counts.remove(row)) else {
            writeln!(faults, "`{row}` is not there any more")?;
            continue;
        };
        if now > before * MORE {
            writeln!(faults, "`{row}` takes {now:.0} instructions, {:.2} times {before:.0}", now / before)?;
        }
    }
    for row in counts.keys() {
        writeln!(faults, "`{row}` is new: --save writes it")?;
    }
    if !faults.is_empty() {
        bail!("{faults}");
    }
    println!("{} rows of counts.txt take at most {MORE} times their instructions", text.lines().count() - 1);
    Ok(())
}

/// The instructions of a call of each row of `program`, which are given to callgrind's files by requests.
fn count(program: &Path, target: &str) -> Result<Counts> {
    let directory = made("counts");
    if directory.exists() {
        fs::remove_dir_all(&directory)?;
    }
    fs::create_dir_all(&directory)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", directory.join("out").display()));
    output(valgrind.arg(program).arg("count").env("SIMD_CORE_ONLY", only(target)))?;
    let mut counts = Counts::new();
    let name = program.file_name().unwrap_or_default().to_string_lossy().replace("bench-", "");
    for file in fs::read_dir(&directory)? {
        let text = fs::read_to_string(file?.path())?;
        let after = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
        let Some(request) = after("desc: Trigger: Client Request: ") else { continue };
        let (calls, row) = request.split_once('\t').context("a request has a number of calls and a row")?;
        let all = after("totals: ").or_else(|| after("summary: ")).context("callgrind counts")?;
        let row = row.trim_end_matches("/simd-core");
        let target = target.split(',').next().unwrap_or_default();
        counts.insert(format!("{name}: {row}: {target}"), all.trim().parse::<f64>()? / calls.parse::<f64>()?);
    }
    if counts.is_empty() {
        bail!("valgrind has counted nothing of {}", program.display());
    }
    Ok(counts)
}

fn own() -> Result<PathBuf> {
    let directory = made("own");
    let path = |name: &str| root().join(name);
    let manifest = format!(
        "[package]\nname = \"own\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         simd-core = {{ path = {:?}, features = [\"testing\"] }}\nsimd-crypto = {{ path = {:?} }}\n\
         zerocopy = {{ version = \"0.8.63\", default-features = false, features = [\"simd\"] }}\n",
        path("simd-core"),
        path("examples/simd-crypto")
    );
    write(&directory.join("Cargo.toml"), &manifest)?;
    let benches = root().join("benches");
    let module = |name: &str, file: &str| format!("#[path = {:?}]\nmod {name};\n", benches.join(file));
    // The loops without the forms for peers.
    let mut main = "#![allow(dead_code, unused)]\n".to_owned() + &module("case", "src/case.rs");
    main += &module("counting", "published/bench/counting.rs");
    main += &module("own", "published/own.rs");
    main += &module("strategies", "src/cases/strategies.rs");
    main += OWN;
    for name in
        ["base64", "bits", "blur", "crc", "fft", "floats", "grey", "hex", "histogram", "matrix", "search", "utf8"]
    {
        let file = benches.join(format!("src/ordinary/{name}.rs"));
        writeln!(main, "    #[path = {file:?}]\n    pub mod {name};")?;
    }
    write(&directory.join("src/main.rs"), &(main + "}\n"))?;
    output(cargo(&directory).args(["build", "--release", "--quiet"]))?;
    Ok(made("target/release").join("own"))
}

const OWN: &str = r#"
fn main() {
    let mut cases = Vec::new();
    own::add(&mut cases);
    strategies::add(&mut cases);
    for case in cases {
        let mut run = case.prepare();
        counting::count(&case.id(), 3, |calls| drop(run(calls)));
    }
}

macro_rules! twice {
    ($($items:tt)*) => {
        #[simd_core::dispatch(targets = crate::ordinary::levels)]
        pub mod annotated {
            use super::*;
            $($items)*
        }
    };
}
macro_rules! with_peers {
    ($($items:tt)*) => { twice! { $($items)* } };
}
mod ordinary {
    simd_core::target_list! {
        /// As in the report.
        pub levels = "x86-64-v4 | x86-64-v3 | x86-64-v2"
    }
"#;
