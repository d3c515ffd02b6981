//! Functions inside a body, compiled for the clone's features.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{AttrStyle, Attribute, Item, ItemFn, Signature};

use crate::attrs;
use crate::cfg::Features;
use crate::item::definitions::Unclonable;
use crate::plan::{NestedCode, TargetCode};
use crate::sig::{self, Names, Parameters};
use crate::tokens::{Words, braces, tests_feature};

/// `function` behind a wrapper without features. Its body begins with `assertion`.
///
/// The wrapper tests everything that the function asserts. Inside a clone the results are known, so the tests cost
/// nothing. But an impl, a trait or a module in the same body may have `carried` the function to where nothing is known.
/// There, earlier targets may be present, so the function does not assert their absence.
pub(super) fn wrapped(
    function: &mut ItemFn,
    features: &Features,
    target: &TargetCode,
    assertion: &TokenStream,
    carried: bool,
) -> TokenStream {
    let span = Span::mixed_site();
    let names = Names::besides(&Words::of(function.to_token_stream()));
    let TargetCode { enable, label, .. } = target;
    let (inner, outer): (Vec<Attribute>, Vec<Attribute>) =
        function.attrs.drain(..).partition(|attr| matches!(attr.style, AttrStyle::Inner(_)));
    let name = names.clone_of(&function.sig.ident, label);
    // The clone's `cfg`s are evaluated already.
    let nested = attrs::for_copy(&outer, Some(features), true, false);
    let inline = (!attrs::says_inline(&outer)).then(|| quote_spanned!(span=> #[inline]));
    let outer = attrs::for_copy(&outer, None, false, false);
    let NestedCode { check, check_earlier, .. } = &*target.nested;
    let earlier = (!carried).then_some(check_earlier);
    let parameters = Parameters::new(&function.sig, &names, &|_| false);
    let wrapper = Signature { inputs: parameters.bound, ..function.sig.clone() };
    let mut sig = function.sig.clone();
    sig.ident = name.clone();
    sig.abi = None;
    sig::claim_unsafe(&mut sig.asyncness, &mut sig.safety);
    let block = |content: TokenStream| braces(content, function.block.brace_token.span.join());
    let statements = &function.block.stmts;
    let of_build = features.of_build(&quote!(#(#statements)*));
    let body = block(quote!(#(#inner)* #assertion #(#statements)*));
    let (turbofish, args, vis) = (&parameters.turbofish, &parameters.args, &function.vis);
    let wait = function.sig.asyncness.map(|_| quote_spanned!(span=> .await));
    let content = block(quote_spanned! {span=>
        #nested #inline
        #[target_feature(enable = #enable)] #of_build
        #sig #body
        #check
        #earlier
        unsafe { #name #turbofish(#args) } #wait
    });
    quote_spanned!(span=> #outer #[inline(always)] #vis #wrapper #content)
}

/// `function` as two under opposite `cfg`s, if it is inlined as it is under one of them.
pub(super) fn split(function: &ItemFn) -> Option<[Item; 2]> {
    let halves = attrs::split_inline_always(&function.attrs)?;
    let split = !tests_feature(&function.to_token_stream());
    split.then(|| halves.map(|attrs| Item::Fn(ItemFn { attrs, ..function.clone() })))
}

/// Whether `function` can be compiled for the clone's features.
pub(super) fn takes_features(function: &ItemFn) -> bool {
    let (sig, attrs) = (&function.sig, &function.attrs);
    Unclonable::all(attrs, sig).all(|reason| reason == Unclonable::Test)
        && attrs::conditional(attrs, "target_feature").next().is_none()
        // It may not exist.
        && !attrs.iter().any(|attr| matches!(attr.style, AttrStyle::Inner(_)) && attrs::have_named(core::slice::from_ref(attr), "cfg"))
        // It is inlined into code that has the features.
        && (attrs::inlines_always(attrs).is_none() || tests_feature(&function.to_token_stream()))
        // It has targets of its own.
        && !attrs.iter().any(attrs::names_targets)
}
