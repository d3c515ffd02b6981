//! Ordinary loops, as they stand and with the attribute, and the crate that a user would take instead.
#![allow(unsafe_code, reason = "a peer's function takes pointers")]

use super::{FEARLESS, OURS, PEER, PLAIN, PULP};
use crate::case::{Case, Lines, sample};
use crate::ordinary::bits::{BLOCK, WORDS};
use crate::ordinary::fft::Transform;
use crate::ordinary::{base64, bits, blur, crc, fft, floats, grey, hex, histogram, matrix, search, utf8};
use base64_simd::AsOut as _;
use bitpacking::{BitPacker as _, BitPacker8x};
use core::hint::black_box;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

const GROUP: &str = "loops";

const BYTES: usize = 16384;
/// Pixels in a row and rows of an image, rows of a matrix. It is hidden from the compiler where it is passed on: inlined for
/// one size, a loop is another one than users have.
const SIDE: usize = 128;

pub(super) fn add(cases: &mut Vec<Case>) {
    add_with_peers(cases);
    add_with_crates(cases);
}

fn add_with_peers(cases: &mut Vec<Case>) {
    let two = || (floats(1), floats(2));
    row(cases, "sum, 4096 floats", || floats(1))
        .by(PLAIN, |values| floats::plain::sum(values))
        .by(OURS, |values| floats::annotated::sum(values))
        .by(FEARLESS, |values| floats::fearless::sum(values))
        .by(PULP, |values| floats::with_pulp::sum(values));
    row(cases, "dot product, 4096 floats", two)
        .by(PLAIN, |(a, b)| floats::plain::dot(a, b))
        .by(OURS, |(a, b)| floats::annotated::dot(a, b))
        .by(FEARLESS, |(a, b)| floats::fearless::dot(a, b))
        .by(PULP, |(a, b)| floats::with_pulp::dot(a, b));
    row(cases, "saxpy, 4096 floats", two)
        .by(PLAIN, |(x, y)| floats::plain::saxpy(black_box(1.5), x, y))
        .by(OURS, |(x, y)| floats::annotated::saxpy(black_box(1.5), x, y))
        .by(FEARLESS, |(x, y)| floats::fearless::saxpy(black_box(1.5), x, y))
        .by(PULP, |(x, y)| floats::with_pulp::saxpy(black_box(1.5), x, y));
    row(cases, "histogram, 16 KiB", || sample(BYTES))
        .by(PLAIN, |bytes| histogram::plain::histogram(bytes))
        .by(OURS, |bytes| histogram::annotated::histogram(bytes))
        .by(FEARLESS, |bytes| histogram::fearless::histogram(bytes))
        .by(PULP, |bytes| histogram::with_pulp::histogram(bytes));
    row(cases, "grey scale, 128 x 128", || (sample(3 * BYTES), sample(BYTES)))
        .by(PLAIN, |(pixels, greys)| grey::plain::grey(pixels.as_chunks().0, greys))
        .by(OURS, |(pixels, greys)| grey::annotated::grey(pixels.as_chunks().0, greys))
        .by(FEARLESS, |(pixels, greys)| grey::fearless::grey(pixels.as_chunks().0, greys))
        .by(PULP, |(pixels, greys)| grey::with_pulp::grey(pixels.as_chunks().0, greys));
    row(cases, "box blur, 128 x 128", || (sample(BYTES), sample(BYTES)))
        .by(PLAIN, |(pixels, blurred)| blur::plain::blur(pixels, black_box(SIDE), blurred))
        .by(OURS, |(pixels, blurred)| blur::annotated::blur(pixels, black_box(SIDE), blurred))
        .by(FEARLESS, |(pixels, blurred)| blur::fearless::blur(pixels, black_box(SIDE), blurred))
        .by(PULP, |(pixels, blurred)| blur::with_pulp::blur(pixels, black_box(SIDE), blurred));
}

