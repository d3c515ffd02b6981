use simd_core::dispatch;

#[dispatch(targets = "avx2", list = "LIST")]
fn f() {}

fn main() {
    f();
}
