mod bulk;
mod moduli;

use super::polynomial::{edges, element, times, with_exponents, words};
use core::fmt::Debug;
use proptest::prelude::*;
use rand_core::SeedableRng;
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
use simd_crypto::shamir::SeededRng;
use std::panic;
use subtle::Choice;

/// FIPS 197, section 4.2 and 4.2.1, and the inverse from its section 5.1.1 example, {53} to {ca}.
#[test]
#[each_target(crate::every)]
fn fips_197() {
    let gf = Gf8::from;
    assert_eq!(gf(0x57) + gf(0x83), gf(0xd4));
    assert_eq!(gf(0x57) * gf(0x83), gf(0xc1));
    assert_eq!(gf(0x57) * gf(0x13), gf(0xfe));
    let powers = [0x57, 0xae, 0x47, 0x8e, 0x07].map(gf);
    for pair in powers.windows(2) {
        assert_eq!(pair[0].mul_word(2), pair[1]);
    }
    assert_eq!(gf(0x53).invert(), gf(0xca));
}

#[test]
#[each_target(crate::every)]
fn every_byte() {
    for a in 0..=255 {
        let a = Gf8::from(a);
        assert_eq!(a.square(), times(&a, &a));
        assert_eq!(times(&a, &a.invert()), if a == Gf8::ZERO { Gf8::ZERO } else { Gf8::ONE });
        for b in (0..=255).map(Gf8::from) {
            assert_eq!(a * b, times(&a, &b));
        }
    }
}

/// GCM's element with these bytes, as text: it has the lowest coefficient in the highest bit of the first byte.
fn gcm(text: u128) -> Gf128 {
    Gf128::from_bytes(&text.to_be_bytes().map(u8::reverse_bits))
}

/// `McGrew` and Viega, *The Galois/Counter Mode of Operation*, test case 2: each step of GHASH.
#[test]
#[each_target(crate::every)]
fn ghash() {
    let h = gcm(0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e);
    let first = gcm(0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78) * h;
    assert_eq!(first, gcm(0x5e2e_c746_9170_6288_2c85_b068_5353_deb7));
    assert_eq!((first + gcm(0x80)) * h, gcm(0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885));
}

/// An element for a number: of random bits, of a few or of nearly all, or a power of `x`.
fn some<F: Field>(seed: u64, kind: u8) -> F {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = SeededRng::from_seed(bytes);
    let three = [(); 3].map(|()| words(&F::random(&mut rng)));
    let mix = |mix: fn(u64, u64, u64) -> u64| {
        let mixed = (0..three[0].len()).map(|i| mix(three[0][i], three[1][i], three[2][i]));
        element(&mixed.collect::<Vec<_>>())
    };
    match kind {
        0 => mix(|a, b, c| a & b & c),
        1 => mix(|a, b, c| a | b | c),
        2 => element(&with_exponents(&[(seed % F::BITS as u64) as u32], three[0].len())),
        _ => mix(|a, _, _| a),
    }
}

fn any_element<F: Field>() -> impl Strategy<Value = F> {
    (any::<u64>(), 0..6u8).prop_map(|(seed, kind)| some(seed, kind))
}

fn laws<F: Field>(a: F, b: F, c: F, word: u64) {
    assert_eq!(a * b, times(&a, &b));
    assert_eq!(a.square(), times(&a, &a));
    let sum: Vec<_> = words(&a).iter().zip(words(&b)).map(|(a, b)| a ^ b).collect();
    assert_eq!(words(&(a + b)), sum);

    assert_eq!(a + b, b + a);
    assert_eq!(a * b, b * a);
    assert_eq!((a + b) + c, a + (b + c));
    assert_eq!((a * b) * c, a * (b * c));
    assert_eq!((a + b) * c, a * c + b * c);
    assert_eq!((a + b).square(), a.square() + b.square());
    assert_eq!(a + F::ZERO, a);
    assert_eq!(a * F::ONE, a);
    assert_eq!(a * F::ZERO, F::ZERO);
    assert_eq!(a - b, a + b);
    assert_eq!(-a, a);
    assert_eq!(a + a, F::ZERO);

    let word = if F::BITS < 64 { word % (1 << F::BITS) } else { word };
    let small = F::from_word(word).unwrap();
    assert_eq!(a.mul_word(word), times(&a, &small));
    assert_eq!(small.to_word(), Some(word));

    inverses(a);
    assert_eq!((a * b).invert(), a.invert() * b.invert());
    assert_eq!(a / b, a * b.invert());
    if b != F::ZERO {
        assert_eq!(a / b * b, a);
    }
}

