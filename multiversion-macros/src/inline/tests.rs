use super::leaves;
use crate::item::{Node, function};

fn container(text: &str) -> Node {
    Node::parse(text.parse().unwrap()).unwrap()
}

#[test]
fn what_calls_only_the_library_leaves_its_crate() {
    let long = format!("fn f(xs: &[u8]) {{ for x in xs {{ {} }} }}", "g(x); ".repeat(20));
    for (text, wanted) in [
        ("fn f(a: u32) -> u32 { a.wrapping_mul(3) ^ a }", true),
        ("fn f(xs: &[u32]) -> u32 { xs.iter().map(|x| x.rotate_left(3)).sum() }", true),
        ("fn f(x: u32) -> Option<Point> { let f = |y| y + 1; fn g(x: u32) -> u32 { x } Some(Point(f(g(x)))) }", true),
        (
            "fn f(x: u32) -> u32 { assert!(x > 1); #[allow(unused)] let y = u32::from_le_bytes([1; 4]); if (x > y) { x } else { y } }",
            true,
        ),
        ("fn f(x: u32) -> u32 { match x { 0 => 1, x => f(x - 1) } }", true),
        ("fn f(x: u32) -> u32 { helper(x) }", false),
        ("fn f(x: u32) -> u32 { crate::helper::<u8>(x) }", false),
        ("fn f(t: &Table, x: u32) -> u32 { t.hash(&[x]) }", false),
        ("fn f(x: u32) -> u32 { assert!(helper(x) > 1); x }", false),
        ("fn f(x: u32) -> u32 { ours!(x) }", false),
        ("fn f(xs: &[u32]) -> u32 { xs.iter().map(|x| helper(x)).sum() }", false),
        (&long, false),
        ("fn f<'a>(x: &'a u32) -> u32 { helper(x) }", false),
        ("fn f<T>(x: T) -> u32 { helper(x) }", true),
        ("#[inline] fn f(x: u32) -> u32 { helper(x) }", true),
        ("#[inline(never)] fn f(x: u32) -> u32 { x }", false),
    ] {
        assert_eq!(leaves(&function(text), None, &["f".to_owned()], false), wanted, "{text}");
    }
    assert!(leaves(&function("fn f(x: Block) -> Block { _mm_aesenc_si128(x) }"), None, &[], true));
}

#[test]
fn functions_of_the_same_item_leave_with_it() {
    let method = function("fn f(&self) -> u32 { self.g(1) }");
    for (text, wanted) in [
        ("impl Table { fn f(&self) -> u32 { self.g(1) } fn g(&self, x: u32) -> u32 { x } }", true),
        ("impl Noise for Table { fn f(&self) -> u32 { self.g(1) } }", false),
        ("impl<T> Noise for Table<T> { fn f(&self) -> u32 { self.g(1) } }", true),
        ("trait Noise { fn f(&self) -> u32 { self.g(1) } }", true),
    ] {
        let node = container(text);
        assert_eq!(leaves(&method, node.as_item(), &node.functions(), false), wanted, "{text}");
    }
}
