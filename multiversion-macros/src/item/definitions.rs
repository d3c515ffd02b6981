//! Functions that have no clones, and functions of several definitions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg};

use super::{Choice, Function, Node};
use crate::attrs;
use crate::tokens::find_word;

impl Function {
    /// Whether a function in a dispatched item stays as it is.
    pub(crate) fn stays(&self) -> bool {
        matches!(self.choice, Choice::Skip)
            || self.body.is_none()
            || self.sig.constness.is_some()
            || attrs::has(&self.attrs, "target_feature")
            || attrs::has(&self.attrs, "naked")
            || self.attrs.iter().any(is_test)
            || (matches!(self.choice, Choice::Inherit(_)) && for_tests(&self.attrs))
    }

    /// Whether it is a method, or names `Self` in other ways: so it stands in an impl or a trait.
    pub(crate) fn is_method(&self) -> bool {
        matches!(self.sig.inputs.first(), Some(FnArg::Receiver(_)))
            || find_word(self.sig.to_token_stream(), "Self").is_some()
            || self.body.as_ref().is_some_and(|body| body.words.have("Self") && outer_self(body.stream()))
    }
}

/// A function that `cfg(target_feature)` selects.
pub(crate) fn definition(node: &Node) -> Option<&Function> {
    match node {
        Node::Fn(item) if item.attrs.iter().any(attrs::tests_feature) && !item.stays() => Some(item),
        _ => None,
    }
}

/// The place of the first definition of the function that `nodes[at]` is a later one of.
pub(crate) fn first_definition(nodes: &[Node], at: usize) -> Option<usize> {
    let this = definition(&nodes[at])?;
    nodes[..at].iter().position(|first| definition(first).is_some_and(|first| first.sig.ident == this.sig.ident))
}

pub(crate) fn is_test(attr: &Attribute) -> bool {
    const NAMES: [&str; 6] = ["test", "bench", "test_case", "rstest", "proptest", "quickcheck"];
    NAMES.iter().any(|name| attrs::is(attr, name))
}

/// Whether `attrs` hold `#[cfg(test)]`.
pub(crate) fn for_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().filter_map(attrs::cfg_predicate).any(|predicate| predicate.to_string() == "test")
}

/// Whether a `Self` in `tokens` is not in an impl or a trait of its own.
fn outer_self(tokens: TokenStream) -> bool {
    let mut own = false;
    tokens.into_iter().any(|token| {
        match &token {
            TokenTree::Ident(ident) if ident == "impl" || ident == "trait" => own = true,
            TokenTree::Ident(ident) => return ident == "Self" && !own,
            TokenTree::Punct(punct) if punct.as_char() == ';' => own = false,
            TokenTree::Group(group) if own => own = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => return outer_self(group.stream()),
            _ => {}
        }
        false
    })
}
