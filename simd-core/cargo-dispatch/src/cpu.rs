//! What this CPU has, and which clone it takes.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use simd_core::{Status, Targets, targets};
use simd_core_asm::{Architecture, Binary, Function, Target};

/// The variables that take features away from a program.
const VARIABLES: [&str; 2] = ["SIMD_CORE_ONLY", "SIMD_CORE_WITHOUT"];

/// Targets that lack nothing but their property.
const PROPERTIES: Targets = targets!(
    "x86, x86_64: sse2,fast-pext | x86, x86_64: sse2,fast-512 | x86, x86_64: sse2,fast-gather | x86, x86_64: sse2,fast-compress-store"
);

/// This machine's CPU, as a program on it sees it.
pub(crate) struct Cpu {
    /// What the program finds.
    found: BTreeSet<String>,
    /// What the environment takes away from it.
    taken: BTreeSet<String>,
    /// The variables that are set.
    pub(crate) variables: Vec<String>,
    /// Whether the program reads them.
    pub(crate) reads_variables: bool,
}

/// Why a clone runs, or does not.
pub(crate) enum Choice {
    Runs,
    /// One of several runs, which the program's file does not tell.
    Perhaps(Vec<String>),
    NotNeeded,
    Lacks(Vec<String>),
    /// The code is for another architecture.
    Elsewhere,
}

/// Prints the features, for a process that asks what the CPU has without the variables.
pub(crate) fn print() {
    simd_core::features().names().for_each(|name| println!("{name}"));
}

impl Cpu {
    /// As the program in `file` sees it.
    pub(crate) fn of(file: &Path) -> Result<Self> {
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        let reads_variables = memchr::memmem::find(&bytes, VARIABLES[1].as_bytes()).is_some();
        let variables = VARIABLES.into_iter().filter_map(|name| {
            let value = env::var_os(name)?;
            Some(format!("{name}={}", value.display()))
        });
        let variables: Vec<String> = variables.collect();
        let here: BTreeSet<String> = simd_core::features().names().map(str::to_owned).collect();
        if variables.is_empty() {
            return Ok(Self { found: here, taken: BTreeSet::new(), variables, reads_variables });
        }
        let mut child = Command::new(env::current_exe()?);
        for name in VARIABLES {
            child.env_remove(name);
        }
        let output = child.arg(PRINT).output()?;
        let all: BTreeSet<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        let taken = all.difference(&here).cloned().collect();
        Ok(if reads_variables {
            Self { found: here, taken, variables, reads_variables }
        } else {
            Self { found: all, taken: BTreeSet::new(), variables, reads_variables }
        })
    }

    /// What a clone's target wants that is not here.
    pub(crate) fn lacks(&self, clone: &Function) -> Vec<String> {
        let Some(Target::Features(features)) = clone.target() else { return Vec::new() };
        let mut wanted = features.leaves();
        wanted.extend(clone.properties());
        let missing: Vec<&str> = wanted.into_iter().filter(|name| !self.found.contains(*name)).collect();
        missing.into_iter().map(|name| self.reason(name)).collect()
    }

    /// The feature, and why it is not here.
    fn reason(&self, name: &str) -> String {
        if self.taken.contains(name) {
            return format!("{name} (taken away by the environment)");
        }
        let property = PROPERTIES.iter().find(|target| target.name().split(',').any(|word| word == name));
        let lacks = property.and_then(|target| match target.status() {
            Status::Lacks(_) => target.status().to_string().split_once(": ").map(|(_, reason)| reason.to_owned()),
            _ => None,
        });
        lacks.map_or_else(|| name.to_owned(), |reason| format!("{name} ({reason})"))
    }

    /// What becomes of a clone among all clones of its function.
    pub(crate) fn choice(&self, clones: &[Function], clone: &Function, binary: &Binary) -> Choice {
        if architecture() != Some(binary.architecture()) {
            return Choice::Elsewhere;
        }
        let lacks = self.lacks(clone);
        if !lacks.is_empty() {
            return Choice::Lacks(lacks);
        }
        // A target that another one implies stands behind it in every list, so that of those that can run only the
        // greatest matter.
        let greatest: BTreeSet<String> = clones
            .iter()
            .filter(|one| self.lacks(one).is_empty())
            .filter(|one| !clones.iter().any(|other| self.lacks(other).is_empty() && implies(other, one)))
            .map(target_name)
            .collect();
        if !greatest.contains(&target_name(clone)) {
            Choice::NotNeeded
        } else if greatest.len() == 1 {
            Choice::Runs
        } else {
            Choice::Perhaps(greatest.into_iter().collect())
        }
    }

    /// The features that are not implied by others, of all that the program finds.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(String::as_str)
    }

    /// What the environment takes away.
    pub(crate) fn taken(&self) -> impl Iterator<Item = &str> {
        self.taken.iter().map(String::as_str)
    }
}

/// The argument for [`print()`].
pub(crate) const PRINT: &str = "--print-features";

/// The architecture of this machine's programs.
pub(crate) fn architecture() -> Option<Architecture> {
    match env::consts::ARCH {
        "x86" => Some(Architecture::X86),
        "x86_64" => Some(Architecture::X86_64),
        "aarch64" => Some(Architecture::Aarch64),
        _ => None,
    }
}

/// The target with its properties, as `SIMD_CORE_ONLY` takes it.
pub(crate) fn target_name(clone: &Function) -> String {
    let target = clone.target().map_or_else(String::new, |target| target.to_string());
    core::iter::once(target.as_str()).chain(clone.properties()).collect::<Vec<_>>().join(",")
}

/// Whether every CPU that has `one`'s target has `other`'s, and they are not the same.
pub(crate) fn implies(one: &Function, other: &Function) -> bool {
    if target_name(one) == target_name(other) {
        return false;
    }
    match (one.target(), other.target()) {
        (Some(Target::Features(one_has)), Some(Target::Features(other_has))) => {
            let properties = one.properties();
            one_has.contains_all(&other_has) && other.properties().iter().all(|name| properties.contains(name))
        }
        (Some(Target::Features(_)), _) => true,
        _ => false,
    }
}
