//! A trait's methods, in an impl or as defaults: a trait of ours inside the dispatcher's body holds the clones.
//!
//! A safe trait method cannot carry `#[target_feature]`, and a nested function has no `Self`; an `unsafe` method of
//! another trait, implemented for the same type under the same generics, has both.

mod header;
mod needs;
mod same;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, GenericParam, ReturnType, Safety, Signature, Token, Type};

pub(in crate::emit) use header::Header;
use header::Implementor;
use needs::Needs;
pub(super) use same::with_standard_cfg;
pub(crate) use same::{DIFFERENT, HELP};

use super::dispatcher::Dispatcher;
use super::{Place, Scope, Unit};
use crate::sig;
use crate::tokens::{is_punct, regroup};

/// A method of a trait impl, or a default method.
pub(super) fn emit(unit: &Unit<'_>, header: &Header, scope: &Scope<'_>) -> TokenStream {
    let span = Span::mixed_site();
    let helper = unit.plan.names.own("__Dispatch");
    let needs = Needs::of(&unit.definitions, header);
    let bound = needs.bound.then_some(&header.bound);
    let mut with_implied = header.generics.clone();
    let outlives =
        header.outlives.iter().filter_map(|predicate| syn::parse2::<syn::WherePredicate>(predicate.clone()).ok());
    with_implied.make_where_clause().predicates.extend(outlives);
    let (generics, _, where_clause) = with_implied.split_for_impl();
    let arguments = sig::arguments(&header.generics, ToTokens::to_token_stream);
    let inferred = sig::arguments(&header.generics, |_| quote!('_));
    let import = &header.import;

    let path = quote_spanned!(span=> <Self as #helper #inferred>::);
    let mut dispatcher = Dispatcher::new(unit, scope, Place::Method, path);
    dispatcher.documented |= matches!(header.implementor, Implementor::Blanket);
    dispatcher.header = Some(header).filter(|header| !header.ambiguous.is_empty());
    if let Some(error) = same::error(unit, scope) {
        let private = &unit.plan.private;
        return dispatcher.item(&quote_spanned!(span=> #error #private::core::unreachable!()));
    }
    dispatcher.implied = header.implied_for_self(&unit.main().sig.generics);
    let declarations = dispatcher.plan.clones.iter().zip(&dispatcher.names).map(|(planned, name)| {
        let exists = planned.cfg();
        let inputs = dispatcher.form.inputs.clone();
        let mut sig = Signature { ident: name.clone(), abi: None, inputs, ..unit.main().sig.clone() };
        if let Implementor::Type { ty, .. } = &header.implementor {
            name_self_in_constants(&mut sig, ty);
        }
        if planned.features.target.is_some() {
            sig.safety = Safety::Unsafe(Token![unsafe](span));
        }
        dispatcher.complete(&mut sig);
        quote_spanned!(span=> #exists #sig;)
    });
    let clones = dispatcher.clones();
    let content = match &header.implementor {
        Implementor::Type { ty, .. } => {
            let sized = needs.sized.then(|| quote_spanned!(span=> ::core::marker::Sized +));
            quote_spanned! {span=>
                #[allow(clippy::min_ident_chars)]
                trait #helper #generics: #sized #bound #where_clause { #(#declarations)* }
                #[allow(clippy::assign_op_pattern)]
                impl #generics #helper #arguments for #ty #where_clause { #(#clones)* }
            }
        }
        Implementor::Blanket => {
            let this = unit.plan.names.own("__This");
            let mut with_this = with_implied.clone();
            let param: syn::TypeParam = syn::parse_quote!(#this: ?::core::marker::Sized + #bound);
            with_this.params.push(GenericParam::Type(param));
            let (with_this, _, _) = with_this.split_for_impl();
            quote_spanned! {span=>
                trait #helper #generics: #bound #where_clause { #(#clones)* }
                impl #with_this #helper #arguments for #this #where_clause {}
            }
        }
    };
    let choice = dispatcher.pick(&[]);
    dispatcher.item(&quote_spanned!(span=> #import #content #choice))
}

/// In our trait `Self` is generic, and a constant cannot depend on it. So `ty` is written there.
fn name_self_in_constants(sig: &mut Signature, ty: &Type) {
    let concrete = quote!(<#ty>);
    let types = sig.inputs.iter_mut().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&mut typed.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &mut sig.output {
        ReturnType::Type(_, ty) => Some(ty),
        ReturnType::Default => None,
    };
    for ty in types.chain(output) {
        if let Ok(new) = syn::parse2(concrete_constants(ty.to_token_stream(), &concrete, false)) {
            **ty = new;
        }
    }
}

/// Replaces `Self` by `concrete` in array lengths and constants in braces, or with `everywhere` in all of `tokens`.
fn concrete_constants(tokens: TokenStream, concrete: &TokenStream, everywhere: bool) -> TokenStream {
    let mut constant = everywhere;
    let mut out = TokenStream::new();
    for token in tokens {
        match &token {
            TokenTree::Ident(word) if constant && word == "Self" => out.extend(concrete.clone()),
            TokenTree::Group(group) => {
                let constant = constant || group.delimiter() == Delimiter::Brace;
                out.extend([regroup(group, concrete_constants(group.stream(), concrete, constant))]);
            }
            _ => {
                // A length follows.
                constant |= is_punct(Some(&token), ';');
                out.extend([token]);
            }
        }
    }
    out
}
