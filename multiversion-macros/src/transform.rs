//! Rewrites a function's body for one clone, on raw tokens.
//!
//! Three things change: `cfg(target_feature)` is evaluated for the clone; nested functions get the clone's features;
//! and what may be compiled on its own (closures, async blocks, the code after an `.await`) repeats what the clone
//! asserts at its entry. Whatever is not recognised is left alone: that can cost speed, never soundness.

mod awaits;
mod cfg;
mod closure;
mod nested;
mod unsafety;

use proc_macro2::{Delimiter, Group, Ident, Punct, TokenStream, TokenTree};
use quote::quote;

pub(crate) use cfg::{leaves_code_out, mentions_feature};
pub(crate) use unsafety::permit;

/// The features of one clone, and what its code says of them.
pub(crate) struct Features {
    /// All names for which `cfg(target_feature = …)` holds on top of what the build enables; empty for the baseline.
    pub(crate) names: Vec<&'static str>,
    /// The target; `None` for the baseline.
    pub(crate) target: Option<TargetCode>,
}

/// What the code of a target's clone needs.
pub(crate) struct TargetCode {
    /// The list for `#[target_feature(enable = …)]`.
    pub(crate) enable: String,
    /// The suffix of clone names.
    pub(crate) label: String,
    /// `cfg` predicate: the build enables the target for all code.
    pub(crate) enabled: TokenStream,
    /// The attribute that leaves out what is of no use where the build enables the target for all code.
    pub(crate) decides: TokenStream,
    /// A statement that asserts what the clone's being chosen has shown.
    pub(crate) assertion: TokenStream,
    /// A statement that diverges unless the target is known to be there.
    pub(crate) check: TokenStream,
}

impl Features {
    /// Rewrites the content of a function's braces; an assertion, where there is one, is not put at its start.
    pub(crate) fn body(&self, body: TokenStream) -> TokenStream {
        let work = Work::of(&body);
        if self.target.is_some() && (work.closures || work.functions) {
            Rewriter { features: self, code: true }.stream(body)
        } else if work.cfg {
            self.rewrite_all(body)
        } else {
            body
        }
    }

    /// Evaluates `cfg(target_feature)` in all of `tokens`, and changes nothing else.
    pub(crate) fn rewrite_all(&self, tokens: TokenStream) -> TokenStream {
        if self.names.is_empty() || !mentions_feature(&tokens) {
            return tokens;
        }
        Rewriter { features: self, code: false }.stream(tokens)
    }

    fn assertion(&self) -> Option<&TokenStream> {
        self.target.as_ref().map(|target| &target.assertion)
    }
}

/// What a body holds that has to be looked at.
#[derive(Default)]
struct Work {
    cfg: bool,
    closures: bool,
    functions: bool,
}

impl Work {
    fn of(tokens: &TokenStream) -> Work {
        let mut work = Work::default();
        work.scan(tokens.clone());
        work
    }

    fn scan(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(ident) => {
                    self.cfg |= ident == "target_feature";
                    self.closures |= ident == "async" || ident == "await";
                    self.functions |= ident == "fn";
                }
                TokenTree::Punct(punct) => self.closures |= punct.as_char() == '|',
                TokenTree::Literal(_) => {}
            }
        }
    }
}

/// One pass over a stream. `code` is false where tokens are not known to be expressions that run inside the clone:
/// in macro arguments, items and constants only `cfg` is evaluated.
#[derive(Clone, Copy)]
struct Rewriter<'a> {
    features: &'a Features,
    code: bool,
}

