// Every way to run instructions above the baseline behind a test; a `cfg` plants a leak.
#![allow(unexpected_cfgs, dead_code, static_mut_refs, unused_unsafe)]
use std::arch::is_x86_feature_detected;
use std::hint::black_box;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

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
sums! { direct 1 stored 2 chosen 3 behind_method 4 asked 5 nested 6 leaked 7 leaked_in_else 8 leaked_in_table 9 by_variable 10 kept 11 together 13 picked 14 leaked_if_filled 15 }

#[inline(never)]
#[target_feature(enable = "avx512f")]
unsafe fn leaked_behind_another(xs: &mut [u32]) {
    for x in xs {
        *x = x.wrapping_mul(*x).wrapping_add(12);
    }
}

#[inline(never)]
fn plain(xs: &mut [u32]) {
    xs.iter_mut().for_each(|x| *x = x.wrapping_add(77));
}

// Called where it is tested.
#[inline(never)]
fn calls(xs: &mut [u32]) {
    if is_x86_feature_detected!("avx2") {
        unsafe { direct(xs) }
        outer(xs);
        #[cfg(leak = "feature")]
        unsafe {
            leaked_behind_another(xs)
        }
    } else {
        plain(xs);
        #[cfg(leak = "else")]
        unsafe {
            leaked_in_else(xs)
        }
    }
}

// Unannotated code between a test and a function that needs it.
#[inline(never)]
fn outer(xs: &mut [u32]) {
    plain(xs);
    unsafe { nested(xs) }
}

// A pointer that the first call replaces, as in memchr.
static CHOSEN: AtomicPtr<()> = AtomicPtr::new(choose as *mut ());
type Sum = unsafe fn(&mut [u32]);

unsafe fn choose(xs: &mut [u32]) {
    let sum = if is_x86_feature_detected!("avx2") { stored as Sum } else { plain as Sum };
    CHOSEN.store(sum as *mut (), Ordering::Relaxed);
    unsafe { sum(xs) }
}

// One of two addresses, without a branch.
#[inline(never)]
fn selected() -> Sum {
    let both: [Sum; 2] = [chosen, plain];
    if is_x86_feature_detected!("avx2") { both[0] } else { both[1] }
}

// A trait object that is made where it is tested.
trait Sums {
    fn sum(&self, xs: &mut [u32]);
}
struct Wide(u32);
struct Narrow(u32);
impl Sums for Wide {
    fn sum(&self, xs: &mut [u32]) {
        unsafe { behind_method(xs) }
        xs[0] ^= self.0;
    }
}
impl Sums for Narrow {
    fn sum(&self, xs: &mut [u32]) {
        plain(xs);
        xs[0] ^= self.0;
    }
}
#[inline(never)]
fn object(n: u32) -> Box<dyn Sums> {
    if is_x86_feature_detected!("avx2") { Box::new(Wide(n)) } else { Box::new(Narrow(n)) }
}

// A function that answers.
#[inline(never)]
fn has() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
}

// Two answers that are asked for first, and have to hold both.
#[inline(never)]
fn both(xs: &mut [u32]) {
    let (one, other) = (is_x86_feature_detected!("bmi2"), is_x86_feature_detected!("avx2"));
    if one && other {
        unsafe { together(xs) }
        xs[0] ^= multiplied(u64::from(xs[0])) as u32;
    }
}

// An answer that is kept.
static KEPT: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn later(xs: &mut [u32]) {
    if KEPT.load(Ordering::Relaxed) == 1 {
        unsafe { kept(xs) }
    }
}

// Bits of a word that is never zero once it is filled, as in libdeflate.
static FEATURES: AtomicU32 = AtomicU32::new(0);

#[inline(never)]
fn fill() {
    // Safe in later versions of Rust.
    let leaf = unsafe { std::arch::x86_64::__cpuid_count(7, 0) };
    let avx2 = u32::from(is_x86_feature_detected!("avx") && leaf.ebx >> 5 & 1 == 1);
    FEATURES.store(avx2 << 3 | leaf.ebx >> 8 & 1 | 1 << 31, Ordering::Relaxed);
}

#[inline(never)]
fn by_bit(xs: &mut [u32]) {
    if FEATURES.load(Ordering::Relaxed) == 0 {
        fill();
    }
    if FEATURES.load(Ordering::Relaxed) & 8 != 0 {
        unsafe { picked(xs) }
    }
    #[cfg(leak = "filled")]
    if FEATURES.load(Ordering::Relaxed) != 0 {
        unsafe { leaked_if_filled(xs) }
    }
}

// A variable that is filled in a way that is not followed.
#[unsafe(no_mangle)]
static mut MY_CPU: u32 = 0;

// Assembly in code for the baseline.
#[inline(always)]
fn multiplied(x: u64) -> u64 {
    let low;
    unsafe { std::arch::asm!("mulx {h}, {l}, {x}", x = in(reg) x, l = out(reg) low, h = out(reg) _, in("rdx") x) }
    low
}

#[cfg(leak = "table")]
static TABLE: [Sum; 2] = [plain, leaked_in_table];

fn main() {
    let mut xs: Vec<u32> = std::env::args().map(|argument| argument.len() as u32).collect();
    let xs = &mut xs[..];
    calls(xs);
    unsafe { std::mem::transmute::<*mut (), Sum>(CHOSEN.load(Ordering::Relaxed))(xs) }
    unsafe { selected()(xs) }
    object(black_box(3)).sum(xs);
    KEPT.store(u32::from(has()), Ordering::Relaxed);
    later(xs);
    both(xs);
    by_bit(xs);
    if has() {
        unsafe { asked(xs) }
        xs[0] ^= multiplied(u64::from(xs[0])) as u32;
    }
    unsafe {
        MY_CPU = black_box(xs.len() as u32);
        #[cfg(variable)]
        if std::ptr::read_volatile(&raw const MY_CPU) & 1 != 0 {
            by_variable(xs)
        }
    }
    #[cfg(leak = "call")]
    unsafe {
        leaked(xs)
    }
    #[cfg(leak = "asm")]
    {
        xs[0] ^= multiplied(u64::from(xs[0])) as u32;
    }
    #[cfg(leak = "table")]
    unsafe {
        TABLE[black_box(1)](xs)
    }
    #[cfg(leak = "crate")]
    wide::sum(xs);
    black_box(xs);
}
