use simd_core::match_target;

fn main() {
    let _ = match_target! { "x86, x86_46: avx2" => 8, "neno" => 4, "avx2,neon" => 2, _ => 1 };
}
