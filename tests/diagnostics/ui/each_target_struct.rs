use simd_core::testing::each_target;

#[each_target("avx2")]
struct Test;

fn main() {
    let _ = Test;
}
