//! Closures: found among tokens, and given the clone's assertion.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

use super::{Rewriter, ident, is_punct, is_word, punct};

impl Rewriter<'_> {
    /// `|…| body`, `|…| -> T { body }` and `|| body` at `at`, where an expression can begin.
    pub(super) fn closure(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        let assertion = self.features.assertion()?;
        if !is_punct(input.get(at), '|') || !expression_begins(out) {
            return None;
        }
        // The closing bar; parameters hold bars only inside groups.
        let close = (at + 1..input.len()).find(|&i| is_punct(input.get(i), '|'))?;
        let parameters = &input[at + 1..close];
        let arrow = |pair: &[TokenTree]| is_punct(pair.first(), '=') && is_punct(pair.last(), '>');
        if parameters.iter().any(|token| is_punct(Some(token), ';')) || parameters.windows(2).any(arrow) {
            return None;
        }
        let start = close + 1;
        if is_punct(input.get(start), '-') && is_punct(input.get(start + 1), '>') {
            let body = (start..input.len())
                .find(|&i| matches!(&input[i], TokenTree::Group(group) if group.delimiter() == Delimiter::Brace))?;
            let TokenTree::Group(block) = &input[body] else { return None };
            out.extend_from_slice(&input[at..body]);
            out.push(self.asserting_block(block));
            return Some(body + 1 - at);
        }
        let length = expression_length(&input[start..])?;
        let end = start + length;
        if !closure_may_end(&input[end..]) {
            return None;
        }
        out.extend_from_slice(&input[at..start]);
        match &input[start..end] {
            [TokenTree::Group(block)] if block.delimiter() == Delimiter::Brace => out.push(self.asserting_block(block)),
            body => {
                let mut content = assertion.clone();
                let expression = self.stream(body.iter().cloned().collect());
                if is_statement_and_more(body) {
                    content.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, expression))]);
                } else {
                    content.extend(expression);
                }
                let mut block = Group::new(Delimiter::Brace, content);
                // So that the closure ends for rustc where it ends for the user.
                block.set_span(body.last().map_or_else(Span::mixed_site, TokenTree::span));
                out.push(TokenTree::Group(block));
            }
        }
        Some(end - at)
    }
}

/// Whether the expression `body` would end early where statements are: `{ place } = value` is two of them there.
fn is_statement_and_more(body: &[TokenTree]) -> bool {
    const WORDS: [&str; 7] = ["if", "match", "loop", "while", "for", "unsafe", "const"];
    let begins_block = match body.first() {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        Some(TokenTree::Punct(punct)) => punct.as_char() == '\'',
        first => WORDS.iter().any(|word| is_word(first, word)),
    };
    let statements = || syn::Block::parse_within.parse2(body.iter().cloned().collect());
    begins_block && !matches!(statements().as_deref(), Ok([syn::Stmt::Expr(_, None)]))
}

/// Whether an operand, not an operator, comes after `before`.
fn expression_begins(before: &[TokenTree]) -> bool {
    match before.last() {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ',' | '=' | ';' | ':' | '>' | '&' | '*' | '!'),
        Some(TokenTree::Ident(word)) => {
            matches!(
                word.to_string().as_str(),
                "return" | "move" | "async" | "static" | "break" | "in" | "else" | "match" | "if" | "mut"
            )
        }
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => false,
    }
}

/// How many tokens the expression at the start of `tokens` has.
fn expression_length(tokens: &[TokenTree]) -> Option<usize> {
    // An expression never goes past a semicolon, and one that is a single token needs no parser.
    let bound = tokens.iter().position(|token| is_punct(Some(token), ';')).unwrap_or(tokens.len());
    let tokens = &tokens[..bound];
    let alone = |at: usize| at >= tokens.len() || is_punct(tokens.get(at), ',');
    if !tokens.is_empty() && alone(1) && punct(tokens.first()).is_none() {
        return Some(1);
    }
    let stream: TokenStream = tokens.iter().cloned().collect();
    let parser = |input: ParseStream<'_>| -> syn::Result<usize> {
        input.parse::<syn::Expr>()?;
        let rest: TokenStream = input.parse()?;
        Ok(rest.into_iter().count())
    };
    let rest = parser.parse2(stream).ok()?;
    tokens.len().checked_sub(rest).filter(|&length| length > 0)
}

/// Whether a closure can stand before `after`; a leading bar of a pattern in a `match` looks like one.
fn closure_may_end(after: &[TokenTree]) -> bool {
    match after.first() {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ',' | ';'),
        _ => false,
    }
}

/// Whether `tokens` begin with a word that makes them an expression of their own.
pub(super) fn is_keyword(token: Option<&TokenTree>) -> bool {
    const WORDS: [&str; 14] =
        ["return", "break", "in", "if", "else", "match", "while", "move", "mut", "ref", "let", "as", "yield", "loop"];
    ident(token).is_some_and(|_| WORDS.iter().any(|word| is_word(token, word)))
}
