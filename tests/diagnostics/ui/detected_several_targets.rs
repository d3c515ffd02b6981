fn main() {
    if simd_core::detected!("avx2 | sve2") {
        println!("wide");
    }
}
