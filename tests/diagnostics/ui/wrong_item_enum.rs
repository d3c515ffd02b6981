#[simd_core::dispatch(targets = "avx2 | neon")]
enum Sum {
    Zero,
    More(u64),
}

fn main() {
    let _ = [Sum::Zero, Sum::More(3)];
}
