//! A program for systems that this repository's tests do not run on: the reader of machine code is tried on it.

#![no_std]
#![no_main]

use core::hint::black_box;
use core::ops::Mul;

use simd_core::dispatch;

#[dispatch(targets = "avx2 | aarch64:sha3")]
mod kernels {
    #[inline(never)]
    pub(crate) fn sum(values: &[u32]) -> u32 {
        values.iter().fold(0, |sum, value| sum.wrapping_add(*value))
    }

    /// Calls what has no attribute.
    pub(crate) fn mixed(values: &[u32]) -> u32 {
        values.iter().fold(1, |mixed, value| super::mix(mixed, *value))
    }
}

#[inline(never)]
fn mix(a: u32, b: u32) -> u32 {
    a.rotate_left(5).wrapping_mul(b)
}

/// Calls through a table, which the loader fills.
#[inline(never)]
fn through_table(a: u32) -> u32 {
    static TABLE: [fn(u32, u32) -> u32; 1] = [mix];
    // SAFETY: a reference; volatile, so that the compiler does not see the callee.
    let callee = unsafe { core::ptr::read_volatile(&raw const TABLE[0]) };
    callee(a, 7) ^ a
}

struct Gf(u32);

#[dispatch(targets = "avx2 | aarch64:sha3")]
impl Mul for Gf {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let mut product = 0_u32;
        for bit in 0..32 {
            product ^= (self.0 << bit) & 0_u32.wrapping_sub(other.0 >> bit & 1);
        }
        Self(product)
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[target_feature(enable = "avx2")]
#[inline(never)]
fn by_hand(values: &mut [u32; 8]) {
    values.iter_mut().for_each(|value| *value = value.wrapping_add(3));
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "sha3")]
#[inline(never)]
fn by_hand(values: &mut [u32; 8]) {
    use core::arch::aarch64::{veor3q_u32, vld1q_u32, vst1q_u32};
    // SAFETY: the array is two vectors long, and may lie anywhere.
    unsafe {
        let (low, high) = (vld1q_u32(values.as_ptr()), vld1q_u32(values.as_ptr().add(4)));
        vst1q_u32(values.as_mut_ptr(), veor3q_u32(low, high, low));
    }
}

/// Functions of the C library that the compiler's own libraries want.
#[cfg(windows)]
#[allow(dead_code, reason = "the linker uses them")]
mod runtime {
    #[link(name = "ntdll", kind = "raw-dylib")]
    unsafe extern "C" {
        fn memcpy();
        fn memmove();
        fn memset();
        fn memcmp();
    }

    #[link(name = "vcruntime140", kind = "raw-dylib")]
    unsafe extern "C" {
        fn __CxxFrameHandler3();
    }

    #[unsafe(no_mangle)]
    #[allow(non_upper_case_globals, reason = "the name that Windows has for it")]
    static _fltused: i32 = 0;
}

#[cfg_attr(windows, link(name = "kernel32", kind = "raw-dylib"))]
unsafe extern "system" {
    #[cfg_attr(windows, link_name = "ExitProcess")]
    fn exit(status: i32) -> !;
}

/// Calls another library.
#[inline(never)]
fn leave(status: u32) -> ! {
    // SAFETY: the systems' own function, with its signature.
    unsafe { exit((status & 0x7f) as i32) }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let values = black_box([1_u32, 2, 3, 5, 8, 13, 21, 34]);
    let mut total = kernels::sum(black_box(&values[..])) ^ kernels::mixed(black_box(&values[..]));
    total ^= (black_box(Gf(3)) * Gf(5)).0;
    black_box(by_hand as unsafe fn(_));
    leave(through_table(total))
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
