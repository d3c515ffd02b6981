fn main() {
    if simd_core::detected!("avx2 | neon") {
        println!("wide");
    }
}
