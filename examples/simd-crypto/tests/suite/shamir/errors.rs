use super::rng;
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf8, Gf16, Gf128};
use simd_crypto::shamir::{ByteShare, Combiner, Error, Scheme, Set, Share, combine, reconstruct, split, split_random};

fn check<F: Field>(points: usize) {
    let too_many = points.checked_add(1).filter(|shares| *shares < 100_000);
    let cases = [
        Some((0, 5, Error::ZeroThreshold)),
        Some((0, 0, Error::ZeroThreshold)),
        Some((1, 0, Error::ThresholdAboveShares { threshold: 1, shares: 0 })),
        Some((6, 5, Error::ThresholdAboveShares { threshold: 6, shares: 5 })),
        too_many.map(|shares| (2, shares, Error::TooManyShares { shares, points })),
    ];
    for (threshold, shares, error) in cases.into_iter().flatten() {
        assert_eq!(split(&F::ONE, threshold, shares, &mut rng(1)).unwrap_err(), error);
        assert_eq!(split_random(&F::ONE, threshold, shares, &mut rng(1)).unwrap_err(), error);
        if F::BITS == 8 {
            assert_eq!(Scheme::compact(threshold, shares).unwrap_err(), error);
            assert_eq!(Scheme::random(threshold, shares, &mut rng(1)).unwrap_err(), error);
        }
    }
}

#[test]
#[each_target(crate::every)]
fn thresholds_and_numbers() {
    check::<Gf8>(255);
    check::<Gf16>(65535);
    check::<Gf128>(usize::MAX);
    let error = Error::TooManyShares { shares: usize::MAX, points: 255 };
    assert_eq!(Scheme::compact(2, usize::MAX).unwrap_err(), error);
}

#[test]
#[each_target(crate::every)]
fn points() {
    let share = |x: u16| Share::new(Gf16::from(x), Gf16::ONE);
    let bytes = |x: u8| ByteShare::new(x, vec![1]);
    for (at, error) in [
        (&[1, 0, 2][..], Error::ZeroPoint { share: 1 }),
        (&[0], Error::ZeroPoint { share: 0 }),
        (&[3, 1, 4, 1], Error::DuplicatePoint { first: 1, second: 3 }),
        (&[7, 7], Error::DuplicatePoint { first: 0, second: 1 }),
        (&[], Error::TooFewShares { given: 0, threshold: 1 }),
    ] {
        assert_eq!(reconstruct(&at.iter().map(|x| share(*x)).collect::<Vec<_>>()).unwrap_err(), error);
        let at: Vec<_> = at.iter().map(|x| *x as u8).collect();
        assert_eq!(Combiner::new(&at).unwrap_err(), error);
        assert_eq!(combine(&at.iter().map(|x| bytes(*x)).collect::<Vec<_>>()).unwrap_err(), error);
    }
}

/// Also among shares that are not needed.
#[test]
#[each_target(crate::every)]
fn points_beyond_the_threshold() {
    let set = Set { id: [1; 16], threshold: 2 };
    let share = |x: u8| ByteShare::new(x, vec![1]).of_set(set);
    assert_eq!(combine(&[1, 2, 1].map(share)).unwrap_err(), Error::DuplicatePoint { first: 0, second: 2 });
    assert_eq!(combine(&[1, 2, 0].map(share)).unwrap_err(), Error::ZeroPoint { share: 2 });
    let share = |x: u8| Share::new(Gf8::from(x), Gf8::ONE).of_set(set);
    assert_eq!(reconstruct(&[1, 2, 1].map(share)).unwrap_err(), Error::DuplicatePoint { first: 0, second: 2 });
    assert_eq!(reconstruct(&[1, 2, 0].map(share)).unwrap_err(), Error::ZeroPoint { share: 2 });
}

#[test]
#[each_target(crate::every)]
fn too_few_shares() {
    let shares = split(&Gf128::ONE, 4, 6, &mut rng(2)).unwrap();
    let bytes = Scheme::compact(4, 6).unwrap().split(b"four of them", &mut rng(2));
    for given in 1..4 {
        let error = Error::TooFewShares { given, threshold: 4 };
        assert_eq!(reconstruct(&shares[..given]).unwrap_err(), error);
        assert_eq!(combine(&bytes[2..][..given]).unwrap_err(), error);
    }
}

