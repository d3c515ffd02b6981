#[simd_core::dispatch(targets = "avx2 | sve2")]
unsafe extern "C" fn print(_format: *const u8, _: ...) {}

fn main() {
    unsafe { print(core::ptr::null()) }
}
