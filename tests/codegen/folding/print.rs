//! Makes two versions of a template, and crates of them.
//!
//! In a template `§` stands for the prefix of names, `«3»` for the number of the clone that runs under list 3, `‹3›` for
//! the number that `cfg` gives outside of clones, `@3@` for the attribute with list 3, `?a,b?` for whether `a` and `b` are
//! detected, `¿3:a¿` for whether the clone under list 3 sees `a`, and `⟪one¦other⟫` for `one` in the dispatched version and `other` in the one
//! that says what should happen.

use std::fmt::Write;

use super::features::{self, closure};

/// The crate that a program uses.
const LIBRARY: &str = "callees";

type Lists = [Vec<Vec<&'static str>>];

/// The crates of the templates: the library's, if it is a crate of its own, and the program's.
pub(crate) fn crates(
    [library, program]: &[String; 2],
    two: bool,
    lists: &Lists,
    callers: usize,
) -> Vec<(&'static str, &'static str, String)> {
    let own = features::source() + &part(include_str!("crate.rs")) + &table(lists);
    let runtime = part(include_str!("runtime.rs"));
    let rows: String = (0..callers).map(|number| format!("(dc{number}, oc{number}), ")).collect();
    let callers = format!("static CALLERS: [(Caller, Caller); {callers}] = [{rows}];\n");
    let body = |text: &str| filled(text, lists, true) + &filled(text, lists, false);
    let program = body(program) + &own + &callers + &part(include_str!("driver.rs"));
    let start = if two {
        format!("{ALLOW}use {LIBRARY}::*;\nfn decide_all() {{ decide(); {LIBRARY}::decide() }}\n")
    } else {
        format!("{ALLOW}{runtime}fn decide_all() {{ decide() }}\n")
    };
    let library = two.then(|| (LIBRARY, "rlib", format!("{ALLOW}{runtime}{own}{}", body(library))));
    library.into_iter().chain([("random_callers", "bin", start + &program)]).collect()
}

const ALLOW: &str = "#![allow(warnings)]\n";

fn part(file: &str) -> String {
    file.replace("//!", "//")
}

/// The lists, each target with all that it implies.
fn table(lists: &Lists) -> String {
    let mut text = format!("static LISTS: [&[(&[&str], &[&str])]; {}] = [", lists.len());
    for list in lists {
        text.push_str("&[");
        for target in list {
            let _ = write!(text, "(&{target:?}, &{:?}), ", closure(target));
        }
        text.push_str("], ");
    }
    text + "];\n"
}

fn filled(text: &str, lists: &Lists, dispatched: bool) -> String {
    let mut text = text.replace('§', if dispatched { "d" } else { "o" });
    for (number, list) in lists.iter().enumerate() {
        let all: Vec<String> = list.iter().map(|target| target.join(",")).collect();
        let all = all.join(" | ");
        let attribute = format!("#[simd_core::dispatch(targets = \"{all}\")]");
        let mut tag = String::from("(");
        for (place, target) in list.iter().enumerate() {
            let features: Vec<String> = target.iter().map(|name| format!("target_feature = {name:?}")).collect();
            let _ = write!(tag, "if cfg!(all({})) {{ {} }} else ", features.join(", "), place + 1);
        }
        let _ = write!(tag, "{{ {} }})", list.len() + 1);
        // The same in the other form.
        let arms: String =
            (1..).zip(list).map(|(place, target)| format!("{:?} => {place}, ", target.join(","))).collect();
        let matched = format!("simd_core::match_target!({arms}_ => {})", list.len() + 1);
        let own = if number % 2 == 0 { matched } else { tag.clone() };
        text = text.replace(&format!("@{number}@"), if dispatched { &attribute } else { "" });
        text = text.replace(&format!("‹{number}›"), &tag);
        text = text.replace(&format!("«{number}»"), &if dispatched { own } else { format!("tag({number})") });
    }
    for (marker, ask) in [('¿', seen as fn(&str, bool) -> String), ('?', has)] {
        let parts = text.split(marker).enumerate();
        text =
            parts.map(|(place, part)| if place % 2 == 0 { part.to_owned() } else { ask(part, dispatched) }).collect();
    }
    let mut filled = String::new();
    for part in text.split('⟫') {
        let (before, choice) = part.split_once('⟪').unwrap_or((part, "¦"));
        let (one, other) = choice.split_once('¦').expect("two versions");
        filled.push_str(before);
        filled.push_str(if dispatched { one } else { other });
    }
    filled
}

fn has(text: &str, dispatched: bool) -> String {
    if dispatched {
        format!("u64::from(simd_core::detected!({text:?}))")
    } else {
        format!("u64::from(has_all(&{:?}))", text.split(',').collect::<Vec<_>>())
    }
}

/// Whether the clone for the list before the colon sees the feature after it.
fn seen(text: &str, dispatched: bool) -> String {
    let (list, feature) = text.split_once(':').expect("a list and a feature");
    if dispatched {
        format!("u64::from(cfg!(target_feature = {feature:?}))")
    } else {
        format!("sees({list}, {feature:?})")
    }
}
