//! Rows of this repository's own code for counts of instructions: ordinary loops, trees that are annotated at several places, kernels.
//! Compiled with `benches/src/case.rs` as `case`, and the sources of the loops as `ordinary`.

use std::hint::black_box;

use simd_crypto::chacha20::ChaCha20;
use simd_crypto::gf::{Field, Gf8, Gf128};
use simd_crypto::haraka::{haraka256, haraka256_many, haraka512, haraka512_many};

use crate::case::{Case, Lines, sample};
use crate::ordinary::fft::Transform;
use crate::ordinary::{base64, bits, blur, crc, floats, grey, hex, histogram, matrix, search, utf8};

const BYTES: usize = 4096;
const SIDE: usize = 32;

/// A row that runs `work` on `state`.
fn row<S: 'static, R: 'static>(cases: &mut Vec<Case>, name: &'static str, state: fn() -> S, work: fn(&mut S) -> R) {
    cases.push(Case::new("own", name, "simd-core", move || {
        let mut state = state();
        move || {
            black_box(work(black_box(&mut state)));
        }
    }));
}

pub fn add(cases: &mut Vec<Case>) {
    loops(cases);
    kernels(cases);
}

fn loops(cases: &mut Vec<Case>) {
    row(cases, "sum", || numbers(1), |x| floats::annotated::sum(x));
    row(cases, "dot product", || (numbers(1), numbers(2)), |(x, y)| floats::annotated::dot(x, y));
    row(cases, "saxpy", || (numbers(1), numbers(2)), |(x, y)| floats::annotated::saxpy(black_box(1.5), x, y));
    row(cases, "histogram", || sample(BYTES), |bytes| histogram::annotated::histogram(bytes));
    row(cases, "grey scale", || (sample(3 * BYTES), sample(BYTES)), |(x, y)| grey::annotated::grey(x.as_chunks().0, y));
    row(cases, "box blur", || (sample(BYTES), sample(BYTES)), |(x, y)| blur::annotated::blur(x, black_box(64), y));
    row(cases, "UTF-8 check", || "letters, and a price in €. ".repeat(150), |text| utf8::annotated::is_utf8(text.as_bytes()));
    row(cases, "base64", || (sample(BYTES / 4 * 3), sample(BYTES)), |(x, y)| base64::annotated::encode(x, y));
    row(cases, "hex", || (sample(BYTES), sample(2 * BYTES)), |(x, y)| hex::annotated::encode(x, y));
    row(cases, "CRC-32", || sample(BYTES), |bytes| crc::annotated::crc32(bytes));
    row(cases, "bit unpacking", packed, |(x, y)| bits::annotated::unpack(x.as_chunks().0, y.as_chunks_mut().0));
    row(cases, "delta unpacking", packed, |(x, y)| bits::annotated::unpack_sorted(x.as_chunks().0, y.as_chunks_mut().0));
    let matrices = || [1, 2, 3].map(numbers);
    row(cases, "matrix product", matrices, |[a, b, c]| matrix::annotated::product(black_box(SIDE), a, b, c));
    row(cases, "FFT", || Transform::new(256), |transform| crate::ordinary::fft::annotated::forward(transform));
    row(cases, "byte search", || vec![0_u8; BYTES], |bytes| search::annotated::find(1, bytes));
}

fn kernels(cases: &mut Vec<Case>) {
    row(cases, "Haraka-512", || [7_u8; 64], |message| haraka512::<5>(message));
    row(cases, "Haraka-256", || [7_u8; 32], |message| haraka256::<5>(message));
    row(cases, "Haraka-512, many", || ([[7_u8; 64]; 32], [[0_u8; 32]; 32]), |(x, y)| haraka512_many::<5>(x, y));
    row(cases, "Haraka-256, many", || ([[7_u8; 32]; 32], [[0_u8; 32]; 32]), |(x, y)| haraka256_many::<5>(x, y));
    row(cases, "ChaCha20, 64 bytes", || stream(64), |(cipher, data)| {
        cipher.set_position(0).expect("the start is in the key stream");
        cipher.xor_keystream(data)
    });
    row(cases, "ChaCha20, 4 KiB", || stream(BYTES), |(cipher, data)| {
        cipher.set_position(0).expect("the start is in the key stream");
        cipher.xor_keystream(data)
    });
    row(cases, "GF(2^8), products", || [element::<Gf8>(5); 64], |x| x.iter().fold(element::<Gf8>(3), |a, b| a * *b));
    row(cases, "GF(2^128), products", || [element::<Gf128>(5); 64], |x| {
        x.iter().fold(element::<Gf128>(3), |a, b| a * *b)
    });
    row(cases, "GF(2^128), inverse", || element::<Gf128>(5), |x| x.invert());
}

fn numbers(seed: u8) -> Lines<f32> {
    Lines::new(&sample(SIDE * SIDE).iter().map(|byte| f32::from(byte ^ seed) / 256.0).collect::<Vec<_>>())
}

fn packed() -> (Vec<u32>, Vec<u32>) {
    (vec![0x1234_5678; 4 * bits::WORDS], vec![0; 4 * bits::BLOCK])
}

fn stream(bytes: usize) -> (ChaCha20, Lines<u8>) {
    (ChaCha20::from_key_and_nonce(b"a key of two and thirty bytes ..", b"twelve bytes"), sample(bytes))
}

fn element<F: Field>(word: u64) -> F {
    F::from_word(word).expect("a small one")
}
