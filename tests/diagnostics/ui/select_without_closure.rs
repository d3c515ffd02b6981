fn f() {}

fn main() {
    simd_core::select!("avx2", f)();
}
