use super::is_hinted;
use crate::item::function;

#[test]
fn a_long_loop_is_hinted_only_in_clones_of_what_is_generic() {
    let long = format!("{{ for x in xs {{ {} }} }}", "a(x); ".repeat(20));
    for (text, of_clone, of_baseline) in [
        ("fn f(xs: &[u8]) { for x in xs { a(x) } }", true, true),
        (&format!("fn f(xs: &[u8]) {}", long.replace("for x in xs", "if x")), true, true),
        (&format!("fn f<'a>(xs: &'a [u8]) {long}"), false, false),
        (&format!("fn f<T>(xs: &[T]) {long}"), true, false),
    ] {
        let is = |is_baseline| is_hinted(&function(text), None, is_baseline);
        assert_eq!((is(false), is(true)), (of_clone, of_baseline), "{text}");
    }
}
