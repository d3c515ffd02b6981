//! The table as tokens, for the crates that use it.
use super::{Arch, Family, Feature, Meaning, RUSTC, UNSTABLE, closure, implied};
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
    let families = Family::ALL.into_iter().map(family);
    quote!(#callback! { #(#families)* })
}

/// A call of the macro at `callback` with the aliases of features and the levels of platforms, for each architecture:
/// `("x86_64" "x86-64-v2" [SSE3 …]) …`. Names that are unstable in this Rust are left out.
pub(crate) fn call_names(callback: &TokenStream) -> TokenStream {
    let names = Arch::all().flat_map(|arch| {
        let family = arch.family();
        family.names().filter_map(move |name| {
            let features = match family.meaning(name, RUSTC)? {
                Meaning::Feature(feature) if feature.name != name => vec![feature],
                Meaning::Preset(preset) if preset.arch == arch => {
                    let feature = |name: &&str| family.features().iter().find(|feature| feature.name == *name);
                    preset.features.iter().filter_map(feature).collect()
                }
                _ => return None,
            };
            let constants = features.iter().map(|feature| Ident::new(&feature.constant(), Span::call_site()));
            let arch = arch.cfg_name();
            Some(quote!((#arch #name [#(#constants)*])))
        })
    });
    quote!(#callback! { #(#names)* })
}

/// A call of the macro at `callback` with the properties of each family that has any: `X86 ["x86" "x86_64"] [(FAST_PEXT
/// "fast-pext" 57) …];`
pub(crate) fn call_properties(callback: &TokenStream) -> TokenStream {
    let families = Family::ALL.into_iter().filter_map(|family| {
        let properties: Vec<&Feature> = family.features().iter().filter(|feature| feature.property).collect();
        if properties.is_empty() {
            return None;
        }
        let name = Ident::new(&format!("{family:?}"), Span::call_site());
        let arches = family.arches().map(Arch::cfg_name);
        let properties = properties.into_iter().map(|property| {
            let constant = Ident::new(&property.constant(), Span::call_site());
            let (name, bit) = (property.name, Literal::u32_unsuffixed(property.bit));
            quote!((#constant #name #bit))
        });
        Some(quote!(#name [#(#arches)*] [#(#properties)*];))
    });
    quote!(#callback! { #(#families)* })
}

/// A call of the macro at `callback` with the unstable features of each family that has any, for every compiler: the
/// name and all that it implies, itself included, `X86 ["x86" "x86_64"] [("rtm" ["rtm"]) …];`
pub(crate) fn call_unstable(callback: &TokenStream) -> TokenStream {
    let families = Family::ALL.into_iter().filter_map(|family| {
        let unstable: Vec<&'static Feature> = family.features().iter().filter(|f| f.since == UNSTABLE).collect();
        if unstable.is_empty() {
            return None;
        }
        let name = Ident::new(&format!("{family:?}"), Span::call_site());
        let arches = family.arches().map(Arch::cfg_name);
        let unstable = unstable.into_iter().map(|feature| {
            let full = implied(family, &[feature]).map(|feature| feature.name);
            let name = feature.name;
            quote!((#name [#(#full)*]))
        });
        Some(quote!(#name [#(#arches)*] [#(#unstable)*];))
    });
    quote!(#callback! { #(#families)* })
}

fn family(family: Family) -> TokenStream {
    let name = Ident::new(&format!("{family:?}"), Span::call_site());
    let arches = family.arches().map(Arch::cfg_name);
    let features = family.features().iter().filter(|feature| !feature.property);
    let (known, later): (Vec<&Feature>, Vec<&Feature>) = features.partition(|feature| feature.taken(RUSTC));
    let has_macro = family.detected_since().is_some_and(|since| since <= RUSTC);
    let (detected, fixed): (Vec<&Feature>, Vec<&Feature>) =
        known.into_iter().partition(|feature| has_macro && feature.detectable);
    let (detected, fixed) = (detected.into_iter().map(entry), fixed.into_iter().map(entry));
    let later = later.into_iter().filter(|feature| feature.since != UNSTABLE).map(|feature| {
        let (name, minor) = (feature.name, Literal::u32_unsuffixed(feature.since));
        quote!((#name #minor))
    });
    let unstable: Vec<&str> = family.unstable().collect();
    let tied = family.tied().iter().map(|[one, other]| quote!((#one #other)));
    quote! {
        #name [#(#arches)*]
            detected [#(#detected)*] static [#(#fixed)*] later [#(#later)*] unstable [#(#unstable)*] tied [#(#tied)*];
    }
}

fn entry(feature: &'static Feature) -> TokenStream {
    let constant = Ident::new(&feature.constant(), Span::call_site());
    let (name, bit) = (feature.name, Literal::u32_unsuffixed(feature.bit));
    let full = closure(feature.family, &[feature], RUSTC);
    let full = full.into_iter().map(|feature| Literal::u32_unsuffixed(feature.bit));
    quote!((#constant #name #bit [#(#full)*]))
}
