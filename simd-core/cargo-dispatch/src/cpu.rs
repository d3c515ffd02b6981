//! The features of this CPU, and the clone that it takes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use simd_core::{Status, Targets};
use simd_core_asm::{Architecture, Dispatched, Features, Function, Target};

/// The variable that leaves a program only a target's features.
pub(crate) const ONLY: &str = "SIMD_CORE_ONLY";
/// Those that take features away from it.
const VARIABLES: [&str; 2] = [ONLY, "SIMD_CORE_WITHOUT"];

macro_rules! define_properties {
    ($($family:ident [$($arch:literal)*] [$(($constant:ident $name:literal $bit:literal))*];)*) => {
        /// The properties of CPUs as targets, whose status says why this CPU lacks them.
        fn properties() -> Targets {
            $(
                #[cfg(any($(target_arch = $arch),*))]
                return Targets::new(const {
                    use simd_core::__private::{Listed, feature};
                    &[$(Listed::new($name, feature::$constant)),*]
                });
            )*
            #[cfg(not(any($($(target_arch = $arch),*),*)))]
            Targets::new(&[])
        }
    };
}
simd_core_macros::__table!(properties define_properties);

/// This machine's CPU, as a program on it sees it.
pub(crate) struct Cpu {
    found: BTreeSet<String>,
    /// Those that the environment takes away.
    taken: BTreeSet<String>,
    pub(crate) variables: Vec<String>,
    pub(crate) reads_variables: bool,
}

/// Why a clone runs, or does not.
pub(crate) enum Choice {
    Runs,
    /// One of several runs, which the program's file does not tell.
    Perhaps(Vec<String>),
    /// It runs if its list has none of these better targets, which functions next to it have. If the list has one, that
    /// clone was inlined everywhere.
    Unless(Vec<String>),
    NotNeeded,
    Lacks(Vec<String>),
    Elsewhere,
}

/// The features that a clone asks of a CPU.
#[derive(Clone, PartialEq)]
pub(crate) struct Wanted {
    /// None for the baseline.
    features: Option<Features>,
    properties: Vec<&'static str>,
}

impl Wanted {
    pub(crate) fn of(clone: &Function) -> Self {
        let features = match clone.target() {
            Some(Target::Features(features)) => Some(features),
            _ => None,
        };
        Self { features, properties: clone.properties() }
    }

    pub(crate) fn is_baseline(&self) -> bool {
        self.features.is_none()
    }

    /// The features and properties that no other one implies.
    fn names(&self) -> Vec<&'static str> {
        let mut names = self.features.map_or_else(Vec::new, |features| features.leaves());
        names.extend(&self.properties);
        names
    }

    /// As `SIMD_CORE_ONLY` takes it, or `baseline`.
    pub(crate) fn name(&self) -> String {
        let Some(features) = self.features else { return "baseline".to_owned() };
        features.shortest().iter().chain(&self.properties).copied().collect::<Vec<_>>().join(",")
    }

    /// Whether every CPU that has this has the other, and they are not the same.
    pub(crate) fn implies(&self, other: &Self) -> bool {
        let features = match (self.features, other.features) {
            (Some(own), Some(others)) => own.contains_all(&others),
            (Some(_), None) => true,
            (None, _) => false,
        };
        features && self != other && other.properties.iter().all(|name| self.properties.contains(name))
    }
}

/// The targets of functions in each module or impl, which usually share a list.
pub(crate) struct Lists(BTreeMap<String, Vec<Wanted>>);

impl Lists {
    pub(crate) fn of(functions: &[Dispatched]) -> Self {
        let mut lists: BTreeMap<String, Vec<Wanted>> = BTreeMap::new();
        for function in functions {
            let list = lists.entry(owner(function).to_owned()).or_default();
            for wanted in function.clones().iter().map(Wanted::of) {
                if !list.contains(&wanted) {
                    list.push(wanted);
                }
            }
        }
        Self(lists)
    }
}

/// The module or the impl around a function.
fn owner(function: &Dispatched) -> &str {
    function.path().rsplit_once("::").map_or("", |(owner, _)| owner)
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

    pub(crate) fn lacks(&self, wanted: &Wanted) -> Vec<String> {
        let missing = wanted.names().into_iter().filter(|name| !self.found.contains(*name));
        missing.map(|name| self.reason(name)).collect()
    }

    fn has(&self, wanted: &Wanted) -> bool {
        wanted.names().iter().all(|name| self.found.contains(*name))
    }

    fn reason(&self, name: &str) -> String {
        if self.taken.contains(name) {
            return format!("{name} (taken away by the environment)");
        }
        let property = properties().iter().find(|target| target.name() == name);
        let lacks = property.and_then(|target| match target.status() {
            Status::Lacks(_) => target.status().to_string().split_once(": ").map(|(_, reason)| reason.to_owned()),
            _ => None,
        });
        lacks.map_or_else(|| name.to_owned(), |reason| format!("{name} ({reason})"))
    }

    pub(crate) fn choice(&self, lists: &Lists, function: &Dispatched, clone: &Function) -> Choice {
        if Architecture::of_this_build() != Some(clone.architecture()) {
            return Choice::Elsewhere;
        }
        let wanted = Wanted::of(clone);
        let lacks = self.lacks(&wanted);
        if !lacks.is_empty() {
            return Choice::Lacks(lacks);
        }
        // A target that another one implies stands behind it in every list, so that of those that can run only the
        // greatest matter.
        let here: Vec<Wanted> = function.clones().iter().map(Wanted::of).filter(|one| self.has(one)).collect();
        let is_greatest = |one: &&Wanted| !here.iter().any(|other| other.implies(one));
        let greatest: BTreeSet<String> = here.iter().filter(is_greatest).map(Wanted::name).collect();
        if !greatest.contains(&wanted.name()) {
            return Choice::NotNeeded;
        }
        if greatest.len() > 1 {
            return Choice::Perhaps(greatest.into_iter().collect());
        }
        // Where a better clone has been inlined into all of its callers, the file does not hold it.
        let list = lists.0.get(owner(function)).into_iter().flatten();
        let better: Vec<String> =
            list.filter(|other| other.implies(&wanted) && self.has(other)).map(Wanted::name).collect();
        if better.is_empty() { Choice::Runs } else { Choice::Unless(better) }
    }

    /// The features that are not implied by others, of all that the program finds.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(String::as_str)
    }

    pub(crate) fn taken(&self) -> impl Iterator<Item = &str> {
        self.taken.iter().map(String::as_str)
    }
}

/// The argument for [`print()`].
pub(crate) const PRINT: &str = "--print-features";
