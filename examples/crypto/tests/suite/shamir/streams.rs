use super::super::memory::{left_behind, peak};
use super::{rng, secret};
use simd_core::testing::each_target;
use simd_crypto::shamir::{ByteShare, Combiner, Scheme, combine};
use std::io::{self, ErrorKind, Read, Write};

/// Gives a few bytes at a time, and is interrupted now and then.
struct Slow<'a> {
    rest: &'a [u8],
    calls: usize,
}

impl<'a> Slow<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self { rest, calls: 0 }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let length = bytes.len().min(1 + self.calls * 997 % 5000);
        self.rest.read(&mut bytes[..length])
    }
}

/// Shares of a stream are shares of the whole, and the whole's shares can be read as streams.
fn check(threshold: usize, shares: usize, length: usize) {
    let scheme = Scheme::compact(threshold, shares).unwrap();
    let used: Vec<u8> = (2..).take(threshold).collect();
    let secret = secret(length);
    let mut streams = vec![vec![]; shares];
    let total = scheme.split_stream(Slow::new(&secret), &mut streams, &mut rng(1)).unwrap();
    assert_eq!(total, length as u64);
    assert!(streams.iter().all(|stream| stream.len() == length));
    let whole: Vec<_> = used.iter().map(|x| ByteShare::new(*x, streams[usize::from(*x) - 1].clone())).collect();
    assert!(*combine(&whole).unwrap() == secret, "{threshold} of {shares}, {length} bytes");

    let whole = scheme.split(&secret, &mut rng(2));
    let mut readers: Vec<_> = used.iter().map(|x| Slow::new(whole[usize::from(*x) - 1].data())).collect();
    let mut out = vec![];
    let total = Combiner::new(&used).unwrap().combine_stream(&mut readers, &mut out).unwrap();
    assert_eq!(total, length as u64);
    assert!(out == secret, "{threshold} of {shares}, {length} bytes");
}

#[test]
#[each_target(crate::every)]
fn streams_equal_wholes() {
    for length in [0, 1, 1000, 10_000] {
        check(2, 3, length);
        check(18, 20, length / 10);
    }
}

/// Nothing of the pieces is left, wherever a stream ends.
#[test]
#[each_target(crate::every)]
fn pieces_are_wiped() {
    let secret = b"\x91secret\x92".repeat(20_000);
    let left = left_behind(*b"\x91secret\x92", || {
        // The caller's buffers have room, or they would be moved and leave what was in them.
        let mut shares = [(); 2].map(|()| Vec::with_capacity(secret.len()));
        Scheme::compact(2, 2).unwrap().split_stream(&secret[..], &mut shares, &mut rng(3)).unwrap();
        let [a, b] = &shares;
        Combiner::new(&[1, 2]).unwrap().combine_stream(&mut [&a[..], b], io::sink()).unwrap();
        assert!(Combiner::new(&[1, 2]).unwrap().combine_stream(&mut [&a[..], &b[1..]], io::sink()).is_err());
    });
    assert_eq!(left, 0, "blocks were freed with the secret in them");
}

mod once {
    use super::{Combiner, Read, Scheme, Write, check, io, peak, rng};

    /// Lengths around those of pieces: 128 KiB for a few shares, 16 KiB for 255.
    #[test]
    fn whole_pieces() {
        for length in [131_071, 131_072, 131_073] {
            check(2, 3, length);
        }
        check(20, 21, 131_072);
        check(17, 255, 16_384);
    }

    /// Adds up to `value` what is written at places that count differently.
    #[derive(Default)]
    struct Checksum {
        value: u64,
    }

    impl Write for Checksum {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let add = |sum: u64, byte: &u8| sum.wrapping_mul(0x100_0193) ^ u64::from(*byte);
            self.value = bytes.iter().step_by(61).fold(self.value, add);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What splitting and combining take beyond the streams: the same for any length, and below 5 MiB.
    #[test]
    fn memory_is_bounded() {
        for (threshold, shares, lengths) in [(2, 3, [1 << 19, 4 << 20]), (2, 255, [1 << 15, 1 << 16])] {
            let scheme = Scheme::compact(threshold, shares).unwrap();
            let split = lengths.map(|length| {
                let mut sums: Vec<_> = (0..shares).map(|_| Checksum::default()).collect();
                peak(|| {
                    let total = scheme.split_stream(io::repeat(7).take(length), &mut sums, &mut rng(1)).unwrap();
                    assert_eq!(total, length);
                    assert_ne!(sums[0].value, sums[1].value);
                })
            });
            assert!(split[0] == split[1] && split[1] < 5 << 20, "{split:?} bytes to split {lengths:?}");
            let combined = lengths.map(|length| {
                let mut readers: Vec<_> = (1..=shares as u8).map(|byte| io::repeat(byte).take(length)).collect();
                let combiner = Combiner::new(scheme.points()).unwrap();
                peak(|| assert_eq!(combiner.combine_stream(&mut readers, io::sink()).unwrap(), length))
            });
            assert!(combined[0] == combined[1] && combined[1] < 5 << 20, "{combined:?} bytes to combine {lengths:?}");
        }
    }
}
