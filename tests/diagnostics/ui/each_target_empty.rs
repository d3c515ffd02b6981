use simd_core::testing::each_target;

#[each_target]
fn test() {}

fn main() {
    test();
}
