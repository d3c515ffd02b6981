//! The helps for unknown names.
use crate::features::{Arch, Family};

/// The beginnings of CPU names.
const CPUS: &str =
    "alderlake apple- broadwell cascadelake cortex- haswell icelake neoverse sapphirerapids skylake tigerlake znver";

const SEPARATORS: &str = "features are joined by `,`, and targets separated by `|`";

/// The help for the unknown feature `name`, in a target of one of `families`.
pub(super) fn feature(name: &str, families: &[Family]) -> String {
    if let Some(help) = no_feature(name) {
        return help;
    }
    let known: Vec<&str> = families.iter().flat_map(|family| family.names()).collect();
    nearest(name, &known).map_or_else(
        || "the names are those of `rustc --print target-features`".to_owned(),
        |known| format!("did you mean `{known}`?"),
    )
}

/// The help for a name that is not a feature's, and that other tools have in their lists.
fn no_feature(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let known = match lower.as_str() {
        "baseline" | "default" | "fallback" | "generic" | "none" | "portable" | "scalar" | "x86-64" | "x86-64-v1" => {
            "leave it out: CPUs that have none of the targets run the baseline, which is not listed"
        }
        "native" => "list features; those that the build enables, as with `-C target-cpu=native`, are not tested",
        "simd" => {
            "there is no ready list: write for example `avx512bw,avx512vl | avx2,fma | sse4.2 | sve2`, or the name of a list of yours \
             without quotes"
        }
        "v2" | "v3" | "v4" => return Some(format!("did you mean `x86-64-{lower}`?")),
        "avx512" => "did you mean `avx512f`? For loops over bytes and words, write `avx512bw,avx512vl`",
        "sse4" => "did you mean `sse4.1` or `sse4.2`?",
        cpu if CPUS.split(' ').any(|known| cpu.starts_with(known)) => {
            "a list names features and levels, not CPUs: write for example `x86-64-v3` for `haswell`"
        }
        level if level.starts_with("x86-64-v") => "the levels are `x86-64-v2`, `x86-64-v3` and `x86-64-v4`",
        _ => "",
    };
    if !known.is_empty() {
        return Some(known.to_owned());
    }
    let negated = name.strip_prefix(['-', '!']).or_else(|| name.strip_prefix("no-"));
    if let Some(feature) = negated.or_else(|| name.strip_prefix("not(")?.strip_suffix(')')) {
        return Some(format!(
            "there is no negation: for other code on CPUs with `{feature}`, write a target with `{feature}` before this one"
        ));
    }
    if let Some(feature) = name.strip_prefix('+') {
        return Some(format!("write `{feature}`"));
    }
    if Arch::from_name(name).is_some() {
        return Some(format!("an architecture stands before its features: `{name}: …`"));
    }
    if name.contains(':') {
        return Some(SEPARATORS.to_owned());
    }
    let is_separator = |letter: char| letter.is_whitespace() || "+;&/".contains(letter);
    let parts: Vec<&str> = name.split(is_separator).filter(|part| !part.is_empty()).collect();
    let known = |part: &str| Family::ALL.iter().any(|family| family.names().contains(&part));
    match parts[..] {
        [arch, ref features @ ..] if !features.is_empty() && Arch::from_name(arch).is_some() => {
            Some(format!("write `{arch}: {}`", features.join(",")))
        }
        [_, _, ..] if name.contains([';', '/']) => Some(SEPARATORS.to_owned()),
        [_, _, ..] if parts.iter().any(|part| known(part)) => {
            let in_one = |family: &Family| parts.iter().all(|part| family.names().contains(part));
            let several = parts.iter().all(|part| known(part)) && !Family::ALL.iter().any(in_one);
            Some(if several {
                format!("targets are separated by `|`: `{}`", parts.join(" | "))
            } else {
                format!("features are joined by `,`: `{}`", parts.join(","))
            })
        }
        _ => None,
    }
}

/// The architecture that `name` was probably meant to be.
pub(super) fn arch(name: &str) -> Option<Arch> {
    let known = match name.to_lowercase().as_str() {
        "amd64" | "x64" | "x86-64" => "x86_64",
        "i386" | "i586" | "i686" | "x86_32" => "x86",
        "arm64" | "arm64e" | "armv8" => "aarch64",
        "armv6" | "armv7" | "thumb" => "arm",
        "riscv" | "rv64" => "riscv64",
        "rv32" => "riscv32",
        "loongarch" => "loongarch64",
        "ppc" => "powerpc",
        "ppc64" | "powerpc64le" | "ppc64le" => "powerpc64",
        "wasm" => "wasm32",
        other => nearest(other, &Arch::all().into_iter().map(Arch::cfg_name).collect::<Vec<_>>())?,
    };
    Arch::from_name(known)
}

/// The closest of `known` to `name`, if any is close enough.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // `sse42` is `sse4.2`, and as close to `sse2` by edit distance.
    let plain = |name: &str| name.to_lowercase().replace(['.', '_', '-'], "");
    let name = plain(name);
    let distance = |known: &str| strsim::osa_distance(&name, &plain(known));
    let (distance, known) =
        known.iter().map(|known| (distance(known), *known)).min_by_key(|(distance, _)| *distance)?;
    // A third of the letters may differ, as in rustc's own suggestions.
    (distance <= name.chars().count().max(3) / 3).then_some(known)
}
