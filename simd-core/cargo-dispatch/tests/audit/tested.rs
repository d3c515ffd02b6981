// A kernel behind a test; a `cfg` plants one in a way that has none.
#![allow(unexpected_cfgs, dead_code, static_mut_refs)]
use std::hint::black_box;

macro_rules! sums {
    ($($name:ident $by:literal)*) => {$(
        #[inline(never)]
        #[target_feature(enable = "avx2")]
        unsafe fn $name(xs: &mut [u32]) {
            for x in xs {
                *x = x.wrapping_mul(*x).wrapping_add($by);
            }
        }
    )*};
}
sums! { direct 1 leaked 2 by_variable 3 }

// A variable that is filled in a way that is not followed.
#[unsafe(no_mangle)]
static mut MY_CPU: u32 = 0;

fn main() {
    let mut xs: Vec<u32> = std::env::args().map(|argument| argument.len() as u32).collect();
    let xs = &mut xs[..];
    if std::arch::is_x86_feature_detected!("avx2") {
        unsafe { direct(xs) }
    }
    unsafe {
        MY_CPU = black_box(xs.len() as u32);
        #[cfg(variable)]
        if std::ptr::read_volatile(&raw const MY_CPU) & 1 != 0 {
            by_variable(xs)
        }
        #[cfg(leak = "call")]
        leaked(xs);
    }
    #[cfg(leak = "crate")]
    wide::sum(xs);
    black_box(xs);
}
