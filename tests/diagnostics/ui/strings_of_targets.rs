//! Lists of targets that are wrong in themselves.
use simd_core::{detected, dispatch, targets};

#[dispatch(targets = ": avx2")]
fn architecture_missing() {}

#[dispatch(targets = "amd64: avx2 | mips: msa")]
fn architectures_unknown() {}

#[dispatch(targets = "avx2,neon")]
fn architectures_mixed() {}

#[dispatch(targets = "x86_64+avx2 | aarch64")]
fn architecture_as_a_feature() {}

#[dispatch(targets = "avx2 | baseline")]
fn baseline() {}

#[dispatch(targets = "avx2,,fma | sve2,")]
fn features_empty() {}

#[dispatch(targets = "avx10.1 | sme | riscv64: v")]
fn features_of_a_nightly() {}

#[dispatch(targets = "x86_64: neon")]
fn feature_of_another_architecture() {}

#[dispatch(targets = "avx2+fma | sse4.1 ssse3; sse2")]
fn separators() {}

#[dispatch(targets = "paca")]
fn feature_tied() {}

#[dispatch(targets = "avx2,fma,avx2")]
fn feature_twice() {}

#[dispatch(targets = "avx2,pclmulqd | neno | frobnicate")]
fn features_unknown() {}

#[dispatch(targets = "powerpc64: altivec | arm: neon")]
fn features_unstable() {}

#[dispatch(targets = "avx2 | neon | i8mm")]
fn after_the_base() {}

#[dispatch(targets = "avx2 | | sve2")]
fn empty() {}

#[dispatch(targets = "avx2,fma | sve2 | fma,avx2 | sse4.2,avx2,fma")]
fn same() {}

#[dispatch(targets = ["avx2,fma", "sve2", "avx2,fma"])]
fn twice() {}

#[dispatch(targets = "sse4.2 | avx2,fma | sve2")]
fn unreachable() {}

fn main() {
    println!("{} {}", targets!("avx2 | avx3"), targets!(avx2));
    let _ = [detected!(""), detected!(), detected!("avx2 | sve2"), detected!("avx22"), detected!(avx2)];
}
