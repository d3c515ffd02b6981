#![deny(deprecated)]

macro_rules! function {
    ($name:ident) => {
        pub fn $name() {}
    };
}

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    function!(sum);
}

#[simd_core::dispatch(targets = "avx2")]
impl Block {
    function!(sum);

    pub const fn zero() -> u8 {
        0
    }
}

#[simd_core::dispatch(targets = "avx2")]
pub trait Sum {
    fn sum(&self) -> u8;
}

pub struct Block;

fn main() {}
