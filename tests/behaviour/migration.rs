//! What `docs/migration.md` shows: code from the field, before and after, which must do the same.
//!
//! Each part between two lines of dashes stands in that page too; a test compares them.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::inline_always, reason = "that is what such code has to say without the attribute")]

use simd_core::testing::each_target;

/// What the page shows is what is tested here.
#[test]
fn the_page_quotes_this_file() {
    let page = include_str!("../../docs/migration.md");
    let mut parts = Vec::new();
    let mut part: Option<String> = None;
    for line in include_str!("migration.rs").lines() {
        match (line.trim().strip_prefix("// ----"), &mut part) {
            (Some(""), Some(_)) => parts.extend(part.take()),
            (Some(_), None) => part = Some(String::new()),
            (_, Some(part)) => {
                part.push_str(line.strip_prefix("    ").unwrap_or(line));
                part.push('\n');
            }
            _ => {}
        }
    }
    let mut blocks: Vec<&str> = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    blocks.retain(|block| !block.starts_with("// elsewhere\n"));
    assert_eq!(blocks, parts);
}

mod detected_before {
    // ---- detected before
    pub fn count(bytes: &[u8], wanted: u8) -> usize {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has AVX2.
            return unsafe { count_avx2(bytes, wanted) };
        }
        count_anywhere(bytes, wanted)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn count_avx2(bytes: &[u8], wanted: u8) -> usize {
        count_anywhere(bytes, wanted)
    }

    #[inline(always)] // or it would not have AVX2 inside `count_avx2`
    fn count_anywhere(bytes: &[u8], wanted: u8) -> usize {
        bytes.iter().filter(|&&byte| byte == wanted).count()
    }
    // ----
}

mod detected_after {
    // ---- detected after
    #[simd_core::dispatch(targets = "avx2")]
    pub fn count(bytes: &[u8], wanted: u8) -> usize {
        bytes.iter().filter(|&&byte| byte == wanted).count()
    }
    // ----
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
    // ---- intrinsics before
    #[cfg(target_arch = "x86_64")]
    use core::arch::x86_64::*;

    /// The sum, over all pairs, of the lower halves of the carry-less products.
    pub fn sum_of_products(a: &[u64], b: &[u64]) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("pclmulqdq") {
            // SAFETY: the CPU has PCLMULQDQ.
            return unsafe { sum_pclmulqdq(a, b) };
        }
        a.iter().zip(b).fold(0, |sum, (&a, &b)| sum ^ product_portable(a, b))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "pclmulqdq")]
    fn sum_pclmulqdq(a: &[u64], b: &[u64]) -> u64 {
        a.iter().zip(b).fold(0, |sum, (&a, &b)| sum ^ product_pclmulqdq(a, b))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "pclmulqdq")]
    fn product_pclmulqdq(a: u64, b: u64) -> u64 {
        let product = _mm_clmulepi64_si128(_mm_set_epi64x(0, a as i64), _mm_set_epi64x(0, b as i64), 0);
        _mm_cvtsi128_si64(product) as u64
    }

    fn product_portable(a: u64, b: u64) -> u64 {
        (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
    }
    // ----
}

mod intrinsics_after {
    // ---- intrinsics after
    #[simd_core::dispatch(targets = "pclmulqdq")]
    mod kernels {
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64::*;

        /// The sum, over all pairs, of the lower halves of the carry-less products.
        pub fn sum_of_products(a: &[u64], b: &[u64]) -> u64 {
            a.iter().zip(b).fold(0, |sum, (&a, &b)| sum ^ product(a, b))
        }

        #[cfg(all(target_arch = "x86_64", target_feature = "pclmulqdq"))]
        fn product(a: u64, b: u64) -> u64 {
            let product = _mm_clmulepi64_si128(_mm_set_epi64x(0, a as i64), _mm_set_epi64x(0, b as i64), 0);
            _mm_cvtsi128_si64(product) as u64
        }

