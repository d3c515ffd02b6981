//! A trait's methods, in an impl or as defaults: a trait of ours inside the dispatcher's body holds the clones.
//!
//! A safe trait method cannot carry `#[target_feature]`, and a nested function has no `Self`; an `unsafe` method of
//! another trait, implemented for the same type under the same generics, has both.

mod header;
mod needs;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Safety, Signature, Token};

pub(in crate::emit) use header::Header;
use header::Implementor;
use needs::Needs;

use super::dispatcher::{self, Call, First};
use super::{Macros, Place, Unit, clone, clone_names, function};
use crate::plan::Plan;
use crate::sig::{self, Form, Names};

/// A method of a trait impl, or a default method.
pub(super) fn emit(
    unit: &Unit<'_>,
    header: &Header,
    plan: &Plan,
    macros: &Macros<'_>,
    all: &TokenStream,
) -> TokenStream {
    let span = Span::mixed_site();
    let method = unit.main;
    let form = Form::new(&method.sig);
    let names = Names::new(unit.definitions().map(ToTokens::to_token_stream).chain([all.clone()]));
    let clone_names = clone_names(plan, &method.sig.ident, &names);
    let helper = names.own("__Dispatch");
    let needs = Needs::of(unit.definitions(), header);
    let bound = needs.bound.then_some(&header.bound);
    let mut with_implied = header.generics.clone();
    let outlives =
        header.outlives.iter().filter_map(|predicate| syn::parse2::<syn::WherePredicate>(predicate.clone()).ok());
    with_implied.make_where_clause().predicates.extend(outlives);
    let (generics, _, where_clause) = with_implied.split_for_impl();
    let arguments = sig::arguments(&header.generics, false);
    let inferred = sig::arguments(&header.generics, true);
    let import = &header.import;

    let declarations: TokenStream = plan
        .clones
        .iter()
        .zip(&clone_names)
        .map(|(planned, name)| {
            let exists = &planned.exists;
            let mut sig = declaration(&method.sig, &form, name, header);
            if planned.features.target.is_some() {
                sig.safety = Safety::Unsafe(Token![unsafe](span));
            }
            quote_spanned!(span=> #[cfg(#exists)] #sig;)
        })
        .collect();
    let paths: Vec<TokenStream> =
        clone_names.iter().map(|name| quote_spanned!(span=> <Self as #helper #inferred>::#name)).collect();
    let call = Call { plan, function: method, form: &form, paths };
    let first = dispatcher::needs_first(method).then(|| {
        let name = names.clone(&method.sig.ident, "first");
        First { path: quote_spanned!(span=> <Self as #helper #inferred>::#name), name }
    });
    let first_declaration = first.as_ref().map(|first| {
        let sig = declaration(&method.sig, &form, &first.name, header);
        let decides = plan.decides();
        quote_spanned!(span=> #[cfg(#decides)] #sig;)
    });
    // Inside our impl our trait's lifetimes have their names.
    let inner_paths =
        clone_names.iter().map(|name| quote_spanned!(span=> <Self as #helper #arguments>::#name)).collect();
    let inner_call = Call { plan, function: method, form: &form, paths: inner_paths };
    let inner_first = first.as_ref().map(|First { name, .. }| First {
        path: quote_spanned!(span=> <Self as #helper #arguments>::#name),
        name: name.clone(),
    });
    let first_definition = inner_first
        .as_ref()
        .map(|first| inner_call.first_definition(first, &form.inputs, &function::first_attributes(unit, plan)));
    let check = inner_call.baseline_check(inner_first.as_ref());
    let clones: TokenStream = plan
        .clones
        .iter()
        .zip(&clone_names)
        .map(|(planned, name)| clone(unit, plan, planned, name, Place::Method, macros, &check))
        .collect();
    let helper_generics = &generics;
    let content = match &header.implementor {
        Implementor::Type { ty, .. } => {
            let sized = needs.sized.then(|| quote_spanned!(span=> ::core::marker::Sized +));
            quote_spanned! {span=>
                #[allow(clippy::min_ident_chars)]
                trait #helper #helper_generics: #sized #bound #where_clause { #declarations #first_declaration }
                #[allow(clippy::assign_op_pattern)]
                impl #generics #helper #arguments for #ty #where_clause { #clones #first_definition }
            }
        }
        Implementor::Blanket => {
            let this = names.own("__This");
            let mut with_this = with_implied.clone();
            let param: syn::TypeParam = syn::parse_quote!(#this: ?::core::marker::Sized + #bound);
            with_this.params.push(GenericParam::Type(param));
            let (generics, _, _) = with_this.split_for_impl();
            quote_spanned! {span=>
                trait #helper #helper_generics: #bound #where_clause { #clones #first_definition }
                impl #generics #helper #arguments for #this #where_clause {}
            }
        }
    };
    let body = call.body(first.as_ref());
    function::item(
        unit,
        plan,
        &form,
        Place::Method,
        macros,
        quote_spanned! {span=>
            #import
            #content
            #body
        },
    )
}

/// A required method of our trait.
fn declaration(signature: &Signature, form: &Form, name: &Ident, header: &Header) -> Signature {
    let mut sig = Signature { inputs: form.inputs.clone(), ..signature.clone() };
    sig.ident = name.clone();
    sig.abi = None;
    if let Implementor::Type { ty, .. } = &header.implementor {
        // In a trait `Self` is generic, and a constant cannot depend on it.
        let concrete = quote!(<#ty>);
        for input in &mut sig.inputs {
            if let syn::FnArg::Typed(typed) = input
                && let Ok(new) = syn::parse2(concrete_constants(typed.ty.to_token_stream(), &concrete))
            {
                *typed.ty = new;
            }
        }
        if let Ok(output) = syn::parse2(concrete_constants(sig.output.to_token_stream(), &concrete)) {
            sig.output = output;
        }
    }
    sig
}

/// Writes `concrete` for `Self` in array lengths and braced constants.
fn concrete_constants(tokens: TokenStream, concrete: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let TokenTree::Group(group) = token else { return token };
            let content = match group.delimiter() {
                Delimiter::Brace => replace_self(group.stream(), concrete),
                Delimiter::Bracket => {
                    let mut length = false;
                    let mut content = TokenStream::new();
                    for token in group.stream() {
                        let semicolon = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';');
                        let token = TokenStream::from(token);
                        content.extend(if length {
                            replace_self(token, concrete)
                        } else {
                            concrete_constants(token, concrete)
                        });
                        length |= semicolon;
                    }
                    content
                }
                _ => concrete_constants(group.stream(), concrete),
            };
            let mut new = Group::new(group.delimiter(), content);
            new.set_span(group.span());
            TokenTree::Group(new)
        })
        .collect()
}

fn replace_self(tokens: TokenStream, concrete: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => concrete.clone(),
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), replace_self(group.stream(), concrete));
                new.set_span(group.span());
                TokenTree::Group(new).into()
            }
            token => token.into(),
        })
        .collect()
}
