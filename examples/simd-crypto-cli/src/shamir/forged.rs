//! Which of several shares have been changed, as far as there are enough of them to tell.
//!
//! Values of a polynomial of degree `t - 1` at `n` points are a codeword of a Reed-Solomon code, in which `(n - t) / 2` errors can be
//! located. Syndromes depend on the errors only: nothing here depends on the secret.
use simd_crypto::gf::{Field, Gf8};

/// The places of those values that do not lie on a polynomial with `threshold` coefficients on which all others do; nothing if there
/// are too many to tell.
pub(super) fn find(points: &[u8], values: &[u8], threshold: usize) -> Option<Vec<usize>> {
    let points: Vec<Gf8> = points.iter().map(|x| Gf8::from(*x)).collect();
    let count = points.len().checked_sub(threshold)?;
    let mut syndromes = vec![Gf8::ZERO; count];
    for (i, (x, y)) in points.iter().zip(values).enumerate() {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        let product = others.fold(Gf8::ONE, |product, (_, other)| product * (*x + *other));
        let mut term = Gf8::from(*y) * product.invert();
        for syndrome in &mut syndromes {
            *syndrome += term;
            term *= *x;
        }
    }
    let locator = locator(&syndromes);
    let errors = locator.len() - 1;
    // A root is the inverse of the point of an error.
    let is_root = |x: &Gf8| {
        let at = x.invert();
        locator.iter().rev().fold(Gf8::ZERO, |sum, coefficient| sum * at + *coefficient) == Gf8::ZERO
    };
    let places: Vec<usize> = (0..points.len()).filter(|i| is_root(&points[*i])).collect();
    (errors > 0 && 2 * errors <= count && places.len() == errors).then_some(places)
}

/// The shortest linear recurrence of a sequence (Berlekamp and Massey), with its first coefficient, which is one.
fn locator(sequence: &[Gf8]) -> Vec<Gf8> {
    let (mut current, mut before) = (vec![Gf8::ONE], vec![Gf8::ONE]);
    let (mut length, mut shift, mut scale) = (0, 1, Gf8::ONE);
    for n in 0..sequence.len() {
        let terms = current.iter().take(n + 1).zip(sequence[..=n].iter().rev());
        let discrepancy = terms.fold(Gf8::ZERO, |sum, (coefficient, value)| sum + *coefficient * *value);
        if discrepancy == Gf8::ZERO {
            shift += 1;
            continue;
        }
        let mut next = current.clone();
        next.resize(next.len().max(before.len() + shift), Gf8::ZERO);
        let factor = discrepancy * scale.invert();
        for (place, coefficient) in next[shift..].iter_mut().zip(&before) {
            *place += factor * *coefficient;
        }
        if 2 * length <= n {
            (length, before, scale, shift) = (n + 1 - length, current, discrepancy, 1);
        } else {
            shift += 1;
        }
        current = next;
    }
    current.resize(length + 1, Gf8::ZERO);
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of some polynomial at points that are not in order.
    fn values(points: &[u8], threshold: usize) -> Vec<u8> {
        let coefficient = |i: usize| Gf8::from((i * 37 + 11) as u8);
        let at = |x: &u8| (0..threshold).rev().fold(Gf8::ZERO, |sum, i| sum * Gf8::from(*x) + coefficient(i));
        points.iter().map(|x| at(x).into()).collect()
    }

    #[test]
    fn errors_are_found_up_to_half_of_what_is_more() {
        for (n, threshold) in [(1, 1), (3, 2), (4, 2), (5, 1), (9, 3), (20, 5), (255, 2), (255, 200)] {
            let points: Vec<u8> = (0..n).map(|i| (i * 7 % 255 + 1) as u8).collect();
            let whole = values(&points, threshold);
            assert_eq!(find(&points, &whole, threshold), None);
            for count in 1..=((n - threshold) / 2).min(12) {
                let mut places: Vec<_> = (0..count).map(|i| (i * 5 + count) % n).collect();
                places.sort_unstable();
                places.dedup();
                let mut changed = whole.clone();
                for place in &places {
                    changed[*place] ^= (place + 1) as u8 | 1;
                }
                assert_eq!(find(&points, &changed, threshold), Some(places), "{count} of {n}, {threshold} are needed");
            }
        }
    }

    /// One share more than are needed shows that something is wrong, and not what.
    #[test]
    fn one_more_is_not_enough() {
        let points = [3, 1, 9, 200];
        let mut values = values(&points, 3);
        values[2] ^= 1;
        assert_eq!(find(&points, &values, 3), None);
        assert_eq!(find(&points[..3], &values[..3], 3), None);
    }
}
