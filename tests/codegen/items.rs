//! Random programs, each held against itself without the attribute, compiled with the features of each clone.
//!
//! "A clone is the plain program, compiled with the clone's features." So every program is compiled with the attribute and run for every
//! target, and compiled without it for every target with `-C target-feature`. What rustc accepts without the attribute for all targets has to
//! be accepted with it, by a check and by builds at every level, and what it refuses for one of them refused. Programs that step outside of
//! the rules on purpose have to be refused with the message that the reference of `dispatch` gives.
//!
//! `SIMD_CORE_ITEMS_ROUNDS` is the number of programs; a plain run has few. `SIMD_CORE_ITEMS_SEED` starts at another program.

mod body;
mod cases;
mod generate;
mod module;
pub(super) mod rustc;
mod scope;

use super::outcome::{Outcome, number, side_by_side};
use generate::{Entry, LISTS, Program, Unit};
use integration_tests::{asks_for_all, has_compiler, skip};
use rustc::{Features, Rustc};

const UNITS: usize = 5;

/// Of the units, rustc accepts some without the attribute for all targets, and with it. Others it accepts for none of the targets, or for
/// a part of them, and not with the attribute.
type Counts = Outcome<5>;

fn counts() -> Counts {
    Outcome::new(["programs", "modules", "accepted", "refused as without the attribute", "results"])
}

/// Compares all modules of a program, or each by itself.
fn check(counts: &Counts, seed: u64, program: &Program, rustc: &Rustc) {
    counts.add("programs", 1);
    counts.add("modules", program.units.len());
    let all: Vec<usize> = (0..program.units.len()).collect();
    if together(counts, seed, program, &all, rustc).is_ok() {
        return;
    }
    // One that is refused hides the others.
    for unit in all {
        if let Err(error) = together(counts, seed, program, &[unit], rustc) {
            counts.fail(error);
        }
    }
}

