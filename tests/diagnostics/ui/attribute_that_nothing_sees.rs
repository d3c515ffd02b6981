use simd_core::dispatch as multi;

#[simd_core::dispatch(targets = "avx2")]
mod kernels {
    use super::multi;

    #[multi(skip)]
    pub fn skipped() {
        other();
    }

    #[multi(targets = "sse4.1")]
    pub fn other() {
        skipped();
    }
}

fn main() {}
