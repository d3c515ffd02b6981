//! The target grammar: `|` between targets in order of preference, `,` between features, `arch:` or `arch, arch:` before
//! them.
mod check;
mod help;
mod target;
mod words;

use core::cell::RefCell;

pub(crate) use target::Target;

use crate::error::Errors;
use crate::features::{Arch, Family, Feature, Preset, RUSTC, closure, contains, leaves};
use proc_macro2::Span;
use syn::LitStr;
use target::meaning;
use words::Element;

/// Parses the targets in `lists`, which count as one list joined by `|`. Most functions of a crate have the same list,
/// so results without mistakes are cached.
pub(crate) fn parse(lists: &[LitStr], errors: &mut Errors) -> Vec<Target> {
    thread_local! {
        static KNOWN: RefCell<Vec<(Vec<String>, Vec<Target>)>> = const { RefCell::new(Vec::new()) };
    }
    let text: Vec<String> = lists.iter().map(LitStr::value).collect();
    KNOWN.with_borrow_mut(|known| {
        if let Some((_, targets)) = known.iter().find(|(known, _)| *known == text) {
            return targets.clone();
        }
        let before = errors.len();
        let targets = parse_for(lists, errors, RUSTC);
        if errors.len() == before {
            known.push((text, targets.clone()));
        }
        targets
    })
}

/// A warning about the first of `targets` that adds nothing, if `lists` are written here. Named lists have theirs where they are
/// declared.
pub(crate) fn warning(lists: &[LitStr], targets: &[Target]) -> Option<(Span, String)> {
    let span = lists.first()?.span();
    let named = span.source_text().is_some_and(|text| !text.ends_with(['"', '#']));
    check::adds_nothing(targets).filter(|_| !named).map(|message| (span, message))
}

/// Parses one target in a test of the CPU. No clone enables it, so a property may stand by itself.
pub(crate) fn parse_condition(list: &LitStr, errors: &mut Errors) -> Vec<Target> {
    let elements = words::elements(list, errors);
    let targets: Vec<_> = elements.iter().filter_map(|element| resolve(element, errors, RUSTC)).collect();
    targets.concat()
}

/// As [`parse`], for Rust 1.`rustc`.
fn parse_for(lists: &[LitStr], errors: &mut Errors, rustc: u32) -> Vec<Target> {
    if lists.iter().all(|list| list.value().trim().is_empty()) {
        let span = lists.first().map_or_else(Span::call_site, LitStr::span);
        errors.push_help(span, "no targets are given", "list features, as in `targets = \"avx2,fma | sve2\"`");
        return Vec::new();
    }
    parse_each(lists, errors, rustc).concat()
}

/// As [`parse`], with the targets of each list by themselves; a target that an earlier list hides is an error here too.
pub(crate) fn parse_each(lists: &[LitStr], errors: &mut Errors, rustc: u32) -> Vec<Vec<Target>> {
    let mut kept: Vec<(Element, Vec<Target>)> = Vec::new();
    let mut each = Vec::new();
    for list in lists {
        let mut all = Vec::new();
        for element in words::elements(list, errors) {
            let Some(mut targets) = resolve(&element, errors, rustc) else { continue };
            if !targets.iter().all(|target| check::reject_properties_alone(&element, target, errors)) {
                continue;
            }
            check::reject_unreachable(&element, &mut targets, &kept, errors);
            all.extend_from_slice(&targets);
            kept.push((element, targets));
        }
        each.push(all);
    }
    each
}

/// The targets of one element, one for each family; `None` if it has a mistake.
fn resolve(element: &Element, errors: &mut Errors, rustc: u32) -> Option<Vec<Target>> {
    if !check::reject_words(element, errors, rustc) {
        return None;
    }
    let named: Vec<Arch> = element.prefix.iter().filter_map(|word| Arch::from_name(word)).collect();
    let arches = if named.is_empty() { Arch::all() } else { named };
    let mut targets: Vec<Target> = Vec::new();
    for arch in arches {
        if !element.words.iter().all(|word| meaning(word, arch, rustc).is_some()) {
            continue;
        }
        match targets.iter_mut().find(|target| target.family == arch.family()) {
            Some(target) => target.arches.push(arch),
            None => targets.push(target(element, arch, rustc)),
        }
    }
    if targets.is_empty() {
        check::reject_mixed(element, errors, rustc);
        return None;
    }
    let tied = targets.iter().all(|target| check::reject_untied(element, target, errors));
    tied.then_some(targets)
}

/// The target of an element that is valid on `arch`.
fn target(element: &Element, arch: Arch, rustc: u32) -> Target {
    let family = arch.family();
    let (mut listed, mut presets): (Vec<&Feature>, Vec<&Preset>) = (Vec::new(), Vec::new());
    for (features, preset) in element.words.iter().filter_map(|word| meaning(word, arch, rustc)) {
        listed.extend(features);
        presets.extend(preset);
    }
    let full = closure(family, &listed, rustc);
    let leaf = leaves(family, &listed, rustc);
    // The levels are cumulative: the highest one suffices.
    let preset = presets.into_iter().max_by_key(|preset| preset.name);
    let parts = parts(family, &leaf, preset, rustc);
    Target { family, arches: vec![arch], leaf, full, preset, parts }
}

/// The [`Target::parts`] of a target with these leaves. A preset is one if all of its own leaves are the target's.
fn parts(family: Family, leaf: &[&'static Feature], preset: Option<&Preset>, rustc: u32) -> Vec<&'static str> {
    let own = preset.map_or_else(Vec::new, |preset| leaves(family, &preset.features(), rustc));
    let preset = preset.filter(|_| own.iter().all(|one| contains(leaf, one)));
    let rest = leaf.iter().filter(|one| preset.is_none() || !contains(&own, one));
    preset.iter().map(|preset| preset.name).chain(rest.map(|one| one.name)).collect()
}

#[cfg(test)]
mod tests;
