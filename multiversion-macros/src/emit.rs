//! The code that the attribute writes.

mod dispatcher;
mod docs;
mod function;
mod inherent;
mod module;
mod traits;

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Safety, Signature};

pub(crate) use module::{Macros, node};

use crate::attrs::{self, Copied};
use crate::item::Function;
use crate::plan::{Plan, PlannedClone};
use crate::sig::{Form, Names};
use crate::transform::{Features, TargetCode, split_inner_attributes};

/// A function as the user sees it: one definition, or several of which `cfg(target_feature)` picks one.
pub(crate) struct Unit<'a> {
    /// The definition that gives the dispatcher its signature.
    pub(crate) main: &'a Function,
    /// All definitions, where there are several.
    pub(crate) variants: Vec<&'a Function>,
}

/// Where clones stand.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Inside the dispatcher's body.
    Nested,
    /// Beside the dispatcher, in its inherent impl.
    Sibling,
    /// In a trait of ours inside the dispatcher's body, as methods, `unsafe` ones for targets.
    Method,
}

/// The definitions of one clone of `unit`.
fn clone(unit: &Unit<'_>, clone: &PlannedClone, name: &Ident, place: Place, macros: &Macros<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    if unit.variants.is_empty() {
        tokens.extend(definition(unit.main, clone, name, place, macros, None));
        return tokens;
    }
    let mut predicates = Vec::new();
    for variant in &unit.variants {
        let predicate = variant
            .attrs
            .iter()
            .filter(|attr| attrs::cfg_asks_feature(core::slice::from_ref(attr)))
            .filter_map(|attr| attr.meta.require_list().ok())
            .map(|list| clone.features.rewrite_predicate(list.tokens.clone()));
        let predicate = quote!(all(#(#predicate),*));
        tokens.extend(definition(variant, clone, name, place, macros, Some(&predicate)));
        predicates.push(predicate);
    }
    // No definition is for this clone; nor was there one to call before the attribute was put on.
    let missing = quote!(not(any(#(#predicates),*)));
    let krate = &macros.krate;
    let text = unit.main.sig.ident.to_string();
    let panic = quote_spanned!(Span::mixed_site()=> #krate::__private::missing_variant(#text));
    let body = Group::new(proc_macro2::Delimiter::Brace, panic);
    let function = Function {
        choice: crate::item::Choice::Inherit,
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        default: None,
        sig: Signature { inputs: Form::new(&unit.main.sig).inputs, ..unit.main.sig.clone() },
        body: Some(body),
        semi: None,
    };
    tokens.extend(definition(&function, clone, name, place, macros, Some(&missing)));
    tokens
}

fn definition(
    function: &Function,
    clone: &PlannedClone,
    name: &Ident,
    place: Place,
    macros: &Macros<'_>,
    predicate: Option<&TokenStream>,
) -> TokenStream {
    let span = Span::mixed_site();
    let exists = &clone.exists;
    let exists = match predicate {
        Some(predicate) => quote_spanned!(span=> #[cfg(all(#exists, #predicate))]),
        None => quote_spanned!(span=> #[cfg(#exists)]),
    };
    let copied =
        if place == Place::Sibling { Copied::Sibling(&clone.features) } else { Copied::Nested(&clone.features) };
    let attributes = attrs::copy(&without_feature_cfgs(function, place), copied);
    let prelude = prelude(function, clone, place, macros);
    let enable = clone.features.target.as_ref().map(|target| {
        let enable = &target.enable;
        quote_spanned!(span=> #[target_feature(enable = #enable)])
    });
    let mut sig = function.sig.clone();
    sig.ident = name.clone();
    sig.abi = None;
    sig.constness = None;
    if must_be_unsafe(clone, place) {
        sig.safety = Safety::Unsafe(syn::Token![unsafe](span));
        // `unsafe_code` looks at where the item begins.
        if let Some(token) = &mut sig.asyncness {
            token.span = token.span.resolved_at(span);
        }
    }
    let body = body(function, clone, macros);
    quote_spanned!(span=> #exists #prelude #attributes #enable #sig #body)
}

/// Whether the language wants the clone to be `unsafe` because it has features of its own.
fn must_be_unsafe(clone: &PlannedClone, place: Place) -> bool {
    place == Place::Method && clone.features.target.is_some()
}

/// The attributes without those that a variant's predicate stands for.
fn without_feature_cfgs(function: &Function, place: Place) -> Vec<syn::Attribute> {
    function
        .attrs
        .iter()
        .filter(|attr| place != Place::Sibling || !attrs::cfg_asks_feature(core::slice::from_ref(attr)))
        .cloned()
        .collect()
}

/// Where code is left out, a lint that the user expects may fire in no clone, or nowhere for being allowed.
fn any_expectation() -> TokenStream {
    quote_spanned!(Span::mixed_site()=> #[allow(unfulfilled_lint_expectations)])
}

/// What a clone has of ours before its signature.
fn prelude(function: &Function, clone: &PlannedClone, place: Place, macros: &Macros<'_>) -> TokenStream {
    let span = Span::mixed_site();
    let mut tokens = TokenStream::new();
    if macros.leave_code_out(function) {
        // What one clone leaves out, another uses; rustc cannot see that.
        tokens.extend(quote_spanned! {span=>
            #[allow(unused_variables, unused_mut, unused_assignments, unused_imports, unreachable_code)]
        });
        tokens.extend(any_expectation());
    }
    if place == Place::Sibling {
        tokens.extend(quote_spanned!(span=> #[doc(hidden)]));
    }
    if !attrs::says_inline(&function.attrs) {
        tokens.extend(quote_spanned!(span=> #[inline]));
    }
    if must_be_unsafe(clone, place) && !matches!(function.sig.safety, Safety::Unsafe(_)) {
        // The user's function is safe: what is unsafe in it needs its own block in every edition, and no attribute
        // inside may say otherwise.
        tokens.extend(quote_spanned!(span=> #[forbid(unsafe_op_in_unsafe_fn)]));
    }
    tokens
}

/// The body of a clone.
fn body(function: &Function, clone: &PlannedClone, macros: &Macros<'_>) -> TokenStream {
    let Some(braces) = &function.body else { return TokenStream::new() };
    let (inner, rest) = split_inner_attributes(braces.stream());
    let macros = macros.copied(&rest, &clone.features);
    let rest = clone.features.body(rest);
    let content = match &clone.features.target {
        // The assertion comes before a block of the user's own, so that items still lead that block.
        Some(TargetCode { assertion, .. }) => {
            let mut block = Group::new(proc_macro2::Delimiter::Brace, rest);
            block.set_span(braces.span().resolved_at(Span::mixed_site()));
            quote!(#inner #macros #assertion #block)
        }
        None => quote!(#inner #macros #rest),
    };
    let mut group = Group::new(proc_macro2::Delimiter::Brace, content);
    group.set_span(braces.span());
    group.into_token_stream()
}

/// A function inside a clone's body: compiled for the clone's features, behind a wrapper that is an ordinary function.
///
/// The wrapper checks that the target is there. Inside a clone that is known and costs nothing; but a macro or an impl
/// in the same body may have carried the function to where nothing is known.
pub(crate) fn nested_function(function: &Function, features: &Features, target: &TargetCode) -> TokenStream {
    let span = Span::mixed_site();
    let form = Form::new(&function.sig);
    let names = Names::new([function.to_token_stream()]);
    let name = names.clone(&function.sig.ident, &target.label);
    let outer = attrs::copy(&function.attrs, Copied::Dispatcher);
    let attributes = attrs::copy(&function.attrs, Copied::Nested(features));
    let inline = (!attrs::says_inline(&function.attrs)).then(|| quote_spanned!(span=> #[inline]));
    let TargetCode { enable, assertion, check, .. } = target;
    let vis = &function.vis;
    let wrapper = Signature { inputs: form.inputs, ..function.sig.clone() };
    let mut sig = function.sig.clone();
    sig.ident = name.clone();
    sig.abi = None;
    let Some(braces) = &function.body else { return TokenStream::new() };
    let (inner, rest) = split_inner_attributes(braces.stream());
    let rest = features.body(rest);
    let mut body = Group::new(proc_macro2::Delimiter::Brace, quote!(#inner #assertion { #rest }));
    body.set_span(braces.span());
    let (turbofish, args) = (&form.turbofish, &form.args);
    let wait = function.sig.asyncness.map(|_| quote_spanned!(span=> .await));
    let content = quote_spanned! {span=>
        #attributes #inline
        #[target_feature(enable = #enable)]
        #sig #body
        #check
        unsafe { #name #turbofish(#args) } #wait
    };
    let mut outer_body = Group::new(proc_macro2::Delimiter::Brace, content);
    outer_body.set_span(braces.span());
    quote_spanned!(span=> #outer #[inline(always)] #vis #wrapper #outer_body)
}

/// `plan`'s clone names for the function called `name`.
fn clone_names(plan: &Plan, name: &Ident, names: &Names) -> Vec<Ident> {
    plan.clones.iter().map(|clone| names.clone(name, &clone.label)).collect()
}
