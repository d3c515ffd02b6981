//! Slices of GF(2^8) against its elements.
use core::array;
use simd_core::testing::each_target;
use simd_crypto::gf::Gf8;

fn byte(i: usize) -> u8 {
    ((i * 89 + 31) ^ (i >> 3)) as u8
}

#[test]
#[each_target(crate::every)]
fn every_product() {
    let all: [u8; 256] = array::from_fn(|i| i as u8);
    for x in all {
        let products = all.map(|a| u8::from(Gf8::from(a) * Gf8::from(x)));
        let mut bytes = all;
        Gf8::mul_slice(&mut bytes, Gf8::from(x));
        assert_eq!(bytes, products, "times {x}");
    }
}

/// A slice of `length` bytes that begins at this byte of its buffer, with what is around them.
fn check(length: usize, start: usize, x: Gf8) {
    let times = |a: u8| u8::from(Gf8::from(a) * x);
    let before: Vec<u8> = (0..start + length + 70).map(byte).collect();
    let mut bytes = before.clone();
    Gf8::mul_slice(&mut bytes[start..][..length], x);
    let mut expected = before.clone();
    for byte in &mut expected[start..][..length] {
        *byte = times(*byte);
    }
    assert!(bytes == expected, "{length} bytes from {start} on");
}

#[test]
#[each_target(crate::every)]
fn every_length() {
    for length in (0..=140).chain([191, 192, 193, 255, 256, 257, 1000, 4096]) {
        check(length, 0, Gf8::from(0x9d));
    }
}

#[test]
#[each_target(crate::every)]
fn every_alignment() {
    for start in 0..64 {
        check(131, start, Gf8::from(0xfe));
    }
}
