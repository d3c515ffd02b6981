//! The mistakes in a target, in words.
use super::help;
use super::target::{Target, meaning};
use super::words::Element;
use crate::error::Errors;
use crate::features::{Arch, Family, Feature, Meaning, contains};

/// Reports every word of `element` that is invalid in any target; returns whether there was none.
pub(super) fn reject_words(element: &Element, errors: &mut Errors, rustc: u32) -> bool {
    let before = errors.len();
    let mut arches: Vec<Arch> = Vec::new();
    for prefix in &element.prefix {
        let known = Arch::from_name(prefix);
        let meant = known.or_else(|| help::arch(prefix));
        if known.is_none() {
            let help = match meant {
                _ if element.text.contains("::") => {
                    "write the name of a list without quotes: `targets = path::to::list`".to_owned()
                }
                Some(arch) => format!("did you mean `{}`?", arch.cfg_name()),
                None => format!("known are {}", list(&Arch::all())),
            };
            errors.push_help(element.span, format_args!("unknown architecture `{prefix}`"), help);
        } else if meant.is_some_and(|arch| arches.contains(&arch)) {
            errors.push_help(
                element.span,
                format_args!("architecture `{prefix}` is listed twice"),
                "remove one of the two architectures",
            );
        }
        arches.extend(meant);
    }
    if arches.len() < element.prefix.len() {
        // The architecture's features are not known either.
        return false;
    }
    for (place, word) in element.words.iter().enumerate() {
        if element.words[..place].contains(word) {
            let message = format_args!("feature `{word}` is listed twice in one target");
            errors.push_help(element.span, message, "remove one of the two features");
        } else if let Some((message, help)) = fault(word, &arches, rustc) {
            errors.push_help(element.span, message, help);
        }
    }
    errors.len() == before
}

/// The reason why `name` is valid nowhere, or not on one of `arches`, with a help.
fn fault(name: &str, arches: &[Arch], rustc: u32) -> Option<(String, String)> {
    let everywhere = arches_of(name, rustc);
    let arch = arches.iter().copied().find(|arch| !everywhere.contains(arch));
    if arch.is_none() && !everywhere.is_empty() {
        return None;
    }
    let families: Vec<Family> = arch.map_or(Family::ALL.to_vec(), |arch| vec![arch.family()]);
    let on = arch.map_or_else(String::new, |arch| format!(" on `{}`", arch.cfg_name()));
    let elsewhere = (!everywhere.is_empty()).then(|| format!("`{name}` is valid on {}", list(&everywhere)));
    let faults: Vec<_> = families.iter().filter_map(|family| family.meaning(name, rustc)).collect();
    // A later Rust is the nearest remedy.
    let later = faults.iter().find(|meaning| matches!(meaning, Meaning::Later(_)));
    for meaning in later.into_iter().chain(&faults) {
        return Some(match meaning {
            Meaning::Later(Feature { name, since, .. }) => (
                format!("`{name}` needs Rust 1.{since}{on}: this is Rust 1.{rustc}"),
                format!("compile with Rust 1.{since} or newer, or leave the target out"),
            ),
            Meaning::Nightly(Feature { name, .. }) if cfg!(feature = "nightly") => (
                format!("`{name}` is not stable in Rust{on}"),
                format!(
                    "the feature `nightly` of `simd-core` is enabled, but this compiler is Rust 1.{rustc}: compile with a nightly"
                ),
            ),
            Meaning::Nightly(Feature { name, .. }) => (
                format!("`{name}` is not stable in Rust{on}"),
                "use a nightly compiler, and enable `simd-core`'s cargo feature `nightly`".to_owned(),
            ),
            Meaning::Unstable(name) => (
                format!("`{name}` is not stable in Rust{on}"),
                elsewhere.unwrap_or_else(|| "only features that are stable in Rust can be enabled".to_owned()),
            ),
            Meaning::Feature(_) | Meaning::Preset(_) => continue,
        });
    }
    let known = || Family::ALL.into_iter().any(|family| family.meaning(name, rustc).is_some());
    if elsewhere.is_some() || known() {
        let place = on.strip_prefix(" on").unwrap_or_default();
        let help = elsewhere.unwrap_or_else(|| "see `rustc --print target-features`".to_owned());
        return Some((format!("`{name}` is not a feature of{place}"), help));
    }
    Some((format!("unknown target feature `{name}`"), help::feature(name, &families)))
}

/// Reports an element whose words have no common architecture, although each is valid on some.
pub(super) fn reject_mixed(element: &Element, errors: &mut Errors, rustc: u32) {
    let owners: Vec<String> =
        element.words.iter().map(|word| format!("`{word}` is valid on {}", list(&arches_of(word, rustc)))).collect();
    let split: Vec<String> = groups(element, rustc).into_iter().map(|group| group.join(",")).collect();
    errors.push_help(
        element.span,
        format_args!("no architecture has all features of target `{}`: {}", element.text, owners.join(", ")),
        format_args!("separate the targets of different architectures by `|`: `{}`", split.join(" | ")),
    );
}

