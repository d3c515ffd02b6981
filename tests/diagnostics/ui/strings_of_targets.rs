//! Lists of targets that are wrong in themselves.
use simd_core::{detected, dispatch, targets};

#[dispatch(targets = ": avx2")]
fn architecture_missing() {}

#[dispatch(targets = "x86,, x86_64: aes")]
fn architecture_between_commas() {}

#[dispatch(targets = "amd64: avx2 | mips: msa | x86_46: aes, frob | x86, amd64: avx2")]
fn architectures_unknown() {}

#[dispatch(targets = "x86, x86: aes")]
fn architecture_twice() {}

#[dispatch(targets = "x86, aarch64: avx2,pmull | x86_64: neon | x86: x86-64-v2")]
fn architectures_without_the_feature() {}

#[dispatch(targets = "avx2,neon")]
fn architectures_mixed() {}

#[dispatch(targets = "x86_64+avx2 | aarch64")]
fn architecture_as_a_feature() {}

#[dispatch(targets = "avx2 | baseline")]
fn baseline() {}

#[dispatch(targets = "avx2,,fma | sve2, | x86:")]
fn features_empty() {}

#[dispatch(targets = "neon,fast-gather")]
fn property_of_another_architecture() {}

#[dispatch(targets = "fast-pext")]
fn property_alone() {}

#[dispatch(targets = "avx10.1 | sme | riscv64: v")]
fn features_of_a_nightly() {}

#[dispatch(targets = "x86_64: neon")]
fn feature_of_another_architecture() {}

#[dispatch(targets = "avx2+fma | avx2 fma | avx2 ; sse4.1 | avx2/sse4.1 | avx2 neon | x86: avx2, x86_64: sse4.1")]
fn separators() {}

#[dispatch(targets = "x86_64+avx2+fma | aarch64 | default | native | +avx2 | -avx2 | no-fma | not(fma) | znver4 | simd")]
fn words_of_other_tools() {}

#[dispatch(targets = "x86-64-v1 | v3 | x86-64-v5 | sse4 | sse42 | SHA_NI | x86_64: avx22 | avx2,fast-gathr")]
fn levels_and_misspelt_names() {}

#[dispatch(targets = "paca | neon,pacg")]
fn feature_tied() {}

#[dispatch(targets = "avx2,fma,avx2")]
fn feature_twice() {}

#[dispatch(targets = "avx2,pclmulqd | neno | frobnicate")]
fn features_unknown() {}

#[dispatch(targets = "powerpc64: altivec | arm: neon | altivec | x87")]
fn features_unstable() {}

#[dispatch(targets = "avx2 | neon | i8mm")]
fn after_the_base() {}

#[dispatch(targets = "avx2 | | sve2 |")]
fn empty() {}

#[dispatch(targets = "avx2,fma | sve2 | fma,avx2 | sse4.2,avx2,fma")]
fn same() {}

#[dispatch(targets = ["avx2,fma", "sve2", "avx2,fma"])]
fn twice() {}

#[dispatch(targets = "sse4.2 | avx2,fma | sve2 | fma | x86_64: vaes | bmi2 | bmi2,fast-pext")]
fn unreachable() {}

fn main() {
    println!("{} {}", targets!("avx2 | avx3"), targets!(avx2));
    let _ = [detected!(""), detected!(), detected!("avx2 | sve2"), detected!("avx22"), detected!(avx2)];
}
