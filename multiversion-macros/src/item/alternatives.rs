//! Generic parameters under `#[cfg]`.
//!
//! A parameter may be under `#[cfg]`, and an argument may not: a call with all arguments would have some that the build
//! leaves out. So such an item becomes two under opposite `cfg`s, one with the parameter and one without.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::{Attribute, GenericParam, Generics};

use super::{Node, Place};

/// How often one item is split at most; each time there are twice as many of it.
pub(super) const LIMIT: usize = 4;

impl Node {
    /// The item for every combination of its parameters under `#[cfg]`, which are under no `#[cfg]` any more.
    pub(crate) fn alternatives(self) -> syn::Result<Vec<Node>> {
        split(self, Place::Module, LIMIT)
    }

    fn generics_mut(&mut self) -> Option<&mut Generics> {
        match self {
            Node::Fn(item) => Some(&mut item.sig.generics),
            Node::Impl(item) => Some(&mut item.generics),
            Node::Trait(item) => Some(&mut item.generics),
            Node::Mod(_) | Node::MacroRules { .. } | Node::Other { .. } => None,
        }
    }
}

pub(super) fn split(mut node: Node, place: Place, limit: usize) -> syn::Result<Vec<Node>> {
    let Some(generics) = node.generics_mut() else { return Ok(vec![node]) };
    let Some(at) = generics.params.iter_mut().position(|param| attrs(param).iter().any(is_cfg)) else {
        return Ok(vec![node]);
    };
    if limit == 0 {
        return Ok(vec![node]);
    }
    let all = generics.params.clone();
    let mut predicates = Vec::new();
    let mut with = all.clone();
    attrs(&mut with[at]).retain(|attr| {
        let list = attr.meta.require_list().ok().filter(|_| is_cfg(attr));
        predicates.extend(list.map(|list| list.tokens.clone()));
        list.is_none()
    });
    let without = all.into_iter().enumerate().filter(|(index, _)| *index != at).map(|(_, param)| param).collect();
    let predicate = quote!(all(#(#predicates),*));
    let mut nodes = Vec::new();
    for (params, cfg) in [(with, quote!(#[cfg(#predicate)])), (without, quote!(#[cfg(not(#predicate))]))] {
        if let Some(generics) = node.generics_mut() {
            generics.params = params;
        }
        let mut tokens: TokenStream = cfg;
        node.to_tokens(&mut tokens);
        let parser = |input: syn::parse::ParseStream<'_>| super::node(input, place);
        nodes.extend(split(parser.parse2(tokens)?, place, limit - 1)?);
    }
    Ok(nodes)
}

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") && attr.meta.require_list().is_ok()
}

fn attrs(param: &mut GenericParam) -> &mut Vec<Attribute> {
    match param {
        GenericParam::Type(param) => &mut param.attrs,
        GenericParam::Const(param) => &mut param.attrs,
        GenericParam::Lifetime(param) => &mut param.attrs,
    }
}