fn add_with_crates(cases: &mut Vec<Case>) {
    row(cases, "UTF-8 check, 16 KiB (simdutf8)", text)
        .by(PLAIN, |text| utf8::plain::is_utf8(text))
        .by(OURS, |text| utf8::annotated::is_utf8(text))
        .by(PEER, |text| simdutf8::basic::from_utf8(text).is_ok());
    row(cases, "base64, 12 KiB (base64-simd)", || (sample(BYTES / 4 * 3), sample(BYTES)))
        .by(PLAIN, |(bytes, text)| base64::plain::encode(bytes, text))
        .by(OURS, |(bytes, text)| base64::annotated::encode(bytes, text))
        .by(PEER, |(bytes, text)| base64_simd::STANDARD.encode(bytes, text.as_out()).len());
    row(cases, "hex, 16 KiB (hex-simd)", || (sample(BYTES), sample(2 * BYTES)))
        .by(PLAIN, |(bytes, text)| hex::plain::encode(bytes, text))
        .by(OURS, |(bytes, text)| hex::annotated::encode(bytes, text))
        .by(PEER, |(bytes, text)| hex_simd::encode(bytes, text.as_out(), hex_simd::AsciiCase::Lower).len());
    row(cases, "CRC-32, 16 KiB (crc32fast)", || sample(BYTES))
        .by(PLAIN, |bytes| crc::plain::crc32(bytes))
        .by(OURS, |bytes| crc::annotated::crc32(bytes))
        .by(PEER, |bytes| crc32fast::hash(bytes));
    row(cases, "bit unpacking, 4096 of 11 bits (bitpacking)", packed)
        .by(PLAIN, |packed| bits::plain::unpack(packed.words.as_chunks().0, packed.values.as_chunks_mut().0))
        .by(OURS, |packed| bits::annotated::unpack(packed.words.as_chunks().0, packed.values.as_chunks_mut().0))
        .by(PEER, |packed| {
            packed.each(|packer, bytes, values| {
                packer.decompress(bytes, values, bits::BITS as u8);
            });
        });
    row(cases, "delta unpacking, 4096 of 11 bits (bitpacking)", packed)
        .by(PLAIN, |packed| bits::plain::unpack_sorted(packed.words.as_chunks().0, packed.values.as_chunks_mut().0))
        .by(OURS, |packed| bits::annotated::unpack_sorted(packed.words.as_chunks().0, packed.values.as_chunks_mut().0))
        .by(PEER, |packed| {
            let mut last = 0;
            packed.each(|packer, bytes, values| {
                packer.decompress_sorted(last, bytes, values, bits::BITS as u8);
                last = values[BLOCK - 1];
            });
        });
    let matrices =
        || [floats(1), floats(2), floats(3)].map(|floats| Lines::new(&floats.repeat(SIDE * SIDE / floats.len())));
    row(cases, "matrix product, 128 x 128 (matrixmultiply)", matrices)
        .by(PLAIN, |[a, b, c]| matrix::plain::product(black_box(SIDE), a, b, c))
        .by(OURS, |[a, b, c]| matrix::annotated::product(black_box(SIDE), a, b, c))
        .by(PEER, |[a, b, c]| {
            let (a, b, c, row) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr(), SIDE.cast_signed());
            // SAFETY: all three have as many rows and columns.
            unsafe { matrixmultiply::sgemm(SIDE, SIDE, SIDE, 1.0, a, row, 1, b, row, 1, 0.0, c, row, 1) }
        });
    row(cases, "FFT of 1024 (rustfft)", Signal::new)
        .by(PLAIN, |signal| fft::plain::forward(signal.fresh()))
        .by(OURS, |signal| fft::annotated::forward(signal.fresh()))
        .by(PEER, |signal| {
            signal.numbers.copy_from_slice(&signal.start);
            signal.peer.process_with_scratch(&mut signal.numbers, &mut signal.scratch);
        });
    row(cases, "byte search, 16 KiB (memchr)", || vec![0u8; BYTES])
        .by(PLAIN, |bytes| search::plain::find(1, bytes))
        .by(OURS, |bytes| search::annotated::find(1, bytes))
        .by(PEER, |bytes| memchr::memchr(1, bytes));
}

