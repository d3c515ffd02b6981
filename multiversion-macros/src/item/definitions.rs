//! Functions that have no clones, and functions of several definitions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, Signature};

use super::{Choice, Function, Node};
use crate::tokens::find_word;
use crate::{attrs, sig};

/// Why a function cannot have clones, whatever its body is.
#[allow(missing_docs, reason = "`why` says it")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclonable {
    Const,
    HasFeatures,
    Naked,
    Test,
    ReturnsImpl,
    ParameterUnderCfg,
    Variadic,
}

impl Unclonable {
    /// Of a function with these attributes and this signature: `None` if the attribute accepts it.
    pub fn of(attrs: &[Attribute], sig: &Signature) -> Option<Self> {
        Self::all(attrs, sig).next()
    }

    /// All reasons of such a function.
    pub(crate) fn all(attrs: &[Attribute], sig: &Signature) -> impl Iterator<Item = Self> {
        let reasons = [
            (sig.constness.is_some(), Self::Const),
            (attrs::has(attrs, "target_feature"), Self::HasFeatures),
            (attrs::has(attrs, "naked"), Self::Naked),
            (attrs.iter().any(is_test), Self::Test),
            (sig::returned_impl(sig).is_some(), Self::ReturnsImpl),
            (attrs::parameter_cfg(&sig.generics).is_some(), Self::ParameterUnderCfg),
            (sig.variadic.is_some(), Self::Variadic),
        ];
        reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason)
    }

    /// Whether such a function in an impl, a trait or a module with the attribute stays as it is. Others are errors.
    pub fn stays(self) -> bool {
        matches!(self, Self::Const | Self::HasFeatures | Self::Naked | Self::Test)
    }

    /// A clause that says why.
    pub fn why(self) -> &'static str {
        match self {
            Self::Const => "it is a `const fn`",
            Self::HasFeatures => "it has features of its own",
            Self::Naked => "it is assembly",
            Self::Test => "it is a test",
            Self::ReturnsImpl => "it returns `impl Trait`",
            Self::ParameterUnderCfg => "it has a generic parameter under `cfg`",
            Self::Variadic => "it is variadic",
        }
    }
}

impl Function {
    /// Whether a function in a dispatched item stays as it is.
    pub(crate) fn stays(&self) -> bool {
        matches!(self.choice, Choice::Skip)
            || self.body.is_none()
            || Unclonable::of(&self.attrs, &self.sig).is_some_and(Unclonable::stays)
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
