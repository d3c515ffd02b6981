#[simd_core::dispatch(targets = "avx2 | neon")]
#[derive(Clone)]
pub struct Sum {
    pub total: u64,
}

fn main() {
    let _ = Sum { total: 3 }.clone();
}