        #[cfg(not(all(target_arch = "x86_64", target_feature = "pclmulqdq")))]
        fn product(a: u64, b: u64) -> u64 {
            (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
        }
    }
    pub use kernels::sum_of_products;
    // ----
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
    // ---- intrinsics kept
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn count_avx2(bytes: &[u8], wanted: u8) -> usize {
        use core::arch::x86_64::*;
        let (chunks, rest) = bytes.as_chunks::<32>();
        let counted = chunks.iter().fold(0, |count, chunk| {
            // SAFETY: the chunk has 32 bytes.
            let block = unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) };
            let equal = _mm256_cmpeq_epi8(block, _mm256_set1_epi8(wanted as i8));
            count + _mm256_movemask_epi8(equal).count_ones() as usize
        });
        counted + rest.iter().filter(|&&byte| byte == wanted).count()
    }

    #[simd_core::dispatch(targets = "avx2")]
    pub fn count(bytes: &[u8], wanted: u8) -> usize {
        simd_core::match_target! {
            "x86_64: avx2" => count_avx2(bytes, wanted),
            _ => bytes.iter().filter(|&&byte| byte == wanted).count(),
        }
    }
    // ----
}

#[test]
#[each_target("avx2")]
fn from_functions_that_are_kept() {
    let text = b"the same letters, and others: eeee".repeat(5);
    assert_eq!(intrinsics_kept::count(&text, b'e'), detected_before::count(&text, b'e'));
    assert_eq!(intrinsics_kept::count(&text, b'x'), 0);
}

mod cpufeatures_before {
    // ---- cpufeatures before
    cpufeatures::new!(has_popcnt, "popcnt");

    pub struct Counter {
        token: has_popcnt::InitToken,
        bits: u64,
    }

    impl Counter {
        pub fn new() -> Self {
            Self { token: has_popcnt::init(), bits: 0 }
        }

        pub fn update(&mut self, words: &[u64]) {
            if self.token.get() {
                // SAFETY: the token says that the CPU has POPCNT.
                unsafe { self.update_popcnt(words) }
            } else {
                self.update_anywhere(words);
            }
        }

        #[target_feature(enable = "popcnt")]
        fn update_popcnt(&mut self, words: &[u64]) {
            self.update_anywhere(words);
        }

        #[inline(always)]
        fn update_anywhere(&mut self, words: &[u64]) {
            self.bits += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }

        pub fn bits(&self) -> u64 {
            self.bits
        }
    }
    // ----
}

mod cpufeatures_after {
    // ---- cpufeatures after
    pub struct Counter {
        bits: u64,
    }

    #[simd_core::dispatch(targets = "popcnt")]
    impl Counter {
        pub fn new() -> Self {
            Self { bits: 0 }
        }

        pub fn update(&mut self, words: &[u64]) {
            self.bits += words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }

        pub fn bits(&self) -> u64 {
            self.bits
        }
    }
    // ----
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
    // ---- multiversion before
    use multiversion::{inherit_target, multiversion, target::target_cfg_f};

    #[multiversion(targets("x86_64+avx2+fma", "x86_64+sse4.1"))]
    pub fn evaluate(coefficients: &[f64], xs: &mut [f64]) {
        // A function outside would choose its clone again at each call.
        #[inherit_target]
        fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
            if target_cfg_f!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
        }

        for x in xs {
            *x = coefficients.iter().rev().fold(0.0, |sum, &c| multiply_add(sum, *x, c));
        }
    }
    // ----
}

mod multiversion_after {
    // ---- multiversion after
    #[simd_core::dispatch(targets = "x86_64: avx2,fma | x86_64: sse4.1")]
    mod kernels {
        pub fn evaluate(coefficients: &[f64], xs: &mut [f64]) {
            for x in xs {
                *x = coefficients.iter().rev().fold(0.0, |sum, &c| multiply_add(sum, *x, c));
            }
        }

        fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
            if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
        }
    }
    pub use kernels::evaluate;
    // ----
}

mod multiversion_list {
    // ---- multiversion list
    mod lists {
        simd_core::target_list! {
            /// The targets of `multiversion`'s `"simd"` on x86-64, AArch64 and LoongArch.
            pub(crate) simd = "x86-64-v4 | x86-64-v3 | x86-64-v2 | aarch64: sve2,fp16 | aarch64: sve,fp16 | lasx"
        }
    }

    #[simd_core::dispatch(targets = lists::simd)]
    pub fn scale(xs: &mut [f32], by: f32) {
        xs.iter_mut().for_each(|x| *x *= by);
    }
    // ----

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

mod archmage_before {
    // ---- archmage before
    use archmage::autoversion;

    pub trait Filter {
        fn apply(&self, row: &mut [u8]);
    }

    pub struct Blend {
        pub with: u8,
        pub alpha: u16,
    }

    impl Filter for Blend {
        #[autoversion(v3, neon, scalar, in_trait, _self = Blend)]
        fn apply(&self, row: &mut [u8]) {
            for pixel in row {
                *pixel = self.mix(*pixel);
            }
        }
    }

    impl Blend {
        #[inline(always)] // or it would not have the features of its caller
        fn mix(&self, pixel: u8) -> u8 {
            let (old, new) = (u16::from(pixel), u16::from(self.with));
            ((old * (256 - self.alpha) + new * self.alpha) >> 8) as u8
        }
    }
    // ----
}

mod archmage_after {
    // ---- archmage after
    use simd_core::dispatch;

    pub trait Filter {
        fn apply(&self, row: &mut [u8]);
    }

    pub struct Blend {
        pub with: u8,
        pub alpha: u16,
    }

    #[dispatch(targets = "x86-64-v3")]
    impl Filter for Blend {
        fn apply(&self, row: &mut [u8]) {
            for pixel in row {
                *pixel = self.mix(*pixel);
            }
        }
    }

    #[dispatch(targets = "x86-64-v3")]
    impl Blend {
        fn mix(&self, pixel: u8) -> u8 {
            let (old, new) = (u16::from(pixel), u16::from(self.with));
            ((old * (256 - self.alpha) + new * self.alpha) >> 8) as u8
        }
    }
    // ----
}

#[test]
#[each_target("x86_64: x86-64-v3")]
fn from_archmage() {
    use archmage_after::Filter as _;
    use archmage_before::Filter as _;

    let row: Vec<u8> = (0..=255).collect();
    for alpha in [0, 1, 100, 256] {
        let (mut before, mut after) = (row.clone(), row.clone());
        archmage_before::Blend { with: 77, alpha }.apply(&mut before);
        archmage_after::Blend { with: 77, alpha }.apply(&mut after);
        assert_eq!(after, before);
    }
}

mod pulp_after {
    // ---- pulp after
    #[simd_core::dispatch(targets = "x86-64-v4 | x86-64-v3")]
    pub fn sum(xs: &[f32]) -> f32 {
        let (chunks, rest) = xs.as_chunks::<16>();
        let mut lanes = [0.0; 16];
        for chunk in chunks {
            for (lane, x) in lanes.iter_mut().zip(chunk) {
                *lane += x;
            }
        }
        lanes.iter().chain(rest).sum()
    }
    // ----
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
    // ---- table before
    pub type Checksum = fn(&[u8]) -> u32;

    pub fn choose_checksum() -> Checksum {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the CPU has AVX2.
            return |bytes| unsafe { checksum_avx2(bytes) };
        }
        checksum_anywhere
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn checksum_avx2(bytes: &[u8]) -> u32 {
        checksum_anywhere(bytes)
    }

