//! Every form against [`Loose4`], and that against plain words.
extern crate std;

use core::array;
use std::vec;

use super::{Loose4, Row};

/// Words with bits everywhere, other ones for every `seed`.
fn words(seed: u32) -> [u32; 4] {
    array::from_fn(|i| (seed * 4 + i as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(seed + 3))
}

fn stored<R: Row>(quad: R) -> vec::Vec<[u32; 4]> {
    let mut words = vec![[0; 4]; R::BLOCKS];
    quad.store(&mut words);
    words
}

#[test]
fn loose_words() {
    let (a, b) = (words(1), words(2));
    let (x, y) = (Loose4::splat(a), Loose4::splat(b));
    assert_eq!(stored(x + y), [array::from_fn::<_, 4, _>(|i| a[i].wrapping_add(b[i]))]);
    assert_eq!(stored(x ^ y), [array::from_fn::<_, 4, _>(|i| a[i] ^ b[i])]);
    assert_eq!(stored(x.xor_turn::<7, 25>(y)), [array::from_fn::<_, 4, _>(|i| (a[i] ^ b[i]).rotate_left(7))]);
    assert_eq!(stored(x.shift::<1>()), [[a[1], a[2], a[3], a[0]]]);
    assert_eq!(stored(x.shift::<3>()), [[a[3], a[0], a[1], a[2]]]);
    assert_eq!(stored(Loose4::numbers(9)), [[9, 0, 0, 0]]);
}

/// Every operation of `R`, on blocks that differ from each other.
fn equals_loose<R: Row>() {
    let (a, b) = (words(3), words(4));
    let first = u32::MAX - 1;
    let (x, y) = (R::splat(a) + R::numbers(first), R::splat(b) ^ R::numbers(first));
    let each = |operation: fn(Loose4, Loose4) -> Loose4| -> vec::Vec<[u32; 4]> {
        let numbers = (0..R::BLOCKS as u32).map(|block| Loose4::numbers(first.wrapping_add(block)));
        let pairs = numbers.map(|number| (Loose4::splat(a) + number, Loose4::splat(b) ^ number));
        pairs.flat_map(|(x, y)| stored(operation(x, y))).collect()
    };
    assert_eq!(stored(x), each(|x, _| x));
    assert_eq!(stored(y), each(|_, y| y));
    assert_eq!(stored(x + y), each(|x, y| x + y));
    assert_eq!(stored(x ^ y), each(|x, y| x ^ y));
    let (sum, turned) = x.add_xor_turn::<7, 25>(y, x);
    assert_eq!(stored(sum), each(|x, y| x + y));
    assert_eq!(stored(turned), each(|x, y| x.xor_turn::<7, 25>(x + y)));
    assert_eq!(stored(x.xor_turn::<16, 16>(y)), each(Row::xor_turn::<16, 16>));
    assert_eq!(stored(x.xor_turn::<12, 20>(y)), each(Row::xor_turn::<12, 20>));
    assert_eq!(stored(x.xor_turn::<8, 24>(y)), each(Row::xor_turn::<8, 24>));
    assert_eq!(stored(x.xor_turn::<7, 25>(y)), each(Row::xor_turn::<7, 25>));
    assert_eq!(stored(x.shift::<0>()), each(|x, _| x.shift::<0>()));
    assert_eq!(stored(x.shift::<1>()), each(|x, _| x.shift::<1>()));
    assert_eq!(stored(x.shift::<2>()), each(|x, _| x.shift::<2>()));
    assert_eq!(stored(x.shift::<3>()), each(|x, _| x.shift::<3>()));
}

#[test]
fn two_halves() {
    equals_loose::<super::Two<Loose4>>();
    equals_loose::<super::Two<super::Two<Loose4>>>();
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[test]
fn vectors() {
    equals_loose::<super::U32x4>();
    equals_loose::<super::U32x8>();
    equals_loose::<super::U32x16>();
    equals_loose::<super::Two<super::U32x16>>();
    equals_loose::<super::Across16>();
    let rows = [0, 1, 2, 3].map(|row| super::U32x16::new([0, 1, 2, 3].map(|block| words(4 * row + block))));
    let blocks = [0, 1, 2, 3].map(|block| [0, 1, 2, 3].map(|row| words(4 * row + block)));
    assert_eq!(super::U32x16::transpose_blocks(rows).map(super::U32x16::words), blocks);
    for limit in ["avx512f", "avx2"] {
        if std::env::var_os("SIMD_CORE_WITHOUT").is_none() {
            let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
            let status = tests.args(["lanes::tests::vectors", "--exact"]).env("SIMD_CORE_WITHOUT", limit).status();
            assert!(status.unwrap().success(), "without {limit}");
        }
    }
}
