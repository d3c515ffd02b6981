//! LLVM's remarks: why a pass did something to a loop, or did not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use saphyr::{LoadableYamlNode as _, Scalar, Yaml};

/// The passes whose remarks are read, for `-C remark`.
pub(super) const PASSES: &str = "loop-vectorize loop-unroll slp-vectorizer loop-idiom loop-delete";

/// Each remark is a document.
const END: &str = "\n...\n";

/// A place in a source file. In remarks, files of the standard library begin at `library`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    // First, for sets that are searched by them.
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) file: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    /// `Passed`, `Missed` or a kind of `Analysis`.
    pub(super) kind: String,
    pub(super) pass: String,
    /// LLVM's name for what it says.
    pub(super) name: String,
    /// The innermost place: of a call that was inlined, only the callee's.
    pub(super) at: Option<At>,
    pub(super) text: String,
}

/// What the vectoriser says of one loop: the remarks from its first reason to its decision.
#[derive(Clone, Debug)]
pub(super) struct Decision {
    /// The place of the loop, and those of the reasons.
    pub(super) places: Vec<At>,
    pub(super) is_vectorized: bool,
    /// The remarks that give reasons; of a vectorised loop, what else was said.
    pub(super) reasons: Vec<Remark>,
}

impl At {
    /// Whether both are the same place, of which one path may have more directories.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.line == other.line && self.column == other.column && self.is_in(&other.file)
    }

    pub(super) fn is_in(&self, file: &str) -> bool {
        let (long, short) = if self.file.len() > file.len() { (&*self.file, file) } else { (file, &*self.file) };
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || short.starts_with('/'))
    }
}

/// The remarks on each function, by its symbol, as they are written: few of them are parsed.
#[derive(Default)]
pub(super) struct Remarks(BTreeMap<String, String>);

