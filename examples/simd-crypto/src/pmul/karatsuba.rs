//! Karatsuba's method over 128-bit lanes, written once for every width of register.
//!
//! A vector holds one lane of two words, or several that have nothing to do with each other. Factors of several vectors
//! are polynomials in `x^128` lane by lane, so a wide register works on as many products at once as it has lanes.
pub(crate) use products::{four, one, sum_of_ones, two};

/// Lanes side by side.
pub(crate) trait Vector: Copy {
    const ZERO: Self;

    fn add(self, other: Self) -> Self;

    /// In every lane the upper word, then the lower one of `above`.
    fn join(self, above: Self) -> Self;

    /// The product of one lane by one, in every lane.
    fn multiply(a: Factor<Self>, b: Factor<Self>) -> Product<Self, 2, 1>;
}

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

#[simd_core::dispatch(targets = crate::targets::products)]
mod products {
    #![allow(clippy::many_single_char_names, reason = "factors, and the low, high and middle product")]
    use super::{Factor, Product, Vector};

    /// The product of one lane by one.
    #[inline]
    pub(crate) fn one<V: Vector>(a: V, b: V) -> [V; 2] {
        V::multiply(Factor::new(a), Factor::new(b)).merge()
    }

    /// The sum of products of one lane by one. `sum` is what was added up before.
    #[inline]
    pub(crate) fn sum_of_ones<V: Vector>(pairs: impl Iterator<Item = (V, V)>, sum: Product<V, 2, 1>) -> [V; 2] {
        let mut sum = sum;
        for (a, b) in pairs {
            let product = V::multiply(Factor::new(a), Factor::new(b));
            sum.aligned[0] = V::add(sum.aligned[0], product.aligned[0]);
            sum.aligned[1] = V::add(sum.aligned[1], product.aligned[1]);
            sum.between[0] = V::add(sum.between[0], product.between[0]);
        }
        sum.merge()
    }

    /// The product of two lanes by two.
    #[inline]
    pub(crate) fn two<V: Vector>(a: [V; 2], b: [V; 2]) -> [V; 4] {
        product2(factors(a), factors(b)).merge()
    }

    /// The product of four lanes by four.
    #[inline]
    pub(crate) fn four<V: Vector>(a: [V; 4], b: [V; 4]) -> [V; 8] {
        product4(factors(a), factors(b)).merge()
    }

    /// Lanes as factors. No closures: those of a baseline test again for which target a function that they call is compiled.
    #[inline]
    fn factors<V: Vector, const N: usize>(lanes: [V; N]) -> [Factor<V>; N] {
        let mut factors = [Factor { lane: V::ZERO, folded: V::ZERO }; N];
        for (factor, lane) in factors.iter_mut().zip(lanes) {
            *factor = Factor::new(lane);
        }
        factors
    }

    #[inline]
    fn product2<V: Vector>(a: [Factor<V>; 2], b: [Factor<V>; 2]) -> Product<V, 4, 3> {
        let l = V::multiply(a[0], b[0]);
        let h = V::multiply(a[1], b[1]);
        let m = V::multiply(a[0].plus(a[1]), b[0].plus(b[1]));
        let shared = V::add(l.aligned[1], h.aligned[0]);
        Product {
            aligned: [
                l.aligned[0],
                V::add(V::add(l.aligned[0], shared), m.aligned[0]),
                V::add(V::add(h.aligned[1], shared), m.aligned[1]),
                h.aligned[1],
            ],
            between: [l.between[0], V::add(V::add(l.between[0], h.between[0]), m.between[0]), h.between[0]],
        }
    }

    #[inline]
    fn product4<V: Vector>(a: [Factor<V>; 4], b: [Factor<V>; 4]) -> Product<V, 8, 7> {
        let l = product2([a[0], a[1]], [b[0], b[1]]);
        let h = product2([a[2], a[3]], [b[2], b[3]]);
        let m = product2([a[0].plus(a[2]), a[1].plus(a[3])], [b[0].plus(b[2]), b[1].plus(b[3])]);
        let shared = [V::add(l.aligned[2], h.aligned[0]), V::add(l.aligned[3], h.aligned[1])];
        let between = V::add(l.between[2], h.between[0]);
        Product {
            aligned: [
                l.aligned[0],
                l.aligned[1],
                V::add(V::add(l.aligned[0], shared[0]), m.aligned[0]),
                V::add(V::add(l.aligned[1], shared[1]), m.aligned[1]),
                V::add(V::add(h.aligned[2], shared[0]), m.aligned[2]),
                V::add(V::add(h.aligned[3], shared[1]), m.aligned[3]),
                h.aligned[2],
                h.aligned[3],
            ],
            between: [
                l.between[0],
                l.between[1],
                V::add(V::add(l.between[0], between), m.between[0]),
                V::add(V::add(l.between[1], h.between[1]), m.between[1]),
                V::add(V::add(h.between[2], between), m.between[2]),
                h.between[1],
                h.between[2],
            ],
        }
    }

    impl<V: Vector> Factor<V> {
        #[inline]
        fn new(lane: V) -> Self {
            Self { lane, folded: V::add(lane, lane.join(lane)) }
        }

        #[inline]
        fn plus(self, other: Self) -> Self {
            Self { lane: V::add(self.lane, other.lane), folded: V::add(self.folded, other.folded) }
        }
    }

    impl<V: Vector, const A: usize, const B: usize> Product<V, A, B> {
        #[inline]
        fn merge(self) -> [V; A] {
            let mut lanes = self.aligned;
            for (i, lane) in lanes.iter_mut().enumerate() {
                let below = if i == 0 { V::ZERO } else { self.between[i - 1] };
                let above = if i == B { V::ZERO } else { self.between[i] };
                *lane = V::add(*lane, below.join(above));
            }
            lanes
        }
    }
}
