//! A private function that is always inlined has no clones, and that is said.
#![deny(deprecated)]
use simd_core::dispatch;

#[dispatch(targets = "avx2")]
#[inline(always)]
fn helper(x: u32) -> u32 {
    x.wrapping_mul(3)
}

// A public one has them, and so has one that asks.
#[dispatch(targets = "avx2")]
#[inline(always)]
pub fn public(x: u32) -> u32 {
    helper(x)
}

#[dispatch(targets = "avx2")]
#[inline(always)]
fn asks() -> bool {
    cfg!(target_feature = "avx2")
}

fn main() {
    assert_eq!(public(2), 6);
    asks();
}
