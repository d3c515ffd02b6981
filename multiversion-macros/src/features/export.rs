//! The table as tokens, for the crates that use it.
use super::{Arch, Family, Feature, Meaning, RUSTC, UNSTABLE, closure, constant, implied};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// A call of the macro at `callback` with, for each family:
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
/// Properties are not included: see [`call_properties`].
pub(crate) fn call(callback: &TokenStream) -> TokenStream {
    families(callback, |family| {
        let has_macro = family.detected_since().is_some_and(|since| since <= RUSTC);
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
        let unstable = family.unstable();
        let mut tied = TokenStream::new();
        for [one, other] in family.tied() {
            tied.extend(quote!((#one #other)));
        }
        quote!(detected [#detected] static [#fixed] later [#later] unstable [#(#unstable)*] tied [#tied])
    })
}

/// A call of the macro at `callback` with the aliases of features and the levels of platforms, for each architecture:
/// `("x86_64" "x86-64-v2" [SSE3 …]) …`. Names that are unstable in this Rust are left out.
pub(crate) fn call_names(callback: &TokenStream) -> TokenStream {
    let mut names = TokenStream::new();
    for arch in Arch::all() {
        let family = arch.family();
        for name in family.names() {
            let features = match family.meaning(name, RUSTC) {
                Some(Meaning::Feature(feature)) if feature.name != name => &[feature.name],
                Some(Meaning::Preset(preset)) if preset.arch == arch => preset.features,
                _ => continue,
            };
            let constants: Vec<Ident> = features.iter().map(|name| constant(name, Span::call_site())).collect();
            let arch = arch.cfg_name();
            names.extend(quote!((#arch #name [#(#constants)*])));
        }
    }
    quote!(#callback! { #names })
}

/// A call of the macro at `callback` with the properties of each family that has any: `X86 ["x86" "x86_64"] [(FAST_PEXT
/// "fast-pext" 57) …];`
pub(crate) fn call_properties(callback: &TokenStream) -> TokenStream {
    families(callback, |family| {
        let properties = rows(family, &|feature| feature.property, |property| {
            let (constant, name, bit) =
                (constant(property.name, Span::call_site()), property.name, Literal::u32_unsuffixed(property.bit));
            quote!((#constant #name #bit))
        });
        if properties.is_empty() { properties } else { quote!([#properties]) }
    })
}

/// A call of the macro at `callback` with the unstable features of each family that has any, for every compiler: the
/// name and all that it implies, itself included, `X86 ["x86" "x86_64"] [("rtm" ["rtm"]) …];`
pub(crate) fn call_unstable(callback: &TokenStream) -> TokenStream {
    families(callback, |family| {
        let unstable = rows(family, &|feature| feature.since == UNSTABLE, |feature| {
            let full = implied(feature.family, &[feature]);
            let (name, full) = (feature.name, full.iter().map(|feature| feature.name));
            quote!((#name [#(#full)*]))
        });
        if unstable.is_empty() { unstable } else { quote!([#unstable]) }
    })
}

/// A call of the macro at `callback` with the families for which `content` has tokens, each with its architectures.
fn families(callback: &TokenStream, content: fn(Family) -> TokenStream) -> TokenStream {
    let mut families = TokenStream::new();
    for family in Family::ALL {
        let content = content(family);
        if content.is_empty() {
            continue;
        }
        let name = Ident::new(&format!("{family:?}"), Span::call_site());
        let mut arches = Arch::all();
        arches.retain(|arch| arch.family() == family);
        let arches = arches.into_iter().map(Arch::cfg_name);
        families.extend(quote!(#name [#(#arches)*] #content;));
    }
    quote!(#callback! { #families })
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
    let (constant, name, bit) =
        (constant(feature.name, Span::call_site()), feature.name, Literal::u32_unsuffixed(feature.bit));
    let full = closure(feature.family, &[feature], RUSTC);
    let full = full.iter().map(|feature| Literal::u32_unsuffixed(feature.bit));
    quote!((#constant #name #bit [#(#full)*]))
}
