//! Operations on slices of elements of GF(2^8).
use super::element::Gf8;

pub(crate) use slices::{combine, evaluate, weights};

/// Operations on many elements at once, each a byte. Constant time in the elements; the lengths show.
impl Gf8 {
    /// Multiplies every element of `bytes` by `by`.
    ///
    /// ```
    /// use simd_crypto::gf::Gf8;
    /// let mut bytes = [0x57, 0x83, 0, 1];
    /// Gf8::mul_slice(&mut bytes, Gf8::from(2));
    /// assert_eq!(bytes, [0xae, 0x1d, 0, 2]);
    /// ```
    #[inline]
    pub fn mul_slice(bytes: &mut [u8], by: Self) {
        slices::mul_slice(bytes, by.0);
    }
}

#[simd_core::dispatch(targets = crate::targets::bytes)]
#[allow(clippy::redundant_closure, reason = "a closure is compiled for its clone; a function would choose again")]
mod slices {
    use core::ops::Range;

    use crate::gf::vectors::{self, Elements, add};
    use simd_core::match_target;

    // How the target multiplies by a factor.
    match_target! {
        "x86_64: avx2,gfni" => { type Factor = vectors::Byte; }
        "x86_64: ssse3" => { type Factor = vectors::Tables; }
        "aarch64: neon" => { type Factor = vectors::OfNeon; }
        _ => { type Factor = vectors::Bits; }
    }

    /// Points, or blocks, that are worked on at once, so that one need not wait for the result of another.
    const GROUP: usize = 4;
    /// Shares whose factors are kept ready at a time.
    const BATCH: usize = 16;

    /// Multiplies all elements by `x`.
    pub(super) fn mul_slice(bytes: &mut [u8], x: u8) {
        let x = Factor::new(x);
        let (blocks, rest) = bytes.as_chunks_mut();
        for block in blocks {
            *block = x.times(*block);
        }
        if !rest.is_empty() {
            let product = x.times(padded(rest));
            rest.copy_from_slice(&product[..rest.len()]);
        }
    }

    /// Evaluates polynomials at all `points`, one for each byte of `range` in a share, whose coefficients are the bytes at the
    /// same place in every row. `rows` are rows of `blocks` blocks, which have room for the range, the constant
    /// coefficients first. There is a share for each point.
    pub(crate) fn evaluate<S: AsMut<[u8]>>(
        points: &[u8],
        rows: &[Elements],
        blocks: usize,
        shares: &mut [S],
        range: &Range<usize>,
    ) {
        if range.len() >= 64 * GROUP {
            for (point, share) in points.iter().zip(shares) {
                evaluate_long(*point, rows, blocks, &mut share.as_mut()[range.clone()]);
            }
            return;
        }
        for (points, shares) in points.chunks(GROUP).zip(shares.chunks_mut(GROUP)) {
            match (points, shares) {
                (&[a, b, c, d], [s, t, u, v]) => evaluate_short([a, b, c, d], rows, blocks, [s, t, u, v], range),
                (&[a, b, c], [s, t, u]) => evaluate_short([a, b, c], rows, blocks, [s, t, u], range),
                (&[a, b], [s, t]) => evaluate_short([a, b], rows, blocks, [s, t], range),
                (points, shares) => {
                    for (point, share) in points.iter().zip(shares) {
                        evaluate_short([*point], rows, blocks, [share], range);
                    }
                }
            }
        }
    }

    /// [`evaluate`] at one point, by Horner's rule: several blocks at once, so that the product for one need not wait for the
    /// product for another.
    fn evaluate_long(point: u8, rows: &[Elements], blocks: usize, share: &mut [u8]) {
        let x = Factor::public(point);
        let (groups, rest) = share.as_chunks_mut::<{ 64 * GROUP }>();
        let done = groups.len() * GROUP;
        for (i, group) in groups.iter_mut().enumerate() {
            let mut values = [[0; 64]; GROUP];
            for row in rows.chunks_exact(blocks).rev() {
                for (value, block) in values.iter_mut().zip(&row[GROUP * i..GROUP * (i + 1)]) {
                    *value = add(x.times(*value), *block);
                }
            }
            group.as_chunks_mut().0.copy_from_slice(&values);
        }
        for (i, out) in rest.chunks_mut(64).enumerate() {
            let mut value = [0; 64];
            for row in rows.chunks_exact(blocks).rev() {
                value = add(x.times(value), row[done + i]);
            }
            out.copy_from_slice(&value[..out.len()]);
        }
    }

