//! Random modules, and other modules and crates that use their names: each program is the plain program, or is refused.
//!
//! "What would differ in any other way does not compile." The programs of [`items`](super::items) are bodies and items, of which most
//! compile. These are made of what silently went wrong before: the order of macros in the text, names that other modules and crates see,
//! names that the expansion has too, spellings of tests and of the compiler's options. Each is compiled without the attribute for
//! every target, and with it. Then it prints the same for every target, or is refused for a [reason](reasons) that the program has.
//!
//! `SIMD_CORE_MODULES_ROUNDS` is the number of programs; a plain run has few. `SIMD_CORE_MODULES_SEED` starts at another program. What
//! fails is printed without the parts that do not matter.

mod fill;
mod generate;
mod options;
mod outside;
mod reasons;
mod trial;

use std::time::Instant;

use generate::{Piece, Program, render};
use integration_tests::asks_for_all;
use trial::{Verdict, judge};

use super::items::rustc::Rustc;
use super::outcome::{Outcome, number};

/// All ways to remove one piece, and before them to remove half of the pieces.
fn removals(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let (first, second) = pieces.split_at(pieces.len() / 2);
    let mut all = if pieces.len() > 3 { vec![first.to_vec(), second.to_vec()] } else { Vec::new() };
    for at in (0..pieces.len()).rev() {
        let mut fewer = pieces.to_vec();
        fewer.remove(at);
        all.push(fewer);
    }
    for (at, piece) in pieces.iter().enumerate() {
        for inside in removals(piece.inside.as_deref().unwrap_or_default()) {
            let mut fewer = pieces.to_vec();
            fewer[at].inside = Some(inside);
            all.push(fewer);
        }
    }
    all
}

fn minimised(mut program: Program, key: &str, failure: &str, rustc: &Rustc) -> Program {
    let started = Instant::now();
    let fails = |program: &Program| {
        started.elapsed().as_secs() < 90
            && matches!(judge(program, key, rustc), Verdict::Failed(other, _) if other == failure)
    };
    let mut changed = true;
    while changed {
        changed = false;
        for part in 0..program.crates.len() {
            let mut at = 0;
            // Those before the removed one cannot be removed.
            while let Some(fewer) = removals(&program.crates[part].1).into_iter().nth(at) {
                let mut smaller = program.clone();
                smaller.crates[part].1 = fewer;
                if fails(&smaller) {
                    program = smaller;
                    changed = true;
                } else {
                    at += 1;
                }
            }
        }
    }
    program
}

/// What is told of a program that fails.
fn told(seed: u64, failure: &str, text: &str, program: Program) -> String {
    let Program { edition, targets, build, spelled, others, crates, .. } = program;
    let crates: String = crates.iter().map(|(name, pieces)| format!("// {name}.rs\n{}", render(pieces))).collect();
    format!(
        "seed {seed}: {failure}\n{text}\n{crates}edition {edition}, targets {targets:?}, build {build:?}, options \
         {spelled:?} {others:?}\nSIMD_CORE_MODULES_SEED={seed} SIMD_CORE_MODULES_ROUNDS=1 cargo test -p \
         tests --test host codegen::modules:: -- --nocapture\n"
    )
}

#[test]
fn modules_are_right_or_refused() {
    let Some(rustc) = super::items::compiler("modules") else { return };
    if !rustc.has("avx2") {
        integration_tests::skip("the programs name AVX2, which this CPU lacks");
        return;
    }
    let rounds = number("MODULES_ROUNDS", if asks_for_all() { 60 } else { 4 });
    let first = number("MODULES_SEED", 1);
    let outcome = Outcome::of(rounds, 100, |outcome, round| {
        let seed = first + round;
        let mut program = generate::program(seed);
        match judge(&program, &seed.to_string(), &rustc) {
            Verdict::Accepted => outcome.add("accepted", 1),
            Verdict::Refused(reasons) => outcome.add(&format!("refused: {}", reasons.join(" + ")), 1),
            Verdict::Undecided(why) => outcome.add(&format!("undecided: {why}"), 1),
            Verdict::Discarded(why) => outcome.add(&format!("discarded: {why}"), 1),
            Verdict::Failed(failure, text) => {
                // It takes a minute; each of the others gives it by its seed.
                if outcome.get("failures") == 0 {
                    program = minimised(program, &format!("{seed}-small"), &failure, &rustc);
                }
                outcome.fail(told(seed, &failure, &text, program));
            }
        }
    });
    outcome.finish();
    let accepted = outcome.get("accepted");
    assert!(rounds < 40 || accepted * 5 > rounds, "too few programs are accepted: {accepted} of {rounds}");
}
