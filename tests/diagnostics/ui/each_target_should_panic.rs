use simd_core::testing::each_target;

#[should_panic = "overflow"]
#[each_target("avx2")]
fn test() {}

fn main() {
    test();
}
