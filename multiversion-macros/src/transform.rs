//! Rewrites a function's body for one clone.
//!
//! Three things change. `cfg(target_feature)` is evaluated for the clone, on tokens, macro arguments included. Nested
//! functions get the clone's features. Code that is compiled separately (closures, async blocks, the code after an
//! `.await`) repeats the clone's assertion. A body that `syn` cannot parse, or that is nested too deeply for it, gets
//! the first step alone: that can cost speed, never soundness.

mod cfg;
mod depth;
mod groups;
mod nested;
mod visitor;

use core::cell::LazyCell;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::Block;
use syn::parse::Parser;

pub(crate) use cfg::{leaves_code_out, tested, unmark};
pub(crate) use depth::exceeded as too_deep;
pub(crate) use groups::keep_groups;

use crate::features::{Arch, Family};
use crate::tokens::{Words, attributes, is_punct, mentions_feature};
use visitor::Rewriter;

/// The features of one clone, and its assertions.
pub(crate) struct Features {
    /// All names for which `cfg(target_feature = …)` is true beyond the build's features; empty for the baseline.
    /// Properties are among them, for `match_target!`; the rewriting evaluates all of those, so rustc sees none.
    pub(crate) names: Vec<&'static str>,
    /// The target; `None` for the baseline.
    pub(crate) target: Option<TargetCode>,
}

/// The inputs for the code of a target's clone.
pub(crate) struct TargetCode {
    /// The list for `#[target_feature(enable = …)]`.
    pub(crate) enable: String,
    /// The suffix of clone names.
    pub(crate) label: String,
    /// A statement that asserts the results of the tests that select the clone: the target is present, and no earlier
    /// one is. Nothing for a compiler that does not optimise.
    pub(crate) assertion: TokenStream,
    /// The inputs for nested functions.
    pub(crate) apart: LazyCell<Apart, Box<dyn FnOnce() -> Apart>>,
}

/// The inputs for the code of a function nested in a target's clone.
pub(crate) struct Apart {
    /// A statement that asserts the target alone.
    pub(crate) assertion: TokenStream,
    /// A statement that diverges unless the target is known to be present.
    pub(crate) check: TokenStream,
    /// A statement that diverges if an earlier target is present.
    pub(crate) check_earlier: TokenStream,
}

impl Features {
    /// Rewrites the content of a function's braces, `asynchronous` if it is an `async fn`. The assertion, if there is one, is not
    /// put at its start.
    ///
    /// `words` are the body's. Parsing takes time, so it is done only if there is a closure, a function or async code.
    pub(crate) fn body(&self, body: TokenStream, words: &Words, asynchronous: bool) -> TokenStream {
        let body = if words.have("target_feature") { self.rewrite_all(body) } else { body };
        let Some(target) = &self.target else { return body };
        let asserted = || asynchronous || words.bars || words.have_any(&["async", "await"]);
        let code = words.have("fn") || (!target.assertion.is_empty() && asserted());
        if !code || depth::exceeded(&body) {
            return body;
        }
        // Through these, a nested function can be called from elsewhere.
        let carrier = words.have_any(&["impl", "trait", "mod"]);
        let Ok(statements) = Block::parse_within.parse2(body.clone()) else { return body };
        let statements = Rewriter::new(self, target, asynchronous, carrier).statements(statements);
        quote!(#(#statements)*)
    }

    /// Attributes for a function with `code` of the clone: the features that its `cfg`s test and the build enables for all
    /// code. rustc lets a function call safe intrinsics only if it has their features itself.
    pub(crate) fn of_build(&self, code: &TokenStream) -> TokenStream {
        let mut names = tested(code);
        names.retain(|name| !self.names.contains(&name.as_str()));
        let attributes = names.iter().flat_map(|name| {
            let families = Family::ALL.into_iter().filter(move |family| family.enables_alone(name));
            families.map(move |family| {
                let arches = family.arches().into_iter().map(Arch::cfg_name);
                quote! {
                    #[cfg_attr(all(any(#(target_arch = #arches),*), target_feature = #name), target_feature(enable = #name))]
                }
            })
        });
        attributes.collect()
    }

    /// Evaluates `cfg(target_feature)` in all of `tokens`, and changes nothing else.
    pub(crate) fn rewrite_all(&self, tokens: TokenStream) -> TokenStream {
        let some = mentions_feature(&tokens) && (!self.names.is_empty() || cfg::mentions_property(&tokens));
        if some { self.cfgs(tokens) } else { tokens }
    }
}

/// `#![…]` attributes at the start of `tokens`, and the rest.
pub(crate) fn split_inner_attributes(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let mut start = tokens.clone().into_iter();
    if !(is_punct(start.next().as_ref(), '#') && is_punct(start.next().as_ref(), '!')) {
        return (TokenStream::new(), tokens);
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (inner, rest) = tokens.split_at(attributes(&tokens, true));
    (inner.iter().cloned().collect(), rest.iter().cloned().collect())
}

#[cfg(test)]
mod tests;
