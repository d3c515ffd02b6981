use super::*;
use crate::item::Node;

fn is(text: &str) -> bool {
    match Node::parse(text.parse().unwrap()).unwrap() {
        Node::Fn(function) => is_accessor(&function),
        Node::Item(_) => false,
    }
}

#[test]
fn what_hands_out_what_it_was_given() {
    for text in [
        "fn config(&self) -> &Config { &self.config }",
        "fn len(&self) -> usize { self.0.len }",
        "pub fn new(a: u8, b: Vec<u8>) -> Self { Self { a, b, c: 0 } }",
        "fn wrap(self) -> Option<Self> { Some(self) }",
        "fn of(inner: T) -> Self { Self((inner), 1, \"text\") }",
        "fn parts(&mut self) -> (&mut A, &B) { (&mut self.a, &self.b) }",
        "fn nothing(&self) {}",
    ] {
        assert!(is(text), "{text}");
    }
}

#[test]
fn what_may_work_or_differ_between_clones() {
    for text in [
        "fn len(&self) -> usize { self.0.len() }",
        "fn lanes() -> usize { LANES }",
        "fn lanes() -> usize { lanes }",
        "fn lanes() -> usize { Self::LANES }",
        "fn made() -> Self { Self { a: make() } }",
        "fn made(self) -> Self { Self { a: 1, ..self } }",
        "fn other(a: u8) -> Other { Other { a } }",
        "fn call(f: fn(u8) -> u8) -> u8 { f(1) }",
        "fn sum(a: f32, b: f32) -> f32 { a + b }",
        "fn neg(a: f32) -> f32 { -a }",
        "fn at(&self, i: usize) -> u8 { self.0[i] }",
        "fn read(&self) -> u8 { *self.0 }",
        "fn set(&mut self, a: u8) { self.a = a }",
        "fn cast(self) -> f32 { self.0 as f32 }",
        "fn width() -> usize { cfg!(target_feature = \"avx2\") }",
        "fn width(a: u8, b: u8) -> u8 { #[cfg(target_feature = \"avx2\")] a }",
        "fn width((a, b): (u8, u8)) -> u8 { a }",
        "async fn later(&self) -> u8 { self.a }",
        "fn required(&self) -> u8;",
    ] {
        assert!(!is(text), "{text}");
    }
}
