//! Rewrites a function's body for one clone.
//!
//! Three things change. `cfg(target_feature)` is evaluated for the clone, on tokens, macro arguments included. Nested
//! functions get the clone's features. Code that is compiled separately (closures, async blocks, the code after an
//! `.await`) repeats the clone's assertion. A body that `syn` cannot parse, or that is nested too deeply for it, gets
//! the first step only: that can cost speed, never soundness.

mod nested;
mod visitor;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Block;
use syn::parse::Parser;

use crate::cfg::Features;
use crate::depth;
use crate::plan::TargetCode;
use crate::tokens::Words;
use visitor::Rewriter;

/// Rewrites the content of a function's braces for the clone with `features` and `target`, `asynchronous` if it is an `async fn`.
/// The assertion, if there is one, is not put at its start.
///
/// `words` are the body's. Parsing takes time, so it is done only if there is a closure, a function or async code.
pub(crate) fn body(
    features: &Features,
    target: Option<&TargetCode>,
    body: TokenStream,
    words: &Words,
    asynchronous: bool,
) -> TokenStream {
    let body = if words.have("target_feature") { features.rewrite_all(body) } else { body };
    let Some(target) = target else { return body };
    let asserted = || asynchronous || words.bars || words.have_any(&["async", "await"]);
    let code = words.have("fn") || (!target.assertion.is_empty() && asserted());
    if !code || depth::exceeded(&body) {
        return body;
    }
    // Through these, a nested function can be called from elsewhere.
    let carrier = words.have_any(&["impl", "trait", "mod"]);
    let Ok(statements) = Block::parse_within.parse2(body.clone()) else { return body };
    let statements = Rewriter::new(features, target, asynchronous, carrier).statements(statements);
    quote!(#(#statements)*)
}

#[cfg(test)]
mod tests;
