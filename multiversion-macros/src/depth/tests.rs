use super::exceeded;
use crate::lists;

/// Texts that open and close a level, and the number of levels that is too many.
const NESTED: &[(&str, &str, usize)] = &[
    ("(", ")", 60),
    ("a + (", ")", 60),
    ("a + ", "", 1000),
    ("!", "", 400),
    ("-", "", 400),
    ("a = ", "", 200),
    ("return ", "", 200),
    ("g(|x| ", ")", 60),
    ("|x| ", "", 100),
    ("{", "}", 60),
    ("if a {", "}", 60),
    ("match a { _ => ", "}", 60),
    ("fn f() {", "}", 40),
    ("async {", "}", 60),
    ("impl A { fn f() {", "}}", 25),
    ("mod m {", "}", 40),
    ("_ as V<", ">", 30),
    ("_ as V<A, ", ">", 30),
    ("_ as &'a mut ", "", 40),
    ("_ as &'a ", "", 40),
    ("a + *", "", 1000),
    ("&*", "", 40),
    ("*a + &(", ")", 60),
    ("_ as *const ", "", 40),
    ("_ as [", "; 1]", 60),
    ("_ as fn(", ")", 40),
    ("_ as Box<dyn Fn(", ")>", 19),
    ("let S(", ") = 1", 60),
];

/// Texts that follow an operand repeatedly.
const CHAINED: &[(&str, usize)] = &[
    (".b", 1001),
    (".b(c)", 1001),
    ("(c)", 1000),
    ("[c]", 1000),
    ("?", 1001),
    (" as u8", 1000),
    (" + b", 1000),
    (" + *b", 1000),
    (" ^ !*b[c]", 1000),
    (" else if a {}", 1000),
];

fn nested((open, close, _): &(&str, &str, usize), depth: usize) -> String {
    // The context of a nested type occurs once.
    let (start, open) = open.split_once("_ as ").map_or(("", *open), |(_, open)| ("a as ", open));
    format!("{start}{}u8{}", open.repeat(depth), close.repeat(depth))
}

fn chained((link, _): &(&str, usize), length: usize) -> String {
    let start = if link.contains("else") { "if a {}" } else { "a" };
    format!("{start}{}", link.repeat(length))
}

fn expands(body: &str) {
    let item = format!("async fn f() {{ let g = |x| x; {body} }}").parse().unwrap();
    lists::dispatch("targets = \"avx2 | aes\"".parse().unwrap(), item, false);
}

#[test]
fn a_few_are_well() {
    for nest in NESTED {
        assert!(!exceeded(&nested(nest, 12).parse().unwrap()), "{}", nest.0);
    }
    for chain in CHAINED {
        assert!(!exceeded(&chained(chain, 200).parse().unwrap()), "{}", chain.0);
    }
    let operands = format!("a {}", "+ *b[1] * -&c ^ !*d ".repeat(40));
    assert!(!exceeded(&operands.parse().unwrap()));
    let statements = "if a { b(); } match c { _ => {} } a.b(c); d += |x| x; V::<u8>::f(&[1, -2]);".repeat(500);
    assert!(!exceeded(&statements.parse().unwrap()));
}

/// On the 2 MiB of a test's thread, up to the limit and beyond.
#[test]
fn many_are_not_parsed() {
    for nest in NESTED {
        for depth in [24, 48, 96, 400] {
            let body = nested(nest, depth);
            assert!(depth < nest.2 || exceeded(&body.parse().unwrap()), "{depth} times {}", nest.0);
            expands(&body);
        }
    }
    for chain in CHAINED {
        for length in [500, 1001, 2000] {
            let body = chained(chain, length);
            assert!(length < chain.1 || exceeded(&body.parse().unwrap()), "{length} times {}", chain.0);
            expands(&body);
        }
    }
}

/// On the 8 MiB of a compiler's thread, where rustc itself fails at fewer levels.
#[test]
fn thousands() {
    let all = || NESTED.iter().take(3).for_each(|nest| expands(&nested(nest, 2000)));
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(all).unwrap();
    assert!(thread.join().is_ok());
}
