use super::is_hinted;
use crate::item::Node;

fn is(text: &str, is_baseline: bool) -> bool {
    match Node::parse(text.parse().unwrap()).unwrap() {
        Node::Fn(function) => is_hinted(&function, None, is_baseline),
        Node::Item(_) => false,
    }
}

#[test]
fn a_long_loop_is_hinted_only_in_clones_of_what_is_generic() {
    let long = format!("{{ for x in xs {{ {} }} }}", "a(x); ".repeat(20));
    for (text, of_clone, of_baseline) in [
        ("fn f(xs: &[u8]) { for x in xs { a(x) } }", true, true),
        (&format!("fn f(xs: &[u8]) {}", long.replace("for x in xs", "if x")), true, true),
        (&format!("fn f<'a>(xs: &'a [u8]) {long}"), false, false),
        (&format!("fn f<T>(xs: &[T]) {long}"), true, false),
    ] {
        assert_eq!((is(text, false), is(text, true)), (of_clone, of_baseline), "{text}");
    }
}
