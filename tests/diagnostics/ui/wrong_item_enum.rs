#[simd_core::dispatch(targets = "avx2 | sve2")]
enum Sum {
    Zero,
    More(u64),
}

fn main() {
    let _ = [Sum::Zero, Sum::More(3)];
}
