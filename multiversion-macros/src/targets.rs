//! The target grammar: `|` between targets in order of preference, `,` between features, `arch:` or `arch, arch:` before
//! them.
mod check;
mod help;
mod words;

use core::cell::RefCell;

use crate::error::Errors;
use crate::features::{Arch, Family, Feature, Meaning, Preset, RUSTC, closure, ident_part};
use proc_macro2::Span;
use syn::LitStr;
use words::{Element, Word};

/// A set of features of one family, on those of its architectures that are listed and where it can be selected.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) family: Family,
    pub(crate) arches: Vec<Arch>,
    /// The listed features, less those that the rest implies; in table order.
    pub(crate) leaf: Vec<&'static Feature>,
    /// The listed features with all that they imply; in table order.
    pub(crate) full: Vec<&'static Feature>,
    presets: Vec<&'static Preset>,
}

impl Target {
    /// Whether each of its architectures is also one of `other`.
    pub(crate) fn is_within(&self, other: &Target) -> bool {
        self.arches.iter().all(|arch| other.arches.contains(arch))
    }

    /// The name of the clone as a part of an identifier: `avx2_pclmulqdq`, `x86_64_v3`.
    pub(crate) fn label(&self) -> String {
        ident_part(&self.names().join("_"))
    }

    /// The operand of `#[target_feature(enable = …)]`.
    pub(crate) fn enable(&self) -> String {
        let names: Vec<&str> =
            self.leaf.iter().filter(|feature| !feature.property).map(|feature| feature.name).collect();
        names.join(",")
    }

    /// Whether it has a property of CPUs, which no build enables.
    pub(crate) fn has_property(&self) -> bool {
        self.leaf.iter().any(|feature| feature.property)
    }

    /// The target in words: `avx2,pclmulqdq (x86, x86_64)`.
    pub(crate) fn display(&self) -> String {
        let arches: Vec<&str> = self.arches.iter().map(|arch| arch.cfg_name()).collect();
        format!("{} ({})", self.name(), arches.join(", "))
    }

    /// The target as a list of names with the same meaning: `avx2,pclmulqdq`, `x86-64-v3,aes`.
    pub(crate) fn name(&self) -> String {
        self.names().join(",")
    }

    /// The presets, then the features that they do not have.
    fn names(&self) -> Vec<&'static str> {
        let (mut names, mut of_presets) = (Vec::new(), Vec::new());
        for preset in &self.presets {
            names.push(preset.name);
            of_presets.extend(closure(self.family, &preset_features(preset), RUSTC));
        }
        let rest = self.leaf.iter().filter(|feature| !contains(&of_presets, feature));
        names.extend(rest.map(|feature| feature.name));
        names
    }
}

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

/// Parses one target in a test of the CPU. No clone enables it, so a property may stand alone.
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
    each(lists, errors, rustc).concat()
}

/// As [`parse`], with the targets of each list by themselves; a target that an earlier list hides is an error here too.
pub(crate) fn parse_each(lists: &[LitStr], errors: &mut Errors) -> Vec<Vec<Target>> {
    each(lists, errors, RUSTC)
}

fn each(lists: &[LitStr], errors: &mut Errors, rustc: u32) -> Vec<Vec<Target>> {
    let mut kept: Vec<(Element, Vec<Target>)> = Vec::new();
    let mut each = Vec::new();
    for list in lists {
        let mut all = Vec::new();
        for element in words::elements(list, errors) {
            let Some(mut targets) = resolve(&element, errors, rustc) else { continue };
            if !targets.iter().all(|target| check::enables(&element, target, errors)) {
                continue;
            }
            check::reachable(&element, &mut targets, &kept, errors);
            all.extend_from_slice(&targets);
            kept.push((element, targets));
        }
        each.push(all);
    }
    each
}

/// The targets of one element, one for each family; `None` if it has a mistake.
fn resolve(element: &Element, errors: &mut Errors, rustc: u32) -> Option<Vec<Target>> {
    if !check::words(element, errors, rustc) {
        return None;
    }
    let named: Vec<Arch> = element.prefix.iter().filter_map(|word| Arch::from_name(&word.text)).collect();
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
        check::mixed(element, errors, rustc);
        return None;
    }
    let tied = targets.iter().all(|target| check::tied(element, target, errors));
    tied.then_some(targets)
}

/// The stable features of `arch` that `word` names, and the preset that it is.
fn meaning(word: &Word, arch: Arch, rustc: u32) -> Option<(Vec<&'static Feature>, Option<&'static Preset>)> {
    match arch.family().meaning(&word.text, rustc)? {
        Meaning::Feature(feature) => Some((vec![feature], None)),
        Meaning::Preset(preset) if preset.arch == arch => Some((preset_features(preset), Some(preset))),
        Meaning::Preset(_) | Meaning::Later(_) | Meaning::Nightly(_) | Meaning::Unstable(_) => None,
    }
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
    let implied_by_another = |feature: &Feature| {
        let others = listed.iter().filter(|other| other.bit != feature.bit);
        others.into_iter().any(|other| contains(&closure(family, &[other], rustc), feature))
    };
    let is_leaf = |feature: &&&Feature| contains(&listed, feature) && !implied_by_another(feature);
    let leaf = full.iter().filter(is_leaf).copied().collect();
    // The levels are cumulative: the highest one suffices.
    let presets = presets.into_iter().max_by_key(|preset| preset.name).into_iter().collect();
    Target { family, arches: vec![arch], leaf, full, presets }
}

fn preset_features(preset: &'static Preset) -> Vec<&'static Feature> {
    let table = preset.arch.family().features();
    table.iter().filter(|feature| preset.features.contains(&feature.name)).collect()
}

fn contains(features: &[&Feature], feature: &Feature) -> bool {
    features.iter().any(|other| other.bit == feature.bit)
}

#[cfg(test)]
mod tests;