/// The words of `element` in groups that have an architecture in common.
fn groups(element: &Element, rustc: u32) -> Vec<Vec<&str>> {
    let mut groups: Vec<(Vec<Arch>, Vec<&str>)> = Vec::new();
    for word in &element.words {
        let arches = arches_of(word, rustc);
        match groups.iter_mut().find(|(common, _)| common.iter().any(|arch| arches.contains(arch))) {
            Some((common, group)) => {
                common.retain(|arch| arches.contains(arch));
                group.push(word);
            }
            None => groups.push((arches, vec![word])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Reports features that the compiler accepts only together; returns whether there were none.
pub(super) fn reject_untied(element: &Element, target: &Target, errors: &mut Errors) -> bool {
    let has = |name: &str| target.full.iter().any(|feature| feature.name == name);
    let broken = target.family.tied().iter().find(|[one, other]| has(one) != has(other));
    if let Some([one, other]) = broken {
        let (listed, missing) = if has(one) { (one, other) } else { (other, one) };
        let message = format!("`{listed}` needs `{missing}`: Rust enables them together only");
        errors.push_help(element.span, message, format_args!("write `{},{missing}`", element.text));
    }
    broken.is_none()
}

/// Reports a target of properties only; returns whether it has a feature.
pub(super) fn reject_properties_alone(element: &Element, target: &Target, errors: &mut Errors) -> bool {
    let enables = target.leaf.iter().any(|feature| !feature.property);
    if !enables {
        errors.push_help(
            element.span,
            format_args!("target `{}` has no feature, only properties of CPUs", element.text),
            "name the feature as well, as in `bmi2,fast-pext` or `avx512f,fast-512`",
        );
    }
    enables
}

/// Removes from `targets` the architectures on which an earlier target would always be selected instead; reports the
/// element if nothing is left.
pub(super) fn reject_unreachable(
    element: &Element,
    targets: &mut Vec<Target>,
    earlier: &[(Element, Vec<Target>)],
    errors: &mut Errors,
) {
    let mut first: Option<(&Element, bool)> = None;
    for target in &mut *targets {
        let full = &target.full;
        target.arches.retain(|arch| {
            let has = |feature: &&Feature| contains(full, feature) || arch.base().contains(&feature.name);
            let hidden = earlier.iter().find_map(|(listed, targets)| {
                let covers = |other: &&Target| {
                    other.family == target.family && other.arches.contains(arch) && other.full.iter().all(has)
                };
                let other = targets.iter().find(covers)?;
                Some((listed, full.iter().all(|feature| contains(&other.full, feature))))
            });
            first = first.or(hidden);
            hidden.is_none()
        });
    }
    targets.retain(|target| !target.arches.is_empty());
    let (true, Some((hider, same))) = (targets.is_empty(), first) else { return };
    let (text, hider) = (&element.text, &hider.text);
    let (message, help) = if text == hider {
        (format!("target `{text}` is listed twice"), "remove one of the two targets".to_owned())
    } else if same {
        (format!("duplicate target: `{text}` is the same as `{hider}`"), "remove one of the two targets".to_owned())
    } else {
        (
            format!("target `{text}` can never be selected: it implies the earlier target `{hider}`"),
            format!("list `{text}` before `{hider}`"),
        )
    };
    errors.push_help(element.span, message, help);
}

/// A warning about a target that only has features of the architecture's base.
pub(super) fn adds_nothing(targets: &[Target]) -> Option<String> {
    let in_base = |target: &&Target| {
        let has = |arch: &Arch| target.full.iter().all(|feature| arch.base().contains(&feature.name));
        target.arches.iter().all(has)
    };
    let target = targets.iter().find(in_base)?;
    let (arch, instead) = match target.family {
        Family::Aarch64 => ("AArch64", "`sve2`, `dotprod`, `i8mm` or `aes`"),
        _ => ("x86-64", "`avx2`, `sse4.1` or `aes`"),
    };
    let name = target.name();
    Some(format!(
        "target `{name}` adds nothing: every build for {arch} has it, the baseline too; leave it out, or name features that add \
         something, such as {instead}"
    ))
}

fn arches_of(word: &str, rustc: u32) -> Vec<Arch> {
    Arch::all().into_iter().filter(|arch| meaning(word, *arch, rustc).is_some()).collect()
}

/// "`x86`, `x86_64`".
fn list(arches: &[Arch]) -> String {
    let names: Vec<&str> = arches.iter().map(|arch| arch.cfg_name()).collect();
    format!("`{}`", names.join("`, `"))
}