    /// [`evaluate`] at a few points: all of them at once, where there are not blocks enough.
    #[allow(clippy::needless_pass_by_value, reason = "an array of a few references that is made for the call")]
    fn evaluate_short<S: AsMut<[u8]>, const P: usize>(
        points: [u8; P],
        rows: &[Elements],
        blocks: usize,
        shares: [&mut S; P],
        range: &Range<usize>,
    ) {
        let factors = points.map(|x| Factor::public(x));
        for (i, at) in range.clone().step_by(64).enumerate() {
            let mut values = [[0; 64]; P];
            for k in (0..rows.len() / blocks).rev() {
                let coefficients = rows[k * blocks + i];
                for p in 0..P {
                    values[p] = add(factors[p].times(values[p]), coefficients);
                }
            }
            for p in 0..P {
                let share = &mut shares[p].as_mut()[at..range.end];
                match share.first_chunk_mut() {
                    Some(whole) => *whole = values[p],
                    None => share.copy_from_slice(&values[p][..share.len()]),
                }
            }
        }
    }

    /// Writes to `out` the sum of all `shares`, which are as long, times their weights.
    pub(crate) fn combine<S: AsRef<[u8]>>(weights: &[u8], shares: &[S], out: &mut [u8]) {
        for (i, (shares, weights)) in shares.chunks(BATCH).zip(weights.chunks(BATCH)).enumerate() {
            combine_some(weights, shares, i != 0, out);
        }
    }

    /// Adds to `out` the sum of up to `BATCH` shares times their weights, or writes it there.
    fn combine_some<S: AsRef<[u8]>>(weights: &[u8], shares: &[S], added: bool, out: &mut [u8]) {
        let mut factors = [Factor::new(0); BATCH];
        for (factor, weight) in factors.iter_mut().zip(weights).take(shares.len()) {
            *factor = Factor::new(*weight);
        }
        let (groups, rest) = out.as_chunks_mut::<{ 64 * GROUP }>();
        let done = groups.len() * 64 * GROUP;
        for (i, group) in groups.iter_mut().enumerate() {
            let group = group.as_chunks_mut().0;
            let mut sums = [[0; 64]; GROUP];
            if added {
                sums.copy_from_slice(group);
            }
            for (share, x) in shares.iter().zip(&factors) {
                let share = &share.as_ref()[64 * GROUP * i..][..64 * GROUP];
                for (sum, block) in sums.iter_mut().zip(share.as_chunks().0) {
                    *sum = add(*sum, x.times(*block));
                }
            }
            group.copy_from_slice(&sums);
        }
        for (i, out) in rest.chunks_mut(64).enumerate() {
            let mut sum = if added { padded(out) } else { [0; 64] };
            for (share, x) in shares.iter().zip(&factors) {
                let share = &share.as_ref()[done + 64 * i..][..out.len()];
                sum = add(sum, x.times(padded(share)));
            }
            out.copy_from_slice(&sum[..out.len()]);
        }
    }

    /// The weights with which up to 255 values at the points `xs`, which are distinct and not zero, add up to the value at zero: each is
    /// the product of `x_j / (x_j - x_i)` over all other points. Zero is behind them.
    pub(crate) fn weights(xs: &[u8], weights: &mut [u8; 256]) {
        match_target! {
            "x86_64: avx2,gfni" => {
                vectors::weights(xs, |a, b| vectors::products(a, b), |a| vectors::inverses(a), weights);
            }
            // Bit by bit, few points at a time are quicker.
            _ => vectors::weights::<16>(
                xs,
                |a, b| vectors::products_bitwise(a, b),
                |a| vectors::inverses_bitwise(a),
                weights,
            ),
        }
    }

    /// A block that begins with `bytes`, of which there are no more than 64.
    #[inline]
    fn padded(bytes: &[u8]) -> Elements {
        // Keys are of this length, and would be read back from memory before they are there in one piece.
        if let Ok(half) = <[u8; 32]>::try_from(bytes) {
            return zerocopy::transmute!([half, [0; 32]]);
        }
        let mut block = [0; 64];
        block[..bytes.len()].copy_from_slice(bytes);
        block
    }
}