#[test]
#[each_target(crate::every)]
fn different_sets() {
    let error = |share| Error::DifferentSets { share };
    // Of another secret, even at the same point or of another threshold; and of no known set.
    let [a, b, c] =
        [(2, 3), (2, 4), (3, 5)].map(|(threshold, seed)| split(&Gf128::ONE, threshold, 3, &mut rng(seed)).unwrap());
    let unknown = Share::new(*a[2].x(), *a[2].y());
    assert_eq!(reconstruct(&[a[0].clone(), b[1].clone()]).unwrap_err(), error(1));
    assert_eq!(reconstruct(&[a[0].clone(), b[0].clone()]).unwrap_err(), error(1));
    assert_eq!(reconstruct(&[a[0].clone(), a[1].clone(), c[2].clone()]).unwrap_err(), error(2));
    assert_eq!(reconstruct(&[a[0].clone(), unknown.clone()]).unwrap_err(), error(1));
    assert_eq!(reconstruct(&[unknown, a[0].clone()]).unwrap_err(), error(1));

    let [a, b] = [6, 7].map(|seed| Scheme::compact(2, 3).unwrap().split(b"secret", &mut rng(seed)));
    let unknown = ByteShare::new(a[2].x(), a[2].data().to_vec());
    let other_threshold = unknown.clone().of_set(Set { threshold: 3, ..*a[0].set().unwrap() });
    for other in [b[1].clone(), b[0].clone(), unknown, other_threshold] {
        assert_eq!(combine(&[a[0].clone(), other]).unwrap_err(), error(1));
    }
}

#[test]
#[each_target(crate::every)]
fn sets_without_threshold() {
    let set = Set { id: [2; 16], threshold: 0 };
    assert_eq!(combine(&[ByteShare::new(1, vec![1]).of_set(set)]).unwrap_err(), Error::ZeroThreshold);
    assert_eq!(reconstruct(&[Share::new(Gf8::ONE, Gf8::ONE).of_set(set)]).unwrap_err(), Error::ZeroThreshold);
}

#[test]
#[each_target(crate::every)]
fn different_lengths() {
    let share = |x: u8, length: usize| ByteShare::new(x, vec![1; length]);
    let error = Error::DifferentLengths { share: 2 };
    assert_eq!(combine(&[share(1, 4), share(2, 4), share(3, 5)]).unwrap_err(), error);
    assert_eq!(combine(&[share(1, 4), share(2, 4), share(3, 0)]).unwrap_err(), error);

    // Nothing is written where there is an error.
    let mut out = [9; 4];
    let combiner = Combiner::new(&[1, 2, 3]).unwrap();
    assert_eq!(combiner.combine_into(&[&[1; 4][..], &[2; 4], &[3; 5]], &mut out).unwrap_err(), error);
    assert_eq!(combiner.combine_into(&[[1; 3]; 3], &mut out).unwrap_err(), Error::DifferentLengths { share: 0 });
    let error = Error::WrongNumber { given: 2, points: 3 };
    assert_eq!(combiner.combine_into(&[[1; 4]; 2], &mut out).unwrap_err(), error);
    assert_eq!(out, [9; 4]);

    let scheme = Scheme::compact(2, 3).unwrap();
    let mut shares = [vec![9; 4], vec![9; 3], vec![9; 4]];
    let error = Error::DifferentLengths { share: 1 };
    assert_eq!(scheme.split_into(&[1; 4], &mut shares, &mut rng(8)).unwrap_err(), error);
    let error = Error::WrongNumber { given: 2, points: 3 };
    assert_eq!(scheme.split_into(&[1; 4], &mut shares[..2], &mut rng(8)).unwrap_err(), error);
    assert!(shares.iter().flatten().all(|byte| *byte == 9));
}

#[test]
#[each_target(crate::every)]
fn messages() {
    for (error, message) in [
        (Error::ZeroThreshold, "the threshold is zero"),
        (
            Error::ThresholdAboveShares { threshold: 6, shares: 5 },
            "the threshold of 6 is above the number of shares, 5",
        ),
        (Error::TooManyShares { shares: 256, points: 255 }, "the field has 255 points, not enough for 256 shares"),
        (Error::ZeroPoint { share: 2 }, "share 2 is at zero, where no share can be"),
        (Error::DuplicatePoint { first: 1, second: 4 }, "shares 1 and 4 are at the same point"),
        (Error::TooFewShares { given: 2, threshold: 3 }, "3 shares are needed and 2 given"),
        (Error::DifferentSets { share: 3 }, "share 3 is of another set than share 0"),
        (Error::DifferentLengths { share: 1 }, "share 1 differs in length"),
        (Error::WrongNumber { given: 4, points: 5 }, "4 shares are given for 5 points"),
    ] {
        assert_eq!(error.to_string(), message);
    }
}
