#![deny(deprecated)]

#[simd_core::dispatch(targets = "avx2 | neon")]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    #[dispatch(targets = "x86_64: sse2")]
    pub fn product(a: u64, b: u64) -> u64 {
        a * b
    }
}

struct Sums;

impl Sums {
    #[simd_core::dispatch(targets = "sve2 | asimd")]
    fn three(&self, a: u64) -> u64 {
        a + 3
    }
}

// The uses of the list have no warning of their own.
simd_core::target_list!(simd = "avx2 | dotprod | neon");

#[simd_core::dispatch(targets = simd)]
fn named() {}

// 32-bit x86 may lack it.
#[simd_core::dispatch(targets = "sse2")]
fn old() {}

fn main() {
    sum(1, kernels::product(2, Sums.three(3)));
    named();
    old();
}
