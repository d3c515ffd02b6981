fn main() {
    if simd_core::detected!("") || simd_core::detected!() {
        println!("wide");
    }
}
