#[simd_core::dispatch(targets = "avx2 | neon")]
#[path = "../ui-file/kernels.rs"]
mod kernels;

fn main() {
    kernels::sum(1, 2);
}
