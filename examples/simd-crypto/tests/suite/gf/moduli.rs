//! Whether the rings that are called fields are fields.
use super::super::polynomial::{add_shifted, bit, degree, flip, remainder, with_exponents};
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};

/// Rabin's test (*Probabilistic algorithms in finite fields*, 1980), for a degree that is a power of two: a polynomial `f` of
/// degree `n` is irreducible if it divides `x^(2^n) - x` and has no factor in common with `x^(2^(n/2)) - x`.
fn is_irreducible(exponents: &[u32]) -> bool {
    let n = exponents[0] as usize;
    assert!(n.is_power_of_two());
    let x = with_exponents(&[1], n.div_ceil(64));
    let mut power = x.clone();
    for i in 1..=n {
        let mut square = vec![0; 2 * power.len()];
        for k in (0..n).filter(|k| bit(&power, *k)) {
            flip(&mut square, 2 * k);
        }
        power = remainder(square, exponents);
        if i == n / 2 {
            let mut difference = power.clone();
            flip(&mut difference, 1);
            if degree(&gcd(with_exponents(exponents, n / 64 + 1), difference)) != Some(0) {
                return false;
            }
        }
    }
    power == x
}

fn gcd(mut a: Vec<u64>, mut b: Vec<u64>) -> Vec<u64> {
    b.resize(a.len(), 0);
    while let Some(of_b) = degree(&b) {
        while let Some(of_a) = degree(&a).filter(|of_a| *of_a >= of_b) {
            add_shifted(&mut a, &b[..=of_b / 64], of_a - of_b);
        }
        (a, b) = (b, a);
    }
    a
}

mod once {
    use super::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048, is_irreducible};

    #[test]
    fn moduli_are_irreducible() {
        fn check<F: Field>() {
            assert!(is_irreducible(&F::MODULUS), "{:?}", F::MODULUS);
        }
        check::<Gf8>();
        check::<Gf16>();
        check::<Gf32>();
        check::<Gf64>();
        check::<Gf128>();
        check::<Gf256>();
        check::<Gf512>();
        check::<Gf1024>();
        check::<Gf2048>();
    }

    /// A square, a product of two of half the degree, and one that is nearly a modulus.
    #[test]
    fn reducible_polynomials_are_noticed() {
        for exponents in [&[8, 2, 0][..], &[8, 7, 5, 4, 3, 1, 0], &[2048, 19, 14, 12, 0]] {
            assert!(!is_irreducible(exponents), "{exponents:?}");
        }
    }
}
