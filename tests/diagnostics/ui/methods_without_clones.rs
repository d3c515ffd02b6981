#![deny(deprecated)]

pub trait Later {
    async fn later(&self);
    fn tracked(&self);
}

pub struct Block;

#[simd_core::dispatch(targets = "avx2")]
impl Later for Block {
    async fn later(&self) {}

    #[track_caller]
    fn tracked(&self) {}
}

impl Block {
    #[simd_core::dispatch(targets = "avx2")]
    async fn later(&self) {}

    #[simd_core::dispatch(targets = "avx2")]
    #[track_caller]
    fn tracked(&self) {}
}

fn main() {}
