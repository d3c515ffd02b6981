use simd_core::testing::each_target;

#[each_target("avx2 | sse5")]
fn test() {}

fn main() {
    test();
}
