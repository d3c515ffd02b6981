fn main() {
    if simd_core::detected!("avx22") {
        println!("wide");
    }
}
