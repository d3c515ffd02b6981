fn main() {
    let f = simd_core::select!("avx2", |x, y: u32| -> u32 { x + y });
    f(1, 2);
}
