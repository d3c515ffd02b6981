//! Functions inside a method that is `unsafe` only because our trait makes it so.
//!
//! Such a method denies `unsafe_op_in_unsafe_fn`, or its safe body could do what is unsafe. The level reaches into the
//! `unsafe fn`s in that body too, where older editions allow just that.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote_spanned;

use super::{ident, is_punct, is_word, regroup, split_inner_attributes};

/// `tokens` with the body of each `unsafe fn name` in an unsafe block.
pub(crate) fn permit(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    let mut body = None;
    while at < tokens.len() {
        if is_word(tokens.get(at), "unsafe") {
            body = body_of(&tokens, at).or(body);
        }
        let token = match &tokens[at] {
            // What a macro makes of its arguments is its own affair.
            TokenTree::Group(group) if is_argument(&tokens, at) => TokenTree::Group(group.clone()),
            TokenTree::Group(group) => {
                let content = permit(group.stream());
                let content = if body == Some(at) { in_unsafe_block(group, content) } else { content };
                regroup(group, content)
            }
            token => token.clone(),
        };
        out.extend([token]);
        at += 1;
    }
    out
}

/// Where the braces of the function are whose `unsafe` is at `at`.
fn body_of(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let mut name = at + 1;
    if is_word(tokens.get(name), "extern") {
        name += 1;
        name += usize::from(matches!(tokens.get(name), Some(TokenTree::Literal(_))));
    }
    if !is_word(tokens.get(name), "fn") {
        return None;
    }
    // Without a name it is a pointer's type.
    ident(tokens.get(name + 1))?;
    let end = (name + 2..tokens.len()).find(|&i| match &tokens[i] {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        // Braces before `>` or `,` are a constant among generic arguments.
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::Brace
                && !is_punct(tokens.get(i + 1), '>')
                && !is_punct(tokens.get(i + 1), ',')
        }
        _ => false,
    })?;
    matches!(tokens[end], TokenTree::Group(_)).then_some(end)
}

/// Whether the group at `at` holds the arguments of a macro, or of `macro_rules!`.
fn is_argument(tokens: &[TokenTree], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|i| tokens.get(i));
    (is_punct(before(1), '!') && ident(before(2)).is_some())
        || (ident(before(1)).is_some() && is_punct(before(2), '!') && is_word(before(3), "macro_rules"))
}

fn in_unsafe_block(braces: &Group, content: TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let (inner, rest) = split_inner_attributes(content);
    let mut block = Group::new(Delimiter::Brace, rest);
    block.set_span(braces.span().resolved_at(span));
    quote_spanned!(span=> #![allow(unused_unsafe)] #inner unsafe #block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permitted(code: &str) -> String {
        text(&permit(code.parse().unwrap()))
    }

    fn tokens(code: &str) -> String {
        text(&code.parse().unwrap())
    }

    fn text(tokens: &TokenStream) -> String {
        tokens.to_string().replace(char::is_whitespace, "")
    }

    #[test]
    fn only_named_unsafe_functions() {
        for code in [
            "unsafe { f() }",
            "let f: unsafe fn(u8) -> u8 = g; f",
            "let f: unsafe extern \"C\" fn(u8) = g; { f }",
            "fn f() { unsafe { g() } }",
            "macro_rules! m { () => { unsafe fn f() { g() } } }",
            "m! { unsafe fn f() { g() } }",
            "trait T { unsafe fn f(); } { g() }",
        ] {
            assert_eq!(permitted(code), tokens(code));
        }
    }

    #[test]
    fn at_every_depth() {
        assert_eq!(
            permitted("impl A { pub const unsafe fn f() -> B<{ 1 }> { #![a] g(); } }"),
            tokens("impl A { pub const unsafe fn f() -> B<{ 1 }> { #![allow(unused_unsafe)] #![a] unsafe { g(); } } }"),
        );
        assert_eq!(
            permitted("{ unsafe extern \"C\" fn f() { unsafe fn g() {} } f() }"),
            tokens(
                "{ unsafe extern \"C\" fn f() { #![allow(unused_unsafe)] unsafe {
                    unsafe fn g() { #![allow(unused_unsafe)] unsafe {} }
                } } f() }"
            ),
        );
    }
}
