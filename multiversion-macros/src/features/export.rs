//! The table as tokens, for the crates that use it.
use super::{Arch, Counts, Cpuid, Family, Feature, Meaning, RUSTC, UNSTABLE, closure, constant, implied, leaves};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::error::Errors;

/// The variable with the names in `--cfg simd_core_without="…"`, from the build script of `simd-core`.
const LEFT_OUT: &str = "LEFT_OUT_OF_SIMD_CORE";

/// A call of the macro whose path is after the name of a table in `input`, with that table; without a path, the errors in
/// `left_out`.
pub fn table(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let table = match input.next().map(|name| name.to_string()).as_deref() {
        Some("features") => families(features),
        Some("names") => names(),
        Some("levels") => levels(),
        Some("properties") => families(properties),
        Some("cpuid") => families(cpuid),
        Some("unstable") => families(unstable),
        _ => return std::env::var(LEFT_OUT).map(|names| left_out(&names)).unwrap_or_default().into_token_stream(),
    };
    let callback: TokenStream = input.collect();
    quote!(#callback! { #table })
}

/// For each family:
///
/// ```text
/// X86 ["x86" "x86_64"]
///     detected [ (AVX2 "avx2" 8 [1 2 3 4 5 6 7 8]) … ]    the standard library detects it in this Rust
///     static [ … ]                                        it does not
///     later [ ("name" 97) … ]                             needs Rust 1.97
///     unstable [ "name" … ]
///     tied [ ("paca" "pacg") … ];
/// ```
///
/// A feature is given by its constant, its name, its bit and the bits of all that it implies, itself included.
/// Properties are not included: see [`properties`].
fn features(family: Family) -> TokenStream {
    let has_macro = family.table().detected_since.is_some_and(|since| since <= RUSTC);
    let known = |feature: &Feature, detected| {
        feature.taken(RUSTC) && !feature.property && detected == (has_macro && feature.detectable)
    };
    let detected = rows(family, &|feature| known(feature, true), entry);
    let fixed = rows(family, &|feature| known(feature, false), entry);
    let is_later = |feature: &Feature| !feature.taken(RUSTC) && feature.since != UNSTABLE;
    let later = rows(family, &is_later, |feature| {
        let (name, minor) = (feature.name, Literal::u32_unsuffixed(feature.since));
        quote!((#name #minor))
    });
    let (unstable, mut tied) = (family.unstable(), TokenStream::new());
    for [one, other] in family.tied() {
        tied.extend(quote!((#one #other)));
    }
    quote!(detected [#detected] static [#fixed] later [#later] unstable [#(#unstable)*] tied [#tied])
}

/// The aliases of features and the levels of platforms, for each architecture, with what they name, less what that implies:
/// `("x86_64" "x86-64-v3" [AVX2 …]) …`. Names that are unstable in this Rust are left out.
fn names() -> TokenStream {
    let mut names = TokenStream::new();
    for arch in Arch::all() {
        let family = arch.family();
        for name in family.names() {
            let features = match family.meaning(name, RUSTC) {
                Some(Meaning::Feature(feature)) if feature.name != name => vec![feature],
                Some(Meaning::Preset(preset)) if preset.arch == arch => leaves(family, &preset.features(), RUSTC),
                _ => continue,
            };
            let (arch, constants) = (arch.cfg_name(), constants(&features));
            names.extend(quote!((#arch #name [#(#constants)*])));
        }
    }
    names
}

/// The levels with what they name, less what that implies: `("x86_64" X86_64_V3 "x86-64-v3" [AVX2 …]) …`.
fn levels() -> TokenStream {
    let mut levels = TokenStream::new();
    for preset in Family::ALL.iter().flat_map(|family| family.table().presets) {
        let (arch, name) = (preset.arch.cfg_name(), preset.name);
        let features = leaves(preset.arch.family(), &preset.features(), RUSTC);
        let (level, constants) = (constant(name, Span::call_site()), constants(&features));
        levels.extend(quote!((#arch #level #name [#(#constants)*])));
    }
    levels
}

fn constants(features: &[&Feature]) -> impl Iterator<Item = Ident> {
    features.iter().map(|feature| constant(feature.name, Span::call_site()))
}

/// The properties of each family that has any: `X86 ["x86" "x86_64"] [(FAST_PEXT "fast-pext" 57) …];`
fn properties(family: Family) -> TokenStream {
    let properties = rows(family, &|feature| feature.property, |property| {
        let (constant, bit) = (constant(property.name, Span::call_site()), Literal::u32_unsuffixed(property.bit));
        let name = property.name;
        quote!((#constant #name #bit))
    });
    if properties.is_empty() { properties } else { quote!([#properties]) }
}

/// The bits of `cpuid` by when they count, each with the leaf, the part of it, the register and the bit:
/// `X86 ["x86" "x86_64"] alone [(SSE3 "sse3" 1 0 2 0) …] with_avx […] if_saved […] if_loaded […];`
fn cpuid(family: Family) -> TokenStream {
    let counting = |counts| {
        let wanted = |feature: &Feature| feature.taken(RUSTC) && feature.cpuid.is_some_and(|row| row.counts == counts);
        rows(family, &wanted, |feature| {
            let Some(Cpuid { leaf, subleaf, register, bit, .. }) = feature.cpuid else { return TokenStream::new() };
            let (constant, name) = (constant(feature.name, Span::call_site()), feature.name);
            let place = [leaf, subleaf, register, bit].map(Literal::u32_unsuffixed);
            quote!((#constant #name #(#place)*))
        })
    };
    let all = [Counts::Alone, Counts::WithAvx, Counts::IfSaved, Counts::IfLoaded].map(counting);
    let [alone, with_avx, if_saved, if_loaded] = &all;
    if alone.is_empty() {
        return TokenStream::new();
    }
    quote!(alone [#alone] with_avx [#with_avx] if_saved [#if_saved] if_loaded [#if_loaded])
}

/// The unstable features of each family that has any, for every compiler: the name and all that it implies, itself
/// included, `X86 ["x86" "x86_64"] [("rtm" ["rtm"]) …];`
fn unstable(family: Family) -> TokenStream {
    let unstable = rows(family, &|feature| feature.since == UNSTABLE, |feature| {
        let full = implied(feature.family, &[feature]);
        let (name, full) = (feature.name, full.iter().map(|feature| feature.name));
        quote!((#name [#(#full)*]))
    });
    if unstable.is_empty() { unstable } else { quote!([#unstable]) }
}

/// The mistakes in names of features that a program is built without. Names of another architecture are accepted, since one
/// set of flags serves several.
fn left_out(names: &str) -> Errors {
    let mut errors = Errors::new();
    for name in names.split(',').map(str::trim) {
        let mut fault = Some("is not a feature: the names are rustc's, separated by commas");
        for family in Family::ALL {
            match family.meaning(name, RUSTC) {
                Some(Meaning::Feature(feature) | Meaning::Later(feature)) if feature.name == name => fault = None,
                Some(Meaning::Feature(_)) => fault = fault.and(Some("is an alias: write rustc's name")),
                Some(Meaning::Preset(_)) => fault = fault.and(Some("is a level: name the features to leave out")),
                _ => {}
            }
        }
        if let Some(fault) = fault {
            errors.push(Span::call_site(), format_args!("`simd_core_without` names `{name}`, which {fault}"));
        }
    }
    errors
}

/// The families for which `content` has tokens, each with its architectures.
fn families(content: fn(Family) -> TokenStream) -> TokenStream {
    let mut families = TokenStream::new();
    for family in Family::ALL {
        let content = content(family);
        if !content.is_empty() {
            let name = Ident::new(&format!("{family:?}"), Span::call_site());
            let mut arches = Arch::all();
            arches.retain(|arch| arch.family() == family);
            let arches = arches.into_iter().map(Arch::cfg_name);
            families.extend(quote!(#name [#(#arches)*] #content;));
        }
    }
    families
}

/// The `row` of each feature that is `wanted`.
fn rows(family: Family, wanted: &dyn Fn(&Feature) -> bool, row: fn(&'static Feature) -> TokenStream) -> TokenStream {
    let mut rows = TokenStream::new();
    for feature in family.features() {
        if wanted(feature) {
            rows.extend(row(feature));
        }
    }
    rows
}

fn entry(feature: &'static Feature) -> TokenStream {
    let (constant, bit) = (constant(feature.name, Span::call_site()), Literal::u32_unsuffixed(feature.bit));
    let (name, full) = (feature.name, closure(feature.family, &[feature], RUSTC));
    let full = full.iter().map(|feature| Literal::u32_unsuffixed(feature.bit));
    quote!((#constant #name #bit [#(#full)*]))
}

#[cfg(test)]
mod tests {
    use super::left_out;

    #[test]
    fn names_of_features_that_are_left_out() {
        assert!(left_out("avx2, sve2,fast-gather,sse4.2").is_empty());
        let errors = left_out("avx2,avx3, sse4_2,x86-64-v4,");
        let faults: Vec<&str> =
            errors.messages().iter().filter_map(|message| message.split([':', ',']).next()).collect();
        let start = "`simd_core_without` names";
        assert_eq!(faults, ["`avx3`", "`sse4_2`", "`x86-64-v4`", "``"].map(|name| format!("{start} {name}")));
        for (message, fault) in errors.messages().iter().zip(["not a feature", "an alias", "a level", "not a feature"])
        {
            assert!(message.contains(&format!("which is {fault}")), "{message}");
        }
    }
}
