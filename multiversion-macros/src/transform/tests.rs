//! Each rule of the rewriting, on minimal code. `A` is the assertion.

use proc_macro2::TokenStream;
use quote::quote;

use core::cell::LazyCell;

use crate::cfg::{Features, unmark};
use crate::plan::{NestedCode, TargetCode};
use crate::tokens::Words;

fn features() -> Features {
    Features { names: vec!["avx", "avx2"] }
}

fn target() -> TargetCode {
    TargetCode {
        enable: "avx2".to_owned(),
        label: "avx2".to_owned(),
        assertion: quote!(A;),
        awaited: quote::format_ident!("__awaited"),
        shared: true,
        nested: LazyCell::new(Box::new(|| NestedCode {
            assertion: quote!(OWN;),
            check: quote!(CHECK;),
            check_earlier: quote!(EARLIER;),
        })),
    }
}

fn text(code: &TokenStream) -> String {
    code.to_string().replace(char::is_whitespace, "")
}

fn tokens(code: &str) -> TokenStream {
    code.parse().unwrap_or_else(|error| panic!("{error}: {code}"))
}

fn rewritten(code: &str, asynchronous: bool) -> String {
    let body = tokens(code);
    text(&super::body(&features(), Some(&target()), body.clone(), &Words::of(body), asynchronous))
}

/// Rewrites the first of each pair, and expects the second.
fn expect(asynchronous: bool, cases: &[(&str, &str)]) {
    for (code, expected) in cases {
        assert_eq!(rewritten(code, asynchronous), text(&tokens(expected)), "{code}");
    }
}

#[test]
fn closures() {
    expect(
        false,
        &[
            ("f(|x| g(x))", "f(|x| { A; g(x) })"),
            ("f(|| { g() })", "f(|| { A; g() })"),
            ("f(move |x: u8| -> u8 { g(x) }, y)", "f(move |x: u8| -> u8 { A; g(x) }, y)"),
            ("f(|x| |y| g(x, y))", "f(|x| { A; |y| { A; g(x, y) } })"),
            ("f(|x| x)", "f(|x| x)"),
            (
                "match x { y if f(|| g()) => break |z| g(z), | A | B => 1 }",
                "match x { y if f(|| { A; g() }) => break |z| { A; g(z) }, | A | B => 1 }",
            ),
            ("#[rustfmt::skip] let f = |x| g(x); f", "#[rustfmt::skip] let f = |x| { A; g(x) }; f"),
            ("f(|x| { x.y } = 1)", "f(|x| { A; ({ x.y }) = 1 })"),
            ("f(|x| match x { _ => g() })", "f(|x| { A; match x { _ => g() } })"),
            ("a | b || c", "a | b || c"),
            ("f(async move |x| { g(x) })", "f(async move |x| { A; g(x) })"),
            ("const { |x| g(x) }", "const { |x| g(x) }"),
            ("[|| g(); { 1 | 2 }]", "[|| { A; g() }; { 1 | 2 }]"),
            ("m!(|x| g(x))", "m!(|x| g(x))"),
            // A macro may do anything with a closure, also if it has the name of a standard one.
            ("cfg_select! { a => { f(|| g()) } _ => { 1 } }", "cfg_select! { a => { f(|| g()) } _ => { 1 } }"),
        ],
    );
}

