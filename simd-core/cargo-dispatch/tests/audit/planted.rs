// Kernels above the baseline: `safe_…` are reached behind a test of the CPU, `leak_…` in some way without one.
#![allow(unexpected_cfgs, static_mut_refs, dead_code)]
use std::arch::{asm, global_asm};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, OnceLock};

#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    () => {
        std::arch::is_x86_feature_detected!("avx2")
    };
    (other) => {
        std::arch::is_x86_feature_detected!("ssse3")
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! detected {
    () => {
        std::arch::is_aarch64_feature_detected!("i8mm")
    };
    (other) => {
        std::arch::is_aarch64_feature_detected!("bf16")
    };
}
macro_rules! wide {
    () => {{
        #[cfg(target_arch = "x86_64")]
        asm!("vpaddd ymm0, ymm1, ymm2", out("xmm0") _);
        #[cfg(target_arch = "aarch64")]
        asm!(".arch_extension i8mm", "smmla v0.4s, v1.16b, v2.16b", out("v0") _);
    }};
}
type Kernel = unsafe fn(&mut u64);
macro_rules! kernels {
    ($($name:ident $by:literal)*) => {$(
        #[inline(never)]
        #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
        #[cfg_attr(target_arch = "aarch64", target_feature(enable = "i8mm"))]
        unsafe fn $name(x: &mut u64) {
            unsafe { wide!() }
            *x = x.wrapping_mul(3) ^ $by;
        }
    )*};
}
kernels! {
    safe_if 1 safe_and 2 safe_return 3 safe_flag 4 safe_pointer 5 safe_once 6 safe_lazy 7 safe_object 8 safe_level 9
    safe_closure 10 safe_select 11 safe_answer 12 safe_loop 13 safe_bits 14 safe_tail 15 safe_not 16 safe_table 17
    safe_beyond_panic 18 safe_match 19 safe_nested 20 safe_together 21 safe_picked 22
    leak_call 51 leak_else 52 leak_after 53 leak_or 54 leak_table 55 leak_pointer 56 leak_object 57 leak_flag_set 58
    leak_flag_start 59 leak_other 60 leak_closure 61 leak_drop 62 leak_level 63 leak_loop 64 leak_select 65
    leak_filled 66 leak_out 67 leak_exported 68 leak_at_start 69 leak_thread 70 leak_lazy 71 leak_both_ways 72
    leak_through_pointer 73 leak_inverted 74 leak_jump_table 75
    leak_named_cache 76 leak_named_words 77 leak_named_storage 78 leak_named_clone 79
}

#[inline(never)]
fn plain(x: &mut u64) {
    *x = x.wrapping_mul(5);
}

trait Runs {
    fn run(&self, x: &mut u64);
}
macro_rules! objects {
    ($($name:ident $kernel:ident)*) => {$(
        struct $name(u64);
        impl Runs for $name {
            fn run(&self, x: &mut u64) {
                unsafe { $kernel(x) }
                *x ^= self.0;
            }
        }
    )*};
}
objects! { Safe safe_object Leaking leak_object Plain plain }

mod guards {
    use super::*;
    static FLAG: AtomicBool = AtomicBool::new(false);
    static LEVEL: AtomicU8 = AtomicU8::new(0);
    static BITS: AtomicUsize = AtomicUsize::new(0);
    static POINTER: AtomicPtr<()> = AtomicPtr::new(choose as *mut ());
    static LAZY: LazyLock<Kernel> = LazyLock::new(|| if detected!() { safe_lazy } else { plain });
    unsafe fn choose(x: &mut u64) {
        let kernel = if detected!() { safe_pointer as Kernel } else { plain as Kernel };
        POINTER.store(kernel as *mut (), Relaxed);
        unsafe { kernel(x) }
    }
    #[inline(never)]
    fn answer() -> bool {
        detected!() && detected!(other)
    }
    #[inline(never)]
    fn level() -> u8 {
        if detected!() { 2 } else { u8::from(detected!(other)) }
    }
    #[inline(never)]
    pub fn simple(x: &mut u64) {
        if detected!() {
            unsafe { safe_if(x) }
        }
        if detected!(other) && detected!() && *x > 3 {
            unsafe { safe_and(x) }
        }
        if !(detected!() && *x > 4) { plain(x) } else { unsafe { safe_not(x) } }
        if detected!() {
            outer(x);
        }
        let (one, other) = (detected!(other), detected!());
        if one && other {
            unsafe { safe_together(x) }
        }
    }
    // Code without a test of its own between a test and the kernel.
    #[inline(never)]
    fn outer(x: &mut u64) {
        plain(x);
        unsafe { safe_nested(x) }
    }
    // Bits of a word that is never zero once it is filled, as in libdeflate.
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn picked(x: &mut u64) {
        static WORD: AtomicUsize = AtomicUsize::new(0);
        #[inline(never)]
        fn fill() {
            // Safe in later versions of Rust.
            #[allow(unused_unsafe)]
            let leaf = unsafe { std::arch::x86_64::__cpuid_count(7, 0) };
            let avx2 = std::arch::is_x86_feature_detected!("avx") && leaf.ebx >> 5 & 1 == 1;
            WORD.store(usize::from(avx2) << 3 | (leaf.ebx >> 8 & 1) as usize | 1 << 31, Relaxed);
        }
        if WORD.load(Relaxed) == 0 {
            fill();
        }
        if WORD.load(Relaxed) & 8 != 0 {
            unsafe { safe_picked(x) }
        }
    }
    #[inline(never)]
    pub fn returns(x: &mut u64) {
        if !detected!() {
            return plain(x);
        }
        unsafe { safe_return(x) }
        *x += 1;
    }
    #[inline(never)]
    pub fn flag(x: &mut u64) {
        if FLAG.load(Relaxed) {
            unsafe { safe_flag(x) }
        }
        if BITS.load(Relaxed) & 4 != 0 {
            unsafe { safe_bits(x) }
        }
        match LEVEL.load(Relaxed) {
            2 => unsafe { safe_level(x) },
            1 => *x += 2,
            _ => plain(x),
        }
    }
    #[inline(never)]
    pub fn matched(x: &mut u64) {
        match level() {
            2 => unsafe { safe_match(x) },
            1 => *x += 3,
            _ => plain(x),
        }
    }
    #[inline(never)]
    pub fn once(x: &mut u64) {
        static ONCE: OnceLock<Kernel> = OnceLock::new();
        unsafe { ONCE.get_or_init(|| if detected!() { safe_once } else { plain })(x) }
        unsafe { LAZY(x) }
    }
    #[inline(never)]
    pub fn object(n: u64) -> Box<dyn Runs> {
        if detected!() { Box::new(Safe(n)) } else { Box::new(Plain(n)) }
    }
    #[inline(never)]
    pub fn select() -> Kernel {
        let both: [Kernel; 2] = [safe_select, plain];
        if detected!() { both[0] } else { both[1] }
    }
    #[inline(never)]
    pub fn table() -> Kernel {
        static KERNELS: [Kernel; 3] = [plain, plain, safe_table];
        KERNELS[usize::from(level())]
    }
    #[inline(never)]
    pub fn closure(xs: &mut [u64]) {
        if detected!() {
            xs.iter_mut().for_each(|x| unsafe { safe_closure(x) });
        }
    }
    #[inline(never)]
    pub fn looped(x: &mut u64) {
        for _ in 0..black_box(3) {
            if answer() {
                unsafe { safe_answer(x) }
            }
        }
        while detected!() && *x & 1 == 0 {
            unsafe { safe_loop(x) }
        }
    }
    #[inline(never)]
    pub fn panics(a: &[u64], b: &[u64], x: &mut u64) {
        if detected!() && detected!(other) {
            return unsafe { safe_beyond_panic(x) };
        }
        assert!(a.len() == b.len(), "lengths");
        *x += a.iter().zip(b).map(|(a, b)| a * b).sum::<u64>();
    }
    #[inline(never)]
    pub fn tail(x: &mut u64) {
        if detected!() { unsafe { safe_tail(x) } } else { plain(x) }
    }
    pub fn all(xs: &mut [u64]) {
        FLAG.store(detected!(), Relaxed);
        LEVEL.store(level(), Relaxed);
        BITS.store(usize::from(detected!()) << 2 | 1 << 5, Relaxed);
        simple(&mut xs[0]);
        #[cfg(target_arch = "x86_64")]
        picked(&mut xs[0]);
        returns(&mut xs[0]);
        flag(&mut xs[0]);
        matched(&mut xs[0]);
        once(&mut xs[0]);
        object(3).run(&mut xs[0]);
        unsafe { select()(&mut xs[0]) }
        unsafe { table()(&mut xs[0]) }
        closure(xs);
        looped(&mut xs[0]);
        let (a, b) = (black_box(vec![1, 2]), black_box(vec![3, 4]));
        panics(&a, &b, &mut xs[0]);
        tail(&mut xs[0]);
        unsafe { std::mem::transmute::<*mut (), Kernel>(POINTER.load(Relaxed))(&mut xs[0]) }
        xs[0] += black_box(1.5f64).mul_add(black_box(2.5), black_box(3.0)) as u64;
    }
}

mod leaks {
    use super::*;
    static SET: AtomicBool = AtomicBool::new(false);
    static START: AtomicBool = AtomicBool::new(true);
    static FILLED: AtomicUsize = AtomicUsize::new(0);
    static ESCAPES: AtomicBool = AtomicBool::new(false);
    static LEVEL: AtomicU8 = AtomicU8::new(0);
    static POINTER: AtomicPtr<()> = AtomicPtr::new(leak_pointer as *mut ());
    static LAZY: LazyLock<Kernel> = LazyLock::new(|| if detected!() { plain } else { leak_lazy });
    struct Drops(u64);
    impl Drop for Drops {
        fn drop(&mut self) {
            unsafe { leak_drop(&mut self.0) }
        }
    }
    #[inline(never)]
    fn simple(x: &mut u64) {
        unsafe { leak_call(x) }
        if detected!() { plain(x) } else { unsafe { leak_else(x) } }
        if detected!() {
            plain(x);
        }
        unsafe { leak_after(x) }
        if detected!() || *x > 7 {
            unsafe { leak_or(x) }
        }
        if !detected!() && *x > 8 {
            unsafe { leak_inverted(x) }
        }
    }
    #[inline(never)]
    fn flags(x: &mut u64) {
        if SET.load(Relaxed) {
            unsafe { leak_flag_set(x) }
        }
        if START.load(Relaxed) {
            unsafe { leak_flag_start(x) }
        }
        if FILLED.load(Relaxed) != 0 {
            unsafe { leak_filled(x) }
        }
        if ESCAPES.load(Relaxed) {
            unsafe { leak_through_pointer(x) }
        }
        match LEVEL.load(Relaxed) {
            2 => plain(x),
            1 => unsafe { leak_level(x) },
            _ => *x += 5,
        }
    }
    #[inline(never)]
    fn set(flag: &AtomicBool, to: bool) {
        flag.store(to, Relaxed);
    }
    #[inline(never)]
    fn fill(out: &mut bool, x: u64) {
        *out = x > 5;
    }
    #[inline(never)]
    fn out(x: &mut u64) {
        let mut has = false;
        fill(&mut has, *x);
        if has {
            unsafe { leak_out(x) }
        }
    }
    #[inline(never)]
    fn object(n: u64) -> Box<dyn Runs> {
        if detected!() { Box::new(Plain(n)) } else { Box::new(Leaking(n)) }
    }
    #[inline(never)]
    fn table(n: usize) -> Kernel {
        static KERNELS: [Kernel; 2] = [plain, leak_table];
        KERNELS[n]
    }
    #[inline(never)]
    fn select(n: usize) -> Kernel {
        if n > 2 { leak_select } else { plain }
    }
    #[inline(never)]
    fn closure(xs: &mut [u64]) {
        xs.iter_mut().for_each(|x| unsafe { leak_closure(x) });
    }
    #[inline(never)]
    fn looped(x: &mut u64) {
        while !detected!() && *x & 1 == 0 {
            unsafe { leak_loop(x) }
        }
    }
    #[inline(never)]
    fn both(x: &mut u64) {
        if detected!() { *x += 1 } else { *x += 2 }
        if *x > 9 {
            unsafe { leak_both_ways(x) }
        }
    }
    #[inline(never)]
    fn jumps(x: &mut u64, n: u64) {
        match n {
            0 => *x += 11,
            1 => plain(x),
            2 => unsafe { leak_jump_table(x) },
            3 => *x = x.rotate_left(3),
            4 => *x = x.swap_bytes(),
            5 => *x ^= 0x5555,
            _ => *x = 0,
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    fn other(x: &mut u64) {
        if detected!(other) {
            unsafe { leak_other(x) }
        }
    }
    #[cfg(target_arch = "x86_64")]
    unsafe extern "C" {
        fn leak_untyped();
    }
    #[unsafe(no_mangle)]
    pub extern "C" fn exported(x: &mut u64) {
        unsafe { leak_exported(x) }
    }
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static AT_START: extern "C" fn() = at_start;
    extern "C" fn at_start() {
        unsafe { leak_at_start(&mut 3) }
    }
    pub fn all(xs: &mut [u64]) {
        let n = xs.len();
        SET.store(detected!(), Relaxed);
        if n > 3 {
            SET.store(true, Relaxed);
        }
        START.store(detected!(), Relaxed);
        FILLED.store(usize::from(detected!()) << 2 | 1 << 5, Relaxed);
        ESCAPES.store(detected!(), Relaxed);
        set(black_box(&ESCAPES), n > 6);
        LEVEL.store(if detected!() { 2 } else { 1 }, Relaxed);
        simple(&mut xs[0]);
        flags(&mut xs[0]);
        out(&mut xs[0]);
        object(4).run(&mut xs[0]);
        unsafe { table(n)(&mut xs[0]) }
        unsafe { select(n)(&mut xs[0]) }
        closure(xs);
        looped(&mut xs[0]);
        both(&mut xs[0]);
        jumps(&mut xs[0], n as u64);
        names::all(&mut xs[0], n);
        black_box(Drops(xs[0]));
        unsafe { LAZY(&mut xs[0]) }
        std::thread::spawn(move || unsafe { leak_thread(&mut { n as u64 }) }).join().unwrap();
        unsafe { std::mem::transmute::<*mut (), Kernel>(POINTER.load(Relaxed))(&mut xs[0]) }
        #[cfg(target_arch = "x86_64")]
        {
            other(&mut xs[0]);
            unsafe { leak_untyped() }
        }
        black_box(exported as extern "C" fn(&mut u64));
    }
}

/// The ends of these paths are those of the standard library's cache, of simd-core's words, of `cpufeatures` and of a clone.
mod names {
    use super::*;

    mod std_detect {
        pub mod detect {
            pub mod cache {
                pub static CACHE: super::super::super::AtomicUsize = super::super::super::AtomicUsize::new(0);
            }
        }
    }
    mod simd_core {
        pub mod known {
            pub static WORDS: super::super::AtomicUsize = super::super::AtomicUsize::new(0);
        }
    }
    mod cpu {
        pub static STORAGE: super::AtomicU8 = super::AtomicU8::new(0);
    }
    mod total {
        #[inline(never)]
        pub fn __total__avx2(x: &mut u64) {
            unsafe { super::leak_named_clone(x) }
        }
    }

    #[inline(never)]
    pub fn all(x: &mut u64, n: usize) {
        use {cpu::STORAGE, simd_core::known::WORDS, std_detect::detect::cache::CACHE};
        CACHE.store(n, Relaxed);
        WORDS.store(n, Relaxed);
        STORAGE.store(n as u8, Relaxed);
        if CACHE.load(Relaxed) & 1 != 0 {
            unsafe { leak_named_cache(x) }
        }
        if WORDS.load(Relaxed) & 1 != 0 {
            unsafe { leak_named_words(x) }
        }
        if STORAGE.load(Relaxed) == 1 {
            unsafe { leak_named_storage(x) }
        }
        total::__total__avx2(x);
    }
}

// As in BLAKE3's .S files: no `.type`, no `.size`.
#[cfg(target_arch = "x86_64")]
#[cfg(not(target_os = "macos"))]
global_asm!(".text", ".globl leak_untyped", ".p2align 6", "leak_untyped:", "vpaddd ymm0, ymm0, ymm0", "ret");

#[cfg(have_c)]
unsafe extern "C" {
    fn run_c(x: u64) -> u64;
}

fn main() {
    let mut xs: Vec<u64> = std::env::args().map(|argument| argument.len() as u64).collect();
    guards::all(&mut xs);
    leaks::all(&mut xs);
    #[cfg(have_c)]
    {
        xs[0] += unsafe { run_c(xs[0]) };
    }
    black_box(xs);
}
