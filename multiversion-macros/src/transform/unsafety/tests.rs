use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;

use super::*;

fn permitted(code: &str) -> String {
    let mut statements = Block::parse_within.parse_str(code).unwrap();
    for statement in &mut statements {
        Walker(&mut Permit).visit_stmt_mut(statement);
    }
    text(&statements.iter().map(ToTokens::to_token_stream).collect())
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
