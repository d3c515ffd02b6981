use super::*;
use crate::item::function;

fn is(text: &str) -> bool {
    is_leaf(&function(text), &[])
}

#[test]
fn short_and_calls_nothing_with_clones() {
    let longest = format!("fn sum(a: u8) -> u8 {{ a {} }}", "+ a ".repeat(31));
    let inline = format!("#[inline] fn sum(a: u8) -> u8 {{ a {} }}", "+ a ".repeat(95));
    for text in [
        "fn config(&self) -> &Config { &self.config }",
        "pub fn new(a: u8, b: Vec<u8>) -> Self { Self { a, b, c: 0 } }",
        "fn wrap(self) -> Option<Self> { Some(self) }",
        "fn nothing(&self) {}",
        "fn sub((a, b): (u8, u8), c: &[u8; 2]) -> Pair { Pair { x: a - c[0], y: !b } }",
        "fn read(a: [u8; 4], b: u8) -> Option<u32> { let a = u32::from_le_bytes(a); Some(a.wrapping_mul(b as u32)) }",
        "fn next(&mut self) -> Option<u8> { let i = self.i; self.i += 1; self.of.get(i).copied() }",
        "fn next(&mut self) -> Option<u8> { while self.left == 0 { self.left = self.words.next()? } Some(self.left) }",
        "fn next_back(&mut self) -> Option<u8> { self.rest.next_back().map(|i| unsafe { *self.of.get_unchecked(i) }) }",
        "fn size_hint(&self) -> (usize, Option<usize>) { self.rest.size_hint() }",
        "fn sub(self, other: Self) -> Self { Self { x: self.x - other.x, y: other.y } }",
        "fn neg(a: Float) -> Float { -a }",
        "fn len(&self) -> usize { self.0.len() }",
        "fn at(&self, i: usize) -> u8 { self.0[i] }",
        "fn read(&self) -> u8 { unsafe { *self.0 } }",
        "fn length(&self) -> f64 { debug_assert!(self.x >= 0.0); self.x.hypot(self.y) }",
        "fn next(&mut self) -> Option<Quad> { let t = self.next_t()?; Some(self.cubic.subsegment(t)) }",
        "fn next(&mut self) -> Option<u8> { for x in &mut self.of { if x > 1 { return Some(x) } } None }",
        &longest,
        &inline,
        "fn case(a: u8) -> u8 { let from = |first: u8| if a >= first { 32 } else { 0 }; a - from(97) }",
    ] {
        assert!(is(text), "{text}");
    }
}

#[test]
fn what_is_worth_a_call() {
    let longer = format!("fn sum(a: u8) -> u8 {{ a {}}}", "+ a ".repeat(32));
    for text in [
        "fn sum(&self) -> u8 { self.0.iter().sum() }",
        "fn call(f: fn(u8) -> u8) -> u8 { f(1) }",
        "fn made() -> Self { Self { a: make() } }",
        "fn made() -> Self { Self::make() }",
        "fn fill(&mut self) { for a in &mut self.0 { *a = 0 } }",
        "fn each(&self) -> Self { self.map(|a| a + 1) }",
        "fn width() -> usize { width!() }",
        "fn width() -> usize { const { 1 } }",
        "fn case(a: u8) -> u8 { let from = |first: u8| other(first); from(97) }",
        "fn wide() -> u8 { fn inner() -> u8 { 1 } 2 }",
        "fn next(xs: &[u8]) -> Option<u8> { xs.iter().next().copied() }",
        "fn nth(&mut self, n: usize) -> Option<u8> { self.rest.nth(n) }",
        "fn next(&mut self) -> Option<u32> { let row = self.0.next()?; let mut sum = 0; for x in row { sum += x } Some(sum) }",
        "fn next(&mut self) -> u64 { let mut x = 0; while x < 9 { x += self.0 } x }",
        "fn next(&mut self) -> Option<u32> { Some(self.0.next()?.iter().sum()) }",
        "#[inline(never)] fn sum(a: u8) -> u8 { a }",
        "async fn later(&self) -> u8 { self.a }",
        "fn required(&self) -> u8;",
        &longer,
    ] {
        assert!(!is(text), "{text}");
    }
}

#[test]
fn leaves_call_each_other() {
    let functions = [
        "fn length(self) -> f64 { self.length2().sqrt() }",
        "const fn length2(self) -> f64 { self.dot(self) }",
        "const fn dot(self, other: Self) -> f64 { self.x * other.x + self.y * other.y }",
        "fn far(self) -> f64 { self.moved().length() }",
        "fn moved(self) -> Self { other(self) }",
        "fn one(self, n: u8) -> u8 { self.two(n) }",
        "fn two(self, n: u8) -> u8 { self.one(n) }",
    ];
    let items: Vec<Node> = functions.iter().map(|text| Node::Fn(function(text).into())).collect();
    assert_eq!(leaves(&items), ["length", "length2", "dot"]);
}
