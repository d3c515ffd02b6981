//! Checks the names in `--cfg simd_core_without="…"`: rustc accepts any name, and a wrong one would leave nothing out.
//! Also sets a `cfg` if the table has unstable features, for which the library needs feature gates.
use std::env;
use std::process::exit;

macro_rules! define {
    ($($family:ident $arches:tt
        detected [$(($seen:ident $seen_name:literal $seen_bit:tt $seen_full:tt))*]
        static [$(($fixed:ident $fixed_name:literal $fixed_bit:tt $fixed_full:tt))*]
        later [$(($later:literal $since:tt))*] unstable $unstable:tt tied $tied:tt;)*) => {
        const FEATURES: &[&str] = &[$($($seen_name,)* $($fixed_name,)* $($later,)*)*];
    };
}
simd_core_macros::__table!(features define);

macro_rules! define_properties {
    ($($family:ident $arches:tt [$(($constant:ident $name:literal $bit:tt))*];)*) => {
        const PROPERTIES: &[&str] = &[$($($name),*),*];
    };
}
simd_core_macros::__table!(properties define_properties);

macro_rules! define_others {
    ($(($arch:literal $name:literal [$($feature:ident)*]))*) => {
        /// Aliases, each with its feature's constant, and whether it stands for that feature alone.
        const OTHERS: &[(&str, &[&str])] = &[$(($name, &[$(stringify!($feature)),*])),*];
    };
}
simd_core_macros::__table!(names define_others);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(simd_core_unstable)");
    if simd_core_macros::__table!(takes_unstable) {
        println!("cargo::rustc-cfg=simd_core_unstable");
    }
    // Cargo gets the target's `cfg`s from rustc, with the flags of the build, and joins values by commas.
    let Ok(without) = env::var("CARGO_CFG_SIMD_CORE_WITHOUT") else { return };
    let mut good = true;
    for name in without.split(',').map(str::trim) {
        if let Some(help) = fault(name) {
            println!("cargo::error=`simd_core_without` names `{}`, {help}", name.escape_default());
            good = false;
        } else {
            // The name may be one of several in a value.
            println!("cargo::rustc-cfg=simd_core_without=\"{name}\"");
        }
    }
    if !good {
        exit(1);
    }
}

/// The mistake in a name. Names of another architecture are accepted, since one set of flags serves several.
fn fault(name: &str) -> Option<&'static str> {
    if FEATURES.iter().chain(PROPERTIES).any(|feature| *feature == name) {
        return None;
    }
    Some(match OTHERS.iter().find(|(other, _)| *other == name) {
        Some((_, [_])) => "which is an alias: write rustc's name",
        Some(_) => "which is a level: name the features to leave out",
        None => "which is not a feature: the names are rustc's, separated by commas",
    })
}
