use simd_core::testing::each_target;

#[each_target("avx2")]
fn test(_x: u32) {}

fn main() {
    test(1);
}
