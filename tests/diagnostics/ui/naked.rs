#[simd_core::dispatch(targets = "avx2 | neon")]
#[unsafe(naked)]
extern "C" fn nothing() {
    core::arch::naked_asm!("ret")
}

fn main() {
    nothing();
}
