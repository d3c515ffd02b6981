//! Every ordinary loop gives the same on each target as without the attribute, and as the crate that it is compared with.

use base64_simd::AsOut as _;
use benches::case::sample;
use benches::ordinary::bits::{BITS, BLOCK, WORDS};
use benches::ordinary::fft::Transform;
use benches::ordinary::{base64, bits, blur, crc, fft, floats, grey, hex, histogram, matrix, search, utf8};
use bitpacking::{BitPacker as _, BitPacker8x};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;
use simd_core::testing::each_target;

/// Lengths on both sides of every chunk in the sources, and longer ones.
fn lengths() -> impl Iterator<Item = usize> {
    (0..200).chain([255, 256, 257, 1000, 4096])
}

fn bytes(length: usize) -> Vec<u8> {
    sample(length + 1)[..length].to_vec()
}

/// Numbers between -1 and 1 of which no sums are exact.
fn numbers(length: usize, seed: u8) -> Vec<f32> {
    bytes(length).iter().map(|byte| (f32::from(*byte ^ seed) - 127.3) / 128.7).collect()
}

#[track_caller]
fn assert_near(a: &[f32], b: &[f32], tolerance: f32) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance, "{a} and {b}");
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn sums_and_products_of_floats() {
    for length in lengths() {
        let (a, b) = (numbers(length, 1), numbers(length, 2));
        let exact = |products: &mut dyn Iterator<Item = f64>| products.sum::<f64>() as f32;
        let sum = floats::annotated::sum(&a);
        assert_eq!(sum.to_bits(), floats::plain::sum(&a).to_bits());
        assert_near(&[sum], &[exact(&mut a.iter().map(|a| f64::from(*a)))], 1e-3);
        let dot = floats::annotated::dot(&a, &b);
        assert_eq!(dot.to_bits(), floats::plain::dot(&a, &b).to_bits());
        assert_near(&[dot], &[exact(&mut a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)))], 1e-3);
        let (mut here, mut plain) = (b.clone(), b.clone());
        floats::annotated::saxpy(1.7, &a, &mut here);
        floats::plain::saxpy(1.7, &a, &mut plain);
        assert_eq!(here, plain);
        let one_by_one: Vec<f32> = a.iter().zip(&b).map(|(a, b)| b + 1.7 * a).collect();
        assert_near(&here, &one_by_one, 1e-6);
        assert_eq!(floats::fearless::sum(&a).to_bits(), sum.to_bits());
        assert_eq!(floats::with_pulp::sum(&a).to_bits(), sum.to_bits());
        assert_eq!(floats::fearless::dot(&a, &b).to_bits(), dot.to_bits());
        assert_eq!(floats::with_pulp::dot(&a, &b).to_bits(), dot.to_bits());
        for saxpy in [floats::fearless::saxpy, floats::with_pulp::saxpy] {
            let mut peer = b.clone();
            saxpy(1.7, &a, &mut peer);
            assert_eq!(peer, here);
        }
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn histograms() {
    for length in lengths() {
        let bytes = bytes(length);
        let counts = histogram::annotated::histogram(&bytes);
        assert_eq!(counts, histogram::plain::histogram(&bytes));
        assert_eq!(counts, histogram::fearless::histogram(&bytes));
        assert_eq!(counts, histogram::with_pulp::histogram(&bytes));
        for (byte, count) in (0..=255).zip(counts) {
            assert_eq!(count, bytes.iter().map(|other| u32::from(*other == byte)).sum::<u32>());
        }
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn images() {
    for length in lengths() {
        let pixels = bytes(3 * length);
        let pixels = pixels.as_chunks().0;
        let mut here = vec![0; length];
        grey::annotated::grey(pixels, &mut here);
        for grey in [grey::plain::grey, grey::fearless::grey, grey::with_pulp::grey] {
            let mut other = vec![0; length];
            grey(pixels, &mut other);
            assert_eq!(here, other);
        }
        let one = |[r, g, b]: &[u8; 3]| ((77 * u32::from(*r) + 150 * u32::from(*g) + 29 * u32::from(*b)) / 256) as u8;
        assert_eq!(here, pixels.iter().map(one).collect::<Vec<_>>());
    }
    for (width, height) in [(3, 3), (5, 4), (64, 3), (97, 20)] {
        let pixels = bytes(width * height);
        let mut here = pixels.clone();
        blur::annotated::blur(&pixels, width, &mut here);
        for blur in [blur::plain::blur, blur::fearless::blur, blur::with_pulp::blur] {
            let mut other = pixels.clone();
            blur(&pixels, width, &mut other);
            assert_eq!(here, other);
        }
        for (y, x) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (y, x))) {
            let row = |y: usize| pixels[y * width + x - 1..][..3].iter().map(|pixel| u32::from(*pixel)).sum::<u32>();
            let sum = row(y - 1) + row(y) + row(y + 1);
            assert_eq!(u32::from(here[y * width + x]), (2 * sum + 9) / 18, "at {x}, {y}");
        }
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn utf8_as_the_standard_library_and_the_peer() {
    let check = |text: &[u8]| {
        let expected = core::str::from_utf8(text).is_ok();
        assert_eq!(utf8::annotated::is_utf8(text), expected, "{text:x?}");
        assert_eq!(utf8::plain::is_utf8(text), expected, "{text:x?}");
        assert_eq!(simdutf8::basic::from_utf8(text).is_ok(), expected, "{text:x?}");
    };
    // Each pair of first bytes, with all that the others may be at their limits, and cut short.
    let others = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
    for first in 0x7f..=0xff {
        for (second, third) in others.iter().flat_map(|second| others.map(|third| (*second, third))) {
            for (length, before) in (1..=4).flat_map(|length| [0, 3, 61, 62, 64].map(|before| (length, before))) {
                let mut text = vec![b'a'; before];
                text.extend(&[first, second, third, 0x80][..length]);
                check(&text);
                text.extend([b'b'; 70]);
                check(&text);
            }
        }
    }
    for length in lengths() {
        check(&bytes(length));
        check("aé€𝄞".repeat(40).as_bytes().get(..length).unwrap_or_default());
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn text_encodings_as_the_peers() {
    for length in lengths().map(|length| 3 * length) {
        // Each byte, and each group of six bits.
        let bytes: Vec<u8> = bytes(length).iter().zip(0..).map(|(byte, i): (_, u32)| byte ^ i as u8).collect();
        let [mut here, mut plain, mut peer] =
            [const { Vec::new() }; 3].map(|text: Vec<u8>| (text, vec![0; length / 3 * 4]).1);
        base64::annotated::encode(&bytes, &mut here);
        base64::plain::encode(&bytes, &mut plain);
        let _ = base64_simd::STANDARD.encode(&bytes, peer.as_out());
        assert_eq!((&here, &plain), (&peer, &peer));
        let [mut here, mut plain, mut peer] = [vec![0; 2 * length], vec![0; 2 * length], vec![0; 2 * length]];
        hex::annotated::encode(&bytes, &mut here);
        hex::plain::encode(&bytes, &mut plain);
        let _ = hex_simd::encode(&bytes, peer.as_out(), hex_simd::AsciiCase::Lower);
        assert_eq!((&here, &plain), (&peer, &peer));
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn checksums_as_the_peer() {
    for length in lengths() {
        let bytes = bytes(length);
        let expected = crc32fast::hash(&bytes);
        assert_eq!((crc::annotated::crc32(&bytes), crc::plain::crc32(&bytes)), (expected, expected));
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn integers_that_the_peer_has_packed() {
    let peer = BitPacker8x::new();
    let blocks = 5;
    let values: Vec<u32> = bytes(2 * blocks * BLOCK)
        .as_chunks()
        .0
        .iter()
        .map(|two| u32::from(u16::from_le_bytes(*two)) >> (16 - BITS))
        .collect();
    let sums: Vec<u32> = values
        .iter()
        .scan(0, |sum, value| {
            *sum += value;
            Some(*sum)
        })
        .collect();
    for (sorted, values) in [(false, values), (true, sums)] {
        let (mut packed, mut last) = (Vec::new(), 0);
        for block in values.chunks_exact(BLOCK) {
            let mut bytes = [0; WORDS * 4];
            if sorted {
                peer.compress_sorted(last, block, &mut bytes, BITS as u8);
                last = block[BLOCK - 1];
            } else {
                peer.compress(block, &mut bytes, BITS as u8);
            }
            packed.extend(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)));
        }
        let [mut here, mut plain] = [vec![0; values.len()], vec![0; values.len()]];
        let packed = packed.as_chunks().0;
        if sorted {
            bits::annotated::unpack_sorted(packed, here.as_chunks_mut().0);
            bits::plain::unpack_sorted(packed, plain.as_chunks_mut().0);
        } else {
            bits::annotated::unpack(packed, here.as_chunks_mut().0);
            bits::plain::unpack(packed, plain.as_chunks_mut().0);
        }
        assert_eq!((&here, &plain), (&values, &values));
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
#[allow(unsafe_code, reason = "a peer's function takes pointers")]
fn matrix_products_as_the_peer() {
    for size in [16, 48, 64] {
        let [a, b] = [numbers(size * size, 1), numbers(size * size, 2)];
        let [mut here, mut plain, mut peer] = [vec![9.0; size * size], vec![9.0; size * size], vec![9.0; size * size]];
        matrix::annotated::product(size, &a, &b, &mut here);
        matrix::plain::product(size, &a, &b, &mut plain);
        let (a, b, c, row) = (a.as_ptr(), b.as_ptr(), peer.as_mut_ptr(), size.cast_signed());
        // SAFETY: all three have as many rows and columns.
        unsafe { matrixmultiply::sgemm(size, size, size, 1.0, a, row, 1, b, row, 1, 0.0, c, row, 1) };
        assert_eq!(here, plain);
        assert_near(&here, &peer, 1e-4);
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn transforms_as_the_peer() {
    for size in [32, 64, 128, 1024] {
        let (real, imaginary) = (numbers(size, 1), numbers(size, 2));
        let mut here = Transform::new(size);
        here.real.copy_from_slice(&real);
        here.imaginary.copy_from_slice(&imaginary);
        let mut plain = here.clone();
        fft::annotated::forward(&mut here);
        fft::plain::forward(&mut plain);
        assert_eq!((&here.real, &here.imaginary), (&plain.real, &plain.imaginary));
        let mut peer: Vec<_> = real.iter().zip(&imaginary).map(|(re, im)| Complex { re: *re, im: *im }).collect();
        FftPlanner::new().plan_fft_forward(size).process(&mut peer);
        assert_near(&here.real, &peer.iter().map(|number| number.re).collect::<Vec<_>>(), 1e-3);
        assert_near(&here.imaginary, &peer.iter().map(|number| number.im).collect::<Vec<_>>(), 1e-3);
    }
}

#[test]
#[each_target(benches::ordinary::levels)]
fn searches_as_the_peer() {
    for length in lengths() {
        for place in 0..=length {
            let mut bytes = vec![7; length];
            if let Some(byte) = bytes.get_mut(place) {
                *byte = 1;
            }
            let expected = memchr::memchr(1, &bytes);
            assert_eq!(expected, (place < length).then_some(place));
            assert_eq!((search::annotated::find(1, &bytes), search::plain::find(1, &bytes)), (expected, expected));
        }
    }
}
