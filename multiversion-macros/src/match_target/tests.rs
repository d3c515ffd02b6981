use super::*;

fn text(code: &TokenStream) -> String {
    code.to_string().replace(char::is_whitespace, "")
}

fn tokens(code: &str) -> TokenStream {
    code.parse().unwrap_or_else(|error| panic!("{error}: {code}"))
}

/// `A` and `B` stand for the predicates of two targets.
fn filled(code: &str) -> TokenStream {
    let predicate = |feature: &str| {
        format!("all(any(target_arch = \"x86\", target_arch = \"x86_64\"), target_feature = \"{feature}\")")
    };
    tokens(&code.replace("A()", &predicate("avx2")).replace("B()", &predicate("avx")))
}

#[test]
fn calls_that_the_attribute_sees() {
    for (code, expected) in [
        (
            "return ::a::match_target! { \"avx2\" => 1, _ => 2 };",
            "return match ::a::match_target!(()) { #[cfg(A())] () => 1, #[cfg(not(A()))] () => 2, };",
        ),
        (
            "match_target!(\"avx2\" => {} _ => if a {} \"avx\" => loop {}) + 1",
            "(match match_target!(()) { #[cfg(A())] () => {}, #[cfg(not(A()))] () => if a {}, \
              #[cfg(all(not(A()), B()))] () => loop {}, }) + 1",
        ),
        (
            "#[x] #[y] crate::match_target! { \"avx2\" => { use a; fn b() {} } _ => {} } f()",
            "#[x] #[y] crate::match_target! {;} #[x] #[y] #[cfg(A())] use a; #[x] #[y] #[cfg(A())] fn b() {} f()",
        ),
        // An item in one arm and a statement in another are two blocks.
        (
            "match_target! { \"avx2\" => { use a; } _ => { b!(); } }",
            "match match_target!(()) { #[cfg(A())] () => { use a; }, #[cfg(not(A()))] () => { b!(); }, }",
        ),
        (
            "m!(match_target! { \"avx2\" => match_target!(\"avx\" => 1, _ => 2), _ => 3 })",
            "m!(match match_target!(()) { #[cfg(A())] () => match match_target!(()) { #[cfg(B())] () => 1, \
              #[cfg(not(B()))] () => 2, }, #[cfg(not(A()))] () => 3, })",
        ),
        // A call that may contain a fragment waits for the macro.
        (
            "macro_rules! m { ($x:expr) => { $crate::match_target! { \"avx2\" => $x, \"avx22\" => 1, _ => 2 } } }",
            "macro_rules! m { ($x:expr) => { $crate::match_target! { \"avx2\" #[cfg(A())] => $x, \"avx22\" => 1, _ => 2 } } }",
        ),
        // A macro in an arm has fragments of its own.
        (
            "match_target! { \"avx2\" => { fn f() { macro_rules! m { ($x:expr) => { $x } } m!(1) } } _ => {} }",
            "match_target! {;} #[cfg(A())] fn f() { macro_rules! m { ($x:expr) => { $x } } m!(1) }",
        ),
        (
            "f($crate::match_target!(\"avx\" => 1, _ => 2))",
            "f(match $crate::match_target!(()) { #[cfg(B())] () => 1, #[cfg(not(B()))] () => 2, })",
        ),
        // Not ours, or no longer.
        (
            "match_target!(); match_target!(x => 1); other!(\"avx2\" => 1); match_target!(())",
            "match_target!(); match_target!(x => 1); other!(\"avx2\" => 1); match_target!(())",
        ),
    ] {
        let mut errors = Errors::new();
        let lowered = lower_in(tokens(code), false, &mut errors);
        let late = ["this arm can never be selected: `_` comes before it\nhelp: put `_` last"];
        assert_eq!(errors.messages(), if code.contains("loop") { &late[..] } else { &[] });
        assert_eq!(text(&lowered), text(&filled(expected)), "{code}");
        assert_eq!(text(&lower_in(lowered.clone(), false, &mut errors)), text(&lowered));
    }
}

#[test]
fn where_items_are() {
    let mut errors = Errors::new();
    let code = "fn f() { C } mod m { #![x] C #[y] C const W: u8 = C; fn f<T>() { C } impl S { C fn f() { C } } }";
    let lowered = lower(tokens(&code.replace('C', "match_target! { \"avx2\" => {} _ => {} }")), &mut errors);
    let body = "match match_target!(()) { #[cfg(A())] () => {}, #[cfg(not(A()))] () => {}, }";
    let expected = "fn f() { B } mod m { #![x] C #[y] C const W: u8 = B; fn f<T>() { B } impl S { C fn f() { B } } }";
    let expected = expected.replace('C', "match_target! {;}").replace('B', body);
    assert_eq!(text(&lowered), text(&filled(&expected)));
    let wrong = "mod m { match_target! { \"avx2\" => 1, \"avx22\" => { use a b; } _ => { a!(); } } }";
    assert_eq!(text(&lower(tokens(wrong), &mut errors)), "modm{match_target!{;}}");
    assert_eq!(errors.len(), 4, "{:?}", errors.messages());
}

#[test]
fn what_a_marked_call_becomes() {
    let marked = filled("\"neon\" #[cfg(A())] => 1, _ => f::<A, B>(1)");
    let expected = "match () { #[cfg(A())] () => 1, #[cfg(not(A()))] () => f::<A, B>(1), }";
    assert_eq!(text(&expand(marked)), text(&filled(expected)));
    assert_eq!(text(&expand(tokens("()"))) + &text(&expand(tokens(";"))), "()");
}

#[test]
fn arms_that_are_nested_too_deeply_end_at_a_comma() {
    let nested = "(".repeat(200) + "a" + &")".repeat(200);
    let written = expand(tokens(&format!("\"avx2\" => {nested}, _ => {nested}")));
    assert_eq!(text(&written).matches(&nested).count(), 2);
}
