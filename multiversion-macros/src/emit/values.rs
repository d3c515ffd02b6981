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
    let mut names = Bindings::default();
    names.bind(function.sig.inputs.to_token_stream());
    names.read(body.stream());
    names.values.iter().any(|name| !names.bound.contains(name))
}

#[derive(Default)]
struct Bindings {
    bound: Vec<String>,
    values: Vec<String>,
}

impl Bindings {
    fn bind(&mut self, pattern: TokenStream) {
        for token in pattern {
            match token {
                TokenTree::Ident(ident) => self.bound.push(ident.to_string()),
                TokenTree::Group(group) => self.bind(group.stream()),
                _ => {}
            }
        }
    }

    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            // A pattern ends with what it is compared with, or before the body of its arm or closure.
            let end = match &tokens[at] {
                token if is_word(Some(token), "let") => {
                    end(&tokens, at, &|token| is_punct(Some(token), '=') || is_punct(Some(token), ';'))
                }
                token if is_word(Some(token), "for") => end(&tokens, at, &|token| is_word(Some(token), "in")),
                token if is_punct(Some(token), '|') => end(&tokens, at, &|token| is_punct(Some(token), '|')),
                _ => at,
            };
            if end > at {
                self.bind(tokens[at..end].iter().cloned().collect());
                at = end;
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(name) if is_value(name, &tokens, at) => self.values.push(name.to_string()),
                _ => {}
            }
            if is_punct(tokens.get(at), '=') && is_punct(tokens.get(at + 1), '>') {
                let start = tokens[..at].iter().rposition(ends_arm).map_or(0, |at| at + 1);
                self.bind(tokens[start..at].iter().cloned().collect());
            }
            at += 1;
        }
    }
}

/// The first token after `at` that `ends` what begins there.
fn end(tokens: &[TokenTree], at: usize, ends: &dyn Fn(&TokenTree) -> bool) -> usize {
    (at + 1..tokens.len()).find(|&at| ends(&tokens[at])).unwrap_or(at)
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
