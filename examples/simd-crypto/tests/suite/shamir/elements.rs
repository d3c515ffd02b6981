use super::super::memory;
use super::super::polynomial::times;
use super::{choices, rng};
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
use simd_crypto::shamir::{Set, Share, reconstruct, split, split_random};
use std::collections::BTreeSet;

/// Every choice of `t` shares of up to 5 gives back the secret; of large fields, which take their time where there are no
/// instructions for them, 3 of 5 only.
fn every_choice<F: Field>() {
    for shares in 1..=5 {
        for threshold in 1..=shares {
            if F::BITS < 256 || (threshold, shares) == (3, 5) {
                choices_of::<F>(threshold, shares);
            }
        }
    }
}

/// So do more, in any order, and those that do not know their set.
fn choices_of<F: Field>(threshold: usize, shares: usize) {
    let secret = F::random(&mut rng(1));
    let compact = split(&secret, threshold, shares, &mut rng(2)).unwrap();
    let at: Vec<_> = compact.iter().map(|share| share.x().to_word()).collect();
    assert_eq!(at, (1..=shares as u64).map(Some).collect::<Vec<_>>());

    let random = split_random(&secret, threshold, shares, &mut rng(3)).unwrap();
    let at: BTreeSet<_> = random.iter().map(|share| share.x().to_bytes()).collect();
    assert_eq!(at.len(), shares, "points are distinct");
    assert!(!at.contains(&F::ZERO.to_bytes()));

    for made in [compact, random] {
        assert_eq!(made.len(), shares);
        assert!(made.iter().all(|share| share.set() == made[0].set()));
        assert_eq!(made[0].set().unwrap().threshold, threshold);
        let unknown: Vec<_> = made.iter().map(|share| Share::new(*share.x(), *share.y())).collect();
        for used in threshold..=shares {
            for mut chosen in choices(&made, used) {
                assert_eq!(reconstruct(&chosen).unwrap(), secret, "{threshold} of {shares}");
                chosen.reverse();
                assert_eq!(reconstruct(&chosen).unwrap(), secret, "{threshold} of {shares} in reverse");
            }
            for chosen in choices(&unknown, used) {
                assert_eq!(reconstruct(&chosen).unwrap(), secret, "{threshold} of {shares} of no set");
            }
        }
    }
}

/// The values are those of one polynomial with the secret as its value at zero, computed by the definition.
fn values<F: Field>() {
    let secret = F::random(&mut rng(4));
    let shares = split_random(&secret, 2, 3, &mut rng(5)).unwrap();
    // For a threshold of 2 the polynomial is secret + slope * x.
    let slopes: Vec<_> = shares.iter().map(|share| times(&(*share.y() - secret), &share.x().invert())).collect();
    assert_eq!(slopes[0], slopes[1]);
    assert_eq!(slopes[0], slopes[2]);
    assert_ne!(slopes[0], F::ZERO);
    // For a threshold of 1 every share is the secret.
    assert!(split(&secret, 1, 3, &mut rng(6)).unwrap().iter().all(|share| *share.y() == secret));
}

macro_rules! fields {
    ($($name:ident: $field:ident;)*) => { $(
        #[test]
        #[each_target(crate::every)]
        fn $name() {
            every_choice::<$field>();
            values::<$field>();
        }
    )* };
}

fields! {
    gf8: Gf8;
    gf16: Gf16;
    gf32: Gf32;
    gf64: Gf64;
    gf128: Gf128;
    gf256: Gf256;
    gf512: Gf512;
    gf1024: Gf1024;
    gf2048: Gf2048;
}

#[test]
#[each_target(crate::every)]
fn all_points_of_gf8() {
    let secret = Gf8::from(0xa7);
    for shares in
        [split(&secret, 100, 255, &mut rng(7)).unwrap(), split_random(&secret, 255, 255, &mut rng(8)).unwrap()]
    {
        assert_eq!(shares.iter().map(|share| u8::from(*share.x())).collect::<BTreeSet<_>>().len(), 255);
        assert_eq!(reconstruct(&shares).unwrap(), secret);
    }
}

#[test]
#[each_target(crate::every)]
fn many_shares() {
    let secret = Gf16::from(0x1234);
    let shares = split(&secret, 40, 1000, &mut rng(9)).unwrap();
    assert_eq!(reconstruct(&shares[900..]).unwrap(), secret);
    let secret = Gf128::from([1, 2]);
    let shares = split_random(&secret, 40, 60, &mut rng(9)).unwrap();
    assert_eq!(reconstruct(&shares[20..]).unwrap(), secret);
}

/// Fewer shares that do not know their threshold give something else.
#[test]
#[each_target(crate::every)]
fn too_few_shares_of_no_set() {
    let secret = Gf128::from([1, 2]);
    let shares = split(&secret, 3, 5, &mut rng(10)).unwrap();
    let unknown: Vec<_> = shares.iter().map(|share| Share::new(*share.x(), *share.y())).collect();
    for used in [1, 2] {
        assert!(choices(&unknown, used).iter().all(|chosen| reconstruct(chosen).unwrap() != secret));
    }
}

/// Points that need more than a word go another way than those of one word.
#[test]
#[each_target(crate::every)]
fn points_of_both_kinds() {
    let secret = Gf128::from([3, 4]);
    let slope = Gf128::from([5, 6]);
    let set = Set { id: [1; 16], threshold: 2 };
    let share = |x: [u64; 2]| Share::new(x.into(), secret + slope * Gf128::from(x)).of_set(set);
    let shares = [share([u64::MAX, 0]), share([0, 1]), share([1, 0]), share([1, u64::MAX])];
    assert!(choices(&shares, 2).iter().all(|chosen| reconstruct(chosen).unwrap() == secret));
}

#[test]
#[each_target(crate::every)]
fn debug_shows_no_value() {
    let share = Share::new(Gf16::from(0x0102), Gf16::from(0x6566));
    assert_eq!(format!("{share:?}"), "Share { set: None, x: [1, 2], .. }");
}

#[test]
#[each_target(crate::every)]
fn nothing_secret_is_left() {
    let bytes = *b"\x91secret\x92";
    let secret = Gf64::from_bytes(&bytes);
    let left = memory::left_behind(bytes, || {
        // With a threshold of 1, every value is the secret itself.
        for threshold in [1, 3] {
            drop(split(&secret, threshold, 3, &mut rng(11)).unwrap());
            let shares = split_random(&secret, threshold, 3, &mut rng(12)).unwrap();
            assert_eq!(reconstruct(&shares).unwrap(), secret);
        }
    });
    assert_eq!(left, 0, "blocks were freed with the secret in them");
}
