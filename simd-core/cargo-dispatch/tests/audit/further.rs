// Kernels above the baseline, as `planted.rs` has them, in further ways: tables of distances, selections, callbacks and cells.
#![allow(dead_code)]
use std::arch::asm;
use std::hint::black_box;
macro_rules! kernels { ($($name:ident $by:literal)*) => {$(
    #[inline(never)] #[target_feature(enable = "avx2")]
    unsafe fn $name(x: &mut u64) { unsafe { asm!("vpaddd ymm0, ymm1, ymm2", out("xmm0") _) } *x = x.wrapping_mul(3) ^ $by; }
)*} }
kernels! { leak_match 1 leak_const 2 safe_match 3 leak_static_mut 4 leak_fetch_or 5 leak_swap 6 leak_dyn 7 leak_channel 8 leak_drop_in_place 9 leak_generic 10 safe_generic 11 leak_panic_hook 13 safe_const 15 leak_recursive 16 leak_enum 17 leak_array_copy 18 leak_cell 19 leak_ffi 20 leak_hash 22}
macro_rules! plains { ($($name:ident $by:literal)*) => {$( #[inline(never)] unsafe fn $name(x: &mut u64) { *x = x.wrapping_mul(5) ^ $by; } )*} }
plains! { p1 1 p2 2 p3 3 p4 4 p5 5 }
type Kernel = unsafe fn(&mut u64);
fn has() -> bool { std::arch::is_x86_feature_detected!("avx2") }
#[inline(never)] fn choose(n: usize) -> Kernel { match n { 0 => p1, 1 => p2, 2 => leak_match, 3 => p3, 4 => p4, 5 => p5, _ => p1 } }
#[inline(never)] fn choose_safe(n: usize) -> Kernel { if has() { match n { 0 => p1, 1 => p2, 2 => safe_match, 3 => p3, 4 => p4, 5 => p5, _ => p1 } } else { p1 } }
#[inline(never)] fn constant(n: usize) -> Kernel { const ALL: [Kernel; 5] = [p1, p2, leak_const, p4, p5]; ALL[n] }
static mut FLAG: bool = false;
use std::sync::atomic::*;
static OR: AtomicU8 = AtomicU8::new(0);
static SWAP: AtomicBool = AtomicBool::new(false);
trait Run { fn run(&self, x: &mut u64); fn other(&self) -> u64 { 3 } }
struct Wide; struct Plain;
impl Run for Wide { fn run(&self, x: &mut u64) { unsafe { leak_dyn(x) } } }
impl Run for Plain { fn run(&self, x: &mut u64) { unsafe { p3(x) } } }
struct D(u64); impl Drop for D { fn drop(&mut self) { unsafe { leak_drop_in_place(&mut self.0) } } }
#[inline(never)] fn generic<F: Fn(&mut u64)>(x: &mut u64, f: F, n: usize) { for _ in 0..n { f(x) } }
#[derive(Clone, Copy)] enum Level { None, Some2, Avx2 }
#[inline(never)] fn level(n: usize) -> Level { if has() { Level::Avx2 } else if n > 2 { Level::Some2 } else { Level::None } }
#[inline(never)] fn recurse(x: &mut u64, n: usize, ok: bool) { if n == 0 { return; } if ok { unsafe { leak_recursive(x) } } recurse(x, n - 1, n & 1 == 0 || ok) }
extern "C" fn callback(x: *mut u64) { unsafe { leak_ffi(&mut *x) } }
unsafe extern "C" { fn bsearch(k: *const u64, b: *const u64, n: usize, s: usize, c: extern "C" fn(*const u64, *const u64) -> i32) -> *const u64; }
extern "C" fn compare(a: *const u64, b: *const u64) -> i32 { callback(a as *mut u64); unsafe { (*a as i64 - *b as i64) as i32 } }
struct H(u64); impl std::hash::Hash for H { fn hash<S: std::hash::Hasher>(&self, s: &mut S) { let mut y = self.0; unsafe { leak_hash(&mut y) } s.write_u64(y) } } impl PartialEq for H { fn eq(&self, o: &H) -> bool { self.0 == o.0 } } impl Eq for H {}
fn main() {
    let n = std::env::args().count(); let mut v = n as u64; let x = &mut v;
    unsafe { choose(n)(x); choose_safe(n)(x); constant(n)(x); }
    unsafe { FLAG = has(); if n > 3 { FLAG = true } if black_box(&raw const FLAG).read() { leak_static_mut(x) } }
    OR.fetch_or(u8::from(has()), Ordering::Relaxed); OR.fetch_or(n as u8 & 2, Ordering::Relaxed); if OR.load(Ordering::Relaxed) & 3 != 0 { unsafe { leak_fetch_or(x) } }
    SWAP.swap(has(), Ordering::Relaxed); if SWAP.swap(n > 2, Ordering::Relaxed) { unsafe { p1(x) } } if SWAP.load(Ordering::Relaxed) { unsafe { leak_swap(x) } }
    let all: Vec<Box<dyn Run>> = if n > 4 { vec![Box::new(Wide)] } else { vec![Box::new(Plain)] }; for r in &all { r.run(x); *x ^= r.other(); }
    let (tx, rx) = std::sync::mpsc::channel::<Kernel>(); tx.send(if n > 3 { leak_channel } else { p1 }).unwrap(); unsafe { rx.recv().unwrap()(x) }
    let d: Box<dyn std::any::Any> = if n > 1 { Box::new(D(3)) } else { Box::new(3u8) }; drop(black_box(d));
    generic(x, |x| unsafe { leak_generic(x) }, n); if has() { generic(x, |x| unsafe { safe_generic(x) }, n); }
    std::panic::set_hook(Box::new(move |_| unsafe { leak_panic_hook(&mut { n as u64 }) }));
    match level(n) { Level::Avx2 => unsafe { p2(x) }, Level::Some2 => unsafe { leak_enum(x) }, Level::None => {} }
    recurse(x, n, has());
    let c = std::cell::Cell::new(has()); let r = black_box(&c); if n > 2 { r.set(true) } if c.get() { unsafe { leak_cell(x) } }
    let mut ks = [p1 as Kernel, p2, leak_array_copy]; ks.reverse(); let kk = black_box(ks); unsafe { kk[n % 3](x) }
    unsafe { bsearch(x, [1u64, 2, 3].as_ptr(), 3, 8, compare); }
    let mut set = std::collections::HashSet::new(); set.insert(H(*x)); black_box(&set);
    if has() { unsafe { leak_match(x); leak_const(x); leak_array_copy(x); leak_channel(x); safe_const(x) } }
    black_box(x);
}