/// The inverse is what the definition says, and that of zero is zero.
fn inverses<F: Field>(a: F) {
    let inverse = a.invert();
    assert_eq!(times(&a, &inverse), if a == F::ZERO { F::ZERO } else { F::ONE }, "{:x?}", a.to_bytes());
    assert_eq!(inverse.invert(), a);
}

fn products_of_edges<F: Field>() {
    let edges = edges::<F>();
    for (i, a) in edges.iter().enumerate() {
        inverses(*a);
        assert_eq!(a.square(), times(a, a));
        for b in &edges[i..] {
            let product = times(a, b);
            assert_eq!((*a * b, *b * a), (product, product), "{:x?} * {:x?}", a.to_bytes(), b.to_bytes());
        }
        for word in [0, 1, 0x80, (1 << 16) - 1, (1 << 32) - 1, u64::MAX, 1 << 63] {
            if let Some(small) = F::from_word(word) {
                assert_eq!(a.mul_word(word), times(a, &small), "{:x?} * {word:#x}", a.to_bytes());
            }
        }
    }
    // As many squares as there are bits change nothing.
    let a = some::<F>(7, 9);
    assert_eq!((0..F::BITS).fold(a, |a, _| a.square()), a);
}

fn bytes_and_words<F: Field + Debug>(a: F) {
    assert_eq!((F::BITS, F::MODULUS[0] as usize), (8 * F::BYTES, F::BITS));
    let bytes = a.to_bytes();
    assert_eq!(bytes.as_ref().len(), F::BYTES);
    assert_eq!(F::from_bytes(&bytes), a);
    assert_eq!(F::from_slice(bytes.as_ref()), Some(a));
    assert_eq!(F::from_slice(&vec![0; F::BYTES + 1]), None);
    assert_eq!(F::from_slice(&vec![0; F::BYTES - 1]), None);
    let mut reversed = bytes.as_ref().to_vec();
    reversed.reverse();
    assert_eq!(a.to_be_bytes().as_ref(), reversed);
    assert_eq!(F::from_be_bytes(&a.to_be_bytes()), a);

    // x is the element whose lowest byte is 2.
    assert_eq!(F::from_word(2).unwrap().to_bytes().as_ref()[0], 2);
    let x_to_bits = (0..F::BITS).fold(F::ONE, |power, _| power.mul_word(2));
    let rest = F::MODULUS[1..].iter().fold(0, |rest, exponent| rest | 1 << exponent);
    assert_eq!(x_to_bits.to_word(), Some(rest), "x^n is what else the modulus has");

    let large = F::BITS < 64;
    assert_eq!(F::from_word(u64::MAX).is_none(), large);
    if cfg!(panic = "unwind") {
        assert_eq!(panic::catch_unwind(|| F::ONE.mul_word(u64::MAX)).is_err(), large);
    }
    if F::BITS > 64 {
        assert_eq!(some::<F>(1, 9).to_word(), None);
    }
}

