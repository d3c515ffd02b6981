//! `cfg(target_feature = …)` in all its forms.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

use super::{Features, Rewriter, is_punct, is_word, regroup};

/// Whether `target_feature` occurs anywhere in `tokens`.
pub(crate) fn mentions_feature(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "target_feature",
        TokenTree::Group(group) => mentions_feature(&group.stream()),
        _ => false,
    })
}

/// Whether clones may compile different parts of `tokens`: whether `target_feature` occurs elsewhere than in `cfg!(…)`.
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
    /// `target_feature = "x"` becomes `all()`, which is true, for each `x` that the clone has; the rest is left to the
    /// build's own answer.
    pub(crate) fn rewrite_predicate(&self, predicate: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = predicate.into_iter().collect();
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            if is_word(tokens.get(at), "target_feature")
                && is_punct(tokens.get(at + 1), '=')
                && let Some(TokenTree::Literal(literal)) = tokens.get(at + 2)
                && text(literal).is_some_and(|name| self.names.contains(&name.as_str()))
            {
                let span = tokens[at].span().resolved_at(Span::mixed_site());
                out.push(TokenTree::Ident(Ident::new("all", span)));
                let mut nothing = Group::new(Delimiter::Parenthesis, TokenStream::new());
                nothing.set_span(span);
                out.push(TokenTree::Group(nothing));
                at += 3;
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) => out.push(regroup(group, self.rewrite_predicate(group.stream()))),
                token => out.push(token.clone()),
            }
            at += 1;
        }
        out.into_iter().collect()
    }
}

/// The content of a string literal.
fn text(literal: &Literal) -> Option<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

impl Rewriter<'_> {
    /// `#[cfg(…)]`, `#[cfg_attr(…)]`, `cfg!(…)` and `cfg_select! { … }` at `at`.
    pub(super) fn cfg(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        if self.features.names.is_empty() {
            return None;
        }
        match &input[at] {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner = usize::from(is_punct(input.get(at + 1), '!'));
                let Some(TokenTree::Group(group)) = input.get(at + 1 + inner) else { return None };
                if group.delimiter() != Delimiter::Bracket {
                    return None;
                }
                out.extend_from_slice(&input[at..=at + inner]);
                out.push(regroup(group, self.attribute(group.stream())));
                Some(2 + inner)
            }
            TokenTree::Ident(ident) if is_punct(input.get(at + 1), '!') => {
                let Some(TokenTree::Group(group)) = input.get(at + 2) else { return None };
                let content = match ident.to_string().as_str() {
                    "cfg" => self.features.rewrite_predicate(group.stream()),
                    "cfg_select" => self.select(group.stream()),
                    _ => return None,
                };
                out.extend_from_slice(&input[at..at + 2]);
                out.push(regroup(group, content));
                Some(3)
            }
            _ => None,
        }
    }

    /// The content of `#[…]`. In `cfg_attr` a nested `cfg(…)` may follow the predicate; to evaluate all of it is the same.
    fn attribute(self, content: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = content.clone().into_iter().collect();
        let conditional = is_word(tokens.first(), "cfg") || is_word(tokens.first(), "cfg_attr");
        match tokens.get(1) {
            Some(TokenTree::Group(group)) if conditional => {
                [tokens[0].clone(), regroup(group, self.features.rewrite_predicate(group.stream()))]
                    .into_iter()
                    .collect()
            }
            _ => content,
        }
    }

    /// The arms of `cfg_select!`.
    fn select(self, arms: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = arms.into_iter().collect();
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let arrow = (at..tokens.len())
                .find(|&i| is_punct(tokens.get(i), '=') && is_punct(tokens.get(i + 1), '>'))
                .unwrap_or(tokens.len());
            out.extend(self.features.rewrite_predicate(tokens[at..arrow].iter().cloned().collect()));
            at = arrow;
            let mut arm = Vec::new();
            while at < tokens.len() {
                let token = tokens[at].clone();
                at += 1;
                let braces = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                let comma = is_punct(Some(&token), ',');
                let first = arm.len() == 2;
                arm.push(token);
                if comma || (braces && first && !is_punct(tokens.get(at), ',')) {
                    break;
                }
            }
            // The braces of an arm hold code, or items, that stand where the call stands.
            out.extend(self.stream(arm.into_iter().collect()));
        }
        out
    }
}