    #[inline(always)] // or it would not have AVX2 inside `checksum_avx2`
    fn checksum_anywhere(bytes: &[u8]) -> u32 {
        bytes.iter().map(|&byte| u32::from(byte)).sum()
    }
    // ----
}

mod table_after {
    // ---- table after
    #[simd_core::dispatch(targets = "avx2")]
    pub fn checksum(bytes: &[u8]) -> u32 {
        bytes.iter().map(|&byte| u32::from(byte)).sum()
    }

    pub type Checksum = fn(&[u8]) -> u32;

    /// For a table: a pointer to the dispatcher.
    pub fn choose_checksum() -> Checksum {
        checksum
    }
    // ----
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

mod filled_before {
    // ---- filled before
    use std::sync::OnceLock;

    pub struct Table {
        pub newlines: fn(&[u8]) -> usize,
        pub zeros: fn(&[u8]) -> usize,
    }

    pub fn table() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                return Table {
                    // SAFETY: the CPU has AVX2.
                    newlines: |bytes| unsafe { count_avx2(bytes, b'\n') },
                    // SAFETY: the CPU has AVX2.
                    zeros: |bytes| unsafe { count_avx2(bytes, 0) },
                };
            }
            Table { newlines: |bytes| count_anywhere(bytes, b'\n'), zeros: |bytes| count_anywhere(bytes, 0) }
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn count_avx2(bytes: &[u8], wanted: u8) -> usize {
        count_anywhere(bytes, wanted)
    }

    #[inline(always)] // or it would not have AVX2 inside `count_avx2`
    fn count_anywhere(bytes: &[u8], wanted: u8) -> usize {
        bytes.iter().filter(|&&byte| byte == wanted).count()
    }
    // ----
}

mod filled_after {
    // ---- filled after
    use simd_core::dispatch;

    pub struct Table {
        pub newlines: fn(&[u8]) -> usize,
        pub zeros: fn(&[u8]) -> usize,
    }

    pub fn table() -> &'static Table {
        static TABLE: Table = Table { newlines, zeros };
        &TABLE
    }

    #[dispatch(targets = "avx2")]
    fn newlines(bytes: &[u8]) -> usize {
        count(bytes, b'\n')
    }

    #[dispatch(targets = "avx2")]
    fn zeros(bytes: &[u8]) -> usize {
        count(bytes, 0)
    }

    #[dispatch(targets = "avx2")]
    fn count(bytes: &[u8], wanted: u8) -> usize {
        bytes.iter().filter(|&&byte| byte == wanted).count()
    }
    // ----
}

#[test]
#[each_target("avx2")]
fn from_tables_that_are_filled_once() {
    let text = b"two\nlines\n and a zero\0".repeat(5);
    for table in [
        (filled_before::table().newlines, filled_before::table().zeros),
        (filled_after::table().newlines, filled_after::table().zeros),
    ] {
        assert_eq!(((table.0)(&text), (table.1)(&text)), (10, 5));
    }
}

mod types {
    // ---- types
    /// A crate of vectors, which selects its type when it is compiled.
    pub mod vectors {
        #[cfg(target_feature = "avx2")]
        pub type Lanes = [f32; 8];
        #[cfg(not(target_feature = "avx2"))]
        pub type Lanes = [f32; 4];
    }

    #[simd_core::dispatch(targets = "avx2")]
    pub mod kernels {
        use super::vectors::Lanes;

        /// The build's, also in the clone for AVX2.
        pub fn theirs() -> usize {
            size_of::<Lanes>() / 4
        }

        /// The clone's.
        pub fn ours() -> usize {
            const LANES: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
            LANES
        }
    }
    // ----
}

#[test]
#[each_target("avx2")]
fn types_of_other_crates_stay() {
    assert_eq!(types::kernels::theirs(), if cfg!(target_feature = "avx2") { 8 } else { 4 });
    assert_eq!(types::kernels::ours(), if simd_core::detected!("avx2") { 8 } else { 4 });
}
