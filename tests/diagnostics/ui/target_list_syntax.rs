simd_core::target_list!(pub avx2 = "avx2");
simd_core::target_list!(pub few);
simd_core::target_list!(pub some = "avx2" | "sve2");
simd_core::target_list!("avx2");
simd_core::target_list!(none = []);
simd_core::target_list!(called = "avx2");

#[simd_core::dispatch(targets = some)]
fn sum(a: u64, b: u64) -> u64 {
    a + b
}

fn main() {
    sum(1, 2);
    called!();
}
