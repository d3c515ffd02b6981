//! Karatsuba's method over 128-bit lanes, written once for every width of register.
//!
//! A vector holds one lane of two words, or several that have nothing to do with each other. Factors of several vectors
//! are polynomials in `x^128` lane by lane, so a wide register works on as many products at once as it has lanes. What a
//! vector is and what it can do comes in closures, which are compiled for the target of the function that holds them:
//! `add` is the sum, `join` takes the upper words of one vector and puts the lower words of another above them, and
//! `multiply` is the product of one lane by one.
#![allow(clippy::many_single_char_names, reason = "factors, and the low, high and middle product")]
#![allow(clippy::inline_always, reason = "a call would hide the target's instructions from the closures")]

/// One lane of a factor, with its two words added up in the lower word of `folded`.
#[derive(Clone, Copy)]
pub(crate) struct Factor<V> {
    pub(crate) lane: V,
    pub(crate) folded: V,
}

/// A product whose parts overlap: `aligned[i]` belongs `128 * i` bits up, `between[i]` 64 bits above that.
#[derive(Clone, Copy)]
pub(crate) struct Product<V, const A: usize, const B: usize> {
    pub(crate) aligned: [V; A],
    pub(crate) between: [V; B],
}

/// The product of one lane by one.
#[inline(always)]
pub(super) fn one<V: Copy>(
    a: V,
    b: V,
    zero: V,
    add: impl Fn(V, V) -> V + Copy,
    join: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> [V; 2] {
    multiply(Factor::new(a, add, join), Factor::new(b, add, join)).merge(zero, add, join)
}

/// The sum of products of one lane by one. `sum` is what was added up before.
#[inline(always)]
pub(super) fn sum_of_ones<V: Copy>(
    pairs: impl Iterator<Item = (V, V)>,
    sum: Product<V, 2, 1>,
    zero: V,
    add: impl Fn(V, V) -> V + Copy,
    join: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> [V; 2] {
    let mut sum = sum;
    for (a, b) in pairs {
        let product = multiply(Factor::new(a, add, join), Factor::new(b, add, join));
        sum.aligned[0] = add(sum.aligned[0], product.aligned[0]);
        sum.aligned[1] = add(sum.aligned[1], product.aligned[1]);
        sum.between[0] = add(sum.between[0], product.between[0]);
    }
    sum.merge(zero, add, join)
}

/// The product of two lanes by two.
#[inline(always)]
pub(super) fn two<V: Copy>(
    a: [V; 2],
    b: [V; 2],
    zero: V,
    add: impl Fn(V, V) -> V + Copy,
    join: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> [V; 4] {
    let factors = |[a0, a1]: [V; 2]| [Factor::new(a0, add, join), Factor::new(a1, add, join)];
    product2(factors(a), factors(b), add, multiply).merge(zero, add, join)
}

/// The product of four lanes by four.
#[inline(always)]
pub(super) fn four<V: Copy>(
    a: [V; 4],
    b: [V; 4],
    zero: V,
    add: impl Fn(V, V) -> V + Copy,
    join: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> [V; 8] {
    let factor = |a| Factor::new(a, add, join);
    let factors = |[a0, a1, a2, a3]: [V; 4]| [factor(a0), factor(a1), factor(a2), factor(a3)];
    product4(factors(a), factors(b), add, multiply).merge(zero, add, join)
}

#[inline(always)]
fn product2<V: Copy>(
    a: [Factor<V>; 2],
    b: [Factor<V>; 2],
    add: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> Product<V, 4, 3> {
    let l = multiply(a[0], b[0]);
    let h = multiply(a[1], b[1]);
    let m = multiply(a[0].plus(a[1], add), b[0].plus(b[1], add));
    let shared = add(l.aligned[1], h.aligned[0]);
    Product {
        aligned: [
            l.aligned[0],
            add(add(l.aligned[0], shared), m.aligned[0]),
            add(add(h.aligned[1], shared), m.aligned[1]),
            h.aligned[1],
        ],
        between: [l.between[0], add(add(l.between[0], h.between[0]), m.between[0]), h.between[0]],
    }
}

#[inline(always)]
fn product4<V: Copy>(
    a: [Factor<V>; 4],
    b: [Factor<V>; 4],
    add: impl Fn(V, V) -> V + Copy,
    multiply: impl Fn(Factor<V>, Factor<V>) -> Product<V, 2, 1> + Copy,
) -> Product<V, 8, 7> {
    let sums = |f: [Factor<V>; 4]| [f[0].plus(f[2], add), f[1].plus(f[3], add)];
    let l = product2([a[0], a[1]], [b[0], b[1]], add, multiply);
    let h = product2([a[2], a[3]], [b[2], b[3]], add, multiply);
    let m = product2(sums(a), sums(b), add, multiply);
    let shared = [add(l.aligned[2], h.aligned[0]), add(l.aligned[3], h.aligned[1])];
    let between = add(l.between[2], h.between[0]);
    Product {
        aligned: [
            l.aligned[0],
            l.aligned[1],
            add(add(l.aligned[0], shared[0]), m.aligned[0]),
            add(add(l.aligned[1], shared[1]), m.aligned[1]),
            add(add(h.aligned[2], shared[0]), m.aligned[2]),
            add(add(h.aligned[3], shared[1]), m.aligned[3]),
            h.aligned[2],
            h.aligned[3],
        ],
        between: [
            l.between[0],
            l.between[1],
            add(add(l.between[0], between), m.between[0]),
            add(add(l.between[1], h.between[1]), m.between[1]),
            add(add(h.between[2], between), m.between[2]),
            h.between[1],
            h.between[2],
        ],
    }
}

impl<V: Copy> Factor<V> {
    #[inline(always)]
    fn new(lane: V, add: impl Fn(V, V) -> V, join: impl Fn(V, V) -> V) -> Self {
        Self { lane, folded: add(lane, join(lane, lane)) }
    }

    /// The sum of two.
    #[inline(always)]
    fn plus(self, other: Self, add: impl Fn(V, V) -> V) -> Self {
        Self { lane: add(self.lane, other.lane), folded: add(self.folded, other.folded) }
    }
}

impl<V: Copy, const A: usize, const B: usize> Product<V, A, B> {
    /// Every lane of the product.
    #[inline(always)]
    fn merge(self, zero: V, add: impl Fn(V, V) -> V, join: impl Fn(V, V) -> V) -> [V; A] {
        let mut lanes = self.aligned;
        for (i, lane) in lanes.iter_mut().enumerate() {
            let below = if i == 0 { zero } else { self.between[i - 1] };
            let above = if i == B { zero } else { self.between[i] };
            *lane = add(*lane, join(below, above));
        }
        lanes
    }
}