impl Rewriter<'_> {
    fn opaque(self) -> Self {
        Rewriter { code: false, ..self }
    }

    fn stream(self, tokens: TokenStream) -> TokenStream {
        let input: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(input.len());
        let mut at = 0;
        while at < input.len() {
            at += self.step(&input, at, &mut out);
        }
        out.into_iter().collect()
    }

    /// Rewrites what begins at `at`; returns how many tokens that was.
    fn step(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> usize {
        if let Some(taken) = self.cfg(input, at, out) {
            return taken;
        }
        if let Some(taken) = self.macro_call(input, at, out) {
            return taken;
        }
        if self.code {
            if let Some(taken) = self.item(input, at, out) {
                return taken;
            }
            if let Some(taken) = self.closure(input, at, out) {
                return taken;
            }
            if let Some(taken) = self.async_block(input, at, out) {
                return taken;
            }
            if let Some(taken) = self.after_await(input, at, out) {
                return taken;
            }
        }
        match &input[at] {
            TokenTree::Group(group) => out.push(self.group(group)),
            token => out.push(token.clone()),
        }
        1
    }

    /// `group` with its content rewritten.
    fn group(self, group: &Group) -> TokenTree {
        regroup(group, self.stream(group.stream()))
    }

    /// `name!(…)`, `name! ident (…)`: only the `cfg`s in the arguments are ours to change.
    fn macro_call(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        let TokenTree::Ident(_) = &input[at] else { return None };
        if !is_punct(input.get(at + 1), '!') || closure::is_keyword(input.get(at)) {
            return None;
        }
        let mut end = at + 2;
        if let Some(TokenTree::Ident(_)) = input.get(end) {
            end += 1;
        }
        // `a != b` has no group here, nor has `a ! = b`.
        let Some(TokenTree::Group(arguments)) = input.get(end) else { return None };
        out.extend_from_slice(&input[at..end]);
        out.push(self.opaque().group(arguments));
        Some(end + 1 - at)
    }

    /// An item among statements: nested functions get the clone's features, other items only their `cfg`s.
    fn item(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        let TokenTree::Ident(word) = &input[at] else { return None };
        if !starts_statement(&input[..at]) {
            return None;
        }
        let word = word.to_string();
        if matches!(word.as_str(), "fn" | "pub" | "async" | "unsafe" | "const" | "extern")
            && let Some(taken) = self.nested_function(input, at, out)
        {
            return Some(taken);
        }
        // The word that tells the kind, after a visibility.
        let mut kind = at;
        if word == "pub" {
            kind += 1;
            if matches!(input.get(kind), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis) {
                kind += 1;
            }
        }
        let word = ident(input.get(kind)).map(ToString::to_string).unwrap_or_default();
        let next_is_ident = ident(input.get(kind + 1)).is_some();
        let next_is = |words: &[&str]| words.iter().any(|word| is_word(input.get(kind + 1), word));
        let ends_at_braces = match word.as_str() {
            "impl" | "extern" => true,
            "struct" | "enum" | "trait" | "mod" | "union" | "auto" | "default" => next_is_ident,
            "unsafe" => next_is(&["impl", "trait", "extern", "auto"]),
            _ => false,
        };
        let ends_at_semicolon = match word.as_str() {
            "const" => next_is_ident,
            "static" => next_is_ident && !next_is(&["move"]),
            "type" | "use" => true,
            _ => false,
        };
        if !ends_at_braces && !ends_at_semicolon {
            return None;
        }
        let mut end = at;
        while let Some(token) = input.get(end) {
            end += 1;
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ';' => break,
                // Braces before `>` or `,` are a constant among generic arguments.
                TokenTree::Group(group)
                    if ends_at_braces
                        && group.delimiter() == Delimiter::Brace
                        && !is_punct(input.get(end), '>')
                        && !is_punct(input.get(end), ',') =>
                {
                    break;
                }
                _ => {}
            }
        }
        let rewritten = self.opaque().stream(input[at..end].iter().cloned().collect());
        out.extend(rewritten);
        Some(end - at)
    }

    /// `const { … }` is evaluated by the compiler; `async { … }` runs whenever it is polled.
    fn async_block(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        if is_word(input.get(at), "const") {
            let Some(TokenTree::Group(block)) = input.get(at + 1) else { return None };
            out.push(input[at].clone());
            out.push(self.opaque().group(block));
            return Some(2);
        }
        if !is_word(input.get(at), "async") {
            return None;
        }
        let moved = usize::from(is_word(input.get(at + 1), "move"));
        let Some(TokenTree::Group(block)) = input.get(at + 1 + moved) else { return None };
        if block.delimiter() != Delimiter::Brace {
            return None;
        }
        out.extend_from_slice(&input[at..=at + moved]);
        out.push(self.asserting_block(block));
        Some(2 + moved)
    }

    /// `block` with its content rewritten and the assertion before it, after inner attributes.
    fn asserting_block(self, block: &Group) -> TokenTree {
        let (inner, rest) = split_inner_attributes(block.stream());
        let rest = self.stream(rest);
        let assertion = self.features.assertion();
        regroup(block, quote!(#inner #assertion #rest))
    }
}

/// `group` around `content`.
fn regroup(group: &Group, content: TokenStream) -> TokenTree {
    let mut new = Group::new(group.delimiter(), content);
    new.set_span(group.span());
    TokenTree::Group(new)
}

/// Whether what follows `before` is at the start of a statement, as far as tokens tell.
fn starts_statement(before: &[TokenTree]) -> bool {
    match before.last() {
        None => true,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
        Some(TokenTree::Group(group)) => match group.delimiter() {
            Delimiter::Brace => true,
            // An attribute, outer or inner.
            Delimiter::Bracket => {
                let back = |n: usize| before.len().checked_sub(n).and_then(|at| before.get(at));
                is_punct(back(2), '#') || (is_punct(back(2), '!') && is_punct(back(3), '#'))
            }
            _ => false,
        },
        Some(_) => false,
    }
}

/// Whether an item may be among the statements of `body`.
pub(crate) fn holds_items(body: &TokenStream) -> bool {
    const WORDS: [&str; 12] =
        ["const", "enum", "extern", "fn", "impl", "macro_rules", "mod", "static", "struct", "trait", "type", "use"];
    body.clone().into_iter().any(|token| WORDS.iter().any(|word| is_word(Some(&token), word)))
}

/// `#![…]` attributes at the start of `tokens`, and the rest.
pub(crate) fn split_inner_attributes(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while is_punct(tokens.get(at), '#')
        && is_punct(tokens.get(at + 1), '!')
        && matches!(tokens.get(at + 2), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket)
    {
        at += 3;
    }
    let rest = tokens[at..].iter().cloned().collect();
    (tokens.into_iter().take(at).collect(), rest)
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if *ident == word)
}

fn punct(token: Option<&TokenTree>) -> Option<&Punct> {
    match token {
        Some(TokenTree::Punct(punct)) => Some(punct),
        _ => None,
    }
}

fn ident(token: Option<&TokenTree>) -> Option<&Ident> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident),
        _ => None,
    }
}
