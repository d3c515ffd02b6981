//! A trait and foreign functions that safe code elsewhere could use as a proof of the feature exist where the build has it.

#[target_feature(enable = "avx512f")]
fn needs() {}

#[simd_core::dispatch(targets = "avx512f")]
mod kernels {
    #[cfg(target_feature = "avx512f")]
    pub trait Proof {
        const RUN: fn() = || unsafe { super::needs() };
    }

    #[cfg(target_feature = "avx512f")]
    pub mod foreign {
        unsafe extern "C" {
            pub safe fn abs(number: i32) -> i32;
        }
    }

    pub fn dispatched() {}
}

struct Mine;

impl kernels::Proof for Mine {}

fn main() {
    kernels::dispatched();
    kernels::foreign::abs(1);
}
