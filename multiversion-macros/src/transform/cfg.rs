//! `cfg(target_feature = …)` in all its forms.
//!
//! The rewriting works on tokens, so it reaches into macro arguments and needs no parser. A local impl, trait or module
//! is in each clone's body, but its functions and constants are ordinary ones with the build's features, and code outside
//! of the clone may use them, so nothing is evaluated in it. The same holds for an item with a `#[dispatch]` of its own.

use proc_macro2::{Delimiter, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use super::Features;
use crate::features::is_property;
use crate::item::is_body;
use crate::tokens::{around, is_braces, is_punct, is_word, mentions_feature, regroup};

/// Whether clones may compile different parts of `tokens`: whether `target_feature` occurs outside of `cfg!(…)`.
pub(crate) fn leaves_code_out(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == "target_feature",
        TokenTree::Group(group) => {
            let asked = at >= 2 && is_word(tokens.get(at - 2), "cfg") && is_punct(tokens.get(at - 1), '!');
            !asked && leaves_code_out(&group.stream())
        }
        _ => false,
    })
}

impl Features {
    /// For each `x` that the clone has, `target_feature = "x"` becomes `any(all(), target_feature = "x")`, which is
    /// true. The others keep the build's value.
    ///
    /// The name stays because a dispatched item inside a clone's body, under whatever name, has clones of its own:
    /// their rewriting finds the marker and evaluates the name again.
    pub(crate) fn rewrite_predicate(&self, predicate: TokenStream) -> TokenStream {
        replace(predicate, &mut |name, asked| match self.names.contains(&name) {
            // rustc warns about properties, whose names it does not have.
            has if is_property(name) => call(if has { "all" } else { "any" }, TokenStream::new(), Span::mixed_site()),
            true => mark(asked),
            false => asked.into_iter().collect(),
        })
    }

    /// Evaluates each `#[cfg(…)]`, `#[cfg_attr(…)]`, `cfg!(…)` and `cfg_select! { … }` in `tokens`.
    pub(super) fn cfgs(&self, tokens: TokenStream) -> TokenStream {
        let input: Vec<TokenTree> = tokens.into_iter().collect();
        let mut inside = Inside::Code;
        let mut out = TokenStream::new();
        for (at, token) in input.iter().enumerate() {
            let before = |back: usize| at.checked_sub(back).and_then(|i| input.get(i));
            let TokenTree::Group(group) = token else {
                if is_punct(Some(token), ';') {
                    inside = Inside::Code;
                } else if inside == Inside::Code && starts_local_item(&input, at) {
                    inside = Inside::LocalItem;
                }
                out.extend([token.clone()]);
                continue;
            };
            let call = |name: &str| is_punct(before(1), '!') && is_word(before(2), name);
            let attribute = group.delimiter() == Delimiter::Bracket
                && (is_punct(before(1), '#') || (is_punct(before(1), '!') && is_punct(before(2), '#')));
            let body = is_body(&input, at);
            let content = match group.stream() {
                content if call("cfg") => self.rewrite_predicate(content),
                content if call("cfg_select") => self.arms(content),
                content if attribute => {
                    if is_dispatch(&content) {
                        inside = Inside::Dispatched;
                    }
                    self.attribute(content)
                }
                content if body && inside != Inside::Code => content,
                content => self.cfgs(content),
            };
            if body {
                inside = Inside::Code;
            }
            out.extend([regroup(group, content)]);
        }
        out
    }

    /// The content of `#[…]`. In `cfg_attr` a nested `cfg(…)` may follow the predicate; evaluating all of it has the
    /// same result.
    fn attribute(&self, content: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = content.clone().into_iter().collect();
        match &tokens[..] {
            [name, TokenTree::Group(group), ..] if is_word(Some(name), "cfg") || is_word(Some(name), "cfg_attr") => {
                [name.clone(), regroup(group, self.rewrite_predicate(group.stream()))].into_iter().collect()
            }
            _ => content,
        }
    }

    /// The arms of `cfg_select!`.
    fn arms(&self, arms: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = arms.into_iter().collect();
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let arrow = (at..tokens.len())
                .find(|&i| is_punct(tokens.get(i), '=') && is_punct(tokens.get(i + 1), '>'))
                .unwrap_or(tokens.len());
            out.extend(self.rewrite_predicate(tokens[at..arrow].iter().cloned().collect()));
            let ends = |i: usize| {
                let braces = i == arrow + 2 && is_braces(tokens.get(i)) && !is_punct(tokens.get(i + 1), ',');
                braces || is_punct(tokens.get(i), ',')
            };
            let end = (arrow..tokens.len()).find(|&i| ends(i)).map_or(tokens.len(), |end| end + 1);
            out.extend(self.cfgs(tokens[arrow..end].iter().cloned().collect()));
            at = end;
        }
        out
    }
}