/// Compares some modules of a program.
fn together(counts: &Counts, seed: u64, program: &Program, units: &[usize], rustc: &Rustc) -> Result<(), String> {
    let source = program.source(units);
    let name = format!(
        "seed {seed}, modules {units:?}, edition {}, build {:?}, lists {:?}",
        program.edition, program.build, program.lists
    );
    let key = format!("{seed}-{}", units.iter().map(usize::to_string).collect::<String>());
    let build = rustc.closure(program.build);
    // The plain programs, for each target of both lists and for none.
    let mut sets: Vec<Features> = vec![build.clone()];
    for target in program.lists.iter().flatten() {
        let set = rustc.closure(&target.split(',').chain(program.build.iter().copied()).collect::<Vec<_>>());
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let mut plain = Vec::new();
    let mut plain_error = None;
    for (at, set) in sets.iter().enumerate() {
        let own: Vec<&str> = set.iter().map(String::as_str).collect();
        match rustc.plain(&format!("{key}-plain{at}"), &source, program.edition, &build, &own) {
            Ok(lines) => plain.push(lines),
            Err(error) => {
                plain_error = Some(error);
                break;
            }
        }
    }
    // A build at one level, and at several for a part of the programs.
    let levels: &[&str] =
        [&["check", "0", "1", "3"][..], &["check", "2"], &["check", "0"], &["check", "1"]][seed as usize % 4];
    let mut compiled = Vec::new();
    for level in levels {
        compiled
            .push((level, rustc.annotated(&format!("{key}-{level}"), &source, program.edition, program.build, level)));
    }
    let accepted = compiled.iter().filter(|(_, result)| result.is_ok()).count();
    if accepted != 0 && accepted != compiled.len() {
        let (level, error) =
            compiled.iter().find_map(|(level, result)| Some((level, result.as_ref().err()?))).expect("one");
        return Err(format!("{name}: only a part of check and builds accepts; not {level}:\n{error}"));
    }
    match (plain_error, accepted) {
        (Some(_), 0) => {
            if units.len() == 1 {
                counts.add("refused as without the attribute", 1);
                return Ok(());
            }
            return Err(String::new());
        }
        // What rustc refuses with these features may be a function of a list without them.
        (Some(_), _) if units.len() == 1 && !concerns(program, units, &sets[plain.len()], rustc) => {
            counts.add("refused as without the attribute", 1);
            return Ok(());
        }
        (Some(error), _) => return Err(format!("{name}: accepted, but not without the attribute:\n{error}")),
        (None, 0) => {
            let error = compiled[0].1.as_ref().err().map_or("", String::as_str);
            return Err(format!("{name}: refused, but not without the attribute:\n{error}"));
        }
        (None, _) => {}
    }
    counts.add("accepted", units.len());
    // What the build enables, every CPU that runs it has.
    let limited = |target: &str| target.split(',').chain(program.build.iter().copied()).collect::<Vec<_>>().join(",");
    let limits = program.lists.iter().flatten().copied().chain([""]).map(|target| Some(limited(target)));
    for limit in limits.chain([None]) {
        let limit = limit.as_deref();
        let available = rustc.available(limit, program.build);
        let chosen = program.lists.each_ref().map(|list| {
            let target =
                list.iter().find(|target| rustc.closure(&target.split(',').collect::<Vec<_>>()).is_subset(&available));
            let names: Vec<&str> =
                target.iter().flat_map(|target| target.split(',')).chain(program.build.iter().copied()).collect();
            let set = rustc.closure(&names);
            sets.iter().position(|other| *other == set).expect("a set")
        });
        let lists: Vec<usize> =
            units.iter().flat_map(|&unit| program.units[unit].entries.iter().map(|entry| entry.list)).collect();
        for (level, path) in compiled.iter().skip(1) {
            let path = path.as_ref().expect("accepted");
            let lines = rustc
                .run(path, limit)
                .map_err(|error| format!("{name}: SIMD_CORE_ONLY={limit:?}, level {level}: {error}"))?;
            for (at, list) in lists.iter().enumerate() {
                counts.add("results", 1);
                let wanted = &plain[chosen[*list]][at];
                if lines.get(at) != Some(wanted) {
                    return Err(format!(
                        "{name}: SIMD_CORE_ONLY={limit:?}, level {level}, features {:?}: without the attribute `{wanted}`, with it `{}`\n{}",
                        sets[chosen[*list]],
                        lines.get(at).map_or("", String::as_str),
                        rustc.place(&key),
                    ));
                }
            }
        }
    }
    rustc.clean(&key);
    Ok(())
}

/// Whether all entries of these modules have a clone with the features of `set`, or a baseline: then what rustc refuses with them is
/// refused with the attribute.
fn concerns(program: &Program, units: &[usize], set: &Features, rustc: &Rustc) -> bool {
    units.iter().flat_map(|&unit| &program.units[unit].entries).all(|entry| {
        program.lists[entry.list].iter().copied().chain([""]).any(|target| {
            let names = target.split(',').filter(|name| !name.is_empty());
            rustc.closure(&names.chain(program.build.iter().copied()).collect::<Vec<_>>()) == *set
        })
    })
}

/// The compiler, where the programs can be compiled.
pub(super) fn compiler(directory: &str) -> Option<Rustc> {
    if has_compiler() && cfg!(target_arch = "x86_64") {
        return Some(Rustc::new(directory));
    }
    skip("the programs take a compiler and name features of x86_64");
    None
}

#[test]
fn clones_are_the_plain_program() {
    let Some(rustc) = compiler("items") else { return };
    assert!(LISTS.iter().flat_map(|list| list.iter()).any(|target| rustc.has(target)));
    let rounds = number("SIMD_CORE_ITEMS_ROUNDS", if asks_for_all() { 16 } else { 2 });
    let first = number("SIMD_CORE_ITEMS_SEED", 1);
    let counts = counts();
    side_by_side(rounds, |round| {
        let seed = first + round;
        check(&counts, seed, &generate::program(seed, UNITS, &|target| rustc.has(target)), &rustc);
        if round % 25 == 24 {
            counts.report();
        }
    });
    let [accepted, all] = ["accepted", "modules"].map(|name| counts.get(name));
    counts.finish();
    assert!(accepted * 2 > all, "too few programs are accepted: {accepted} of {all}");
}

/// A program of modules that are written by hand.
fn written(sources: &[&str], edition: &'static str, build: &'static [&'static str]) -> Program {
    let attr = "#[cfg_attr(d, simd_core::dispatch(targets = \"avx2 | sse4.1\"))]";
    let units = sources.iter().map(|source| Unit {
        source: source.replace("DISPATCH", attr).replace("WIDE", "target_feature = \"avx2\""),
        entries: vec![Entry { name: "go".to_owned(), call: "go()".to_owned(), list: 0 }],
    });
    Program { edition, build, lists: [vec!["avx2", "sse4.1"], Vec::new()], units: units.collect() }
}

#[test]
fn programs_that_could_differ_are_the_plain_program() {
    let Some(rustc) = compiler("items") else { return };
    let counts = counts();
    let builds: &[(&str, &[&str])] = &[("2024", &[]), ("2021", &["sse4.1"])];
    for (at, &(edition, build)) in builds.iter().enumerate() {
        // Numbers besides those of random programs. The first builds at several levels, the second at one.
        check(&counts, u64::MAX - 3 - 3 * at as u64, &written(cases::PLAIN, edition, build), &rustc);
    }
    let refused = counts.get("refused as without the attribute");
    counts.finish();
    assert_eq!(refused, 0, "programs that rustc refuses without the attribute");
}

/// The modules of a program that are refused with their messages, at their own lines.
fn told(program: &str, refusal: &str) -> Vec<usize> {
    let mut module = 0;
    let modules: Vec<usize> = program
        .lines()
        .map(|line| {
            let name = line.strip_prefix("pub mod u").and_then(|rest| rest.strip_suffix(" {"));
            module = name.and_then(|name| name.parse().ok()).unwrap_or(module);
            module
        })
        .collect();
    let at = |block: &str| block.split_once(".rs:")?.1.split(':').next()?.parse::<usize>().ok();
    let blocks = refusal.split("\nerror").filter_map(|block| Some((block, *modules.get(at(block)? - 1)?)));
    blocks.filter(|(block, module)| block.contains(cases::REFUSED[*module].0)).map(|(_, module)| module).collect()
}

#[test]
fn programs_outside_of_the_rules_are_refused_by_check_and_build() {
    let Some(rustc) = compiler("items") else { return };
    let sources: Vec<&str> = cases::REFUSED.iter().map(|(_, source)| *source).collect();
    let mut program = written(&sources, "2024", &[]);
    program.units.iter_mut().for_each(|unit| unit.entries.clear());
    let mut failures = Vec::new();
    for level in ["check", "0", "2"] {
        let refusal = |modules: &[usize]| {
            let source = program.source(modules);
            let refusal = rustc.annotated(&format!("refused-{level}"), &source, "2024", &[], level).err();
            (told(&source, refusal.as_deref().unwrap_or_default()), refusal)
        };
        let (all, _) = refusal(&(0..sources.len()).collect::<Vec<_>>());
        // Errors of later stages of the compiler are hidden by those of earlier ones.
        for module in (0..sources.len()).filter(|module| !all.contains(module)) {
            if let (told, error) = refusal(&[module])
                && !told.contains(&module)
            {
                let (message, source) = cases::REFUSED[module];
                failures.push(format!("{level}: {source}: expected `{message}`, rustc says:\n{error:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
