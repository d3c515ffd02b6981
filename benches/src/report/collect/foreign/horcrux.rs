//! The crate `horcrux`, around which this program times the same loops as ours.

use horcrux::field::Field;
use horcrux::gf2n::{GF8, GF16, GF32, GF64, GF128, GF256, GF512, GF1024, GF2048};
use std::hint::black_box;

const RUN: u64 = 64;
const INVERSES: u64 = 8;

/// Some element with bits all over.
fn element<F: Field>(seed: u8) -> F
where
    for<'a> F: std::ops::AddAssign<&'a F> + std::ops::Mul<&'a F, Output = F>,
{
    let mut element = F::from(seed);
    for _ in 0..40 {
        element = element * &element;
        element += &F::from(seed | 1);
    }
    element
}

fn field<F: Field + 'static>(bits: u32, cases: &mut Vec<Case>)
where
    for<'a> F: std::ops::AddAssign<&'a F> + std::ops::Mul<&'a F, Output = F>,
{
    let (a, b) = (element::<F>(2), element::<F>(6));
    assert!(a * &b * &b.invert() == a && a != b);
    cases.push((RUN, format!("GF(2^n) multiply/{bits}/horcrux, native"), Box::new(move || {
        for _ in 0..RUN {
            black_box(black_box(a) * &black_box(b));
        }
    })));
    let mut inverse = a;
    cases.push((INVERSES, format!("GF(2^n) invert/{bits}/horcrux, native"), Box::new(move || {
        for _ in 0..INVERSES {
            inverse = black_box(&inverse).invert();
        }
    })));
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    field::<GF8>(8, &mut cases);
    field::<GF16>(16, &mut cases);
    field::<GF32>(32, &mut cases);
    field::<GF64>(64, &mut cases);
    field::<GF128>(128, &mut cases);
    field::<GF256>(256, &mut cases);
    field::<GF512>(512, &mut cases);
    field::<GF1024>(1024, &mut cases);
    field::<GF2048>(2048, &mut cases);
    cases
}
