use super::*;

#[test]
fn macros() {
    assert_eq!(called_macros("a!(b! { x != y }) + c::d![1] + e".parse().unwrap()), ["a", "b", "d"]);
    assert!(is_standard_macro("format") && is_standard_macro("writeln") && !is_standard_macro("w"));
}
