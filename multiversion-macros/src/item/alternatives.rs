//! Generic parameters under `#[cfg]`.
//!
//! A parameter may be under `#[cfg]`, and an argument may not: a call with all arguments would include some that the
//! build leaves out. So such an item becomes two under opposite `cfg`s, one with the parameter and one without.

use quote::quote;
use syn::{Attribute, GenericParam, Generics, Token, parse_quote, punctuated::Punctuated};

use super::{Kind, Node};
use crate::attrs::{of_param, predicate};

/// The most times that one item is split; each split doubles it.
const LIMIT: usize = 4;

impl Node {
    /// The item for every combination of its parameters under `#[cfg]`, which lose their `#[cfg]`.
    pub(crate) fn alternatives(self) -> Vec<Node> {
        split(self, LIMIT)
    }

    fn generics_mut(&mut self) -> Option<&mut Generics> {
        match self {
            Node::Fn(function) => Some(&mut function.sig.generics),
            Node::Item(item) => match &mut item.kind {
                Kind::Impl(item) => Some(&mut item.generics),
                Kind::Trait(item) => Some(&mut item.generics),
                Kind::Mod(_) | Kind::MacroRules { .. } | Kind::Other(_) => None,
            },
        }
    }

    /// The item under `attr` with `params`.
    fn alternative(&self, attr: Attribute, params: Punctuated<GenericParam, Token![,]>) -> Node {
        let mut node = self.clone();
        if let Some(generics) = node.generics_mut() {
            generics.params = params;
        }
        node.attrs_mut().insert(0, attr);
        node
    }
}

fn split(mut node: Node, limit: usize) -> Vec<Node> {
    let Some(generics) = node.generics_mut() else { return vec![node] };
    let under_cfg =
        generics.params.iter_mut().position(|param| of_param(param).iter().any(|attr| predicate(attr).is_some()));
    let Some(at) = under_cfg.filter(|_| limit > 0) else { return vec![node] };
    let mut with = generics.params.clone();
    let without = with.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, param)| param.clone()).collect();
    let predicates: Vec<_> = of_param(&mut with[at]).iter().filter_map(predicate).cloned().collect();
    of_param(&mut with[at]).retain(|attr| predicate(attr).is_none());
    let predicate = quote!(all(#(#predicates),*));
    let mut nodes = split(node.alternative(parse_quote!(#[cfg(#predicate)]), with), limit - 1);
    nodes.extend(split(node.alternative(parse_quote!(#[cfg(not(#predicate))]), without), limit - 1));
    nodes
}
