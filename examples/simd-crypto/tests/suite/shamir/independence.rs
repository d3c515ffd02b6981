//! Whether fewer shares than the threshold tell anything of the secret: with coefficients that take every value once, exactly,
//! and with those of the generator, by Pearson's chi-square test.

/// The statistic for these counts, all of which are as likely; divided by its standard deviation above its mean. It is
/// nearly normally distributed where there are so many cells.
fn deviations(counts: &[u32]) -> f64 {
    let cells = f64::from(u32::try_from(counts.len()).unwrap());
    let expected = f64::from(counts.iter().sum::<u32>()) / cells;
    let squares = counts.iter().map(|count| (f64::from(*count) - expected).powi(2));
    let freedom = cells - 1.0;
    (squares.sum::<f64>() / expected - freedom) / (2.0 * freedom).sqrt()
}

mod once {
    use super::super::{Given, rng};
    use super::deviations;
    use rand_core::{CryptoRng, Rng};
    use simd_crypto::gf::{Field, Gf8, Gf16};
    use simd_crypto::shamir::{Scheme, split};

    /// Beyond this many deviations, there is something. Chance gets there once in more than 10^12 times, and as the seeds
    /// are fixed, the same happens each time.
    const LIMIT: f64 = 8.0;
    /// As many secrets as give each of 65536 pairs of bytes five times.
    const SAMPLES: usize = 320 << 10;

    /// For every secret, one share of two takes every value, and so do two shares of three every pair of values, when the
    /// coefficients do.
    #[test]
    fn every_value_is_as_likely() {
        for secret in [0x00, 0x01, 0x53, 0xff] {
            let one = Scheme::compact(2, 3).unwrap();
            let mut seen = [[false; 256]; 3];
            for coefficient in 0..=255 {
                let mut shares = [[0]; 3];
                one.split_into(&[secret], &mut shares, &mut Given::new(&[coefficient])).unwrap();
                for (seen, [y]) in seen.iter_mut().zip(shares) {
                    seen[usize::from(y)] = true;
                }
            }
            assert!(seen.as_flattened().iter().all(|seen| *seen), "secret {secret:#x}");
        }
        let two = Scheme::compact(3, 4).unwrap();
        let pairs = [[0, 1], [0, 3], [1, 2], [2, 3]];
        let mut seen = vec![vec![false; 1 << 16]; pairs.len()];
        for coefficients in 0..=u16::MAX {
            let mut shares = [[0]; 4];
            two.split_into(&[0xa5], &mut shares, &mut Given::new(&coefficients.to_le_bytes())).unwrap();
            for (seen, pair) in seen.iter_mut().zip(pairs) {
                seen[usize::from(u16::from_le_bytes(pair.map(|i| shares[i][0])))] = true;
            }
        }
        assert!(seen.iter().flatten().all(|seen| *seen));
    }

    /// The worst of some tests of 2 of 3 and 3 of 5, with random and with constant secrets.
    fn worst(rng: &mut impl CryptoRng) -> f64 {
        let mut random = vec![0; SAMPLES];
        super::super::rng(99).fill_bytes(&mut random);
        let mut worst = f64::MIN;
        for (threshold, shares) in [(2, 3), (3, 5)] {
            for secret in [&random, &vec![0; SAMPLES], &vec![0xff; SAMPLES]] {
                let mut made = vec![vec![0; SAMPLES]; shares];
                Scheme::compact(threshold, shares).unwrap().split_into(secret, &mut made, rng).unwrap();
                // Knowledge of the secret by one share, or by two with these weights: the sum, and what combining them
                // as if they were enough gives, at 1 and 2 and at 4 and 5.
                for (i, j, a, b) in [(0, 1, 1, 0), (2, 1, 1, 0), (0, 1, 1, 1), (0, 1, 0xf7, 0xf6), (3, 4, 5, 4)] {
                    if (threshold, b) == (2, 0) || threshold == 3 {
                        let (left, right) = (&made[i], &made[j]);
                        let one: [u8; 256] = product_table(a);
                        let other: [u8; 256] = product_table(b);
                        let told = left.iter().zip(right).map(|(x, y)| one[usize::from(*x)] ^ other[usize::from(*y)]);
                        worst = worst.max(cells(secret, told, secret == &random));
                    }
                }
                // Both shares together for one secret.
                if threshold == 3 && secret != &random {
                    worst = worst.max(cells(&made[0], made[3].iter().copied(), true));
                }
            }
        }
        worst
    }

    fn product_table(by: u8) -> [u8; 256] {
        core::array::from_fn(|i| (Gf8::from(i as u8) * Gf8::from(by)).into())
    }

    /// The deviations of the pairs of a byte of `secret` and one that is told of it, or only of the latter.
    fn cells(secret: &[u8], told: impl Iterator<Item = u8>, pairs: bool) -> f64 {
        let mut counts = vec![0; if pairs { 1 << 16 } else { 1 << 8 }];
        for (secret, told) in secret.iter().zip(told) {
            counts[usize::from(told) + if pairs { 256 * usize::from(*secret) } else { 0 }] += 1;
        }
        deviations(&counts)
    }

    #[test]
    fn fewer_shares_tell_nothing() {
        let worst = worst(&mut rng(1));
        assert!(worst.abs() < LIMIT, "{worst} deviations");
    }

    /// Coefficients that are constant, or of which some bits are missing would be noticed.
    #[test]
    fn bad_generators_are_noticed() {
        let missing: Vec<u8> = (0..=255_u8).map(|byte| byte.wrapping_mul(167) & 0x7f).collect();
        for bytes in [&[0x5a][..], &missing] {
            let worst = worst(&mut Given::new(bytes));
            assert!(worst > LIMIT, "{worst} deviations with {bytes:x?}");
        }
    }

    /// The same for an element: each byte of one share of 2, and of the sum of two shares of 3.
    #[test]
    fn elements_tell_nothing() {
        let secret = Gf16::from(0xbeef);
        let mut counts = [[0; 256]; 4];
        let mut constant = [[0; 256]; 2];
        let mut rng = rng(2);
        for _ in 0..20_000 {
            let one = split(&secret, 2, 3, &mut rng).unwrap();
            let two = split(&secret, 3, 5, &mut rng).unwrap();
            let told = [one[1].y().to_bytes(), (*two[0].y() + *two[3].y()).to_bytes()];
            for (counts, byte) in counts.iter_mut().zip(told.as_flattened()) {
                counts[usize::from(*byte)] += 1;
            }
            let bad = split(&secret, 2, 3, &mut Given::new(&[7])).unwrap();
            for (counts, byte) in constant.iter_mut().zip(bad[1].y().to_bytes()) {
                counts[usize::from(byte)] += 1;
            }
        }
        for counts in counts {
            assert!(deviations(&counts).abs() < LIMIT, "{} deviations", deviations(&counts));
        }
        assert!(constant.iter().all(|counts| deviations(counts) > LIMIT));
    }
}
