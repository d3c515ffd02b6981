#[simd_core::dispatch(targets = "avx2 | sve2")]
#[derive(Clone)]
pub struct Sum {
    pub total: u64,
}

fn main() {
    let _ = Sum { total: 3 }.clone();
}