/// The contenders of one row.
struct Row<'a, I> {
    cases: &'a mut Vec<Case>,
    work: &'static str,
    inputs: fn() -> I,
}

fn row<'a, I: 'static>(cases: &'a mut Vec<Case>, work: &'static str, inputs: fn() -> I) -> Row<'a, I> {
    Row { cases, work, inputs }
}

impl<I: 'static> Row<'_, I> {
    fn by<R: 'static>(self, by: &'static str, run: fn(&mut I) -> R) -> Self {
        let inputs = self.inputs;
        self.cases.push(Case::new(GROUP, self.work, by, move || {
            let mut inputs = inputs();
            move || {
                black_box(run(black_box(&mut inputs)));
            }
        }));
        self
    }
}

fn floats(seed: u8) -> Lines<f32> {
    let bytes = sample(BYTES / 4);
    Lines::new(&bytes.iter().map(|byte| f32::from(byte ^ seed) / 256.0).collect::<Vec<_>>())
}

/// Prose with a letter here and there that is not ASCII.
fn text() -> Vec<u8> {
    let sentences = "Most of what is written in this language, and markup and programs too, is of the plainest letters, each of \
        which is a byte of its own, so that whoever reads a text by bytes is right for a line, for a paragraph or even for a \
        page, and has no reason to doubt that it will go on like that until the end. Only once in a while a café or a price in \
        € shows that a letter may have more bytes than one, and then the reader has to look at each of them by itself. After \
        that, the next thousand letters are most likely of the plain kind again, as they are in this sentence, which has been \
        made long enough to show it. ";
    let mut text = sentences.repeat(BYTES / sentences.len() + 1);
    while text.len() > BYTES {
        text.pop();
    }
    text.into_bytes()
}

struct Packed {
    words: Lines<u32>,
    values: Lines<u32>,
    bytes: Lines<u8>,
    packer: BitPacker8x,
}

fn packed() -> Packed {
    let bytes = sample(BYTES / BLOCK / 4 * WORDS * 4);
    let words: Vec<u32> = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    Packed { words: Lines::new(&words), values: Lines::new(&[0; BYTES / 4]), bytes, packer: BitPacker8x::new() }
}

impl Packed {
    fn each(&mut self, mut unpack: impl FnMut(BitPacker8x, &[u8], &mut [u32])) {
        for (bytes, values) in self.bytes.chunks_exact(WORDS * 4).zip(self.values.chunks_exact_mut(BLOCK)) {
            unpack(self.packer, bytes, values);
        }
    }
}

struct Signal {
    start: Vec<Complex<f32>>,
    transform: Transform,
    begin: [Vec<f32>; 2],
    peer: std::sync::Arc<dyn rustfft::Fft<f32>>,
    numbers: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
}

impl Signal {
    fn new() -> Self {
        let size = 1024;
        let (real, imaginary) = (floats(1)[..size].to_vec(), floats(2)[..size].to_vec());
        let start: Vec<_> = real.iter().zip(&imaginary).map(|(re, im)| Complex { re: *re, im: *im }).collect();
        let peer = FftPlanner::new().plan_fft_forward(size);
        let scratch = vec![Complex::default(); peer.get_inplace_scratch_len()];
        let transform = Transform::new(size);
        Self { numbers: start.clone(), start, transform, begin: [real, imaginary], peer, scratch }
    }

    /// The numbers as they were. The copy is part of what is timed, for all the same, since they would grow.
    fn fresh(&mut self) -> &mut Transform {
        self.transform.real.copy_from_slice(&self.begin[0]);
        self.transform.imaginary.copy_from_slice(&self.begin[1]);
        &mut self.transform
    }
}
