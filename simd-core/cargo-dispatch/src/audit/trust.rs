//! The files that say what an audit takes for granted, and why.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use simd_core_asm::{Allow, Trust};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    #[serde(default)]
    allow: Vec<Function>,
    #[serde(default)]
    test: Vec<Variable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    function: String,
    needs: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variable {
    variable: String,
    reason: String,
}

/// All files together.
#[derive(Default)]
pub(crate) struct Trusted {
    pub(crate) trust: Trust,
    /// The file of each function and of each variable, and whether some program needs it.
    functions: Vec<(PathBuf, bool)>,
    variables: Vec<(PathBuf, bool)>,
}

#[derive(Serialize)]
pub(crate) struct Stale {
    pub(crate) file: PathBuf,
    pub(crate) entry: String,
}

/// Writes an entry for each function, by its path, symbol and needs, to a new file. The reasons are missing.
pub(crate) fn draft<'a>(
    file: &Path,
    findings: impl Iterator<Item = (&'a String, &'a String, &'a Vec<String>)>,
) -> Result<()> {
    let mut all: BTreeMap<&String, Vec<&str>> = BTreeMap::new();
    for (path, symbol, needs) in findings {
        // A pattern of its own.
        all.entry(if path.contains(['*', '(']) { symbol } else { path })
            .or_default()
            .extend(needs.iter().map(String::as_str));
    }
    let mut file = File::create_new(file)?;
    for (function, mut needs) in all {
        needs.sort_unstable();
        needs.dedup();
        write!(file, "[[allow]]\nfunction = {function:?}\nneeds = {:?}\nreason = \"\"\n\n", needs.join(","))?;
    }
    Ok(())
}

impl Trusted {
    pub(crate) fn read(files: &[PathBuf]) -> Result<Self> {
        let mut all = Self::default();
        for file in files {
            all.add(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        }
        Ok(all)
    }

    fn add(&mut self, file: &Path) -> Result<()> {
        let entries: Entries = toml::from_str(&std::fs::read_to_string(file)?)?;
        for Function { function, needs, reason } in entries.allow {
            let needs: Vec<String> =
                needs.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
            if needs.is_empty() || function.is_empty() || reason.trim().is_empty() {
                bail!("`{function}` needs a function, the features that it needs, and a reason");
            }
            self.trust.allow.push(Allow { function, needs });
            self.functions.push((file.to_path_buf(), false));
        }
        for Variable { variable, reason } in entries.test {
            if variable.is_empty() || reason.trim().is_empty() {
                bail!("`{variable}` needs a variable and a reason");
            }
            self.trust.tests.push(variable);
            self.variables.push((file.to_path_buf(), false));
        }
        Ok(())
    }

    pub(crate) fn used(&mut self, audit: &simd_core_asm::Audit) {
        for (all, more) in [(&mut self.functions, &audit.used), (&mut self.variables, &audit.tests)] {
            all.iter_mut().zip(more).for_each(|((_, used), more)| *used |= more);
        }
    }

    pub(crate) fn stale(&self) -> Vec<Stale> {
        let functions = self.trust.allow.iter().map(|allow| &allow.function).zip(&self.functions);
        let variables = self.trust.tests.iter().zip(&self.variables);
        let unused = functions.chain(variables).filter(|(_, (_, used))| !used);
        unused.map(|(entry, (file, _))| Stale { file: file.clone(), entry: entry.clone() }).collect()
    }
}
