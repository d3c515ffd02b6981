//! Items that a `#[cfg]` or `#[cfg_attr]` inside them makes different, as several items under opposite `#[cfg]`s.
//!
//! A generic parameter may be under `#[cfg]`, and an argument may not: a call with all arguments would include some that the
//! build leaves out. A `cfg_attr` may hold an attribute that decides whether the item has clones. rustc evaluates both.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, GenericParam, Generics, Token, parse_quote, punctuated::Punctuated};

use super::{Kind, Node};
use crate::attrs::{conditional, of_param, predicate};
use crate::tokens::mentions_feature;

/// The most times that one item is split; each split doubles it.
const LIMIT: usize = 4;

/// The attributes that decide whether an item has clones.
const DECIDING: [&str; 2] = ["dispatch", "target_feature"];

impl Node {
    /// The item for every combination of its parameters under `#[cfg]`, which lose their `#[cfg]`, and of its conditional
    /// attributes that decide whether it has clones.
    pub(crate) fn alternatives(self) -> Vec<Node> {
        split(self, LIMIT)
    }

    fn generics_mut(&mut self) -> Option<&mut Generics> {
        match self {
            Node::Fn(function) => Some(&mut function.sig.generics),
            Node::Item(item) => match &mut item.kind {
                Kind::Impl(item) => Some(&mut item.generics),
                Kind::Trait(item) => Some(&mut item.generics),
                Kind::Mod(_) | Kind::Other(_) => None,
            },
        }
    }

    /// The item under `attr` with `params`.
    fn with_params(&self, attr: Attribute, params: Punctuated<GenericParam, Token![,]>) -> Node {
        let mut node = self.clone();
        if let Some(generics) = node.generics_mut() {
            generics.params = params;
        }
        node.attrs_mut().insert(0, attr);
        node
    }

    /// The item twice, with the attributes in the `cfg_attr` at `at`, and without.
    fn with_and_without(mut self, at: usize) -> Option<[Node; 2]> {
        let attr = self.attrs_mut().remove(at);
        let (predicate, metas) = conditional(&attr.meta)?;
        let (mut with, mut without) = (self.clone(), self);
        let own = metas.into_iter().map(|meta| Attribute { meta, ..attr.clone() });
        with.attrs_mut().splice(at..at, own);
        with.attrs_mut().insert(0, parse_quote!(#[cfg(#predicate)]));
        without.attrs_mut().insert(0, parse_quote!(#[cfg(not(#predicate))]));
        Some([with, without])
    }
}

/// The parameter's `cfg`s, unless they test a CPU feature: then the signature would differ between clones, which is an error.
fn conditions(param: &mut GenericParam) -> Vec<TokenStream> {
    let conditions: Vec<TokenStream> = of_param(param).iter().filter_map(predicate).cloned().collect();
    if conditions.iter().any(mentions_feature) { Vec::new() } else { conditions }
}

fn split(mut node: Node, limit: usize) -> Vec<Node> {
    if limit == 0 {
        return vec![node];
    }
    if let Some(generics) = node.generics_mut()
        && let Some(at) = generics.params.iter_mut().position(|param| !conditions(param).is_empty())
    {
        let mut with = generics.params.clone();
        let others = with.iter().enumerate().filter(|(index, _)| *index != at);
        let without = others.map(|(_, param)| param.clone()).collect();
        let conditions = conditions(&mut with[at]);
        of_param(&mut with[at]).retain(|attr| predicate(attr).is_none());
        let predicate = quote!(all(#(#conditions),*));
        let mut nodes = split(node.with_params(parse_quote!(#[cfg(#predicate)]), with), limit - 1);
        nodes.extend(split(node.with_params(parse_quote!(#[cfg(not(#predicate))]), without), limit - 1));
        return nodes;
    }
    let decides = |attr: &Attribute| crate::attrs::holds_conditional(&attr.meta, &DECIDING);
    if let Some(at) = node.attrs_mut().iter().position(decides)
        && let Some(halves) = node.clone().with_and_without(at)
    {
        return halves.into_iter().flat_map(|half| split(half, limit - 1)).collect();
    }
    vec![node]
}
