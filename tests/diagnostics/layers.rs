//! Modules stand in layers: each uses those that its parent declares in an earlier group of `mod` lines, and no two
//! files use each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The files of a tree of modules by their paths, `["values", "x86"]`; the one that declares the rest has none.
type Files = BTreeMap<Vec<String>, String>;

#[test]
fn the_assertions_on_machine_code() {
    check("../simd-core/simd-core-asm/src", "lib.rs", &[]);
}

#[test]
fn the_macros() {
    check("../multiversion-macros/src", "lib.rs", &[]);
}

#[test]
fn the_kernels() {
    check("../examples/simd-crypto/src", "lib.rs", &[]);
}

#[test]
fn the_report_of_the_benchmarks() {
    check("../benches/src", "report.rs", &["report"]);
}

/// In the other crates modules need no order, but no circle is among them. A file may use what the module has that it is a part of.
#[test]
fn no_crate_has_a_circle() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).unwrap();
    let members = manifest.split_once("members = [").unwrap().1.split(']').next().unwrap();
    let members = members.split(',').map(|member| member.trim().trim_matches('"')).filter(|member| !member.is_empty());
    let sources = members.map(|member| workspace.join(member).join("src")).filter(|source| source.is_dir());
    let mut faults = Vec::new();
    for source in sources {
        let mut files = Files::new();
        read(&source, &mut Vec::new(), &mut files);
        files.insert(Vec::new(), String::new());
        let mut uses = uses(&files, &[]);
        uses.iter_mut().for_each(|(from, all)| all.retain(|to| !from.starts_with(to)));
        faults.extend(circles(&uses).into_iter().map(|circle| format!("{}: {circle}", source.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[track_caller]
fn check(directory: &str, root: &str, above: &[&str]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut files = Files::new();
    let modules = if above.is_empty() { directory.clone() } else { directory.join(above.join("/")) };
    read(&modules, &mut Vec::new(), &mut files);
    files.insert(Vec::new(), fs::read_to_string(directory.join(root)).unwrap());
    let faults = faults(&files, above);
    assert!(files.len() > 10 && faults.is_empty(), "in {}:\n{}", directory.display(), faults.join("\n"));
}

fn read(directory: &Path, above: &mut Vec<String>, files: &mut Files) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        above.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        if ["lib", "main", "tests"].contains(&above.last().unwrap().as_str()) {
        } else if path.is_dir() {
            read(&path, above, files);
        } else {
            files.insert(above.clone(), fs::read_to_string(&path).unwrap());
        }
        above.pop();
    }
}

/// The faults in the layers. `above` is the path in the crate of the module that declares the rest.
fn faults(files: &Files, above: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let layers = layers(&files[&Vec::new()]);
    let layer = |name: &str| layers.get(name).copied().unwrap_or(usize::MAX);
    let mut uses = uses(files, above);
    for (from, all) in &uses {
        for to in all {
            if to.is_empty() {
                faults.push(format!("{} names what is of no layer", from.join("::")));
            } else if to[0] != from[0] && layer(&to[0]) >= layer(&from[0]) {
                faults.push(format!("{} uses {}, which is not below it", from.join("::"), to.join("::")));
            }
        }
    }
    // Between modules the order of the layers leaves no circle; within one, a file and those below it could make one.
    uses.values_mut().for_each(|all| all.retain(|to| !to.is_empty()));
    faults.extend(circles(&uses));
    faults
}

type Uses = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// The files that each file names, of which the root's path is empty.
fn uses(files: &Files, above: &[&str]) -> Uses {
    let mut uses = Uses::new();
    for (from, text) in files.iter().filter(|(from, _)| !from.is_empty()) {
        let children = layers_of_children(text);
        for path in paths(&code(text)) {
            let Some(to) = resolve(&path, from, above, &children) else { continue };
            let file = (0..=to.len()).rev().map(|n| to[..n].to_vec()).find(|path| files.contains_key(path));
            if let Some(file) = file.filter(|file| file != from) {
                uses.entry(from.clone()).or_default().insert(file);
            }
        }
    }
    uses
}

/// The pairs of files of which each leads to the other.
fn circles(uses: &Uses) -> Vec<String> {
    let pairs = uses.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)));
    let circles = pairs.filter(|(from, to)| from < to && reaches(uses, to, from));
    circles.map(|(from, to)| format!("{} and {} use each other", from.join("::"), to.join("::"))).collect()
}

fn reaches(uses: &Uses, from: &Vec<String>, wanted: &Vec<String>) -> bool {
    let (mut open, mut seen) = (vec![from], Vec::new());
    while let Some(file) = open.pop() {
        if file == wanted {
            return true;
        }
        if !seen.contains(&file) {
            seen.push(file);
            open.extend(uses.get(file).into_iter().flatten());
        }
    }
    false
}

/// The number of the group in which each module is declared.
fn layers(text: &str) -> BTreeMap<String, usize> {
    let mut layers = BTreeMap::new();
    let mut group = 0;
    for line in text.lines() {
        match declared(line) {
            Some(name) => _ = layers.insert(name.to_owned(), group),
            None if line.starts_with("#[") => {}
            None => group += 1,
        }
    }
    layers
}

