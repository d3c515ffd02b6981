fn main() {
    let _: bool = simd_core::detected!(avx2);
}
