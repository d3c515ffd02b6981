//! Functions as values.
//!
//! Where several functions with features become one type, as in `[f, g]` or in the branches of an `if`, rustc makes it that of safe or of
//! unsafe functions by the features of the function around. It is the one thing for which a check has to compile all clones of
//! code that is the same in each.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::item::{Body, Function};
use crate::sig;
use crate::tokens::{is_keyword, is_punct, is_word};

/// Whether a function may be a value in `body`: whether a name that neither is bound there nor begins with an upper case letter stands
/// where a value can. It may be wrong about a name that is bound in another place, and costs time where it is wrong otherwise.
pub(super) fn may_name_function(function: &Function, body: &Body) -> bool {
    let (mut bound, mut values) = (Vec::new(), Vec::new());
    bind(function.sig.inputs.to_token_stream(), &mut bound);
    read(body.stream(), &mut bound, &mut values);
    values.iter().any(|name| !bound.contains(name))
}

/// Adds to `bound` the names in `pattern`.
fn bind(pattern: TokenStream, bound: &mut Vec<String>) {
    for token in pattern {
        match token {
            TokenTree::Ident(ident) => bound.push(ident.to_string()),
            TokenTree::Group(group) => bind(group.stream(), bound),
            _ => {}
        }
    }
}

fn read(tokens: TokenStream, bound: &mut Vec<String>, values: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let slice = |range: core::ops::Range<usize>| tokens[range].iter().cloned().collect();
    let mut at = 0;
    while at < tokens.len() {
        let here = Some(&tokens[at]);
        // A pattern ends with what it is compared with, or before the body of its arm or closure.
        let ends = |end: Option<&TokenTree>| match here {
            here if is_word(here, "let") => is_punct(end, '=') || is_punct(end, ';'),
            here if is_word(here, "for") => is_word(end, "in"),
            _ => is_punct(end, '|'),
        };
        let opens = is_word(here, "let") || is_word(here, "for") || is_punct(here, '|');
        let end = (at + 1..tokens.len()).take_while(|_| opens).find(|&at| ends(tokens.get(at)));
        if let Some(end) = end {
            bind(slice(at..end), bound);
            at = end;
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => read(group.stream(), bound, values),
            TokenTree::Ident(name) if is_value(name, &tokens, at) => values.push(name.to_string()),
            _ => {}
        }
        if is_punct(here, '=') && is_punct(tokens.get(at + 1), '>') {
            let start = tokens[..at].iter().rposition(ends_arm).map_or(0, |at| at + 1);
            bind(slice(start..at), bound);
        }
        at += 1;
    }
}

/// Whether an arm of a `match` may end with `token`.
fn ends_arm(token: &TokenTree) -> bool {
    is_punct(Some(token), ',') || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Whether the name at `at` is a value, and neither called nor a member.
fn is_value(name: &Ident, tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let after = tokens.get(at + 1);
    let called = matches!(after, Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Bracket);
    let part = || is_punct(before, '.') && !is_punct(at.checked_sub(2).and_then(|at| tokens.get(at)), '.');
    let is_path = || is_punct(after, ':');
    let text = name.to_string();
    let other = called
        || is_punct(after, '!')
        || is_path()
        || part()
        || is_punct(before, '\'')
        || is_punct(before, '#')
        || is_word(before, "as")
        || is_keyword(name);
    !other && !text.starts_with(char::is_uppercase) && !sig::PRIMITIVE.contains(&text.as_str())
}