fn layers_of_children(text: &str) -> Vec<String> {
    text.lines().filter_map(declared).map(str::to_owned).collect()
}

fn declared(line: &str) -> Option<&str> {
    line.trim_start_matches("pub(crate) ").trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';')
}

/// A file without its comments and without its tests, which may use anything.
fn code(text: &str) -> String {
    let text = text.split("\nmod tests").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// All paths of a text, with the braces of `use` written out.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    for c in code.chars() {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        match words.last_mut() {
            Some(word) if in_word(c) && word.ends_with(in_word) || c == ':' && word == ":" => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words.retain(|word| !word.trim().is_empty());
    let mut out = Vec::new();
    // The prefixes of the braces that are open, and whether they are those of a module; and the path that is being read.
    let (mut open, mut path): (Vec<(Vec<String>, bool)>, Vec<String>) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let joined = at > 0 && words[at - 1] == "::";
        if is_name && !joined {
            path.clear();
        }
        match word.as_str() {
            "::" => continue,
            "{" if joined => open.push((core::mem::take(&mut path), false)),
            "{" => open.push((Vec::new(), at > 1 && words[at - 2] == "mod")),
            "}" => _ = open.pop(),
            // A module in the file itself is no module of the tree.
            "super" if open.iter().filter(|(_, is_module)| *is_module).count() > path.len() => {
                path.push("self".to_owned());
                continue;
            }
            "*" if joined => {
                path.push(word.clone());
                out.push(core::mem::take(&mut path));
            }
            _ if is_name && joined => path.push(word.clone()),
            _ if is_name => {
                path = open.last().map(|(prefix, _)| prefix.clone()).unwrap_or_default();
                // `pub(in path)` uses nothing.
                path.extend(words[..at].ends_with(&["(".to_owned(), "in".to_owned()]).then(|| "in".to_owned()));
                path.push(word.clone());
            }
            _ => continue,
        }
        if is_name && words.get(at + 1).is_none_or(|next| next != "::") {
            out.push(core::mem::take(&mut path));
        }
    }
    // Not the `crate` of `pub(crate)`.
    out.retain(|path| !matches!(&path[..], [word] if word == "crate" || word == "super" || word == "self"));
    out
}

/// The path from the root of the modules, if it is one of theirs.
fn resolve(path: &[String], from: &[String], above: &[&str], children: &[String]) -> Option<Vec<String>> {
    match path[0].as_str() {
        "crate" => {
            path[1..].iter().zip(above).all(|(a, b)| a == b).then(|| path.get(1 + above.len()..))?.map(<[_]>::to_vec)
        }
        "super" | "self" => {
            let ups = path.iter().filter(|word| *word == "super").count();
            let kept = from.len().checked_sub(ups)?;
            let rest = path.iter().filter(|word| !["super", "self"].contains(&word.as_str()));
            Some(from[..kept].iter().chain(rest).cloned().collect())
        }
        first if path.len() > 1 && children.iter().any(|child| child == first) => {
            Some(from.iter().chain(path).cloned().collect())
        }
        _ => None,
    }
}

#[test]
fn what_breaks_the_layers_is_found() {
    let files = |texts: &[(&str, &str)]| -> Files {
        texts
            .iter()
            .map(|(path, text)| (path.split_terminator('/').map(str::to_owned).collect(), (*text).to_owned()))
            .collect()
    };
    let root =
        ("", "//! A crate.\nmod low;\n\n#[cfg(unix)]\nmod mid;\nmod sideways;\n\nmod high;\n\npub use low::Low;\n");
    let right: &[(&str, &str)] = &[
        root,
        ("low", "pub(crate) struct Low;\n#[cfg(test)]\nmod tests {\n use crate::high::High;\n}\n"),
        ("mid", "use crate::low::{self, Low};\n"),
        ("sideways", "mod part;\nfn f() { part::g() }\n"),
        (
            "sideways/part",
            "/// See [`High`](crate::high::High).\nuse std::low;\npub(super) fn g() { crate::low::h() }\n",
        ),
        (
            "high",
            "use crate::{mid::{Mid, x}, sideways};\nmod inner {\n use super::x;\n pub(in crate::high) fn f() {}\n}\n",
        ),
    ];
    assert_eq!(faults(&files(right), &[]), Vec::<String>::new());
    for (file, text, fault) in [
        ("low", "use crate::{high::High};", "low uses high, which is not below it"),
        ("mid", "fn f() { crate::sideways::f() }", "mid uses sideways, which is not below it"),
        ("mid", "use crate::Low;", "mid names what is of no layer"),
        ("sideways/part", "use super::f;", "sideways and sideways::part use each other"),
        ("sideways/part", "use super::super::high::*;", "sideways::part uses high, which is not below it"),
        ("sideways/part", "mod inner { use super::super::f; }", "sideways and sideways::part use each other"),
    ] {
        let mut wrong = files(right);
        wrong.insert(file.split('/').map(str::to_owned).collect(), text.to_owned());
        let found = faults(&wrong, &[]);
        assert!(found.iter().any(|found| found == fault), "{file}: {text}: {found:?}");
    }
}
