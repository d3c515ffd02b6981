//! Constants and type aliases that differ between clones: those of each clone, and what takes their names in the module.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Generics;

use super::scope::Scope;
use crate::attrs;
use crate::cfg::{Features, any};
use crate::error::compile_error;
use crate::item::Node;
use crate::lints::{maybe_unused, silenced};
use crate::plan::{Plan, PlannedClone, PrivatePath};
use crate::resolve::{Constant, Constants, Definition, cover_all_clones, occurs};
use crate::sig;
use crate::tokens::hygienic;

/// The item in place of a definition in its module.
pub(super) fn in_module(constant: &Constant<'_>, index: usize, scope: &Scope<'_>) -> TokenStream {
    let original = constant.definitions[index].original;
    let mut tokens = quote_spanned!(Span::mixed_site()=> #[cfg(doc)] #original);
    if index == 0 {
        let mut lists = Vec::new();
        lists_in(scope.container.map_or(&[], |module| &module.items), &mut lists);
        let plans: Vec<&Plan> = lists.into_iter().map(|list| &scope.plans[list]).collect();
        tokens.extend(placeholder(constant, &plans));
    }
    tokens
}

/// All of them once for each clone: so they are checked where no function uses them, and constants without a name are
/// evaluated.
pub(super) fn checked(constants: &Constants<'_>, plan: &Plan) -> TokenStream {
    if constants.named.is_empty() && constants.unnamed.is_empty() {
        return TokenStream::new();
    }
    let checked = plan.by_cfg().clones.iter().map(|clone| {
        let items = for_clone(&constants.named, &clone.features);
        let unnamed = constants.unnamed.iter().map(|(_, item)| clone.features.rewrite_all(item.to_token_stream()));
        let exists = clone.cfg();
        quote_spanned!(Span::mixed_site()=> #exists const _: () = { #items #(#unnamed)* };)
    });
    quote!(#(#checked)*)
}

/// The definitions of `constants` for a clone with `features`.
pub(super) fn for_clone(constants: &[Rc<Constant<'_>>], features: &Features) -> TokenStream {
    let (lints, unused) = (silenced(), maybe_unused());
    let definitions = constants.iter().flat_map(|constant| &constant.definitions).map(|one| {
        let selected = attrs::cfg_predicate_for(&one.original.attrs, features);
        let item = features.rewrite_all(one.tokens.clone());
        let others: Vec<_> = one.original.attrs.iter().filter(|attr| !attr.path().is_ident("cfg")).cloned().collect();
        let others = features.rewrite_all(attrs::for_copy(&others, None, false, true));
        let selected = (selected.to_string() != quote!(all()).to_string()).then(|| quote!(#[cfg(#selected)]));
        quote_spanned!(Span::mixed_site()=> #selected #others #lints #unused #item)
    });
    quote!(#(#definitions)*)
}

/// The first of `constants` that names a generic parameter of `generics`, or whose copies would hide it, with the parameter.
pub(super) fn captured_parameter<'g>(
    constants: &[Rc<Constant<'_>>],
    generics: &'g Generics,
) -> Option<(String, &'g Ident)> {
    let types = generics.type_params().map(|param| &param.ident);
    let mut params = types.chain(generics.const_params().map(|param| &param.ident));
    params.find_map(|param| {
        let declares = |one: &Definition<'_>| one.alias.as_ref().is_some_and(|alias| sig::declares(alias, param));
        let names = |constant: &&Rc<Constant<'_>>| {
            constant.is_hidden_by(&[generics]) && constant.is(param)
                || constant.definitions.iter().any(|one| !declares(one) && occurs(&one.value, &param.to_string()))
        };
        constants.iter().find(names).map(|constant| (constant.name.clone(), param))
    })
}

/// The item that takes the name in the module if some clone has a definition, and an error for each clone without one.
fn placeholder(constant: &Constant<'_>, plans: &[&Plan]) -> TokenStream {
    let span = Span::mixed_site();
    let first = &constant.definitions[0];
    let definitions = constant.definitions.iter().map(|one| &one.original.attrs);
    if cover_all_clones(definitions.clone()) {
        return poisoned(first, &quote_spanned!(span=> not(doc)), &plans[0].private);
    }
    let clones = || plans.iter().flat_map(|plan| &plan.by_cfg().clones);
    let defined = |clone: &PlannedClone| {
        any(definitions.clone().map(|attrs| attrs::cfg_predicate_for(attrs, &clone.features)).collect())
    };
    let exists = any(clones().map(|clone| clone.exists_and(defined(clone))).collect());
    let errors = clones().map(|clone| {
        let defined = defined(clone);
        let missing = clone.exists_and(quote!(all(#exists, not(#defined))));
        let error = without_definition(&first.ident, clone);
        quote_spanned!(span=> #[cfg(#missing)] #error)
    });
    let instead = poisoned(first, &quote_spanned!(span=> all(#exists, not(doc))), &plans[0].private);
    quote_spanned!(span=> #(#errors)* #instead)
}

/// Items that take this name under `condition`, so that its every use is an error. A constant's is a `static mut`, which no pattern can
/// name or shadow, and which no safe code can read; its type says what it is.
fn poisoned(first: &Definition<'_>, condition: &TokenStream, private: &PrivatePath) -> TokenStream {
    let span = Span::mixed_site();
    let (clippy, unused) = (silenced(), maybe_unused());
    let (vis, ident) = (&first.vis, hygienic(&first.ident));
    let Some(generics) = &first.alias else {
        let ty = quote_spanned!(span=> #private::ConstantUsableOnlyInsideClones);
        return quote_spanned!(span=> #[cfg(#condition)] #[doc(hidden)] #clippy #unused #vis static mut #ident: #ty = #ty;);
    };
    let (used, (parameters, _, _)) = (parameters_in(generics), generics.split_for_impl());
    let ty = quote_spanned!(span=> <() as #private::AliasUsableOnlyInsideClones<(#used)>>::Type);
    quote_spanned!(span=> #[cfg(#condition)] #[doc(hidden)] #clippy #unused #vis type #ident #parameters = #ty;)
}

/// Types that use the parameters of an alias, which rustc requires. A constant need not be used.
fn parameters_in(generics: &Generics) -> TokenStream {
    let lifetimes = generics.lifetimes().map(|param| &param.lifetime);
    let types = generics.type_params().map(|param| &param.ident);
    quote!(#(&#lifetimes (),)* #(*const #types,)*)
}

/// Adds to `lists` those of the items `nodes` of a module, less those in modules of their own.
fn lists_in(nodes: &[Node], lists: &mut Vec<usize>) {
    for node in nodes {
        let choice = match node {
            Node::Fn(function) => function.choice,
            Node::Item(item) => {
                if !item.is_mod() {
                    lists_in(&item.items, lists);
                }
                item.choice
            }
        };
        lists.extend(choice.list().filter(|list| !lists.contains(list)));
    }
}

/// The error that `clone` has no definition of `name`, and others have.
pub(super) fn without_definition(name: &Ident, clone: &PlannedClone) -> TokenStream {
    let clone = clone.in_words();
    let message = format!(
        "`{name}` has no definition for {clone}: the `cfg` of each is false there\n\
         help: add one, for example under `#[cfg(not(…))]`"
    );
    compile_error(name.span(), &message)
}
