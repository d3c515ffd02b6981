use simd_core::match_target;

fn main() {
    let _ = match_target! { "sse4.1" => 4, "avx2" => 8, "aes" => 1, "x86: aes" | "aarch64: pmull" => 1, _ => 2, "neon" => 3 };
}
