use simd_core::testing::each_target;

const TARGETS: &str = "avx2";

#[each_target(TARGETS)]
fn test() {}

fn main() {
    test();
}
