//! Tests of tokens that several modules use.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;

pub(crate) fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if *ident == word)
}

/// `group` around `content`.
pub(crate) fn regroup(group: &Group, content: TokenStream) -> TokenTree {
    group_around(group.delimiter(), content, group.span()).into()
}

/// Braces around `content`, at the place of other braces.
pub(crate) fn braces(content: TokenStream, span: Span) -> Group {
    group_around(Delimiter::Brace, content, span)
}

pub(crate) fn group_around(delimiter: Delimiter, content: TokenStream, span: Span) -> Group {
    let mut group = Group::new(delimiter, content);
    group.set_span(span);
    group
}

/// `name` with the hygiene of our own names, and with no lints about it.
pub(crate) fn hygienic(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().resolved_at(Span::mixed_site()));
    name
}

/// Whether the content of an attribute is at `at`.
pub(crate) fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let brackets = matches!(&tokens[at], TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    let inner = is_punct(before(tokens, at, 1), '!') && is_punct(before(tokens, at, 2), '#');
    brackets && (is_punct(before(tokens, at, 1), '#') || inner)
}

/// The number of the tokens of the attributes at the start of `tokens`: the `inner` ones, `#![…]`, or the outer ones.
pub(crate) fn attributes(tokens: &[TokenTree], inner: bool) -> usize {
    let content = if inner { 2 } else { 1 };
    let mut length = 0;
    while is_punct(tokens.get(length), '#')
        && (!inner || is_punct(tokens.get(length + 1), '!'))
        && matches!(tokens.get(length + content), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket)
    {
        length += content + 1;
    }
    length
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

/// Whether an item's body is at `at`: braces before `>` or `,` are a constant among generic arguments.
pub(crate) fn is_body(tokens: &[TokenTree], at: usize) -> bool {
    body_braces(&tokens[at]).is_some() && !is_punct(tokens.get(at + 1), '>') && !is_punct(tokens.get(at + 1), ',')
}

/// The braces that `token` is; a macro's `$body:block` arrives in an invisible group.
pub(crate) fn body_braces(token: &TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else { return None };
    match group.delimiter() {
        Delimiter::Brace => Some(group.clone()),
        Delimiter::None => {
            let mut content = group.stream().into_iter();
            content.next().filter(|_| content.next().is_none()).as_ref().and_then(body_braces)
        }
        _ => None,
    }
}

/// The tokens of `input` before what `ends` it.
pub(crate) fn until(input: ParseStream<'_>, ends: fn(ParseStream<'_>) -> bool) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !ends(input) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

/// Whether `token` is a group with braces.
pub(crate) fn is_braces(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

/// The token `back` places before `at`.
pub(crate) fn before(tokens: &[TokenTree], at: usize, back: usize) -> Option<&TokenTree> {
    at.checked_sub(back).and_then(|at| tokens.get(at))
}

/// The first result of `found` on a token, the one at a place among those around it, in groups too.
pub(crate) fn find<T>(tokens: TokenStream, found: &mut impl FnMut(&[TokenTree], usize) -> Option<T>) -> Option<T> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().find_map(|(at, token)| match token {
        TokenTree::Group(group) => found(&tokens, at).or_else(|| find(group.stream(), found)),
        _ => found(&tokens, at),
    })
}

/// Whether `holds` is true of a token, the one at a place among those around it, in groups too.
pub(crate) fn any(tokens: TokenStream, holds: &mut impl FnMut(&[TokenTree], usize) -> bool) -> bool {
    find(tokens, &mut |tokens, at| holds(tokens, at).then_some(())).is_some()
}

/// `tokens` with what `change` makes of a token, the one at a place among those around it, in groups too.
pub(crate) fn map(
    tokens: TokenStream,
    change: &mut dyn FnMut(&[TokenTree], usize) -> Option<TokenStream>,
) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    for (at, token) in tokens.iter().enumerate() {
        match (change(&tokens, at), token) {
            (Some(changed), _) => out.extend(changed),
            (None, TokenTree::Group(group)) => out.extend([regroup(group, map(group.stream(), change))]),
            (None, token) => out.extend([token.clone()]),
        }
    }
    out
}

/// The first `word` in `tokens`.
pub(crate) fn find_word(tokens: TokenStream, word: &str) -> Option<Span> {
    find(tokens, &mut |tokens, at| is_word(tokens.get(at), word).then(|| tokens[at].span()))
}

/// The tokens of `text`. The compiler reads text faster than an unoptimised macro builds tokens one by one.
pub(crate) fn code(text: &str) -> TokenStream {
    // `proc-macro2` would read it once more by itself.
    let read = || text.parse::<proc_macro::TokenStream>().ok().map(TokenStream::from);
    // In unit tests there is no compiler.
    let tokens = if proc_macro::is_available() { read() } else { text.parse().ok() };
    tokens.expect("well-formed tokens")
}

/// Whether `tokens` test a CPU feature.
pub(crate) fn tests_feature(tokens: &TokenStream) -> bool {
    feature_test(tokens).is_some()
}

