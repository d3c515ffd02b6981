//! All clones of a trait's method have the same code.
//!
//! The clones for targets are `unsafe` methods, in which rustc accepts unsafe operations outside of `unsafe` blocks. It refuses
//! them in the baseline, a safe method. So no clone may have code that the baseline lacks.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::emit::{Scope, Unit};
use crate::item::{Body, Function};
use crate::plan::Private;
use crate::tokens::{calls, find_word, is_punct, is_word, mentions_feature, regroup};
use crate::transform::decides_code;

/// The error at code that may differ, and its help.
pub(crate) const DIFFERENT: &str = "all clones of a trait's method have the same code, and this differs between them";
pub(crate) const HELP: &str =
    "move it into a function or an inherent method, dispatched too, and call that, which costs nothing";

/// An error at code of the method that may differ between its clones.
pub(super) fn error(unit: &Unit<'_>, scope: &Scope<'_>) -> Option<TokenStream> {
    let function = unit.main();
    let body = function.body.as_ref()?;
    let span = first_in(body, &unit.plan.private).or_else(|| first_used(function, body, scope))?;
    let message = format!("{DIFFERENT}\nhelp: {HELP}");
    Some(quote_spanned!(span=> compile_error! { #message }))
}

/// The first test of a feature in `body` that decides about code.
fn first_in(body: &Body, private: &Private) -> Option<Span> {
    if !body.words.have("target_feature") {
        return None;
    }
    if let Some(span) = find_word(body.stream(), "__private") {
        // In the edition 2015 the path may be one of the user's.
        return Some(span);
    }
    decides_code(with_standard_cfg(body.stream(), private), &standard_cfg(private))
}

/// The first macro or item that differs between clones and that `body` uses.
fn first_used(function: &Function, body: &Body, scope: &Scope<'_>) -> Option<Span> {
    let tokens = body.stream();
    let name = scope.differing(function, &tokens)?;
    let named = find_word(tokens.clone(), &name);
    Some(named.or_else(|| calls(tokens).first().map(|call| call.name.span())).unwrap_or_else(|| body.braces.span()))
}

/// The path of the standard library's `cfg!`.
fn standard_cfg(private: &Private) -> TokenStream {
    quote!(#private::core::cfg)
}

/// `body` with the standard library's `cfg!`, whatever the user's scope has under this name: what is in its parentheses
/// differs between clones.
pub(in crate::emit) fn with_standard_cfg(body: TokenStream, private: &Private) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut out = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        let tests = |group: &Group| group.delimiter() != Delimiter::None && mentions_feature(&group.stream());
        let called = || {
            is_punct(tokens.get(at + 1), '!')
                && matches!(tokens.get(at + 2), Some(TokenTree::Group(group)) if tests(group))
                && !matches!(&tokens[..at], [.., one, two] if is_punct(Some(one), ':') && is_punct(Some(two), ':'))
        };
        match token {
            TokenTree::Ident(_) if is_word(Some(token), "cfg") && called() => out.extend(standard_cfg(private)),
            TokenTree::Group(group) => out.extend([regroup(group, with_standard_cfg(group.stream(), private))]),
            _ => out.extend([token.clone()]),
        }
    }
    out
}
