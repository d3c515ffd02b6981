use simd_core::dispatch;

#[dispatch(targets = "avx2")]
mod kernels {
    #[dispatch(targets = "sse4.1", list = pub LIST)]
    pub fn f() {}
}

fn main() {
    kernels::f();
}
