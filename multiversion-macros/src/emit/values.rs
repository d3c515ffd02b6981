//! Functions as values.
//!
//! Where several functions with features become one type, as in `[f, g]` or in the branches of an `if`, rustc makes it that of safe or of
//! unsafe functions by the features of the function around. It is the one thing for which a check has to compile all clones of
//! code that is the same in each.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

use crate::item::{Body, Function};
use crate::sig;
use crate::tokens::is_keyword;

/// Whether a function may be a value in `body`: whether a name that neither is bound there nor begins with an upper case letter stands
/// where a value can. It may be wrong about a name that is bound in another place, and costs time where it is wrong otherwise.
pub(super) fn may_name_function(function: &Function, body: &Body) -> bool {
    let (mut bound, mut values) = (Vec::new(), Vec::new());
    bind(function.sig.inputs.to_token_stream(), &mut bound);
    read(body.stream(), &mut bound, &mut values);
    values.iter().any(|name| !bound.contains(name))
}

/// Adds to `bound` the names in `pattern`.
fn bind(pattern: impl IntoIterator<Item = TokenTree>, bound: &mut Vec<String>) {
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
    // The compiler is asked for each text once.
    let text = |token: &TokenTree| if matches!(token, TokenTree::Group(_)) { String::new() } else { token.to_string() };
    let texts: Vec<String> = tokens.iter().map(text).collect();
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    let mut at = 0;
    while at < tokens.len() {
        // A pattern ends with what it is compared with, or before the body of its arm or closure.
        let ends: &[&str] = match text(at) {
            "let" => &["=", ";"],
            "for" => &["in"],
            "|" => &["|"],
            _ => &[],
        };
        let later = if ends.is_empty() { &[] } else { &texts[at + 1..] };
        if let Some(length) = later.iter().position(|text| ends.contains(&text.as_str())) {
            bind(tokens[at..][..=length].iter().cloned(), bound);
            at += length + 2;
            continue;
        }
        match &tokens[at] {
            TokenTree::Group(group) => read(group.stream(), bound, values),
            TokenTree::Ident(name) if is_value(text, at, tokens.get(at + 1)) && !is_keyword(name) => {
                values.push(text(at).to_owned());
            }
            _ => {}
        }
        if text(at) == "=" && text(at + 1) == ">" {
            let start = tokens[..at].iter().rposition(ends_arm).map_or(0, |at| at + 1);
            bind(tokens[start..at].iter().cloned(), bound);
        }
        at += 1;
    }
}

/// Whether an arm of a `match` may end with `token`.
fn ends_arm(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == ',',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

/// Whether the name at `at` is a value, and neither called nor a member.
fn is_value<'a>(text: impl Fn(usize) -> &'a str, at: usize, next: Option<&TokenTree>) -> bool {
    let (name, before) = (text(at), at.checked_sub(1).map_or("", &text));
    let called = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Bracket);
    let member = before == "." && at.checked_sub(2).is_none_or(|at| text(at) != ".");
    !(called
        || member
        || ["'", "#", "as"].contains(&before)
        || ["!", ":"].contains(&text(at + 1))
        || name.starts_with(char::is_uppercase)
        || sig::PRIMITIVE.contains(&name))
}
