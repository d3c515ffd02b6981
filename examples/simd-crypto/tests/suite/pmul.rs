use super::polynomial::{product, remainder};
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf32};
use simd_crypto::pmul::{mul_words, pmul};

/// Gueron and Kounavis, *Intel Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode* (Intel,
/// revision 2.02), the examples of `PCLMULQDQ`.
#[test]
#[each_target(crate::every)]
fn white_paper() {
    let (a, b) = ([0x6374_6f72_5d53_475d, 0x7b5b_5465_7374_5665], [0x5b47_7565_726f_6e5d, 0x4869_2853_6861_7929]);
    let products = [
        [0x1d4d_84c8_5c34_40c0_9296_33d5_d36f_0451, 0x1bd1_7c8d_556a_b5a1_7fa5_40ac_2a28_1315],
        [0x1a2b_f6db_3a30_862f_babf_262d_f4b7_d5c9, 0x1d1e_1f2c_592e_7c45_d66e_e03e_410f_d4ed],
    ];
    for i in 0..2 {
        for j in 0..2 {
            assert_eq!(pmul(a[i], b[j]), products[i][j], "word {i} times word {j}");
        }
    }
}

/// Words that are easy to tell apart from each other, for a number.
fn some_words(mut seed: u64, len: usize) -> Vec<u64> {
    let next = || {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    core::iter::repeat_with(next).take(len).collect()
}

/// Where a column of an integer product adds up the most ones there can be: dense factors, and dense ones without a few bits at
/// an end.
#[test]
#[each_target(crate::every)]
fn full_columns() {
    for dropped in 0..64 {
        for b in [u64::MAX, u64::MAX << dropped, u64::MAX >> dropped, 1 << dropped] {
            for (a, b) in [(u64::MAX, b), (b, u64::MAX), (b, b)] {
                check_words::<1>(&[a], &[b]);
                let (a, b) = (a as u32, b as u32);
                let product = remainder(product(&[a.into()], &[b.into()]), &Gf32::MODULUS);
                assert_eq!(vec![u64::from(u32::from(Gf32::from(a) * Gf32::from(b)))], product, "{a:#x} {b:#x}");
            }
        }
    }
}

fn check_words<const N: usize>(a: &[u64], b: &[u64]) {
    let (a, b) = (a.first_chunk::<N>().unwrap(), b.first_chunk::<N>().unwrap());
    assert!(mul_words(a, b).concat() == product(a, b), "{N} words: {a:x?} * {b:x?}");
}

macro_rules! check_each {
    ($a:expr, $b:expr, $($n:literal)*) => {
        $(check_words::<$n>($a, $b);)*
    };
}

fn check_all(a: &[u64], b: &[u64]) {
    check_each!(a, b, 1 2 4 8 16 32);
}

#[test]
#[each_target(crate::every)]
fn words_at_the_borders() {
    check_all(&[u64::MAX; 32], &[u64::MAX; 32]);
    check_all(&[1 << 63; 32], &[1; 32]);
    // One bit in one word of each: every word of the product has its place.
    for i in 0..32 {
        let (mut a, mut b) = ([0; 32], [0; 32]);
        a[i] = 1 << 63;
        for j in 0..32 {
            b[j] = 1 << 62;
            assert!(mul_words(&a, &b).concat() == product(&a, &b), "words {i} and {j}");
            b[j] = 0;
        }
    }
}

proptest! {
    #[test]
    #[each_target(crate::every)]
    fn one_word(a: u64, b: u64) {
        let words = |p: u128| vec![p as u64, (p >> 64) as u64];
        prop_assert_eq!(words(pmul(a, b)), product(&[a], &[b]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    #[each_target(crate::every)]
    fn many_words(a: u64, b: u64) {
        check_all(&some_words(a, 32), &some_words(b, 32));
    }
}
