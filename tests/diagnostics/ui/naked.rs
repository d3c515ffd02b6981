#[simd_core::dispatch(targets = "avx2 | sve2")]
#[unsafe(naked)]
extern "C" fn nothing() {
    core::arch::naked_asm!("ret")
}

fn main() {
    nothing();
}