/// The first test of a CPU feature in `tokens`, `target_feature = …`.
pub(crate) fn feature_test(tokens: &TokenStream) -> Option<Span> {
    find(tokens.clone(), &mut |tokens, at| {
        let variable = at > 0 && (matches!(tokens[at - 1], TokenTree::Ident(_)) || is_punct(tokens.get(at - 1), '.'));
        (is_feature_test(&tokens[at..]) && !variable).then(|| tokens[at].span())
    })
}

/// Whether `tokens` begin with `target_feature =`.
pub(crate) fn is_feature_test(tokens: &[TokenTree]) -> bool {
    is_word(tokens.first(), "target_feature") && is_punct(tokens.get(1), '=')
}

/// The names of the macros that `tokens` call, the last parts of their paths.
pub(crate) fn called_macros(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    find(tokens, &mut |tokens, at| {
        let called = macro_before(&tokens[..at]).filter(|_| matches!(tokens[at], TokenTree::Group(_)));
        names.extend(called.map(Ident::to_string));
        None::<()>
    });
    names
}

/// The macros `calls`, and all that they call by their `texts`, which are those of each name.
pub(crate) fn reached(mut calls: Vec<String>, texts: &dyn Fn(&str) -> Vec<TokenStream>) -> Vec<String> {
    let mut next = 0;
    while next < calls.len() {
        let new: Vec<String> = texts(&calls[next]).into_iter().flat_map(called_macros).collect();
        for name in new {
            if !calls.contains(&name) {
                calls.push(name);
            }
        }
        next += 1;
    }
    calls
}

/// The name of the macro whose call ends `before` its arguments. A keyword calls none, as in `if !(a)`.
pub(crate) fn macro_before(before: &[TokenTree]) -> Option<&Ident> {
    match before {
        [.., TokenTree::Ident(name), bang] if is_punct(Some(bang), '!') && !is_keyword(name) => Some(name),
        _ => None,
    }
}

pub(crate) fn is_keyword(word: &Ident) -> bool {
    syn::parse2::<Ident>(word.to_token_stream()).is_err()
}

/// Facts about the words of an item or a function's body, which are tested often.
#[derive(Clone, Default)]
pub(crate) struct Words {
    words: BTreeSet<String>,
    /// The number of tokens.
    pub(crate) length: usize,
    /// There is a `|`, as in every closure.
    pub(crate) bars: bool,
    /// There is a `!`, as in every call of a macro.
    pub(crate) bangs: bool,
    /// There is an invisible group, as around the fragments of a `macro_rules!`.
    pub(crate) invisible: bool,
}

/// `tokens` with the names that the macro looks for as they usually are. Of those no keyword is one, so `r#` changes nothing.
pub(crate) fn without_raw_names(tokens: TokenStream) -> TokenStream {
    const NAMES: &str =
        "all any cfg cfg_attr cfg_select dispatch inline macro_rules match_target not target_feature track_caller";
    map(tokens, &mut |tokens, at| {
        let TokenTree::Ident(ident) = &tokens[at] else { return None };
        let name = ident.to_string();
        let plain = name.strip_prefix("r#").filter(|name| is_listed(NAMES, name))?;
        Some(Ident::new(plain, ident.span()).into_token_stream())
    })
}

impl Words {
    pub(crate) fn of(tokens: TokenStream) -> Words {
        let mut words = Words::default();
        words.add(tokens);
        words
    }

    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            self.length += 1;
            match token {
                TokenTree::Group(group) => {
                    self.invisible |= group.delimiter() == Delimiter::None;
                    self.add(group.stream());
                }
                TokenTree::Ident(ident) => {
                    self.words.insert(ident.to_string());
                }
                TokenTree::Punct(punct) => {
                    self.bars |= punct.as_char() == '|';
                    self.bangs |= punct.as_char() == '!';
                }
                TokenTree::Literal(_) => {}
            }
        }
    }

    pub(crate) fn have(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    pub(crate) fn have_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.have(word))
    }

    /// Whether a word is a raw name.
    pub(crate) fn have_raw(&self) -> bool {
        self.words.iter().any(|word| word.starts_with("r#"))
    }

    /// Those that begin with two underscores, as every name of ours does.
    pub(crate) fn reserved(&self) -> Vec<String> {
        let plain = self.words.iter().map(|word| word.strip_prefix("r#").unwrap_or(word));
        plain.filter(|word| word.starts_with("__")).map(str::to_owned).collect()
    }
}

/// Whether a macro of the standard library has this name. Such a macro receives nothing of ours except its arguments,
/// which are expressions, and emits no `Self` and no `.await` of its own.
pub(crate) fn is_standard_macro(name: &str) -> bool {
    const NAMES: &str = "addr_of addr_of_mut asm assert assert_eq assert_matches assert_ne cfg cfg_select column \
        compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format \
        format_args include_bytes include_str is_aarch64_feature_detected is_x86_feature_detected line \
        matches match_target module_path offset_of option_env panic pin print println ready stringify thread_local todo \
        unimplemented unreachable vec write writeln";
    is_listed(NAMES, name)
}

/// Whether `name` is one of `names`, with spaces between them.
pub(crate) fn is_listed(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

#[cfg(test)]
mod tests;
