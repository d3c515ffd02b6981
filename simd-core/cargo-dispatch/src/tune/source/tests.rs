use super::*;

fn source(text: &str) -> Source {
    Source::new("src/lib.rs".into(), text.to_owned()).unwrap()
}

fn all(source: &Source) -> Vec<(usize, &'static str)> {
    let mut lines: Vec<_> = source.functions.iter().map(|function| (*function.lines.start(), "avx2")).collect();
    lines.dedup();
    lines
}

const ATTRIBUTE: &str = "#[simd_core::dispatch(targets = \"avx2\")]";

#[test]
fn functions_have_paths_and_reasons() {
    let source = source(
        "const fn a() {}\nfn b() -> impl Copy {}\nmod m { impl T<u8> { pub(crate) fn c(&self) {} } trait U { fn d(); fn e() {} } }\n\
         #[cfg(test)] mod tests { fn f() {} }\n#[dispatch(targets = \"avx2\")] impl T { fn g() {} }\nextern \"C\" fn h() {}\n\
         #[target_feature(enable = \"avx2\")] unsafe fn i() {}\nfn main() { fn nested() {} }\n\
         macro_rules! make { ($n:ident) => { fn $n() {} } }\nmake!(j);\nfn k(x: impl Copy) -> Vec<u8> {}",
    );
    let of = |one: &Function| (one.path.clone(), *one.lines.start(), one.refused.is_some());
    let found: Vec<(String, usize, bool)> = source.functions.iter().map(of).collect();
    let expected = [
        ("a", 1, true),
        ("b", 2, true),
        ("m::T::c", 3, false),
        ("m::U::e", 3, false),
        ("h", 6, false),
        ("i", 7, true),
        ("main", 8, true),
        ("make!::$n", 9, false),
        ("k", 11, false),
    ];
    assert_eq!(found, expected.map(|(path, line, refused)| (path.to_owned(), line, refused)));
    assert_eq!([9, 10, 11].map(|line| source.macro_at(line)), [Some("make"), Some("make"), None]);
    assert_eq!(source.selected, None);
    assert_eq!(self::source("fn a() {}\n#[cfg(not(target_feature = \"avx2\"))]\nuse a as b;").selected, Some(2));
    assert_eq!(source.function_at(8).map(|one| one.path.as_str()), Some("main"));
}

#[test]
fn functions_in_macros_are_found_by_their_tokens() {
    let source = source(
        "macro_rules! a {\n(fn $x:ident $b:block) => {\n#[inline]\npub(crate) unsafe fn $x(f: fn(u8) -> u8) $b\n};\n\
         ($v:vis $x:ident) => {\nimpl T {\n$v fn $x() {}\n}\ntrait U { fn r(); }\n};\n}\n\
         cfg_if! { if #[cfg(x)] {\nfn c() {}\n} else {\n#[target_feature(enable = \"avx2\")]\nfn d() {}\n} }\n\
         b! {\nconst fn e() {}\n#[test]\nfn f() {}\nextern \"C\" fn g() {}\n}",
    );
    let of = |one: &Function| (one.path.clone(), *one.lines.start(), one.refused.is_some());
    let found: Vec<(String, usize, bool)> = source.functions.iter().map(of).collect();
    let expected = [
        ("a!::$x", 8, false),
        ("cfg_if!::c", 14, false),
        ("cfg_if!::d", 17, true),
        ("b!::e", 20, true),
        ("b!::g", 23, false),
    ];
    assert_eq!(found, expected.map(|(path, line, refused)| (path.to_owned(), line, refused)));
    let text = source.annotated(&[(8, "avx2"), (14, "avx2")], true, "simd_core");
    assert!(text.contains(&format!("impl T {{\n{ATTRIBUTE}\n$v fn $x() {{}}\n")), "{text}");
    assert!(text.contains(&format!("{{\n{ATTRIBUTE}\nfn c() {{}}\n")), "{text}");
}

