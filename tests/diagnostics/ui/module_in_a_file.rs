#[simd_core::dispatch(targets = "avx2 | sve2")]
#[path = "../ui-file/kernels.rs"]
mod kernels;

fn main() {
    kernels::sum(1, 2);
}
