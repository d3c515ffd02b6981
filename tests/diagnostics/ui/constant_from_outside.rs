#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    pub const W: usize = if cfg!(target_feature = "avx2") { 8 } else { 4 };
    pub const TWICE: usize = 2 * W;
    pub type Lanes = [u8; W];
}

fn main() {
    let sum: usize = kernels::TWICE;
    let size = size_of::<kernels::Lanes>();
}