impl Remarks {
    /// Adds those in all files of a directory and of those below it.
    pub(super) fn read(&mut self, directory: &Path) -> Result<()> {
        let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        let mut entries: Vec<_> = entries.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for path in entries.iter().map(fs::DirEntry::path) {
            if path.is_dir() {
                self.read(&path)?;
            } else {
                let text = fs::read(&path).with_context(|| path.display().to_string())?;
                self.add(&String::from_utf8_lossy(&text));
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        for remark in text.split_inclusive(END) {
            let name = remark.lines().find_map(|line| line.strip_prefix("Function:"));
            let name = name.unwrap_or_default().trim().trim_matches(['\'', '"']);
            self.0.entry(name.to_owned()).or_default().push_str(remark);
        }
    }

    pub(super) fn of(&self, function: &str) -> Vec<Remark> {
        self.0.get(function).into_iter().flat_map(|text| text.split_inclusive(END)).filter_map(remark).collect()
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn remark(text: &str) -> Option<Remark> {
    let documents = Yaml::load_from_str(text).ok()?;
    let Yaml::Tagged(tag, document) = documents.first()? else { return None };
    let get = |key: &str| document.as_mapping_get(key).and_then(word);
    let arguments = document.as_mapping_get("Args").and_then(Yaml::as_sequence);
    let parts = arguments.into_iter().flatten().filter_map(|part| word(part.as_mapping()?.values().next()?));
    Some(Remark {
        kind: tag.suffix.clone(),
        pass: get("Pass")?,
        name: get("Name")?,
        at: document.as_mapping_get("DebugLoc").and_then(|place| {
            let number = |key| word(place.as_mapping_get(key)?)?.parse().ok();
            Some(At { file: word(place.as_mapping_get("File")?)?, line: number("Line")?, column: number("Column")? })
        }),
        text: parts.collect(),
    })
}

fn word(node: &Yaml<'_>) -> Option<String> {
    match node {
        Yaml::Value(Scalar::String(text)) => Some(text.to_string()),
        Yaml::Value(Scalar::Integer(number)) => Some(number.to_string()),
        Yaml::Value(Scalar::Boolean(value)) => Some(value.to_string()),
        Yaml::Value(Scalar::Null) => Some(String::new()),
        _ => None,
    }
}

/// What the vectoriser says of each loop of a function, in its order. A decision is its last remark for a loop.
pub(super) fn decisions(remarks: &[Remark]) -> Vec<Decision> {
    let (mut decisions, mut open) = (Vec::new(), Vec::<Remark>::new());
    let mut remarks = remarks.iter().filter(|one| one.pass == "loop-vectorize").peekable();
    while let Some(remark) = remarks.next() {
        let next = remarks.peek().map_or("", |next| next.name.as_str());
        let is_last = match &*remark.name {
            "Vectorized" | "MissedDetails" | "Interleaved" => true,
            "VectorizationNotBeneficial" => next != "InterleavingNotBeneficial",
            "InterleavingNotBeneficial" => remark.kind == "Missed",
            // For these some releases of LLVM write no last remark.
            "PotentiallyFaultingLoadsNotSupported" | "UncountableEarlyExitLoopsDisabled" => next != "MissedDetails",
            _ => false,
        };
        open.push(remark.clone());
        if is_last {
            let is_vectorized = remark.name == "Vectorized";
            let places = open.iter().rev().filter_map(|one| one.at.clone()).collect();
            open.retain(|one| !["MissedDetails", "Vectorized", "InterleavingNotBeneficial"].contains(&&*one.name));
            decisions.push(Decision { places, is_vectorized, reasons: core::mem::take(&mut open) });
        }
    }
    if !open.is_empty() {
        let places = open.iter().rev().filter_map(|one| one.at.clone()).collect();
        decisions.push(Decision { places, is_vectorized: false, reasons: open });
    }
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "--- !AnalysisFPCommute
Pass:            loop-vectorize
Name:            CantReorderFPOps
DebugLoc:        { File: 'src/a b.rs', Line: 86, Column: 9 }
Function:        _RNvC1a4four
Args:
  - String:          'loop not vectorized: '
  - String:          cannot prove it is safe to reorder floating-point operations
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
DebugLoc:        { File: 'library/core/src/iter/range.rs', Line: 772, 
                   Column: 12 }
Function:        _RNvC1a4four
Args:
  - String:          loop not vectorized
...
--- !Passed
Pass:            loop-vectorize
Name:            Vectorized
Function:        _RNvC1a4four
Args:
  - String:          'vectorized loop (vectorization width: '
  - VectorizationFactor: '8'
  - String:          ')'
...
";

    #[test]
    fn remarks_and_decisions() {
        let mut all = Remarks::default();
        all.add(TEXT);
        assert!(all.functions().eq(["_RNvC1a4four"]) && all.of("four").is_empty());
        let remarks = all.of("_RNvC1a4four");
        assert_eq!(remarks.len(), 3);
        let range = At { file: "library/core/src/iter/range.rs".to_owned(), line: 772, column: 12 };
        assert_eq!(remarks[1].at, Some(range.clone()));
        assert_eq!(remarks[2].text, "vectorized loop (vectorization width: 8)");
        let decisions = decisions(&remarks);
        let [missed, vectorized] = &decisions[..] else { panic!("{decisions:?}") };
        assert_eq!((missed.reasons.len(), missed.is_vectorized), (1, false));
        assert_eq!(missed.places[0], range);
        assert!(vectorized.is_vectorized && vectorized.reasons.is_empty());
    }

    #[test]
    fn places_of_which_one_has_more_directories() {
        let place = |file: &str| At { file: file.to_owned(), line: 1, column: 2 };
        assert!(place("/rustc/0/library/core/a.rs").is(&place("library/core/a.rs")));
        assert!(!place("/rustc/0/library/core/ba.rs").is(&place("a.rs")));
        assert!(place("src/a.rs").is(&place("src/a.rs")));
    }
}
