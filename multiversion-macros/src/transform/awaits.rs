//! The code after an `.await` runs in whichever call of `poll` goes on: it asserts again.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::closure::is_keyword;
use super::{Rewriter, ident, is_punct, is_word, punct};

impl Rewriter<'_> {
    /// `operand.await` at its dot, with the operand in `out` already: becomes `(match operand.await { __awaited => { …;
    /// __awaited } })`, which keeps the operand's temporaries for as long as they lived before.
    pub(super) fn after_await(self, input: &[TokenTree], at: usize, out: &mut Vec<TokenTree>) -> Option<usize> {
        let assertion = self.features.assertion()?;
        if !is_punct(input.get(at), '.') || !is_word(input.get(at + 1), "await") {
            return None;
        }
        let start = operand_start(out)?;
        let operand: TokenStream = out.drain(start..).collect();
        let awaited: TokenStream = input[at..at + 2].iter().cloned().collect();
        let tokens = quote_spanned! {Span::mixed_site()=>
            (match #operand #awaited { __awaited => { #assertion __awaited } })
        };
        out.extend(tokens);
        Some(2)
    }
}

/// Where the postfix expression at the end of `tokens` begins.
fn operand_start(tokens: &[TokenTree]) -> Option<usize> {
    let mut at = tokens.len();
    loop {
        at = operand(tokens, at)?;
        // A method or field: `.` and not the `..` of a range.
        let dot = at.checked_sub(1).is_some_and(|i| is_punct(tokens.get(i), '.'));
        let range = at.checked_sub(2).is_some_and(|i| is_punct(tokens.get(i), '.'));
        if !dot || range {
            return Some(at);
        }
        at -= 1;
    }
}

/// Where the operand that ends before `end` begins: a path, literal, block or parentheses, with calls, indices and `?`.
fn operand(tokens: &[TokenTree], end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        let token = tokens.get(at.checked_sub(1)?)?;
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '?' => at -= 1,
            TokenTree::Literal(_) => return Some(at - 1),
            TokenTree::Ident(_) if !is_keyword(Some(token)) => return path(tokens, at),
            TokenTree::Punct(punct) if punct.as_char() == '>' => return generic(tokens, at),
            TokenTree::Group(group) => {
                at -= 1;
                let before = at.checked_sub(1).and_then(|i| tokens.get(i));
                if is_punct(before, '!') && at.checked_sub(2).is_some_and(|i| ident(tokens.get(i)).is_some()) {
                    return path(tokens, at - 1);
                }
                match group.delimiter() {
                    Delimiter::Brace => return block(tokens, at),
                    _ if callee(before) => {}
                    _ => return Some(at),
                }
            }
            _ => return None,
        }
    }
}

/// Whether a call's or an index's operand ends with `token`.
fn callee(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Ident(_)) => !is_keyword(token),
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Brace,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), '>' | '?'),
        Some(TokenTree::Literal(_)) => true,
        None => false,
    }
}

/// The words before the braces at `at`, `async move` or `unsafe`; braces without them may be a struct's or a `match`'s.
fn block(tokens: &[TokenTree], end: usize) -> Option<usize> {
    let mut at = end;
    while let Some(before) = at.checked_sub(1) {
        if !["async", "move", "unsafe"].iter().any(|word| is_word(tokens.get(before), word)) {
            break;
        }
        at = before;
    }
    (at < end).then_some(at)
}

/// Where the path that ends before `end` with an identifier begins.
fn path(tokens: &[TokenTree], end: usize) -> Option<usize> {
    let at = end.checked_sub(1)?;
    let colons = at >= 2 && is_punct(tokens.get(at - 1), ':') && is_punct(tokens.get(at - 2), ':');
    if !colons {
        return Some(at);
    }
    let before = at - 2;
    match before.checked_sub(1).and_then(|i| tokens.get(i)) {
        Some(TokenTree::Ident(_)) => path(tokens, before),
        Some(TokenTree::Punct(punct)) if punct.as_char() == '>' => generic(tokens, before),
        _ => Some(before),
    }
}

/// Where the path that ends before `end` with `>` begins.
fn generic(tokens: &[TokenTree], end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = end;
    loop {
        at = at.checked_sub(1)?;
        let arrow = at
            .checked_sub(1)
            .is_some_and(|i| punct(tokens.get(i)).is_some_and(|before| matches!(before.as_char(), '-' | '=')));
        match punct(tokens.get(at)).map(proc_macro2::Punct::as_char) {
            Some('>') if !arrow => depth += 1,
            Some('<') => depth -= 1,
            Some(';') => return None,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    let turbofish = at >= 2 && is_punct(tokens.get(at - 1), ':') && is_punct(tokens.get(at - 2), ':');
    if !turbofish {
        return Some(at);
    }
    path(tokens, at - 2)
}
