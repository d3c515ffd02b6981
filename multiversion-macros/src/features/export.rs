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
    let name = input.next().map(|name| name.to_string()).unwrap_or_default();
    let Some(table) = named(&name, RUSTC) else {
        return std::env::var(LEFT_OUT).map(|names| left_out(&names)).unwrap_or_default().into_token_stream();
    };
    let tables = Family::ALL.into_iter().map(table);
    let callback: TokenStream = input.collect();
    quote!(#callback! { #(#tables)* })
}

/// The part of the table called `name` that a family has in Rust 1.`rustc`.
fn named(name: &str, rustc: u32) -> Option<Box<dyn Fn(Family) -> TokenStream>> {
    Some(match name {
        "features" => Box::new(move |family| of_family(family, features(family, rustc))),
        "names" => Box::new(move |family| names(family, rustc)),
        "levels" => Box::new(move |family| levels(family, rustc)),
        "properties" => Box::new(move |family| of_family(family, properties(family))),
        "cpuid" => Box::new(move |family| of_family(family, cpuid(family, rustc))),
        "unstable" => Box::new(|family| of_family(family, unstable(family))),
        _ => return None,
    })
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
fn features(family: Family, rustc: u32) -> TokenStream {
    let has_macro = family.table().detected_since.is_some_and(|since| since <= rustc);
    let known = |feature: &Feature, detected| {
        feature.taken(rustc) && !feature.property && detected == (has_macro && feature.detectable)
    };
    let entry = |feature| entry(feature, rustc);
    let detected = rows(family, &|feature| known(feature, true), &entry);
    let fixed = rows(family, &|feature| known(feature, false), &entry);
    let is_later = |feature: &Feature| !feature.taken(rustc) && feature.since != UNSTABLE;
    let later = rows(family, &is_later, &|feature| {
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
fn names(family: Family, rustc: u32) -> TokenStream {
    let mut names = TokenStream::new();
    for arch in family.arches() {
        for name in family.names() {
            let features = match family.meaning(name, rustc) {
                Some(Meaning::Feature(feature)) if feature.name != name => vec![feature],
                Some(Meaning::Preset(preset)) if preset.arch == arch => leaves(family, &preset.features(), rustc),
                _ => continue,
            };
            let (arch, constants) = (arch.cfg_name(), constants(&features));
            names.extend(quote!((#arch #name [#(#constants)*])));
        }
    }
    names
}

/// The levels with what they name, less what that implies: `("x86_64" X86_64_V3 "x86-64-v3" [AVX2 …]) …`.
fn levels(family: Family, rustc: u32) -> TokenStream {
    let mut levels = TokenStream::new();
    for preset in family.table().presets {
        let (arch, name) = (preset.arch.cfg_name(), preset.name);
        let features = leaves(family, &preset.features(), rustc);
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
    let properties = rows(family, &|feature| feature.property, &|property| {
        let (constant, bit) = (constant(property.name, Span::call_site()), Literal::u32_unsuffixed(property.bit));
        let name = property.name;
        quote!((#constant #name #bit))
    });
    if properties.is_empty() { properties } else { quote!([#properties]) }
}

/// The bits of `cpuid` by when they count, each with the leaf, the part of it, the register and the bit:
/// `X86 ["x86" "x86_64"] alone [(SSE3 "sse3" 1 0 2 0) …] with_avx […] if_saved […] if_loaded […];`
fn cpuid(family: Family, rustc: u32) -> TokenStream {
    let counting = |counts| {
        let wanted = |feature: &Feature| feature.taken(rustc) && feature.cpuid.is_some_and(|row| row.counts == counts);
        rows(family, &wanted, &|feature| {
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
    let unstable = rows(family, &|feature| feature.since == UNSTABLE, &|feature| {
        let full = implied(feature.family, &[feature], RUSTC);
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

/// `content` of a family behind its name and its architectures, if there is any.
fn of_family(family: Family, content: TokenStream) -> TokenStream {
    if content.is_empty() {
        return content;
    }
    let name = Ident::new(&format!("{family:?}"), Span::call_site());
    let arches = family.arches().into_iter().map(Arch::cfg_name);
    quote!(#name [#(#arches)*] #content;)
}

/// The `row` of each feature that is `wanted`.
fn rows(
    family: Family,
    wanted: &dyn Fn(&Feature) -> bool,
    row: &dyn Fn(&'static Feature) -> TokenStream,
) -> TokenStream {
    let mut rows = TokenStream::new();
    for feature in family.features() {
        if wanted(feature) {
            rows.extend(row(feature));
        }
    }
    rows
}

fn entry(feature: &'static Feature, rustc: u32) -> TokenStream {
    let (constant, bit) = (constant(feature.name, Span::call_site()), Literal::u32_unsuffixed(feature.bit));
    let (name, full) = (feature.name, closure(feature.family, &[feature], rustc));
    let full = full.iter().map(|feature| Literal::u32_unsuffixed(feature.bit));
    quote!((#constant #name #bit [#(#full)*]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::TAKES_UNSTABLE;

    const HEAD: &str = "//! The table of features of the macro crate, for builds without it.\n//!\n//! Written by the tests of \
        `simd-core-expand`: `UPDATE_EXPECT=1 cargo test -p simd-core-expand table`.\n\n\
        macro_rules! table {\n    ($table:ident $callback:ident) => {\n        $table! { $callback }\n    };\n}\n";

    /// The rows that the table `name` has of a family in Rust 1.`rustc`, each in a line.
    fn table_of(name: &str, family: Family, rustc: u32) -> String {
        let table = named(name, rustc).unwrap()(family).to_string();
        let table = table.split_once(" later ").map_or(&*table, |(table, _)| table);
        let end = if name == "features" { " later [] unstable [] tied [] ;" } else { "" };
        format!("{table}{end}").replace('(', "\n        (").replace(" )", ")")
    }

    /// The versions of Rust from which on a family has other features.
    fn versions(family: Family) -> Vec<u32> {
        let features = family.features().iter();
        let since = features.flat_map(|feature| [Some(feature.since), feature.later.map(|(since, _)| since)]).flatten();
        let since = since.chain(family.table().detected_since).filter(|&since| since > 89 && since != UNSTABLE);
        let mut versions: Vec<u32> = since.chain([89]).collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }

    fn one_or(operator: &str, predicates: &[String]) -> String {
        match predicates {
            [one] => one.clone(),
            all => format!("{operator}({})", all.join(", ")),
        }
    }

    /// The macro called `name`, if `condition` holds.
    fn with_macro(text: &mut String, condition: &str, name: &str, [arguments, called, rows]: [&str; 3]) {
        let head = format!(
            "\n#[rustfmt::skip]\n#[cfg({condition})]\nmacro_rules! {name} {{\n    ($callback:ident{arguments}) =>"
        );
        *text += &format!("{head} {{ {called} {rows} }} }};\n}}\n").replace(" \n", "\n");
    }

    /// `one` and `other` as what is before their first different row, the rows of each up to the last one, and what
    /// follows; nothing if those rows are in several lists.
    fn rows_that_differ<'a>(one: &'a str, other: &'a str) -> Option<[&'a str; 4]> {
        let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let ((before, one), other) = (one.split_at(one[..same].rfind("\n        (")?), other);
        let other = &other[before.len()..];
        let same = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
        let after = one[one.len() - same..].split_once(')')?.1;
        let rows = [one, other].map(|rows| &rows[..rows.len() - after.len()]);
        (!rows.concat().contains(")]")).then_some([before, rows[0], rows[1], after])
    }

    #[test]
    fn table_for_builds_without_the_macro() {
        let mut text = HEAD.to_owned();
        for name in ["features", "names", "levels", "properties", "cpuid"] {
            let mut filled = Vec::new();
            for family in Family::ALL {
                let arches = family.arches().into_iter();
                let arches: Vec<String> = arches.map(|arch| format!("target_arch = \"{}\"", arch.cfg_name())).collect();
                let arches = one_or("any", &arches);
                let mut tables: Vec<(u32, String)> =
                    versions(family).into_iter().map(|since| (since, table_of(name, family, since))).collect();
                tables.dedup_by(|later, earlier| later.1 == earlier.1);
                let (mut called, with) = ("$callback! {".to_owned(), format!("{name}_with"));
                // What two versions share stands there once.
                if let [(_, one), (_, other)] = &mut *tables
                    && let Some([before, rows, later_rows, after]) = rows_that_differ(one, other)
                {
                    let shared = format!("{before} $($rows)*{after}");
                    with_macro(&mut text, &arches, &with, [" $($rows:tt)*", &called, &shared]);
                    called = format!("{with}! {{ $callback");
                    [*one, *other] = [rows, later_rows].map(str::to_owned);
                }
                // A build has each `simd_core_rust` up to that of its own Rust.
                for (at, (since, table)) in tables.iter().enumerate().filter(|(_, (_, table))| !table.is_empty()) {
                    let mut conditions = vec![arches.clone()];
                    conditions.extend((*since != 89).then(|| format!("simd_core_rust = \"{since}\"")));
                    let next = tables.get(at + 1).map(|(next, _)| format!("not(simd_core_rust = \"{next}\")"));
                    conditions.extend(next);
                    let condition = one_or("all", &conditions);
                    with_macro(&mut text, &condition, name, ["", &called, table]);
                    filled.push(condition);
                }
            }
            with_macro(&mut text, &format!("not({})", one_or("any", &filled)), name, ["", "$callback! {", ""]);
        }
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../simd-core/src/table.rs");
        if file.parent().is_some_and(std::path::Path::exists) && !TAKES_UNSTABLE {
            expect_test::expect_file![file].assert_eq(&text);
        }
    }

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
