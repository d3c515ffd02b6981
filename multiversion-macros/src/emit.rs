//! The code that the attribute writes.

mod chosen;
mod dispatcher;
mod docs;
mod function;
mod inherent;
mod lacking;
pub(crate) mod list;
mod module;
mod record;
pub(crate) mod select;
mod traits;

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, Pat, PatType, PatWild, Safety, Signature, Token, Type};

pub(crate) use chosen::{conflicts, settle};
pub(crate) use module::{Macros, node};

use crate::attrs::{self, Copied};
use crate::item::Function;
use crate::plan::{Plan, PlannedClone};
use crate::sig::{self, Form, Names};
use crate::transform::{self, split_inner_attributes};

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
    /// The same, and called through a pointer.
    BehindPointer,
    /// Beside the dispatcher, in its inherent impl.
    Sibling,
    /// In a trait of ours inside the dispatcher's body, as methods, `unsafe` ones for targets.
    Method,
}

impl Unit<'_> {
    /// For each of several definitions, the `cfg` predicate that makes it the one for `clone`.
    fn predicates(&self, clone: &PlannedClone) -> Vec<TokenStream> {
        let predicate = |variant: &&Function| {
            let predicates = variant
                .attrs
                .iter()
                .filter(|attr| attrs::cfg_asks_feature(core::slice::from_ref(attr)))
                .filter_map(|attr| attr.meta.require_list().ok())
                .map(|list| clone.features.rewrite_predicate(list.tokens.clone()));
            quote!(all(#(#predicates),*))
        };
        self.variants.iter().map(predicate).collect()
    }

    /// `cfg` predicate: some clone has a definition. Without one there is no function; another item may have its name.
    fn exists(&self, plan: &Plan) -> TokenStream {
        let clones = plan.clones.iter().map(|clone| {
            let (exists, predicates) = (&clone.exists, self.predicates(clone));
            quote!(all(#exists, any(#(#predicates),*)))
        });
        quote!(any(#(#clones),*))
    }
}

/// All clones of `unit`, called `names`.
fn clones(unit: &Unit<'_>, plan: &Plan, names: &[Ident], place: Place, macros: &Macros<'_>) -> TokenStream {
    plan.clones.iter().zip(names).map(|(clone, name)| definitions(unit, plan, clone, name, place, macros)).collect()
}

/// The definitions of one clone of `unit`.
fn definitions(
    unit: &Unit<'_>,
    plan: &Plan,
    clone: &PlannedClone,
    name: &Ident,
    place: Place,
    macros: &Macros<'_>,
) -> TokenStream {
    if unit.variants.is_empty() {
        return definition(unit.main, plan, clone, name, place, macros, None);
    }
    let mut tokens = TokenStream::new();
    let predicates = unit.predicates(clone);
    for (variant, predicate) in unit.variants.iter().zip(&predicates) {
        tokens.extend(definition(variant, plan, clone, name, place, macros, Some(predicate)));
    }
    // No definition is for this clone; nor was there one to call before the attribute was put on.
    let exists = unit.exists(plan);
    let missing = quote!(all(#exists, not(any(#(#predicates),*))));
    let span = Span::mixed_site();
    let krate = &macros.krate;
    let text = unit.main.sig.ident.to_string();
    let form = Form::new(&unit.main.sig);
    let used = form.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => {
            let (cfgs, name) = (typed.attrs.iter().filter(|attr| attr.path().is_ident("cfg")), &typed.pat);
            Some(quote_spanned!(span=> #(#cfgs)* let _ = &#name;))
        }
        syn::FnArg::Receiver(_) => None,
    });
    let panic = quote_spanned!(span=> #(#used)* #krate::__private::missing_variant(#text));
    let body = Group::new(proc_macro2::Delimiter::Brace, panic);
    let track = lacking::can_track(unit.main).then(|| syn::parse_quote_spanned!(span=> #[track_caller]));
    let function = Function {
        choice: crate::item::Choice::Inherit,
        attrs: track.into_iter().collect(),
        vis: syn::Visibility::Inherited,
        default: None,
        sig: Signature { inputs: form.inputs.clone(), ..unit.main.sig.clone() },
        body: Some(body),
        semi: None,
    };
    tokens.extend(definition(&function, plan, clone, name, place, macros, Some(&missing)));
    tokens
}

fn definition(
    function: &Function,
    plan: &Plan,
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
    let mut prelude = prelude(function, clone, place, macros);
    if predicate.is_none() {
        prelude.extend(silence(function, clone, macros));
    }
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
    }
    sig::excuse_unsafe(&mut sig);
    with_proof(&mut sig, plan);
    let body = body(function, plan, clone, place, macros);
    quote_spanned!(span=> #exists #prelude #attributes #enable #sig #body)
}

/// Gives the signature of a clone its last parameter: only a dispatcher can call it.
fn with_proof(sig: &mut Signature, plan: &Plan) {
    let (span, krate) = (Span::mixed_site(), &plan.krate);
    let ty = Type::Verbatim(quote_spanned!(span=> #krate::__private::Proof));
    let pat = Pat::Wild(PatWild { attrs: Vec::new(), underscore_token: Token![_](span) });
    sig.inputs.push(FnArg::Typed(PatType {
        attrs: Vec::new(),
        pat: Box::new(pat),
        colon_token: Token![:](span),
        ty: Box::new(ty),
    }));
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

/// Leaves it to the baseline to warn of what all clones have in common.
fn silence(function: &Function, clone: &PlannedClone, macros: &Macros<'_>) -> Option<TokenStream> {
    let enabled = &clone.features.target.as_ref()?.enabled;
    let silenced = silenced();
    let silence = quote_spanned!(Span::mixed_site()=> #[cfg_attr(not(#enabled), allow(#silenced))]);
    (!macros.leave_code_out(function)).then_some(silence)
}

/// The lints of code that one of its copies speaks for.
///
/// rustc prints a message once however often it comes, but only while it does not compile incrementally. A crate
/// cannot `forbid` what is listed here, so that the list holds what crates do not forbid one by one.
fn silenced() -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        deprecated, let_underscore_drop, non_camel_case_types, non_snake_case, non_upper_case_globals,
        path_statements, trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_code,
        unreachable_patterns, unused_assignments, unused_imports, unused_mut, unused_unsafe, unused_variables,
        clippy::all, clippy::pedantic, clippy::nursery
    }
}

/// Leaves it to the dispatcher to warn of what its signature says alone, and lets a public function's clones be as it is.
fn signature_lints(function: &Function) -> TokenStream {
    let span = Span::mixed_site();
    let mut tokens = quote_spanned! {span=>
        #[allow(
            clippy::extra_unused_lifetimes, clippy::large_types_passed_by_value, clippy::linkedlist,
            clippy::missing_const_for_fn, clippy::needless_lifetimes, clippy::option_option, clippy::owned_cow,
            clippy::rc_buffer, clippy::ref_option, clippy::too_many_arguments, clippy::trivially_copy_pass_by_ref,
            clippy::type_complexity, clippy::unnecessary_box_returns, clippy::vec_box, clippy::wrong_self_convention
        )]
    };
    if matches!(function.vis, syn::Visibility::Public(_)) {
        // Others may count on the signature.
        tokens.extend(quote_spanned! {span=>
            #[allow(clippy::needless_pass_by_ref_mut, clippy::unnecessary_wraps, clippy::unused_self)]
        });
    }
    tokens
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
        if clone.features.target.is_some() {
            // clippy spares a `return` under `cfg`, but not among tokens that were rewritten; and an assertion comes
            // before the user's items.
            tokens.extend(quote_spanned!(span=> #[allow(clippy::items_after_statements, clippy::needless_return)]));
        }
    }
    tokens.extend(signature_lints(function));
    if place == Place::Sibling {
        tokens.extend(quote_spanned!(span=> #[doc(hidden)]));
    }
    if !attrs::says_inline(&function.attrs) {
        tokens.extend(quote_spanned!(span=> #[inline]));
    }
    if forbids_unsafe(function, clone, place) {
        // What is unsafe in it needs its own block in every edition, and no attribute inside may say otherwise.
        tokens.extend(quote_spanned!(span=> #[forbid(unsafe_op_in_unsafe_fn)]));
    }
    tokens
}

/// Whether the clone is `unsafe` where the user's function is safe.
fn forbids_unsafe(function: &Function, clone: &PlannedClone, place: Place) -> bool {
    must_be_unsafe(clone, place) && !matches!(function.sig.safety, Safety::Unsafe(_))
}

/// The body of a clone, after what it says of the CPU.
fn body(function: &Function, plan: &Plan, clone: &PlannedClone, place: Place, macros: &Macros<'_>) -> TokenStream {
    let Some(braces) = &function.body else { return TokenStream::new() };
    let (inner, rest) = split_inner_attributes(braces.stream());
    let copied = macros.copied(function, &rest, &clone.features);
    let asynchronous = function.sig.asyncness.is_some();
    let of = transform::Of { asynchronous, forbids_unsafe: forbids_unsafe(function, clone, place) };
    let mut rest = macros.lacking.mark(clone.features.body(rest, of), function, clone);
    let known = match &clone.features.target {
        Some(target) => target.assertion.clone(),
        // What outlives the tests of the dispatcher must not repeat what they have shown.
        None if place == Place::BehindPointer || function.sig.asyncness.is_some() => TokenStream::new(),
        None => plan.baseline_assertion(),
    };
    if clone.features.target.is_none() && !known.is_empty() && transform::holds_items(&rest) {
        // Clippy looks at the baseline, and wants items before statements.
        let mut block = Group::new(proc_macro2::Delimiter::Brace, rest);
        block.set_span(braces.span());
        rest = block.into_token_stream();
    }
    let record = plan.recorded.then(|| record::entry(function, plan, clone));
    let content = quote!(#inner #copied #record #known #rest);
    let mut group = Group::new(proc_macro2::Delimiter::Brace, content);
    group.set_span(braces.span());
    group.into_token_stream()
}

/// `plan`'s clone names for the function called `name`.
fn clone_names(plan: &Plan, name: &Ident, names: &Names) -> Vec<Ident> {
    plan.clones.iter().map(|clone| names.clone(name, &clone.label)).collect()
}
