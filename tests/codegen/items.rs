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

use std::fs;

use super::outcome::{Outcome, number, run};
use generate::{Entry, LISTS, Program, Unit};
use integration_tests::{asks_for_all, skip};
use rustc::{Features, Rustc};

const UNITS: usize = 5;
/// Modules that rustc accepts for none of the targets without the attribute, or for a part of them.
const REFUSED: &str = "refused as without the attribute";

/// Compares all modules of a program, or each by itself.
fn check(outcome: &Outcome, seed: u64, program: &Program, rustc: &Rustc) {
    outcome.add("programs", 1);
    outcome.add("modules", program.units.len());
    let all: Vec<usize> = (0..program.units.len()).collect();
    if together(outcome, seed, program, &all, rustc).is_ok() {
        return;
    }
    // One that is refused hides the others.
    for unit in all {
        if let Err(error) = together(outcome, seed, program, &[unit], rustc) {
            outcome.fail(error);
        }
    }
}

/// Compares some modules of a program.
fn together(outcome: &Outcome, seed: u64, program: &Program, units: &[usize], rustc: &Rustc) -> Result<(), String> {
    let source = program.source(units);
    let name = format!(
        "seed {seed}, modules {units:?}, edition {}, build {:?}, lists {:?}",
        program.edition, program.build, program.lists
    );
    let key = format!("{seed}-{}", units.iter().map(usize::to_string).collect::<String>());
    let directory = rustc.directory().join(&key);
    // The features of the clones, for no target and for each of both lists.
    let of = |target: &str| rustc.closure(&[&[target], program.build].concat());
    let mut sets: Vec<Features> = Vec::new();
    for set in [""].into_iter().chain(program.lists.iter().flatten().copied()).map(of) {
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    let plain = sets.iter().enumerate().map(|(at, set)| {
        let plain = rustc.plain(&format!("{key}/plain{at}"), &source, program.edition, &sets[0], set);
        plain.map_err(|error| (set, error))
    });
    let plain: Result<Vec<_>, _> = plain.collect();
    // A build at one level, and at several for a part of the programs.
    let levels: &[&str] =
        [&["check", "0", "1", "3"][..], &["check", "2"], &["check", "0"], &["check", "1"]][seed as usize % 4];
    let compiled = levels.iter().map(|level| {
        (level, rustc.annotated(&format!("{key}/{level}"), &source, program.edition, program.build, level))
    });
    let compiled: Vec<_> = compiled.collect();
    let refused = compiled.iter().find_map(|(level, result)| Some((level, result.as_ref().err()?)));
    let plain = match (plain, refused) {
        (_, Some((level, error))) if compiled.iter().any(|(_, result)| result.is_ok()) => {
            return Err(format!("{name}: only a part of check and builds accepts; not {level}:\n{error}"));
        }
        // What rustc refuses with these features may be a function of a list without them.
        (Err((set, _)), _) if units.len() == 1 && (refused.is_some() || !concerns(program, units, set, rustc)) => {
            outcome.add(REFUSED, 1);
            return Ok(());
        }
        (Err(_), Some(_)) => return Err(String::new()),
        (Err((_, error)), None) => {
            return Err(format!("{name}: accepted, but not without the attribute:\n{error}"));
        }
        (Ok(_), Some((_, error))) => {
            return Err(format!("{name}: refused, but not without the attribute:\n{error}"));
        }
        (Ok(plain), None) => plain,
    };
    outcome.add("accepted", units.len());
    let entries: Vec<&Entry> = units.iter().flat_map(|&unit| &program.units[unit].entries).collect();
    // What the build enables, every CPU that runs it has.
    let limited = |target: &str| target.split(',').chain(program.build.iter().copied()).collect::<Vec<_>>().join(",");
    let limits = program.lists.iter().flatten().copied().chain([""]).map(|target| Some(limited(target)));
    for limit in limits.chain([None]) {
        let limit = limit.as_deref();
        let available = rustc.available(limit, program.build);
        let chosen = program.lists.each_ref().map(|list| {
            let fits = |target: &&&str| rustc.closure(&[**target]).is_subset(&available);
            let set = of(list.iter().find(fits).copied().unwrap_or_default());
            sets.iter().position(|other| *other == set).expect("a set")
        });
        for (level, path) in compiled.iter().skip(1) {
            let lines = run(path.as_ref().expect("accepted"), limit, &[])
                .map_err(|error| format!("{name}: level {level}: {error}"))?;
            for (at, entry) in entries.iter().enumerate() {
                outcome.add("results", 1);
                let set = chosen[entry.list];
                let [wanted, found] = [&plain[set], &lines].map(|lines| lines.get(at));
                if wanted.is_none() || found != wanted {
                    return Err(format!(
                        "{name}: SIMD_CORE_ONLY={limit:?}, level {level}, features {:?}: without the attribute {wanted:?}, with it \
                         {found:?}\n{}",
                        sets[set],
                        directory.display(),
                    ));
                }
            }
        }
    }
    let _ = fs::remove_dir_all(directory);
    Ok(())
}

/// Whether all entries of these modules have a clone with the features of `set`, or a baseline: then what rustc refuses with them is
/// refused with the attribute.
fn concerns(program: &Program, units: &[usize], set: &Features, rustc: &Rustc) -> bool {
    units.iter().flat_map(|&unit| &program.units[unit].entries).all(|entry| {
        let mut targets = program.lists[entry.list].iter().copied().chain([""]);
        targets.any(|target| rustc.closure(&[&[target], program.build].concat()) == *set)
    })
}

/// The compiler, with a directory for the programs.
pub(super) fn compiler(directory: &str) -> Option<Rustc> {
    if cfg!(target_arch = "x86_64") {
        return Some(Rustc::new(directory));
    }
    skip("the programs name features of x86_64");
    None
}

#[test]
fn clones_are_the_plain_program() {
    let Some(rustc) = compiler("items") else { return };
    assert!(LISTS.iter().flat_map(|list| list.iter()).any(|target| rustc.has(target)));
    let rounds = number("ITEMS_ROUNDS", if asks_for_all() { 16 } else { 2 });
    let first = number("ITEMS_SEED", 1);
    let outcome = Outcome::of(rounds, 25, |outcome, round| {
        let program = generate::program(first + round, UNITS, &|target| rustc.has(target));
        check(outcome, first + round, &program, &rustc);
    });
    outcome.finish();
    let [accepted, all] = ["accepted", "modules"].map(|name| outcome.get(name));
    assert!(accepted * 2 > all, "too few programs are accepted: {accepted} of {all}");
}

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
    let builds: [(&str, &[&str]); 2] = [("2024", &[]), ("2021", &["sse4.1"])];
    let outcome = Outcome::of(builds.len() as u64, 25, |outcome, at| {
        let (edition, build) = builds[at as usize];
        // Numbers besides those of random programs. The first builds at several levels, the second at one.
        check(outcome, u64::MAX - 3 - 3 * at, &written(cases::PLAIN, edition, build), &rustc);
    });
    outcome.finish();
    assert_eq!(outcome.get(REFUSED), 0, "programs that rustc refuses without the attribute");
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
