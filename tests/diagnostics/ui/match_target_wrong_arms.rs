use simd_core::match_target;

fn main() {
    let _ = match_target! { avx2 => 8, target_feature = "aes" => 2, "neon" => 4, _ => 1 };
    let _ = match_target! { "neon" if true => 4, _ => 1 };
    let _ = match_target! { "neon" => 4 _ => 1 };
    let _ = match_target! {};
}
