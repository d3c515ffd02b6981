use super::*;

#[test]
fn macros() {
    let mut names = Vec::new();
    called("a!(b! { x != y }) + c::d![1] + e".parse().unwrap(), &mut names);
    assert_eq!(names, ["a", "b", "d"]);
    assert!(is_standard_macro("format") && is_standard_macro("writeln") && !is_standard_macro("w"));
}