#[test]
fn leaf_closures() {
    expect(
        false,
        &[
            ("x.map(|x| x + 1)", "x.map(#[inline(always)] |x| { A; x + 1 })"),
            ("from_fn(|i| Some(x[i].max(y)))", "from_fn(#[inline(always)] |i| { A; Some(x[i].max(y)) })"),
            ("core::array::from_fn(|i| i)", "core::array::from_fn(#[inline(always)] |i| i)"),
            ("x.fold(0, |x, y| { let z = x; -z ^ y })", "x.fold(0, #[inline(always)] |x, y| { A; let z = x; -z ^ y })"),
            // An adaptor that is not known.
            ("x.sum_by(|x| x + 1)", "x.sum_by(|x| { A; x + 1 })"),
            // Not leaves.
            ("x.map(|x| g(x))", "x.map(|x| { A; g(x) })"),
            ("x.map(|x| x.g())", "x.map(|x| { A; x.g() })"),
            ("x.map(|x| (x.max)(y))", "x.map(|x| { A; (x.max)(y) })"),
            ("x.map(|x| g!(x))", "x.map(|x| { A; g!(x) })"),
            ("x.map(|x| { g!(x); x })", "x.map(|x| { A; g!(x); x })"),
            ("x.map(|x| { use g::len; x.len() })", "x.map(|x| { A; use g::len; x.len() })"),
            ("x.map(|x| unsafe { x.max(y) })", "x.map(|x| { A; unsafe { x.max(y) } })"),
            ("x.map(|x| loop { return x; })", "x.map(|x| { A; loop { return x; } })"),
            // No closures, and closures with an attribute.
            ("x.map(x).map(async |x| x + 1)", "x.map(x).map(async |x| { A; x + 1 })"),
            ("x.map(#[cold] |x| x + 1)", "x.map(#[cold] |x| { A; x + 1 })"),
        ],
    );
    let code = tokens("x.map(|x| x + 1)");
    let own = TargetCode { shared: false, ..target() };
    let written = super::body(&features(), Some(&own), code.clone(), &Words::of(code), false);
    assert_eq!(text(&written), text(&tokens("x.map(|x| { A; x + 1 })")));
}

#[test]
fn asynchronous_code() {
    expect(
        true,
        &[
            ("x.await", "x.await"),
            ("x.await?; 1", "x.await?; A; 1"),
            ("let y = x.await; y", "let y = x.await; A; y"),
            ("let y = x.await; f(y)", "let y = x.await; A; f(y)"),
            ("f(x.await) + g()", "f((match x.await { __awaited => { A; __awaited } })) + g()"),
            // Paths meet.
            ("if a { x.await; } f()", "if a { A; x.await; } A; f()"),
            ("if a { x.await; f(); } else { g() }", "if a { A; x.await; A; f(); } else { A; g() }"),
            (
                "match a { 0 => x.await, _ => 1 }; f()",
                "match a { 0 => { A; (match x.await { __awaited => { A; __awaited } }) }, _ => 1 }; A; f()",
            ),
            (
                "if a && x.await { f() } else { g() }",
                "if a && (match x.await { __awaited => { A; __awaited } }) { A; f() } else { A; g() }",
            ),
            ("'a: { if b { break 'a; } x.await; } f()", "'a: { A; if b { A; break 'a; } A; x.await; } A; f()"),
            ("join!(x, y); f()", "join!(x, y); A; f()"),
            ("println!(\"{}\", x); f()", "println!(\"{}\", x); A; f()"),
            ("println!(\"{}\", x.await); f()", "println!(\"{}\", x.await); A; f()"),
            // Rounds meet.
            ("for x in y { x.await; f() } g()", "for x in y { A; x.await; A; f() } A; g()"),
            ("for x in y { f() } g()", "for x in y { A; f() } A; g()"),
            (
                "for x in y.await { f(); x.await; }",
                "for x in (match y.await { __awaited => { A; __awaited } }) { A; f(); A; x.await; }",
            ),
            ("loop { f(); x.await; }", "loop { A; f(); A; x.await; }"),
            ("'a: while f() { x.await; }", "'a: loop { A; if f() { A; x.await; } else { break } }"),
            ("while let Some(y) = f() { x.await; }", "loop { A; if let Some(y) = f() { A; x.await; } else { break } }"),
            ("while f() { x.await; } g()", "loop { A; if f() { A; x.await; } else { break } } A; g()"),
            ("while f() { g() }", "while f() { A; g() }"),
            // Each block is a path of its own.
            ("let b = async { f().await; g() }; h()", "let b = async { A; f().await; A; g() }; A; h()"),
            ("let c = |x| { f(x) }; c(1)", "let c = |x| { A; f(x) }; A; c(1)"),
        ],
    );
    // Elsewhere nothing waits in a macro.
    expect(false, &[("let c = |x| x; join!(x, y); f()", "let c = |x| x; join!(x, y); f()")]);
}

