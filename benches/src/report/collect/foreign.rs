//! Peers that are on no registry: programs that the report builds around their sources, for this CPU, and times next to its
//! own.
//!
//! Each is started and asked like a worker of ours. With the argument `list` it prints its cases, the number of
//! operations and the case's name on each line, and ends.

use super::builder::target_directory;
use super::generated::Generated;
use crate::report::facts::{FACTS, Peer};
use anyhow::{Context, Result, ensure};
use benches::case::Case;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where their sources are.
#[derive(Args)]
pub(crate) struct Sources {
    /// The sources of a peer that is on no registry, such as `haraka-c=DIR`: see benches/README.md.
    #[arg(long = "peer", value_name = "NAME=DIR", value_parser = named)]
    peers: Vec<(String, PathBuf)>,
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    let names = || FACTS.peer.iter().map(|peer| peer.name.as_str());
    let (name, directory) = text.split_once('=').unwrap_or((text, ""));
    match Path::new(directory).canonicalize() {
        _ if names().all(|other| other != name) => {
            Err(format!("the peers are {}", names().collect::<Vec<_>>().join(", ")))
        }
        Ok(directory) => Ok((name.to_owned(), directory)),
        Err(error) => Err(format!("{directory:?}: {error}")),
    }
}

/// A case of this program, or of one that was built around another project's sources: the name by which a worker is asked for it, and
/// the meaning of its answers.
pub(crate) struct Work {
    pub(crate) group: String,
    pub(crate) work: String,
    pub(crate) by: String,
    pub(crate) operations: u64,
    pub(crate) bytes: Option<u64>,
}

impl From<&Case> for Work {
    fn from(case: &Case) -> Self {
        let (group, work, by) = (case.group.to_owned(), case.work.clone(), case.by.to_owned());
        Self { group, work, by, operations: case.operations, bytes: case.bytes }
    }
}

impl Work {
    pub(crate) fn id(&self) -> String {
        format!("{}/{}/{}", self.group, self.work, self.by)
    }
}

/// The program, if its sources were given, and a sentence on how it was built, or that it is missing.
pub(crate) fn build(peer: &Peer, sources: &Sources) -> Result<(Option<PathBuf>, String)> {
    let Some((_, source)) = sources.peers.iter().find(|(name, _)| *name == peer.name) else {
        return Ok((None, format!("{} was not timed in this run.", peer.name)));
    };
    let built = match &peer.dependency {
        Some(dependency) => rust(peer, &dependency.replace("{source}", &source.to_string_lossy())),
        None => haraka_c(source),
    };
    let (program, how) = built.with_context(|| format!("building {} in {}", peer.name, source.display()))?;
    Ok((Some(program), format!("{} is built from source, {how}.", peer.name)))
}

/// The cases of a program.
pub(crate) fn cases(program: &Path) -> Result<Vec<Work>> {
    let output = Command::new(program).arg("list").output()?;
    ensure!(output.status.success(), "{} fails: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    let case = |line: &str| {
        let (operations, id) = line.split_once(' ')?;
        let (group, rest) = id.split_once('/')?;
        let (work, by) = rest.split_once('/')?;
        let [group, work, by] = [group, work, by].map(str::to_owned);
        Some(Work { group, work, by, operations: operations.parse().ok()?, bytes: None })
    };
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(|line| case(line).with_context(|| format!("no case: {line}"))).collect()
}

fn haraka_c(source: &Path) -> Result<(PathBuf, String)> {
    let place = target_directory()?;
    fs::create_dir_all(&place)?;
    let (driver, program) = (place.join("haraka_c.c"), place.join("haraka-c"));
    fs::write(&driver, include_str!("foreign/haraka_c.c"))?;
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    // In one translation unit, so that the hashes can be inlined into the loops around them as ours are.
    command.args(["-O3", "-march=native", "-w", "-I"]).arg(source.join("code/c/aesni_optimized"));
    let output = command.arg("-o").arg(&program).arg(&driver).output();
    let output = output.with_context(|| format!("could not start {}", compiler.display()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let version = Command::new(&compiler).arg("--version").output()?;
    let version = String::from_utf8_lossy(&version.stdout).lines().next().unwrap_or_default().to_owned();
    Ok((program, format!("with `-O3 -march=native` by {version}")))
}

/// A program of a crate.
fn rust(peer: &Peer, dependency: &str) -> Result<(PathBuf, String)> {
    let generated = Generated::new(&peer.name, dependency)?;
    let cases = match peer.name.as_str() {
        "horcrux" => include_str!("foreign/horcrux.rs"),
        _ => include_str!("foreign/haraka_rs.rs"),
    };
    generated.write(&format!("{cases}\n{}", include_str!("foreign/serve.rs")))?;
    // Horcrux declares an unstable feature, for its tests.
    let environment = [("RUSTFLAGS", "-C target-cpu=native"), ("RUSTC_BOOTSTRAP", "1")];
    generated.cargo(&["build", "--release"], &environment)?;
    Ok((generated.program(), "with `-C target-cpu=native`".to_owned()))
}
