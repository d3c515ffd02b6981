#[simd_core::dispatch(targets = "avx2 | sve2")]
#[path = "../ui-file/kernels.rs"]
mod kernels;

simd_core::target_list!(named = "avx2");

#[simd_core::dispatch(targets = named)]
#[path = "../ui-file/kernels.rs"]
mod further;

fn main() {
    kernels::sum(1, 2);
}
