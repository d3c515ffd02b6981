//! The parts of the user's header that a method needs in the trait of its clones, as far as tokens show.
//!
//! The trait repeats as little of the user's header as possible: conditions that hold implicitly in an impl have to be
//! proved in a trait. `Self` in a signature is the type itself there, which needs no proof.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, FnArg, Path, ReceiverKind, Signature, Type};

use super::header::{Header, Implementor, elides, has_lifetime};
use crate::item::{Body, Function};
use crate::tokens::{is_punct, is_standard_macro, regroup};
use crate::walk::{Walk, Walker};

pub(super) struct Needs {
    /// The user's trait is a supertrait.
    pub(super) bound: bool,
    /// So is `Sized`.
    pub(super) sized: bool,
}

impl Needs {
    pub(super) fn of(definitions: &[&Function], header: &Header) -> Needs {
        let Implementor::Type { ty, may_be_unsized } = &header.implementor else {
            return Needs { bound: true, sized: false };
        };
        let (mut bound, mut plain) = (false, false);
        for method in definitions {
            let mut sig = method.sig.clone();
            plain |= name_self(&mut sig, ty);
            let body = method.body.as_ref().map(Body::stream).unwrap_or_default();
            bound |= asks_self(sig.to_token_stream()) || asks_self(body);
        }
        // A parameter of the user's trait without arguments may stand for `Self`. It is `Sized` unless the trait has
        // `?Sized`.
        let without_arguments = |path: Path| path.segments.last().is_some_and(|last| last.arguments.is_none());
        let sized = bound && plain && syn::parse2(header.bound.clone()).is_ok_and(without_arguments);
        Needs { bound, sized: sized && !may_be_unsized }
    }
}

/// Replaces `Self` in the signature of a method in an impl for `ty`, except in `Self::…`; returns whether it is there.
///
/// In our trait `Self` is generic, and has no size, none of the traits of `ty`, and no constants.
pub(super) fn name_self(sig: &mut Signature, ty: &Type) -> bool {
    let kind = sig.receiver().map(|receiver| &receiver.kind);
    let by_value = matches!(kind, Some(ReceiverKind::Value));
    // The lifetimes of `ty` would be among those that the output may have.
    let ambiguous = has_lifetime(ty.to_token_stream()) && elides(&sig.output) && (kind.is_none() || by_value);
    let mut named = Named { ty, found: by_value };
    let mut new = sig.clone();
    for input in &mut new.inputs {
        if let FnArg::Typed(input) = input {
            Walker(&mut named).visit_type_mut(&mut input.ty);
        }
    }
    Walker(&mut named).visit_return_type_mut(&mut new.output);
    Walker(&mut named).visit_generics_mut(&mut new.generics);
    if !ambiguous {
        *sig = new;
    }
    named.found
}

struct Named<'a> {
    ty: &'a Type,
    found: bool,
}

impl Walk for Named<'_> {
    fn ty(&mut self, ty: &mut Type) -> bool {
        let is_self = matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident("Self"));
        if is_self {
            let concrete = self.ty;
            *ty = match concrete {
                Type::TraitObject(_) => syn::parse_quote!((#concrete)),
                _ => concrete.clone(),
            };
        }
        self.found |= is_self;
        !is_self
    }

    /// A constant.
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let ty = self.ty;
        if let Ok(new) = syn::parse2(replace_self(expr.to_token_stream(), &quote::quote!(<#ty>))) {
            *expr = new;
        }
        false
    }
}

fn replace_self(tokens: TokenStream, concrete: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) if word == "Self" => out.extend(concrete.clone()),
            TokenTree::Group(group) => out.extend([regroup(&group, replace_self(group.stream(), concrete))]),
            token => out.extend([token]),
        }
    }
    out
}

/// Whether `code` may name a type by `Self::…`, itself or through a macro of the user's own, of which only the name is
/// known. Calls through such a path are resolved without the user's trait as a bound, and so is `<Self as …>`.
fn asks_self(code: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let punct = |at: usize, char| is_punct(tokens.get(at), char);
    let called =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(word) if word == "Self" => punct(at + 1, ':') && !called(at + 4),
        TokenTree::Ident(word) => punct(at + 1, '!') && !punct(at + 2, '=') && !is_standard_macro(&word.to_string()),
        TokenTree::Group(group) => asks_self(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
