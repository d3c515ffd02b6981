//! What `docs/migration.md` shows: code from the field, before and after, which must do the same.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::inline_always, reason = "that is what such code has to say without the attribute")]

use simd_core::testing::each_target;

/// The items in a block of the page, counted from 0. The build script takes them out of it.
macro_rules! part {
    ($number:literal) => {
        include!(concat!(env!("OUT_DIR"), "/migration/", $number, ".rs"));
    };
}

mod detected_before {
    part!(0);
}

mod detected_after {
    part!(1);
}

#[test]
#[each_target("avx2")]
fn from_detection() {
    let bytes: Vec<u8> = (0..1000_u32).map(|i| (i * i / 7) as u8).collect();
    for wanted in 0..=255 {
        assert_eq!(detected_after::count(&bytes, wanted), detected_before::count(&bytes, wanted));
    }
}

mod intrinsics_before {
    part!(2);
}

mod intrinsics_after {
    part!(3);
}

#[test]
#[each_target("pclmulqdq")]
fn from_intrinsics() {
    let a: Vec<u64> = (1..50_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let b: Vec<u64> = a.iter().rev().map(|a| a.rotate_left(9)).collect();
    assert_eq!(intrinsics_after::sum_of_products(&a, &b), intrinsics_before::sum_of_products(&a, &b));
    assert_eq!(intrinsics_after::sum_of_products(&[3], &[7]), 9);
}

mod intrinsics_kept {
    part!(4);
}

#[test]
#[each_target("avx2")]
fn from_functions_that_are_kept() {
    let text = b"the same letters, and others: eeee".repeat(5);
    assert_eq!(intrinsics_kept::count(&text, b'e'), detected_before::count(&text, b'e'));
    assert_eq!(intrinsics_kept::count(&text, b'x'), 0);
}

mod cpufeatures_before {
    part!(5);
}

mod cpufeatures_after {
    part!(6);
}

#[test]
#[each_target("popcnt")]
fn from_cpufeatures() {
    let mut before = cpufeatures_before::Counter::new();
    let mut after = cpufeatures_after::Counter::new();
    for words in [&[1, 3, 7, u64::MAX][..], &[], &[0x5555_5555_5555_5555; 33]] {
        before.update(words);
        after.update(words);
    }
    assert_eq!(after.bits(), 1 + 2 + 3 + 64 + 33 * 32);
    assert_eq!(after.bits(), before.bits());
}

mod multiversion_before {
    part!(7);
}

mod multiversion_after {
    part!(8);
}

mod multiversion_list {
    part!(9);

    #[multiversion::multiversion(targets = "simd")]
    pub fn scale_before(xs: &mut [f32], by: f32) {
        xs.iter_mut().for_each(|x| *x *= by);
    }

    pub fn chosen() -> String {
        lists::simd.chosen().to_string()
    }
}

#[test]
#[each_target("x86-64-v4 | x86-64-v3 | x86-64-v2")]
fn from_the_list_of_multiversion() {
    let xs: Vec<f32> = (0..100).map(|x| x as f32 / 3.0).collect();
    let (mut before, mut after) = (xs.clone(), xs);
    multiversion_list::scale_before(&mut before, 1.1);
    multiversion_list::scale(&mut after, 1.1);
    assert_eq!(after, before);
    for level in ["x86-64-v4", "x86-64-v3", "x86-64-v2"] {
        if multiversion_list::chosen() == level {
            return;
        }
    }
    assert_eq!(multiversion_list::chosen(), "baseline");
    assert!(!simd_core::detected!("x86-64-v2"));
}

/// Whether the environment leaves to dispatched functions what the other crates find themselves.
fn unlimited() -> bool {
    simd_core::detected!("avx2,fma") == (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
}

#[test]
#[each_target("avx2,fma | sse4.1")]
fn from_multiversion() {
    let coefficients = [1.0, -0.3, 0.7, -1.9];
    let xs: Vec<f64> = (0..40).map(|i| f64::from(i) / 7.0).collect();
    let (mut before, mut after) = (xs.clone(), xs.clone());
    multiversion_before::evaluate(&coefficients, &mut before);
    multiversion_after::evaluate(&coefficients, &mut after);
    for (before, after) in before.iter().zip(&after) {
        assert!((before - after).abs() <= 1e-12 * before.abs());
    }
    if unlimited() {
        assert_eq!(bits(&after), bits(&before));
    }
}

/// With FMA a product is not rounded before the sum: clones may differ in the last bits.
#[test]
#[each_target("avx2,fma | sse4.1")]
fn clones_round_as_their_code_does() {
    let x = 1.0 + f64::from(2.0_f32.powi(-30));
    let fused = x.mul_add(x, -1.0);
    let separate = x * x - 1.0;
    assert_ne!(fused.to_bits(), separate.to_bits());
    let mut xs = [x];
    multiversion_after::evaluate(&[-1.0, 0.0, 1.0], &mut xs);
    let expected = if simd_core::detected!("avx2,fma") { fused } else { separate };
    assert_eq!(xs[0].to_bits(), expected.to_bits());
}

/// Without `mul_add` in the source no clone fuses: the features by themselves change no result.
#[test]
#[each_target("avx2,fma")]
fn features_alone_change_no_result() {
    #[simd_core::dispatch(targets = "avx2,fma")]
    fn square_less_one(x: f64) -> f64 {
        x * x - 1.0
    }

    let x = 1.0 + f64::from(2.0_f32.powi(-30));
    assert_eq!(square_less_one(x).to_bits(), (x * x - 1.0).to_bits());
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

mod pulp_after {
    part!(10);
}

#[test]
#[each_target("x86-64-v4 | x86-64-v3")]
fn from_pulp() {
    let xs: Vec<f32> = (0..1000).map(|x| x as f32).collect();
    for length in [0, 1, 15, 16, 17, 1000] {
        assert_eq!(pulp_after::sum(&xs[..length]), xs[..length].iter().sum::<f32>());
    }
}

mod table_before {
    part!(11);
}

mod table_after {
    part!(12);
}

#[test]
#[each_target("avx2")]
fn from_tables() {
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let before = table_before::choose_checksum()(&bytes);
    assert_eq!(before, bytes.iter().map(|&byte| u32::from(byte)).sum());
    assert_eq!(table_after::checksum(&bytes), before);
    assert_eq!(table_after::choose_checksum()(&bytes), before);
}
