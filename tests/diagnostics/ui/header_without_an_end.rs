//! Headers that are not written to their end.

struct Half;

#[simd_core::dispatch(targets = "avx2")]
impl Half {
    fn result(&self) -> { 1 }
}

#[simd_core::dispatch(targets = "avx2")]
fn parameters { }

#[simd_core::dispatch(targets = "avx2")]
fn object() -> impl { }

fn main() {}
