use super::super::memory;
use super::{choices, rng, secret};
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf8};
use simd_crypto::shamir::{ByteShare, Combiner, Scheme, Set, combine};
use std::collections::BTreeSet;

/// The secret by Lagrange's formula, an element at a time.
fn interpolate(shares: &[(u8, &[u8])]) -> Vec<u8> {
    let mut secret = vec![Gf8::ZERO; shares[0].1.len()];
    for (x, data) in shares {
        let others = shares.iter().filter(|(other, _)| other != x);
        let weight = others.map(|(other, _)| Gf8::from(*other) / Gf8::from(other ^ x)).product::<Gf8>();
        for (sum, byte) in secret.iter_mut().zip(*data) {
            *sum += weight * Gf8::from(*byte);
        }
    }
    secret.into_iter().map(u8::from).collect()
}

/// Splits into the caller's room and checks it: some choices of shares by Lagrange's formula and by the combiner.
fn check(scheme: &Scheme, length: usize, seed: u8) {
    let (secret, points) = (secret(length), scheme.points());
    let mut shares = vec![vec![0x77; length]; points.len()];
    scheme.split_into(&secret, &mut shares, &mut rng(seed)).unwrap();
    let t = scheme.threshold();
    for first in BTreeSet::from([0, points.len() - t]) {
        let used: Vec<_> = points.iter().copied().zip(shares.iter().map(Vec::as_slice)).skip(first).take(t).collect();
        assert!(interpolate(&used) == secret, "{t} of {}, {length} bytes", points.len());
    }
    let mut out = vec![0x66; length];
    let combined = |at: &[u8], shares: &[Vec<u8>], out: &mut [u8]| {
        Combiner::new(at).unwrap().combine_into(shares, out).unwrap();
        out == secret
    };
    assert!(combined(&points[..t], &shares[..t], &mut out), "{t} of {}, {length} bytes", points.len());
    assert!(combined(points, &shares, &mut out), "all of {}, {length} bytes", points.len());
    if t > 1 && length > 8 {
        assert!(!combined(&points[1..t], &shares[1..t], &mut out), "one share less than {t}");
        assert!(!shares.contains(&secret));
    }
}

/// Lengths around a block, a group of blocks and a row of the buffer.
#[test]
#[each_target(crate::every)]
fn every_length() {
    for (threshold, shares) in [(2, 3), (3, 5)] {
        let scheme = Scheme::compact(threshold, shares).unwrap();
        let lengths =
            (0..=70).chain([127, 128, 129, 191, 255, 256, 257, 300, 320, 511, 512, 513, 1000, 1343, 1344, 1345]);
        for length in lengths {
            check(&scheme, length, 1);
        }
        check(&scheme, 5000, 1);
    }
}

/// Every way in which the buffer is divided, and groups of points of every size.
#[test]
#[each_target(crate::every)]
fn many_thresholds() {
    let sizes =
        [(1, 1), (1, 4), (2, 2), (5, 6), (8, 9), (9, 11), (15, 15), (16, 16), (16, 20), (17, 20), (20, 22), (33, 40)];
    for (threshold, shares) in sizes {
        for length in [0, 1, 65, 300] {
            check(&Scheme::compact(threshold, shares).unwrap(), length, 2);
            check(&Scheme::random(threshold, shares, &mut rng(3)).unwrap(), length, 2);
        }
    }
    for (threshold, shares, length) in [(64, 100, 130), (65, 70, 10), (128, 255, 65), (255, 255, 0), (255, 255, 100)] {
        check(&Scheme::compact(threshold, shares).unwrap(), length, 4);
    }
}

#[test]
#[each_target(crate::every)]
fn every_choice_of_five() {
    for threshold in 1..=5 {
        for scheme in [Scheme::compact(threshold, 5), Scheme::random(threshold, 5, &mut rng(5))] {
            let secret = secret(77);
            let shares = scheme.unwrap().split(&secret, &mut rng(6));
            for used in threshold..=5 {
                for mut chosen in choices(&shares, used) {
                    assert_eq!(*combine(&chosen).unwrap(), secret);
                    chosen.reverse();
                    assert_eq!(*combine(&chosen).unwrap(), secret);
                }
            }
        }
    }
}

#[test]
#[each_target(crate::every)]
fn points() {
    assert_eq!(Scheme::compact(2, 255).unwrap().points(), (1..=255).collect::<Vec<u8>>());
    for shares in [1, 2, 100, 255] {
        let scheme = Scheme::random(1, shares, &mut rng(7)).unwrap();
        let distinct: BTreeSet<_> = scheme.points().iter().filter(|x| **x != 0).collect();
        assert_eq!(distinct.len(), shares);
    }
    // All are as likely: 255 * 300 draws of the first two points.
    let mut counts = [[0_u32; 256]; 2];
    let mut rng = rng(8);
    for _ in 0..255 * 300 {
        let scheme = Scheme::random(1, 2, &mut rng).unwrap();
        for (counts, x) in counts.iter_mut().zip(scheme.points()) {
            counts[usize::from(*x)] += 1;
        }
    }
    for counts in counts {
        assert_eq!(counts[0], 0);
        // Six standard deviations of a binomial distribution.
        assert!(counts[1..].iter().all(|count| count.abs_diff(300) < 6 * 18), "{counts:?}");
    }
}

/// Pieces may be split and combined one by one, and need not be the same ones.
#[test]
#[each_target(crate::every)]
fn pieces() {
    let secret = secret(1000);
    let scheme = Scheme::compact(3, 4).unwrap();
    let mut shares = vec![vec![0; 1000]; 4];
    let mut rng = rng(9);
    for (from, to) in [(0, 1), (1, 100), (100, 100), (100, 612), (612, 1000)] {
        let mut pieces: Vec<_> = shares.iter_mut().map(|share| &mut share[from..to]).collect();
        scheme.split_into(&secret[from..to], &mut pieces, &mut rng).unwrap();
    }
    let combiner = Combiner::new(&[4, 2, 1]).unwrap();
    let mut out = vec![0; 1000];
    for (from, to) in [(0, 64), (64, 65), (65, 700), (700, 1000)] {
        let pieces = [3, 1, 0].map(|i| &shares[i][from..to]);
        combiner.combine_into(&pieces, &mut out[from..to]).unwrap();
    }
    assert_eq!(out, secret);
}

#[test]
#[each_target(crate::every)]
fn shares_say_what_they_are() {
    let set = Set { id: [9; 16], threshold: 2 };
    let share = ByteShare::new(7, vec![1, 2, 3]);
    assert_eq!((share.x(), share.data(), share.set()), (7, &[1, 2, 3][..], None));
    let share = share.of_set(set);
    assert_eq!(share.set(), Some(&set));
    let shown = format!("{share:?}");
    assert!(shown.contains("x: 7, length: 3, ..") && !shown.contains("[1, 2, 3]"), "{shown}");
    assert_ne!(Set::random(2, &mut rng(10)).id, Set::random(2, &mut rng(11)).id);
}

#[test]
#[each_target(crate::every)]
fn nothing_secret_is_left() {
    let secret = *b"\x91secret\x92";
    let left = memory::left_behind(secret, || {
        for threshold in [1, 3] {
            let shares = Scheme::compact(threshold, 3).unwrap().split(&secret, &mut rng(12));
            assert_eq!(combine(&shares).unwrap().as_slice(), secret);
        }
    });
    assert_eq!(left, 0, "blocks were freed with the secret in them");
}
