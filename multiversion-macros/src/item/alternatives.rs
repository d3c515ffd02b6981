//! Items that a `#[cfg]` or `#[cfg_attr]` inside them makes different, as several items under opposite `#[cfg]`s.
//!
//! A generic parameter may be under `#[cfg]`, and an argument may not: a call with all arguments would include some that the
//! build leaves out. A `cfg_attr` may hold an attribute that decides whether the item has clones. rustc evaluates both.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, GenericParam, Generics, Meta, Token, parse_quote, punctuated::Punctuated};

use super::{Kind, Node};
use crate::attrs::{self, cfg_predicate, is_named, of_parameter};
use crate::tokens::tests_feature;

/// The most times that one item is split; each split doubles it.
const LIMIT: usize = 4;

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
}

/// The parameter's `cfg`s, unless they test a CPU feature: then the signature would differ between clones, which is an error.
fn conditions(param: &mut GenericParam) -> Vec<TokenStream> {
    let conditions: Vec<TokenStream> = of_parameter(param).iter().filter_map(cfg_predicate).cloned().collect();
    if conditions.iter().any(tests_feature) { Vec::new() } else { conditions }
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
        of_parameter(&mut with[at]).retain(|attr| cfg_predicate(attr).is_none());
        let predicate = quote!(all(#(#conditions),*));
        let mut nodes = split(node.with_params(parse_quote!(#[cfg(#predicate)]), with), limit - 1);
        nodes.extend(split(node.with_params(parse_quote!(#[cfg(not(#predicate))]), without), limit - 1));
        return nodes;
    }
    let wanted = |meta: &Meta| is_named(meta, "dispatch") || is_named(meta, "target_feature");
    match attrs::split(node.attrs_mut(), &wanted) {
        Some(halves) => halves
            .into_iter()
            .flat_map(|attrs| {
                let mut half = node.clone();
                *half.attrs_mut() = attrs;
                split(half, limit - 1)
            })
            .collect(),
        None => vec![node],
    }
}
