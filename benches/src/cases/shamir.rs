//! Shamir's secret sharing over GF(2^8), each crate with the generator that it recommends.
#![allow(clippy::inline_always, reason = "one loop is compiled for callers of two kinds")]

use super::{FROM_PLAIN_CODE, OURS};
use crate::case::{Case, Lines, length, sample};
use core::hint::black_box;
use simd_core::dispatch;
use simd_crypto::shamir::{Combiner, Scheme, seeded_rng};

pub(super) fn add(cases: &mut Vec<Case>) {
    for (size, threshold, shares) in [(32, 3, 5), (32, 10, 20), (1024, 3, 5), (1 << 20, 3, 5), (1 << 20, 10, 20)] {
        let work = |what| format!("{what} {}, {threshold} of {shares}", length(size));
        let mut add = |by, split: Option<Run>, recover: Option<Run>| {
            for (what, run) in [("split", split), ("recover", recover)] {
                if let Some(run) = run {
                    let prepare = move || {
                        let mut run = run(size, threshold, shares);
                        move || run()
                    };
                    cases.push(Case::new("Shamir", work(what), by, prepare).bytes(size));
                }
            }
        };
        add(OURS, Some(ours_split), Some(ours_recover));
        if size <= 1024 {
            add(FROM_PLAIN_CODE, None, Some(ours_recover_from_plain_code));
        }
        add("vsss-rs", Some(vsss_split), Some(vsss_recover));
        add("blahaj", Some(blahaj_split), Some(blahaj_recover));
        add("sharks", Some(sharks_split), Some(sharks_recover));
        add("gf256", Some(gf256_split), Some(gf256_recover));
        if size == 32 {
            add("shamirsecretsharing", Some(dsprenkels_split), Some(dsprenkels_recover));
        }
    }
}

type Run = fn(usize, u8, u8) -> Box<dyn FnMut()>;

pub(super) fn ours_split(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let mut rng = seeded_rng().expect("the operating system has randomness");
    let scheme = Scheme::compact(threshold.into(), shares.into()).expect("valid numbers");
    let mut rows = vec![sample(size); shares.into()];
    Box::new(move || {
        scheme.split_into(black_box(&secret), &mut rows, &mut rng).expect("as long as the secret");
        black_box(&mut rows);
    })
}

pub(super) fn ours_recover(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    ours_recover_by(combine, size, threshold, shares)
}

fn ours_recover_from_plain_code(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    ours_recover_by(combine_calls, size, threshold, shares)
}

/// As the library's own code would.
#[dispatch(targets = "avx512bw,avx512vl,gfni | avx2,gfni | avx2 | ssse3")]
fn combine(points: &[u8], rows: &[Lines<u8>], out: &mut [u8]) {
    combine_calls(points, rows, out);
}

#[inline(always)]
fn combine_calls(points: &[u8], rows: &[Lines<u8>], out: &mut [u8]) {
    let combiner = Combiner::new(points).expect("distinct points");
    combiner.combine_into(rows, out).expect("as long as the shares");
}

fn ours_recover_by(
    combine: fn(&[u8], &[Lines<u8>], &mut [u8]),
    size: usize,
    threshold: u8,
    shares: u8,
) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let mut rng = seeded_rng().expect("the operating system has randomness");
    let scheme = Scheme::compact(threshold.into(), shares.into()).expect("valid numbers");
    let mut rows = vec![sample(size); shares.into()];
    scheme.split_into(&secret, &mut rows, &mut rng).expect("as long as the secret");
    rows.truncate(threshold.into());
    let points = scheme.points()[..usize::from(threshold)].to_vec();
    let mut out = sample(size);
    out.fill(0);
    Box::new(move || {
        combine(black_box(&points), black_box(&rows), black_box(&mut out));
        assert_eq!(out.last(), secret.last());
    })
}

fn vsss_split(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let mut rng = rand::rng();
    Box::new(move || {
        let shares = vsss_rs::Gf256::split_bytes(threshold.into(), shares.into(), black_box(&secret), &mut rng);
        black_box(shares.expect("valid numbers"));
    })
}

fn vsss_recover(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let shares = vsss_rs::Gf256::split_bytes(threshold.into(), shares.into(), &secret, rand::rng()).expect("valid");
    Box::new(move || {
        let shares = black_box(&shares[..usize::from(threshold)]);
        assert_eq!(vsss_rs::Gf256::combine_bytes(shares).expect("valid shares").last(), secret.last());
    })
}

fn blahaj_split(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    Box::new(move || {
        let dealer = blahaj::Sharks(threshold).dealer(black_box(&secret));
        black_box(dealer.take(shares.into()).collect::<Vec<blahaj::Share>>());
    })
}

fn blahaj_recover(size: usize, threshold: u8, _: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let shares: Vec<blahaj::Share> = blahaj::Sharks(threshold).dealer(&secret).take(threshold.into()).collect();
    Box::new(move || {
        assert_eq!(blahaj::Sharks(threshold).recover(black_box(&shares)).expect("valid shares").last(), secret.last());
    })
}

fn sharks_split(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    Box::new(move || {
        let dealer = sharks::Sharks(threshold).dealer(black_box(&secret));
        black_box(dealer.take(shares.into()).collect::<Vec<sharks::Share>>());
    })
}

fn sharks_recover(size: usize, threshold: u8, _: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let shares: Vec<sharks::Share> = sharks::Sharks(threshold).dealer(&secret).take(threshold.into()).collect();
    Box::new(move || {
        assert_eq!(sharks::Sharks(threshold).recover(black_box(&shares)).expect("valid shares").last(), secret.last());
    })
}

fn gf256_split(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    Box::new(move || {
        black_box(gf256::shamir::shamir::generate(black_box(&secret), shares.into(), threshold.into()));
    })
}

fn gf256_recover(size: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let secret = sample(size);
    let shares = gf256::shamir::shamir::generate(&secret, shares.into(), threshold.into());
    Box::new(move || {
        let shares = black_box(&shares[..usize::from(threshold)]);
        assert_eq!(gf256::shamir::shamir::reconstruct(shares).last(), secret.last());
    })
}

fn dsprenkels_split(_: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let key = sample(32);
    Box::new(move || {
        let shares = shamirsecretsharing::hazmat::create_keyshares(black_box(&key), shares, threshold);
        black_box(shares.expect("valid numbers"));
    })
}

fn dsprenkels_recover(_: usize, threshold: u8, shares: u8) -> Box<dyn FnMut()> {
    let key = sample(32);
    let shares = shamirsecretsharing::hazmat::create_keyshares(&key, shares, threshold).expect("valid numbers");
    Box::new(move || {
        let shares = black_box(&shares[..usize::from(threshold)]);
        assert_eq!(shamirsecretsharing::hazmat::combine_keyshares(shares).expect("valid shares").last(), key.last());
    })
}
