fn main() {
    println!("{}", simd_core::targets!("avx2 | avx3"));
}
