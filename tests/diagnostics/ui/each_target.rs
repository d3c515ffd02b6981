use simd_core::testing::each_target;

#[each_target]
fn nothing() {}

#[each_target("avx2 | sse5")]
fn unknown() {}

#[each_target("avx2")]
fn parameter(_x: u32) {}

#[should_panic = "overflow"]
#[each_target("avx2")]
fn should_panic() {}

#[each_target("avx2")]
struct Struct;

fn main() {}
