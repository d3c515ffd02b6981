fn count(bytes: &[u8]) -> usize {
    bytes.len()
}

fn main() {
    let _: fn(&[u8]) -> usize = simd_core::select!("avx2", |bytes: &[u8]| count(bytes));
}
