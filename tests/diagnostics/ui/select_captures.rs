fn main() {
    let n = 1;
    let f = simd_core::select!("avx2", || -> u32 { n });
    f();
}