/// The owner of the next braces that are an item's body.
#[derive(PartialEq)]
enum Inside {
    Code,
    /// An impl, a trait or a module.
    LocalItem,
    /// An item under `#[dispatch]`.
    Dispatched,
}

/// Whether the word at `at` begins an impl, a trait or a module.
fn starts_local_item(tokens: &[TokenTree], at: usize) -> bool {
    if is_word(tokens.get(at), "trait") || is_word(tokens.get(at), "mod") {
        return true;
    }
    // Elsewhere `impl` is a type.
    is_word(tokens.get(at), "impl")
        && match at.checked_sub(1).and_then(|before| tokens.get(before)) {
            None => true,
            Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            Some(TokenTree::Ident(word)) => word == "unsafe" || word == "default",
            Some(TokenTree::Literal(_)) => false,
        }
}

/// Whether `attribute`, the content of `#[…]`, is our attribute under its own name.
fn is_dispatch(attribute: &TokenStream) -> bool {
    let path = attribute.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    is_word(path.last().as_ref(), "dispatch")
}

/// `tokens` with `replacement` of each `target_feature = "name"` in its place, and in place of its marker.
fn replace(tokens: TokenStream, replacement: &mut dyn FnMut(&str, Vec<TokenTree>) -> TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut rest = &tokens[..];
    while let Some(token) = rest.first() {
        let (asked, length) = match marked(rest) {
            Some(asked) => (asked, 2),
            None => (rest.iter().take(3).cloned().collect(), 3),
        };
        match (feature(&asked), token) {
            (Some(name), _) => {
                out.extend(replacement(&name, asked));
                rest = &rest[length..];
                continue;
            }
            (None, TokenTree::Group(group)) => out.extend([regroup(group, replace(group.stream(), replacement))]),
            (None, token) => out.extend([token.clone()]),
        }
        rest = &rest[1..];
    }
    out
}

/// The names of the features that `tokens` test.
pub(crate) fn tested(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    if mentions_feature(tokens) {
        replace(tokens.clone(), &mut |name, _| {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
            TokenStream::new()
        });
    }
    names
}

/// The name in `target_feature = "name"`.
fn feature(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [word, equals, TokenTree::Literal(literal)]
            if is_word(Some(word), "target_feature") && is_punct(Some(equals), '=') =>
        {
            match syn::Lit::new(literal.clone()) {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `any(all(), asked)`.
fn mark(asked: Vec<TokenTree>) -> TokenStream {
    let span = asked[0].span().resolved_at(Span::mixed_site());
    let mut content = call("all", TokenStream::new(), span);
    content.extend([TokenTree::Punct(Punct::new(',', Spacing::Alone))]);
    content.extend(asked);
    call("any", content, span)
}

/// `name(content)`.
fn call(name: &str, content: TokenStream, span: Span) -> TokenStream {
    let group = around(Delimiter::Parenthesis, content, span);
    [TokenTree::Ident(Ident::new(name, span)), TokenTree::Group(group)].into_iter().collect()
}

/// The predicate from which the marker at the start of `tokens` was made.
fn marked(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let [any, TokenTree::Group(group), ..] = tokens else { return None };
    if !is_word(Some(any), "any") {
        return None;
    }
    let content: Vec<TokenTree> = group.stream().into_iter().collect();
    match &content[..] {
        [all, TokenTree::Group(nothing), comma, asked @ ..]
            if is_word(Some(all), "all") && nothing.stream().is_empty() && is_punct(Some(comma), ',') =>
        {
            feature(asked).map(|_| asked.to_vec())
        }
        _ => None,
    }
}

/// `tokens` as they were before an outer clone's rewriting.
pub(crate) fn unmark(tokens: TokenStream) -> TokenStream {
    if !mentions_feature(&tokens) {
        return tokens;
    }
    replace(tokens, &mut |_, asked| asked.into_iter().collect())
}

/// Whether `tokens` contain a test of a property of CPUs, as `match_target!` emits it.
pub(super) fn mentions_property(tokens: &TokenStream) -> bool {
    tested(tokens).iter().any(|name| is_property(name))
}
