//! Where to dispatch: one source, annotated at its leaves, at its rounds, and at its root.
//!
//! The work is a permutation with the shape of Haraka-512 (its constants are others), and the split of a secret over
//! GF(2^8) with products in ordinary Rust, which the compiler vectorises.

use crate::case::{Case, Lines, sample};
use core::hint::black_box;
use simd_crypto::aes::Block;

const HASHES: usize = 64;
const SECRET: usize = 65536;

/// One source, with an attribute at each of three places.
macro_rules! strategy {
    ($module:ident, leaf: [$(#[$leaf:meta])*], round: [$(#[$round:meta])*], root: [$(#[$root:meta])*]) => {
        mod $module {
            #[allow(unused_imports, reason = "not every strategy has an attribute here")]
            use simd_core::dispatch;
            use simd_crypto::aes::Block;

            $(#[$leaf])*
            fn aesenc(state: Block, key: Block) -> Block {
                simd_crypto::aes::aesenc(state, key)
            }

            $(#[$round])*
            fn round(state: [Block; 4], constants: &[Block; 8]) -> [Block; 4] {
                let [a, b, c, d] = state;
                let [k, l, m, n, o, p, q, r] = *constants;
                let (a, b, c, d) = (aesenc(a, k), aesenc(b, l), aesenc(c, m), aesenc(d, n));
                let (a, b, c, d) = (aesenc(a, o), aesenc(b, p), aesenc(c, q), aesenc(d, r));
                let ([a, b], [c, d]) = (columns(a, b), columns(c, d));
                let ([e, f], [g, h]) = (columns(b, d), columns(c, a));
                [f, g, h, e]
            }

            /// The columns of two blocks, interleaved: the first halves, the second halves.
            $(#[$leaf])*
            fn columns(a: Block, b: Block) -> [Block; 2] {
                super::columns(a, b)
            }

            $(#[$root])*
            pub(super) fn hash(state: [Block; 4], constants: &[[Block; 8]; 5]) -> [Block; 4] {
                let mut hashed = state;
                for constants in constants {
                    hashed = round(hashed, constants);
                }
                hashed
            }

            /// Multiplies 64 elements of GF(2^8) by one.
            $(#[$leaf])*
            fn multiply(elements: &mut [u8; 64], by: u8) {
                for element in elements {
                    let mut power = *element;
                    let mut product = 0;
                    for bit in 0..8 {
                        product ^= power & 0u8.wrapping_sub(by >> bit & 1);
                        power = power << 1 ^ 0x1b & 0u8.wrapping_sub(power >> 7);
                    }
                    *element = product;
                }
            }

            /// The values at one point of the polynomials whose coefficients are the rows.
            $(#[$round])*
            fn evaluate(rows: &[[u8; 64]; 3], x: u8, values: &mut [u8; 64]) {
                *values = rows[2];
                for row in [&rows[1], &rows[0]] {
                    multiply(values, x);
                    for (value, coefficient) in values.iter_mut().zip(row) {
                        *value ^= coefficient;
                    }
                }
            }

            $(#[$root])*
            pub(super) fn split(rows: &[[[u8; 64]; 3]], shares: &mut [super::Lines<u8>; 5]) {
                for (x, share) in (1..).zip(shares) {
                    for (rows, values) in rows.iter().zip(share.as_chunks_mut().0) {
                        evaluate(rows, x, values);
                    }
                }
            }
        }
    };
}

strategy!(plain, leaf: [#[inline]], round: [#[inline]], root: []);
strategy!(leaves,
    leaf: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]],
    round: [#[inline]], root: []);
strategy!(rounds,
    leaf: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]],
    round: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]],
    root: []);
strategy!(root,
    leaf: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]],
    round: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]],
    root: [#[dispatch(targets = "aes,avx2 | aes,sse4.1 | aes,neon")]]);

type Hash = fn([Block; 4], &[[Block; 8]; 5]) -> [Block; 4];
type Split = fn(&[[[u8; 64]; 3]], &mut [Lines<u8>; 5]);

pub(super) fn add(cases: &mut Vec<Case>) {
    let all: [(&'static str, Hash, Split); 4] = [
        ("only the leaf of simd-crypto", plain::hash, plain::split),
        ("leaf", leaves::hash, leaves::split),
        ("round", rounds::hash, rounds::split),
        ("root", root::hash, root::split),
    ];
    for (by, hash, split) in all {
        for chained in [true, false] {
            let work = if chained { "Haraka-512, chained" } else { "Haraka-512, independent" };
            let case = Case::new("strategies", work, by, move || {
                let constants = constants();
                let start: [Block; 4] = core::array::from_fn(|i| Block::new([i as u8; 16]));
                assert_eq!(
                    hash(start, &constants).map(Block::to_bytes),
                    root::hash(start, &constants).map(Block::to_bytes)
                );
                move || {
                    let mut state = start;
                    for _ in 0..HASHES {
                        let hashed = hash(black_box(state), &constants);
                        if chained {
                            state = hashed;
                        } else {
                            black_box(hashed);
                        }
                    }
                    black_box(state);
                }
            });
            cases.push(case.operations(HASHES as u64));
        }
        let case = Case::new("strategies", "Shamir, 64 KiB, 3 of 5", by, move || {
            let rows = sample(SECRET * 3);
            let mut shares = core::array::from_fn(|_| sample(SECRET));
            move || {
                split(black_box(rows.as_chunks().0.as_chunks().0), &mut shares);
                black_box(&mut shares);
            }
        });
        cases.push(case.bytes(SECRET));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn columns(a: Block, b: Block) -> [Block; 2] {
    use core::arch::x86_64::{__m128i, _mm_unpackhi_epi32, _mm_unpacklo_epi32};
    let (a, b): (__m128i, __m128i) = (zerocopy::transmute!(a.to_bytes()), zerocopy::transmute!(b.to_bytes()));
    // SAFETY: every x86-64 CPU has SSE2.
    let columns = unsafe { [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)] };
    columns.map(|columns| Block::new(zerocopy::transmute!(columns)))
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn columns(a: Block, b: Block) -> [Block; 2] {
    let [a, b]: [[u32; 4]; 2] = [zerocopy::transmute!(a.to_bytes()), zerocopy::transmute!(b.to_bytes())];
    [[a[0], b[0], a[1], b[1]], [a[2], b[2], a[3], b[3]]].map(|columns| Block::new(zerocopy::transmute!(columns)))
}

fn constants() -> [[Block; 8]; 5] {
    let bytes = sample(5 * 8 * 16);
    let mut blocks = bytes.as_chunks::<16>().0.iter().map(|block| Block::new(*block));
    core::array::from_fn(|_| core::array::from_fn(|_| blocks.next().expect("as many as there are")))
}
