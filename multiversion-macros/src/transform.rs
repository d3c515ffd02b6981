//! Rewrites a function's body for one clone.
//!
//! Three things change: `cfg(target_feature)` is evaluated for the clone, on tokens, macro arguments included; nested
//! functions get the clone's features; and code that is compiled on its own (closures, async blocks, whatever follows
//! an `.await`) repeats what the clone asserts at its entry. A body that `syn` cannot parse, or that is nested too
//! deeply for it, gets the first alone: that can cost speed, never soundness.

mod cfg;
mod depth;
mod groups;
mod nested;
mod unsafety;
mod visitor;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::Block;
use syn::parse::Parser;

pub(crate) use cfg::{leaves_code_out, mentions_feature, unmark};
pub(crate) use depth::exceeded as too_deep;
pub(crate) use groups::keep_groups;

use visitor::Rewriter;

/// The features of one clone, and what its code says of them.
pub(crate) struct Features {
    /// All names for which `cfg(target_feature = …)` holds on top of what the build enables; empty for the baseline. Properties
    /// are among them, for `match_target!`: rewriting leaves none of those to rustc.
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
    /// A statement that asserts what the clone's being chosen has shown: the target, and that no earlier one is there.
    pub(crate) assertion: TokenStream,
    /// A statement that asserts the target alone.
    pub(crate) assertion_own: TokenStream,
    /// A statement that diverges unless the target is known to be there.
    pub(crate) check: TokenStream,
    /// A statement that diverges if an earlier target is there.
    pub(crate) check_earlier: TokenStream,
}

/// The function that a body belongs to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Of {
    /// It is an `async fn`.
    pub(crate) asynchronous: bool,
    /// It is `unsafe` only because our trait makes it so: see [`unsafety`].
    pub(crate) forbids_unsafe: bool,
}

impl Features {
    /// Rewrites the content of a function's braces; an assertion, where there is one, is not put at its start.
    pub(crate) fn body(&self, body: TokenStream, of: Of) -> TokenStream {
        let body = self.rewrite_all(body);
        let Some(target) = &self.target else { return body };
        let words = Words::of(body.clone());
        if !(words.code || of.asynchronous) || depth::exceeded(&body) {
            return body;
        }
        let Ok(statements) = Block::parse_within.parse2(body.clone()) else { return body };
        let statements = Rewriter::new(self, target, of, words.carrier).statements(statements);
        quote!(#(#statements)*)
    }

    /// Evaluates `cfg(target_feature)` in all of `tokens`, and changes nothing else.
    pub(crate) fn rewrite_all(&self, tokens: TokenStream) -> TokenStream {
        let nothing = if self.names.is_empty() { !cfg::mentions_property(&tokens) } else { !mentions_feature(&tokens) };
        if nothing { tokens } else { self.cfgs(tokens) }
    }
}

/// What a body may hold: to parse it takes time.
#[derive(Default)]
struct Words {
    /// A closure, a function or something asynchronous.
    code: bool,
    asynchronous: bool,
    /// An impl, a trait or a module, through which a nested function can be called from elsewhere.
    carrier: bool,
}

impl Words {
    fn of(tokens: TokenStream) -> Words {
        let mut words = Words::default();
        words.scan(tokens);
        words
    }

    fn scan(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(ident) => {
                    self.asynchronous |= ident == "async" || ident == "await";
                    self.code |= self.asynchronous || ident == "fn";
                    self.carrier |= ["impl", "trait", "mod"].iter().any(|word| ident == word);
                }
                TokenTree::Punct(punct) => self.code |= punct.as_char() == '|',
                TokenTree::Literal(_) => {}
            }
        }
    }
}

/// Macros of the standard library: their arguments are expressions, and they make no `Self` and no `.await` of their own.
pub(crate) const STANDARD_MACROS: [&str; 23] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "cfg_select",
    "concat",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprintln",
    "format",
    "format_args",
    "match_target",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// `group` around `content`.
fn regroup(group: &Group, content: TokenStream) -> TokenTree {
    let mut new = Group::new(group.delimiter(), content);
    new.set_span(group.span());
    TokenTree::Group(new)
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

#[cfg(test)]
mod tests;