#[test]
fn nested_functions() {
    let wrapped = |asserted: &str, tested: &str| {
        format!(
            "#[inline(always)] fn f() {{
                #[inline] #[target_feature(enable = \"avx2\")] fn __f__avx2() {{ {asserted} g() }}
                {tested} unsafe {{ __f__avx2() }}
            }}"
        )
    };
    let all = wrapped("A;", "CHECK; EARLIER;");
    let own = wrapped("OWN;", "CHECK;");
    expect(
        false,
        &[
            ("fn f() { g() } f()", &format!("{all} f()")),
            ("{ fn f() { g() } } struct S; impl S {}", &format!("{{ {own} }} struct S; impl S {{}}")),
            ("fn f() { g() } mod m {}", &format!("{own} mod m {{}}")),
            ("trait T {} fn f() { g() }", &format!("trait T {{}} {own}")),
            // Code that is compiled separately has the nested function's assertion only; the code next to it has all.
            (
                "fn f() { h(|| g()) } trait T {} h(|| g())",
                &format!("{} trait T {{}} h(|| {{ A; g() }})", own.replace("g()", "h(|| { OWN; g() })")),
            ),
        ],
    );
    // Where a `cfg_attr` says `inline(always)`, the function stays as it is; elsewhere it has the features.
    expect(
        false,
        &[
            (
                "#[must_use] #[cfg_attr(a, cold, inline(always))] fn f() { g() }",
                &format!(
                    "#[cfg(a)] #[must_use] #[cold] #[inline(always)] fn f() {{ g() }}
                    #[cfg(not(a))] #[must_use] {all}"
                ),
            ),
            (
                "#[cfg_attr(a, cfg_attr(b, inline(always)))] fn f() { g() }",
                &format!(
                    "#[cfg(b)] #[cfg(a)] #[inline(always)] fn f() {{ g() }}
                    #[cfg(not(b))] #[cfg(a)] {all} #[cfg(not(a))] {all}"
                ),
            ),
            (
                "#[cfg_attr(a, inline(always))] #[cfg_attr(b, inline(always))] fn f() { g() }",
                &format!(
                    "#[cfg(a)] #[inline(always)] #[cfg_attr(b, inline(always))] fn f() {{ g() }}
                    #[cfg(b)] #[cfg(not(a))] #[inline(always)] fn f() {{ g() }}
                    #[cfg(not(b))] #[cfg(not(a))] {all}"
                ),
            ),
            // The function tests a feature.
            (
                "#[cfg_attr(a, inline(always))] fn f() { cfg!(target_feature = \"avx2\") }",
                "#[inline(always)] fn f() {
                    #[cfg_attr(a, inline)] #[target_feature(enable = \"avx2\")]
                    fn __f__avx2() { A; cfg!(any(all(), target_feature = \"avx2\")) }
                    CHECK; EARLIER; unsafe { __f__avx2() }
                }",
            ),
        ],
    );
    for other in [
        "const fn f() { g() }",
        "fn f() -> impl A { g() }",
        "#[target_feature(enable = \"x\")] fn f() { g() }",
        "fn f<#[cfg(a)] T>() { g() }",
        "#[dispatch(targets = \"x\")] fn f() { g() }",
        "#[simd_core::dispatch(skip)] fn f() { g() }",
        "#[renamed(targets = \"x\")] fn f() { g() }",
        "impl S { fn f() { g(|| h()) } }",
        "static F: fn() = || g();",
    ] {
        assert_eq!(rewritten(other, false), text(&tokens(other)));
    }
}

#[test]
fn a_marker_is_true_and_keeps_the_name() {
    let marked = "any(all(), target_feature = \"avx2\")";
    let cases = [
        ("#[cfg(target_feature = \"avx2\")] f()".to_owned(), format!("#[cfg({marked})] f()")),
        ("cfg!(not(target_feature = \"avx2\"))".to_owned(), format!("cfg!(not({marked}))")),
        ("cfg!(target_feature = \"aes\")".to_owned(), "cfg!(target_feature = \"aes\")".to_owned()),
        // Another attribute may mean anything by it.
        ("#[a(target_feature = \"avx2\")] f()".to_owned(), "#[a(target_feature = \"avx2\")] f()".to_owned()),
        ("m!(cfg!(target_feature = \"avx2\"))".to_owned(), format!("m!(cfg!({marked}))")),
        (format!("cfg!(all({marked}, x))"), format!("cfg!(all({marked}, x))")),
        ("cfg!(any(all(), target_feature = \"aes\"))".to_owned(), "cfg!(target_feature = \"aes\")".to_owned()),
        (
            "cfg_select! { target_feature = \"avx2\" => { 1 } _ => cfg!(target_feature = \"avx2\"), }".to_owned(),
            format!("cfg_select! {{ {marked} => {{ 1 }} _ => cfg!({marked}), }}"),
        ),
    ];
    for (code, expected) in cases {
        let written = features().rewrite_all(tokens(&code));
        assert_eq!(text(&written), text(&tokens(&expected)), "{code}");
        assert_eq!(text(&unmark(written)), text(&unmark(tokens(&code))));
    }
    assert_eq!(
        text(&unmark(tokens(&format!("f({{ cfg!({marked}) }})")))),
        text(&tokens("f({ cfg!(target_feature = \"avx2\") })"))
    );
}

/// `C` is a predicate that is true in the clone, `B` the same where the build decides.
#[test]
fn where_the_build_decides() {
    for code in [
        "#[C] impl S { #[B] const A: u8 = if cfg!(B) { 1 } else { 2 }; #[B] fn f() { cfg!(B) } type T = [u8; { cfg!(B) }]; #[B] fn g() {} }",
        "#[C] unsafe impl<const N: usize> T<{ cfg!(C) }> for S { fn f() { cfg!(B) } } cfg!(C)",
        "trait T: A<{ 1 }> { const A: bool; fn f(); #[B] fn f() { cfg!(B) } } impl T for S { fn f() { cfg!(B) } }",
        "mod m { #[B] struct S; #[B] const F: fn(u8) = f; m! { #[B] fn f() {} } #[B] pub(crate) unsafe extern \"C\" fn f() { cfg!(B) } impl S { fn f() { cfg!(B) } } mod n { fn f() { cfg!(B) } } }",
        "fn f(x: impl A) -> impl B { cfg!(C) } fn g<T: Fn(impl A)>() { cfg!(C) }",
        "let f = |x: &dyn Fn() -> u8| { cfg!(C) }; match x { A { .. } => { cfg!(C) } _ => cfg!(C) }",
        "#[C] #[dispatch(targets = \"x\")] fn f() { cfg!(B) } cfg!(C)",
        "#[a::dispatch(targets = \"x\")] impl S { #[B] fn f() { cfg!(B) } } cfg!(C)",
    ] {
        let (asked, marked) = ("target_feature = \"avx2\"", "any(all(), target_feature = \"avx2\")");
        let fill = |all: &str, clone: &str| {
            let attributes = all.replace("#[C]", "#[cfg(C)]").replace("#[B]", "#[cfg(B)]");
            attributes.replace("(C)", &format!("({clone})")).replace("(B)", &format!("({asked})"))
        };
        let written = features().rewrite_all(tokens(&fill(code, asked)));
        assert_eq!(text(&written), text(&tokens(&fill(code, marked))), "{code}");
    }
}

#[test]
fn what_does_not_parse() {
    for code in [
        "let f = |x| x +; cfg!(target_feature = \"avx2\")",
        "fn f( cfg!(target_feature = \"avx2\")",
        "|x| cfg!(target_feature = \"avx2\") .",
    ] {
        // Half a group is not a token.
        let Ok(body) = code.parse::<TokenStream>() else { continue };
        let written = super::body(&features(), Some(&target()), body.clone(), &Words::of(body.clone()), false);
        assert_eq!(text(&written), text(&features().rewrite_all(body)));
        assert!(text(&written).contains("any(all()"));
    }
}

#[test]
fn the_baseline_asserts_nothing() {
    let code = "let f = |x| g(x); fn h() {} x.await; f(1)";
    let written = super::body(&Features::default(), None, tokens(code), &Words::of(tokens(code)), true);
    assert_eq!(text(&written), text(&tokens(code)));
}
