//! A trait's methods, in an impl or as defaults: a trait of ours inside the dispatcher's body holds the clones.
//!
//! A safe trait method cannot carry `#[target_feature]`, and a nested function has no `Self`; an `unsafe` method of
//! another trait, implemented for the same type under the same generics, has both.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Lifetime, LifetimeParam, Safety, Signature, Token, Type, TypeParamBound};

use super::dispatcher::{self, Call, First};
use super::{Macros, Place, Unit, clone, clone_names, function};
use crate::item::{Impl, Trait};
use crate::plan::Plan;
use crate::sig::{self, Form, Names};

/// The header of our trait and of its impl.
pub(super) struct Header {
    /// The generics of the user's header, without defaults, with every lifetime named.
    generics: Generics,
    /// The user's trait, as a bound.
    bound: TokenStream,
    /// What our trait is implemented for.
    implementor: Implementor,
}

enum Implementor {
    /// The type of the user's impl.
    Type { ty: Box<Type>, may_be_unsized: bool },
    /// Whatever implements the user's trait.
    Blanket,
}

impl Header {
    /// For an impl of a trait.
    pub(super) fn of_impl(item: &Impl) -> Option<Header> {
        let (path, _) = item.trait_.as_ref()?;
        let mut generics = item.generics.clone();
        let mut namer = LifetimeNamer { next: 0, prefix: "__l" };
        let mut bound = namer.name(path.to_token_stream());
        if path.segments.last().is_some_and(|last| last.ident == "Drop") {
            // It has nothing that a signature could name, and rustc warns of `Drop` as a bound.
            bound = TokenStream::new();
        }
        let ty: Type = syn::parse2(namer.name(item.self_ty.to_token_stream())).ok()?;
        for index in 0..namer.next {
            let lifetime = namer.lifetime(index);
            generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime)));
        }
        let may_be_unsized = match &ty {
            Type::Slice(_) | Type::TraitObject(_) => true,
            Type::Path(path) => {
                let known =
                    |ident: &Ident| ["str", "Path", "OsStr", "CStr", "ByteStr"].iter().any(|name| ident == name);
                path.path.segments.last().is_some_and(|last| known(&last.ident))
                    || path.path.get_ident().is_some_and(|ident| maybe_unsized(&generics, ident))
            }
            _ => false,
        };
        Some(Header { generics, bound, implementor: Implementor::Type { ty: Box::new(ty), may_be_unsized } })
    }

    /// For the default methods of a trait's definition.
    pub(super) fn of_trait(item: &Trait) -> Header {
        let mut generics = item.generics.clone();
        for param in &mut generics.params {
            match param {
                GenericParam::Type(param) => param.default = None,
                GenericParam::Const(param) => param.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        let (name, arguments) = (&item.ident, sig::arguments(&generics, false));
        Header { generics, bound: quote!(#name #arguments), implementor: Implementor::Blanket }
    }
}

/// Whether `param` has a `?Sized` bound.
fn maybe_unsized(generics: &Generics, param: &Ident) -> bool {
    let relaxed = |bound: &TypeParamBound| bound.to_token_stream().to_string().replace(' ', "").starts_with("?Sized");
    let inline = generics.type_params().any(|other| other.ident == *param && other.bounds.iter().any(relaxed));
    inline
        || generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| match predicate {
            syn::WherePredicate::Type(predicate) => {
                matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(param))
                    && predicate.bounds.iter().any(relaxed)
            }
            _ => false,
        })
}

/// Gives names to the lifetimes that a header leaves out.
struct LifetimeNamer {
    next: usize,
    prefix: &'static str,
}

impl LifetimeNamer {
    fn lifetime(&self, index: usize) -> Lifetime {
        Lifetime::new(&format!("'{}{index}", self.prefix), Span::mixed_site())
    }

    fn fresh(&mut self) -> Lifetime {
        self.next += 1;
        self.lifetime(self.next - 1)
    }

    fn name(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let punct = |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == char);
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Punct(_) if punct(at, '&') && !punct(at + 1, '\'') => {
                    out.extend([tokens[at].clone()]);
                    self.fresh().to_tokens(&mut out);
                }
                TokenTree::Punct(_)
                    if punct(at, '\'')
                        && matches!(tokens.get(at + 1), Some(TokenTree::Ident(ident)) if ident == "_") =>
                {
                    self.fresh().to_tokens(&mut out);
                    at += 1;
                }
                // The lifetimes of `Fn(&T)` and `fn(&T)` are bound right there.
                TokenTree::Group(group)
                    if group.delimiter() != Delimiter::Parenthesis
                        || !matches!(at.checked_sub(1).and_then(|i| tokens.get(i)), Some(TokenTree::Ident(_))) =>
                {
                    let mut new = Group::new(group.delimiter(), self.name(group.stream()));
                    new.set_span(group.span());
                    out.extend([TokenTree::Group(new)]);
                }
                token => out.extend([token.clone()]),
            }
            at += 1;
        }
        out
    }
}

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
    let (generics, _, where_clause) = header.generics.split_for_impl();
    let arguments = sig::arguments(&header.generics, false);
    let inferred = sig::arguments(&header.generics, true);
    let bound = &header.bound;

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
    let clones: TokenStream = plan
        .clones
        .iter()
        .zip(&clone_names)
        .map(|(planned, name)| clone(unit, planned, name, Place::Method, macros))
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
    let first_definition = first.as_ref().map(|first| {
        // Inside our impl our trait's lifetimes have their names.
        let paths = clone_names.iter().map(|name| quote_spanned!(span=> <Self as #helper #arguments>::#name)).collect();
        let call = Call { plan, function: method, form: &form, paths };
        call.first_definition(first, &form.inputs, &function::first_attributes(unit))
    });
    // `Self` may stand for a defaulted parameter of the user's trait, or by value in a signature.
    let sized = matches!(header.implementor, Implementor::Type { may_be_unsized: false, .. })
        .then(|| quote_spanned!(span=> ::core::marker::Sized +));
    let implementation = match &header.implementor {
        Implementor::Type { ty, .. } => quote_spanned!(span=> impl #generics #helper #arguments for #ty #where_clause),
        Implementor::Blanket => {
            let this = names.own("__This");
            let mut with_this = header.generics.clone();
            let param: syn::TypeParam = syn::parse_quote!(#this: ?Sized + #bound);
            with_this.params.push(GenericParam::Type(param));
            let (generics, _, _) = with_this.split_for_impl();
            quote_spanned!(span=> impl #generics #helper #arguments for #this #where_clause)
        }
    };
    let helper_generics = &generics;
    let body = call.body(first.as_ref());
    function::item(
        unit,
        plan,
        &form,
        Place::Method,
        macros,
        quote_spanned! {span=>
            trait #helper #helper_generics: #sized #bound #where_clause { #declarations #first_declaration }
            #implementation { #clones #first_definition }
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
