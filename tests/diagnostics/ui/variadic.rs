#[simd_core::dispatch(targets = "avx2 | neon")]
unsafe extern "C" fn print(_format: *const u8, _: ...) {}

fn main() {
    unsafe { print(core::ptr::null()) }
}