#[test]
fn the_attribute_stands_before_the_visibility_with_its_indent() {
    let source =
        source("impl T {\r\n    /// It.\r\n    #[inline]\r\n    pub fn a() {}\r\n}\r\nfn b() {} fn c() {}\r\n");
    let text = source.annotated(&all(&source), true, "simd_core");
    let expected = format!(
        "impl T {{\r\n    /// It.\r\n    #[inline]\r\n    {ATTRIBUTE}\r\n    pub fn a() {{}}\r\n}}\r\n{ATTRIBUTE}\r\nfn b() {{}} fn c() {{}}\r\n"
    );
    assert_eq!(text, expected);
}

/// A source of items, at random: `depth` more may be nested.
fn items(random: &mut impl FnMut(u32) -> u32, depth: u32, indent: &str) -> String {
    let mut text = String::new();
    for _ in 0..random(4) {
        let noise = ["", "/// `fn` é\n", "// fn x() {}\n", "/* { */ ", "#[inline]\n", "#[allow(dead_code)] "];
        let vis = ["", "pub ", "pub(crate) ", "pub(in crate::a) "][random(4) as usize];
        let head = ["fn", "async fn", "unsafe fn", "const fn", "unsafe extern \"C\" fn"][random(5) as usize];
        let body = [
            "{}",
            "{ \"}\"; '{'; r#\"\"}\"#; }",
            "where u8: Copy { let x = || fn_(|| ()); }",
            "{\n\n    if é < 1 {}\n}",
        ];
        let tail = ["()", "<T: Fn() -> u8>(x: T)", "(x: &[u8]) -> Vec<[u8; { 3 }]>"][random(3) as usize];
        let noise = noise[random(6) as usize];
        let inner = if depth > 0 { items(random, depth - 1, &format!("{indent}    ")) } else { String::new() };
        let function = format!("{vis}{head} f{tail} {}", body[random(4) as usize]);
        let item = match random(7) {
            0 => format!("{vis}mod m {{\n{inner}{indent}}}"),
            1 => format!("impl<T> é<T> {{ const X: u8 = 1; {noise}{indent}{function} }}"),
            2 => "trait T { fn r(); fn f() {}\n}".to_owned(),
            3 => "macro_rules! m { () => { fn f() {} }; }".to_owned(),
            _ => function,
        };
        text.extend([indent, noise, indent, &item, "\n"]);
    }
    text
}

#[test]
fn edits_change_nothing_else() {
    let mut state = 5_u64;
    let mut random = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % below
    };
    let mut edits = 0;
    for round in 0..300 {
        let prefix = ["", "\u{feff}", "#!/usr/bin/env run\n", "#![allow(unused)]\n"][round % 4];
        let mut text = prefix.to_owned() + &items(&mut random, 2, "");
        if round % 3 == 0 {
            text = text.replace('\n', "\r\n");
        }
        let source = source(&text);
        let places = all(&source);
        for own_lines in [false, true] {
            let edited = source.annotated(&places, own_lines, "simd_core");
            assert_eq!(edited.matches(ATTRIBUTE).count(), places.len(), "{edited}");
            // It is one function that has each attribute, and nothing else is there.
            let mut again = edited.clone();
            for line in edited.lines().filter(|line| line.trim() == ATTRIBUTE) {
                again = again.replacen(&format!("{line}{}", if text.contains("\r\n") { "\r\n" } else { "\n" }), "", 1);
            }
            assert_eq!(again.replace(&format!("{ATTRIBUTE} "), ""), text, "{edited}");
            assert!(
                Source::new("again.rs".into(), edited.clone()).unwrap().functions.len()
                    <= source.functions.len() - places.len()
            );
            assert!(own_lines || edited.lines().count() == text.lines().count());
            edits += places.len();
        }
    }
    assert!(edits > 500, "{edits}");
}
