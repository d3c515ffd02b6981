#[simd_core::dispatch(targets = "avx2 | sve2")]
unsafe extern "C" {
    safe fn abs(n: i32) -> i32;
}

fn main() {
    abs(1);
}