fn operators<F: Field>(a: F, b: F) {
    macro_rules! check {
        ($($op:tt $assign:tt)*) => { $(
            let result = a $op b;
            assert_eq!(a $op &b, result);
            let mut by_value = a;
            by_value $assign b;
            let mut by_reference = a;
            by_reference $assign &b;
            assert_eq!((by_value, by_reference), (result, result));
        )* };
    }
    check!(+ += - -= * *= / /=);
    assert_eq!([a, b, b].into_iter().sum::<F>(), a);
    assert_eq!([a, b].into_iter().product::<F>(), a * b);
    assert_eq!(F::default(), F::ZERO);

    assert!(bool::from(a.ct_eq(&a)) && bool::from(F::ZERO.is_zero()) && !bool::from(F::ONE.is_zero()));
    // Elements that differ in one bit differ, wherever it is.
    for i in 0..F::BITS {
        let mut other = words(&a);
        other[i / 64] ^= 1 << (i % 64);
        assert_ne!(element::<F>(&other), a, "bit {i}");
    }
    assert_eq!(F::conditional_select(&a, &b, Choice::from(0)), a);
    assert_eq!(F::conditional_select(&a, &b, Choice::from(1)), b);

    let mut wiped = a;
    wiped.zeroize();
    assert_eq!(wiped, F::ZERO);
    let shown = format!("{a:?}");
    assert_eq!(shown, format!("Gf{}(..)", F::BITS), "the value is not shown");
}

/// Sums of products of every length around the number of elements in a vector.
fn sums<F: Field>() {
    let elements: Vec<F> = (0..24).map(|i| some(i, 5)).collect();
    let reversed: Vec<F> = elements.iter().rev().copied().collect();
    for len in 0..=elements.len() {
        let sum = elements.iter().zip(&reversed[..len]).fold(F::ZERO, |sum, (a, b)| sum + *a * b);
        assert_eq!(F::sum_of_products(&elements[..len], &reversed[..len]).to_bytes(), sum.to_bytes(), "{len} products");
    }
    if cfg!(panic = "unwind") {
        assert!(panic::catch_unwind(|| F::sum_of_products(&[F::ONE; 2], &[F::ONE])).is_err());
    }
}

/// Inverses are linear maps of bits and products: each bit by itself, and for small fields every element.
fn inverses_of_bits<F: Field>() {
    let bit = |i: usize| {
        let mut bytes = F::ZERO.to_bytes();
        bytes.as_mut()[i / 8] = 1 << (i % 8);
        F::from_bytes(&bytes)
    };
    // Without optimisation an inverse in a large field takes milliseconds: of each word the bits at its ends.
    let some = cfg!(debug_assertions) && F::BITS > 512;
    let words = if F::BITS <= 16 { 1 << F::BITS } else { 1 << if some { 4 } else { 8 } };
    let bits = (0..F::BITS).filter(|i| !some || matches!(i % 64, 0 | 63));
    for element in bits.map(bit).chain((1..words).map(|word| F::from_word(word).unwrap())) {
        assert_eq!((element * element.invert()).to_bytes(), F::ONE.to_bytes(), "{:?}", element.to_bytes());
    }
    assert_eq!(F::ZERO.invert(), F::ZERO);
}

macro_rules! fields {
    ($($name:ident: $field:ident($repr:ty), $cases:literal;)*) => { $(
        mod $name {
            use super::*;

            #[test]
            #[each_target(crate::every)]
            fn definitions() {
                products_of_edges::<$field>();
                bytes_and_words::<$field>(some(3, 9));
                let (a, b) = (some::<$field>(4, 9), some::<$field>(5, 9));
                operators(a, b);
                assert_eq!((&a + &b, &a - b, &a * &b, &a / b, -a), (a + b, a - b, a * b, a / b, a));
                assert_eq!($field::from(<$repr>::from(a)), a);
                sums::<$field>();
                inverses_of_bits::<$field>();
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases($cases))]

                #[test]
                #[each_target(crate::every)]
                fn laws(
                    a in any_element::<$field>(),
                    b in any_element::<$field>(),
                    c in any_element::<$field>(),
                    word: u64,
                ) {
                    super::laws(a, b, c, word);
                }
            }
        }
    )* };
}

fields! {
    gf8: Gf8(u8), 100;
    gf16: Gf16(u16), 100;
    gf32: Gf32(u32), 100;
    gf64: Gf64(u64), 50;
    gf128: Gf128([u64; 2]), 50;
    gf256: Gf256([u64; 4]), 30;
    gf512: Gf512([u64; 8]), 20;
    gf1024: Gf1024([u64; 16]), 10;
    gf2048: Gf2048([u64; 32]), 6;
}
