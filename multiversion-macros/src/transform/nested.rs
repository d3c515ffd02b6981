//! Functions inside a body.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

use super::{Rewriter, ident, is_punct, is_word};
use crate::item::Function;
use crate::{attrs, emit, sig};

impl Rewriter<'_> {
    /// A function item at `at`, whose attributes are in `out` already.
    pub(super) fn nested_function(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        if !begins_function(input, at) {
            return None;
        }
        let attributes: Vec<TokenTree> = out.split_off(attributes_start(out));
        let target = self.features.target.as_ref()?;
        let item = attributes.iter().chain(&input[at..]).cloned().collect();
        let parser = |input: ParseStream<'_>| -> syn::Result<(Function, usize)> {
            let function = input.parse()?;
            let rest: TokenStream = input.parse()?;
            Ok((function, rest.into_iter().count()))
        };
        let Ok((function, rest)) = parser.parse2(item) else {
            // Not a function that is known here, nor known where it ends: nothing but `cfg` is changed in what follows.
            out.extend(self.opaque().stream(attributes.into_iter().chain(input[at..].iter().cloned()).collect()));
            return Some(input.len() - at);
        };
        let end = input.len() - rest;
        if takes_features(&function) {
            out.extend(emit::nested_function(&function, self.features, target));
        } else {
            out.extend(self.opaque().stream(attributes.into_iter().chain(input[at..end].iter().cloned()).collect()));
        }
        Some(end - at)
    }
}

/// Whether a function item, under its qualifiers, begins at `at`.
fn begins_function(input: &[TokenTree], at: usize) -> bool {
    let mut i = at;
    while !is_word(input.get(i), "fn") {
        let before = i.checked_sub(1).and_then(|i| input.get(i));
        match input.get(i) {
            Some(TokenTree::Ident(word))
                if ["pub", "const", "async", "unsafe", "extern"].contains(&word.to_string().as_str()) => {}
            Some(TokenTree::Literal(_)) if is_word(before, "extern") => {}
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis && is_word(before, "pub") => {}
            _ => return false,
        }
        i += 1;
    }
    ident(input.get(i + 1)).is_some()
}

/// Where the run of `#[…]` at the end of `tokens` begins.
fn attributes_start(tokens: &[TokenTree]) -> usize {
    let mut start = tokens.len();
    while start >= 2
        && is_punct(tokens.get(start - 2), '#')
        && matches!(&tokens[start - 1], TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
    {
        start -= 2;
    }
    start
}

/// Whether the function can be compiled for the clone's features.
fn takes_features(function: &Function) -> bool {
    let signature = &function.sig;
    function.body.is_some()
        && signature.constness.is_none()
        && signature.variadic.is_none()
        && sig::returned_impl(signature).is_none()
        && !attrs::has(&function.attrs, "target_feature")
        && !attrs::has(&function.attrs, "naked")
}
