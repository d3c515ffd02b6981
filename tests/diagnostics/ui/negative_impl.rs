struct Counter(*const u64);

#[simd_core::dispatch(targets = "avx2 | sve2")]
impl !Send for Counter {}

fn main() {
    let _ = Counter(core::ptr::null()).0;
}
