//! Slices of GF(2^8) against its elements.
use core::array;
use proptest::prelude::*;
use simd_core::testing::each_target;
use simd_crypto::gf::{Field, Gf8};
use std::panic;

fn byte(i: usize) -> u8 {
    ((i * 89 + 31) ^ (i >> 3)) as u8
}

/// Every element times every element.
#[test]
#[each_target(crate::every)]
fn every_product() {
    let all: [u8; 256] = array::from_fn(|i| i as u8);
    for x in all {
        let products = all.map(|a| u8::from(Gf8::from(a) * Gf8::from(x)));
        let mut bytes = all;
        Gf8::mul_slice(&mut bytes, Gf8::from(x));
        assert_eq!(bytes, products, "times {x}");
        let mut sums = all.map(u8::reverse_bits);
        Gf8::mul_add_slice(&mut sums, &all, Gf8::from(x));
        assert_eq!(sums, array::from_fn(|i| products[i] ^ all[i].reverse_bits()), "times {x}");
    }
}

/// Slices of `length` bytes that begin at these bytes of their buffers, with what is around them.
fn check(length: usize, start: usize, other: usize, x: Gf8) {
    let times = |a: u8| u8::from(Gf8::from(a) * x);
    let before: Vec<u8> = (0..start + length + 70).map(byte).collect();
    let mut bytes = before.clone();
    Gf8::mul_slice(&mut bytes[start..][..length], x);
    let mut expected = before.clone();
    for byte in &mut expected[start..][..length] {
        *byte = times(*byte);
    }
    assert!(bytes == expected, "{length} bytes from {start} on");

    let source: Vec<u8> = (0..other + length).map(|i| byte(i + 1000)).collect();
    bytes.clone_from(&before);
    Gf8::mul_add_slice(&mut bytes[start..][..length], &source[other..], x);
    for i in 0..length {
        expected[start + i] = before[start + i] ^ times(source[other + i]);
    }
    assert!(bytes == expected, "{length} bytes from {start} and {other} on");
}

#[test]
#[each_target(crate::every)]
fn every_length() {
    for length in (0..=140).chain([191, 192, 193, 255, 256, 257, 1000, 4096]) {
        check(length, 0, 0, Gf8::from(0x9d));
    }
}

#[test]
#[each_target(crate::every)]
fn every_alignment() {
    for start in 0..64 {
        check(131, start, (start * 7 + 1) % 64, Gf8::from(0xfe));
    }
}

#[test]
#[each_target(crate::every)]
#[cfg_attr(not(panic = "unwind"), ignore = "a panic ends the program here")]
fn lengths_must_agree() {
    for length in [0, 3, 5, 64] {
        assert!(panic::catch_unwind(|| Gf8::mul_add_slice(&mut [0; 4], &vec![0; length], Gf8::ONE)).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    #[each_target(crate::every)]
    fn any_slice(length in 0..700usize, start in 0..65usize, other in 0..65usize, x: u8) {
        check(length, start, other, Gf8::from(x));
    }
}
