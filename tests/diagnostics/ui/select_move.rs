fn main() {
    let f = simd_core::select!("avx2 | avx3", move || {});
    f();
}
