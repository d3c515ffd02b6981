//! Programs in which clones could differ from the plain program, and programs outside of the rules.
//!
//! `DISPATCH` stands for the attribute with the targets `avx2 | sse4.1`, `WIDE` for a test of AVX2.

pub(super) const PLAIN: &[&str] = &[
    // Words and macros that once decided about safety, in methods of traits.
    "pub trait T { fn m(&self) -> u64; }
     DISPATCH impl T for u8 { fn m(&self) -> u64 { let none: Option<unsafe fn()> = None; none.is_some() as u64 + cfg!(WIDE) as u64 } }
     pub fn go() -> u64 { 3_u8.m() }",
    "use std::fmt::Write; pub trait T { fn m(&self) -> String; }
     DISPATCH impl T for u8 { fn m(&self) -> String { let mut text = String::new(); write!(text, \"{self}{}\", cfg!(WIDE)).unwrap(); text } }
     pub fn go() -> String { 3_u8.m() }",
    "pub trait T { fn m(&self) -> u64; }
     fn pick(all: [unsafe fn() -> u64; 2]) -> u64 { all.len() as u64 }
     #[target_feature(enable = \"avx2\")] fn f() -> u64 { 1 } #[target_feature(enable = \"avx2\")] fn g() -> u64 { 2 }
     DISPATCH impl T for u8 { fn m(&self) -> u64 { pick([f, g]) } }
     pub fn go() -> u64 { 3_u8.m() }",
    "pub trait T { fn m(&self) -> u64 { let f = |unsafe_: u64| unsafe_ + 1; f(cfg!(WIDE) as u64) } }
     pub struct S; DISPATCH impl T for S { fn m(&self) -> u64 { struct unsafe_; let _ = unsafe_; 5 ^ cfg!(WIDE) as u64 } }
     pub fn go() -> u64 { S.m() }",
    // A macro of the module names an item, and a parameter has its name.
    "DISPATCH pub mod k {
        fn scale(x: u64) -> u64 { x + 100 } const W: u64 = if cfg!(WIDE) { 3 } else { 2 };
        macro_rules! scaled { ($x:expr) => { scale($x) * W } }
        pub fn go(scale: impl Fn(u64) -> u64) -> [u64; 2] { [scaled!(7), scale(7)] } }
     pub fn go() -> [u64; 2] { k::go(|x| x + 200) }",
    "DISPATCH pub mod k {
        const weight: u64 = if cfg!(WIDE) { 3 } else { 2 };
        macro_rules! w { () => { weight } }
        pub fn go(x: u64) -> u64 { fn inner(w: u64) -> u64 { w!() * w } inner(x) ^ w!() } }
     pub fn go() -> u64 { k::go(9) }",
    "DISPATCH pub mod k {
        type V = [u8; if cfg!(WIDE) { 8 } else { 4 }];
        macro_rules! bytes { () => { size_of::<V>() } }
        pub fn go<const V: usize>(x: [u8; V]) -> (usize, usize) { (x.len(), bytes!()) } }
     pub fn go() -> (usize, usize) { k::go([1; 3]) }",
    "DISPATCH pub mod k {
        const fn n() -> u64 { 4 } const N: u64 = n() + cfg!(WIDE) as u64;
        macro_rules! n { ($n:ident) => { $n + N + n() } }
        pub fn go(x: u64) -> u64 { let n = x; n!(n) + n } }
     pub fn go() -> u64 { k::go(50) }",
    // Names that the attribute's own code could use.
    "pub struct S; pub trait T { fn m(&self, x: u64) -> u64; }
     DISPATCH pub mod k {
        const body: u64 = 3; static proof: u64 = 4; const this: u64 = if cfg!(WIDE) { 6 } else { 5 };
        impl super::T for super::S { fn m(&self, x: u64) -> u64 { body + proof + this + x } }
        pub fn go(x: u64) -> u64 { body + proof + this + x } }
     pub fn go() -> (u64, u64) { (S.m(1), k::go(1)) }",
    // Imports under names of their own, selected by a constant, an alias or a function; a parameter has the name.
    "pub mod fast { pub fn weight(_: u64) -> u64 { 9 } pub type V = [u8; 8]; } pub mod slow { pub fn weight(_: u64) -> u64 { 5 } pub type V = [u8; 4]; }
     DISPATCH pub mod k {
        use super::{fast, slow};
        const weight: fn(u64) -> u64 = if cfg!(WIDE) { fast::weight } else { slow::weight };
        #[cfg(WIDE)] type V = fast::V; #[cfg(not(WIDE))] type V = slow::V;
        pub fn own() -> (u64, usize) { (weight(1), size_of::<V>()) }
        pub fn size<V>(_: V) -> usize { size_of::<V>() } }
     pub fn go() -> ((u64, usize), usize) { (k::own(), k::size(1_u16)) }",
    "DISPATCH pub mod k {
        #[cfg(WIDE)] fn weight(x: u64) -> u64 { x + 9 } #[cfg(not(WIDE))] fn weight(x: u64) -> u64 { x + 5 }
        pub fn own(x: u64) -> u64 { weight(x) }
        pub fn apply(weight: impl Fn(u64) -> u64) -> u64 { weight(7) } }
     pub fn go() -> [u64; 2] { [k::own(1), k::apply(|x| x + 200)] }",
    "pub mod fast { pub fn weight(x: u64) -> u64 { x + 9 } } pub mod slow { pub fn weight(x: u64) -> u64 { x + 5 } }
     DISPATCH pub fn own(x: u64) -> u64 { #[cfg(WIDE)] use self::fast::*; #[cfg(not(WIDE))] use self::slow::*; let y = weight(x); y + 1 }
     pub fn go() -> u64 { own(1) }",
    // Constants that differ, and generic parameters.
    "DISPATCH pub mod k {
        const M: usize = 8; const W: usize = if cfg!(WIDE) { 2 * M } else { M };
        pub fn chunks<const N: usize>(x: [u8; N]) -> (usize, usize) { (W, x.len()) } }
     pub fn go() -> (usize, usize) { k::chunks([0; 3]) }",
    "DISPATCH pub mod k {
        const W: usize = if cfg!(WIDE) { 2 } else { 1 };
        pub fn hidden<const W: usize>(x: [u8; W]) -> usize { W + x.len() }
        pub fn seen() -> usize { W } }
     pub fn go() -> (usize, usize) { (k::hidden([0; 3]), k::seen()) }",
    "DISPATCH pub mod k {
        type A<T> = [T; if cfg!(WIDE) { 4 } else { 2 }];
        pub fn size<T>(_: T) -> usize { size_of::<A<T>>() } }
     pub fn go() -> usize { k::size(3_u32) }",
    "DISPATCH pub mod k {
        const K: u64 = if cfg!(WIDE) { 4 } else { 2 };
        pub fn by_type<K: Into<u64>>(x: K) -> u64 { x.into() }
        pub fn own(x: u64) -> u64 { x + K } }
     pub fn go() -> (u64, u64) { (k::by_type(5_u32), k::own(1)) }",
    // An item of the module hides one from a glob, in every clone.
    "pub mod generic { pub const LANES: usize = 4; pub fn weight() -> usize { 5 } pub type V = [u8; 4]; }
     DISPATCH pub mod k {
        use super::generic::*;
        #[cfg(WIDE)] const LANES: usize = 8; #[cfg(not(WIDE))] const LANES: usize = super::generic::LANES;
        #[cfg(WIDE)] fn weight() -> usize { 9 } #[cfg(not(WIDE))] fn weight() -> usize { super::generic::weight() }
        type V = [u8; LANES];
        pub fn go() -> [usize; 3] { [LANES, weight(), size_of::<V>()] } }
     pub fn go() -> [usize; 3] { k::go() }",
    "pub mod generic { pub const LANES: usize = 4; }
     DISPATCH pub fn go() -> usize { use self::generic::*; #[cfg(WIDE)] const LANES: usize = 8; LANES }",
    // Attributes under `cfg_attr`.
    "DISPATCH pub mod k {
        #[cfg_attr(d, simd_core::dispatch(skip))] pub fn direct() -> bool { cfg!(@avx2@) }
        #[cfg_attr(all(d, not(any())), simd_core::dispatch(skip))] pub fn conditional() -> bool { cfg!(@avx2@) }
        #[cfg_attr(windows, simd_core::dispatch(skip))] pub fn cloned() -> bool { cfg!(WIDE) }
        #[cfg_attr(d, cfg_attr(all(), simd_core::dispatch(skip)))] pub fn twice() -> bool { cfg!(@avx2@) } }
     pub fn go() -> [bool; 4] { [k::direct(), k::conditional(), k::cloned(), k::twice()] }",
    "DISPATCH pub mod k {
        const HAS: u64 = if cfg!(WIDE) { 1 } else { 0 }; macro_rules! has { () => { HAS == 1 } }
        #[cfg_attr(d, simd_core::dispatch(targets = \"avx2 | sse4.1\"))]
        pub fn go() -> (bool, bool, u64) { (cfg!(WIDE), has!(), HAS) } }
     pub fn go() -> (bool, bool, u64) { k::go() }",
    "DISPATCH pub mod k {
        use simd_core::dispatch;
        const HAS: u64 = if cfg!(WIDE) { 1 } else { 0 };
        #[cfg_attr(d, dispatch(targets = [\"avx2\", \"sse4.1\"]))] pub fn go() -> (bool, u64) { (cfg!(WIDE), HAS) }
        #[cfg_attr(d, dispatch(skip))] pub fn shared() -> bool { cfg!(@avx2@) } }
     pub fn go() -> ((bool, u64), bool) { (k::go(), k::shared()) }",
    "pub struct S; DISPATCH impl S {
        #[cfg_attr(d, simd_core::dispatch(skip))] pub fn shared(&self) -> bool { cfg!(@avx2@) }
        pub fn own(&self) -> bool { cfg!(WIDE) } }
     pub fn go() -> [bool; 2] { [S.shared(), S.own()] }",
    "DISPATCH pub mod k {
        #[cfg_attr(d, simd_core::dispatch(skip))] static S: u64 = if cfg!(@avx2@) { 4 } else { 8 };
        pub fn go() -> u64 { S } }
     pub fn go() -> u64 { k::go() }",
    // Functions with features of their own, also under `cfg_attr`.
    "DISPATCH pub mod k {
        #[cfg_attr(target_arch = \"x86_64\", target_feature(enable = \"sse2\"))] pub fn always(x: u64) -> u64 { x + 1 }
        pub fn go() -> u64 { (unsafe { always(1) }) + cfg!(WIDE) as u64 } }
     pub fn go() -> u64 { k::go() }",
    "DISPATCH pub mod k {
        #[inline] #[cfg_attr(all(target_arch = \"x86_64\", unix), target_feature(enable = \"sse2\"))] pub fn f(x: u64) -> u64 { x + 1 }
        #[cfg_attr(windows, target_feature(enable = \"avx2\"))] pub fn g(x: u64) -> u64 { x + 2 } }
     pub fn go() -> u64 { unsafe { k::f(1) + k::g(1) } }",
    "pub struct S; DISPATCH impl S { #[cfg_attr(target_arch = \"x86_64\", target_feature(enable = \"sse2\"))] pub fn f(&self) -> u64 { 4 } }
     pub fn go() -> u64 { unsafe { S.f() } }",
    // Arrays of functions with features: the type is written.
    "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {} fn take(all: [unsafe fn(); 2]) -> u64 { all.len() as u64 }
     DISPATCH pub fn go() -> u64 { take([f as unsafe fn(), g]) }",
    "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {} fn take(all: [unsafe fn(); 2]) -> u64 { all.len() as u64 }
     DISPATCH pub fn go() -> u64 { let all: [unsafe fn(); 2] = [f, g]; take(all) }",
    "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {}
     DISPATCH pub fn go() -> u64 { let one: unsafe fn() = if cfg!(WIDE) { f as unsafe fn() } else { g }; (one as usize != 0) as u64 }",
    // Shifts are no generics.
    "pub trait T { fn m(&self, b: [u64; 14]) -> u64; }
     DISPATCH impl T for u8 { fn m(&self, b: [u64; 14]) -> u64 {
        let w = b[0] << 1 | b[1] << 2 | b[2] << 3 | b[3] << 4 | b[4] << 5 | b[5] << 6 | b[6] << 7 | b[7] << 8 | b[8] << 9 | b[9] << 10 | b[10] << 11 | b[11] << 12 | b[12] << 13 | b[13] << 14;
        if cfg!(WIDE) { w + 1 } else { w } } }
     pub fn go() -> u64 { 3_u8.m([1; 14]) }",
    "DISPATCH pub fn f(b: u64) -> u64 {
        let w = [b << 1, b << 2, b << 3, b << 4, b << 5, b << 6, b << 7, b << 8, b << 9, b << 10, b << 11, b << 12, b << 13, b << 14, b << 15, (b < 3) as u64];
        fn nested(x: u64) -> u64 { if cfg!(WIDE) { x + 1 } else { x } }
        w.iter().fold(0, |sum, x| sum ^ nested(*x)) }
     pub fn go() -> u64 { f(3) }",
    "DISPATCH pub mod k {
        const S: u64 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | cfg!(WIDE) as u64;
        pub fn go() -> u64 { S } }
     pub fn go() -> u64 { k::go() }",
    "DISPATCH pub fn f(mut b: u64) -> u64 {
        b <<= 1; b <<= 2; b <<= 3; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1; b <<= 1;
        if b << 1 < 5 << 2 { 1 } else { b + cfg!(WIDE) as u64 } }
     pub fn go() -> u64 { f(3) }",
    // Functions nested in methods of traits.
    "pub struct S; pub trait T { fn m(&self) -> u64; }
     DISPATCH impl T for S { fn m(&self) -> u64 { fn nested(x: u64) -> u64 { if cfg!(WIDE) { x + 1 } else { x } } nested(1) } }
     pub fn go() -> u64 { S.m() }",
    "pub struct S; pub trait T { fn m(&self) -> u64; }
     DISPATCH impl T for S { fn m(&self) -> u64 { #[cfg(WIDE)] fn nested() -> u64 { 8 } #[cfg(not(WIDE))] fn nested() -> u64 { 4 } (|| nested())() } }
     pub fn go() -> u64 { S.m() }",
    "pub struct S; pub trait T { fn m(&self) -> u64; }
     DISPATCH impl T for S { fn m(&self) -> u64 { mod inner { pub fn nested() -> u64 { 4 } } const W: u64 = if cfg!(WIDE) { 3 } else { 1 }; fn nested<const N: u64>() -> u64 { N + W } nested::<5>() + inner::nested() } }
     pub fn go() -> u64 { S.m() }",
    "pub struct S; pub trait T { fn m(&self) -> u64 { fn nested(x: u64) -> u64 { simd_core::match_target! { \"avx2\" => x + 2, \"sse4.1\" => x + 1, _ => x } } nested(1) } }
     DISPATCH impl T for S { fn m(&self) -> u64 { fn nested(x: u64) -> u64 { simd_core::match_target! { \"avx2\" => x + 2, \"sse4.1\" => x + 1, _ => x } } nested(1) } }
     pub fn go() -> u64 { S.m() }",
    // A constant for the targets of an inner list, together with others.
    "DISPATCH pub mod k {
        #[cfg(WIDE)] const K: u64 = 8; #[cfg(not(WIDE))] const K: u64 = 1;
        #[cfg_attr(d, simd_core::dispatch(targets = \"avx2 | sse4.1\"))] pub fn go(x: u64) -> u64 { x + K } }
     pub fn go() -> u64 { k::go(1) }",
    "DISPATCH pub mod k {
        const K: u64 = simd_core::match_target! { \"avx2\" => 8, \"sse4.1\" => 4, _ => 1 };
        #[cfg_attr(d, simd_core::dispatch(targets = [\"avx2\", \"sse4.1\"]))] pub fn go(x: u64) -> u64 { format!(\"{K}{x}\").len() as u64 + K } }
     pub fn go() -> u64 { k::go(1) }",
    // `match_target!` with items, and a macro in one of them.
    "DISPATCH pub mod k { simd_core::match_target! {
        \"avx2\" => { fn f(x: u64) -> u64 { macro_rules! m { ($x:expr) => { $x + 8 } } m!(x) } }
        \"sse4.1\" => { fn f(x: u64) -> u64 { x + 4 } } _ => { fn f(x: u64) -> u64 { x } } }
        pub fn go() -> u64 { f(1) } }
     pub fn go() -> u64 { k::go() }",
    // Macros that are defined before a constant and all that use it; one of their names in a body.
    "DISPATCH pub mod k {
        macro_rules! lanes { () => { 4 } }
        const W: u64 = if cfg!(WIDE) { 2 * lanes!() } else { lanes!() };
        pub fn go() -> [u64; 2] { macro_rules! lanes { () => { 7 } } [W, lanes!()] }
        macro_rules! others { () => { 9 } }
        pub mod inner { macro_rules! lanes { () => { 3 } } pub fn go() -> u64 { lanes!() + others!() } } }
     pub fn go() -> ([u64; 2], u64) { (k::go(), k::inner::go()) }",
    // Parameters with names of functions that a constant calls.
    "DISPATCH pub mod k {
        const fn lanes() -> u64 { 4 } const W: u64 = if cfg!(WIDE) { 2 * lanes() } else { lanes() };
        pub fn go(lanes: u64) -> u64 { W + lanes }
        pub trait T { fn m(&self, lanes: u64) -> u64; fn by_value(self, lanes: String, w: u64) -> String; }
        impl T for u8 {
            fn m(&self, mut lanes: u64) -> u64 { lanes += 1; (0..lanes).map(|x| x * W).sum() }
            fn by_value(self, mut lanes: String, mut w: u64) -> String { w += W; lanes.push_str(&format!(\"{w}\")); lanes } } }
     use k::T as _;
     pub fn go() -> (u64, u64, String) { (k::go(1), 3_u8.m(4), 3_u8.by_value(String::new(), 1)) }",
    "DISPATCH pub mod k { const W: usize = if cfg!(WIDE) { 8 } else { 4 }; pub fn go(x: f64) -> String { format!(\"{x:W$} {x:.W$} {0:>1$}{W}\", x, W) } }
     pub fn go() -> String { k::go(1.5) }",
    "DISPATCH pub fn f() -> [bool; 3] { [r#cfg!(WIDE), cfg!(r#any(r#WIDE)), { #[r#cfg(WIDE)] { true } #[cfg(r#not(WIDE))] { false } }] }
     pub fn go() -> [bool; 3] { f() }",
    // Names of the attribute's own code.
    "DISPATCH pub fn f(target_lost: bool, __proof: u64, __body: u64, __f__avx2: u64) -> u64 { __proof + target_lost as u64 + __body + __f__avx2 + cfg!(WIDE) as u64 }
     pub fn go() -> u64 { f(true, 3, 4, 5) }",
    "DISPATCH pub mod k {
        pub const __proof: u64 = 3; pub const __body: u64 = 4; pub struct __arg0; pub static __arg1: u64 = 5; pub const __awaited: u64 = 6;
        pub struct S;
        impl core::ops::Add<u64> for S { type Output = u64; fn add(self, x: u64) -> u64 { x + __body + __proof } }
        pub fn go(a: u64, (x, y): (u64, u64)) -> u64 { if cfg!(WIDE) { x } else { a + y + __proof + __arg1 } }
        pub async fn wait(x: impl core::future::Future<Output = u64>) -> u64 { x.await + __awaited } }
     pub fn go() -> (u64, u64) { (k::S + 2, k::go(7, (1, 2))) }",
    // Large arguments on a stack of 2 MiB, without optimisation.
    "pub struct M([u64; 11_000]);
     DISPATCH impl core::ops::Add for M { type Output = M; fn add(mut self, other: M) -> M { for (a, b) in self.0.iter_mut().zip(&other.0) { *a += b + cfg!(WIDE) as u64; } self } }
     pub fn go() -> u64 { std::thread::Builder::new().stack_size(2 << 20).spawn(|| (M([1; 11_000]) + M([2; 11_000])).0[7]).unwrap().join().unwrap() }",
    // Tests that a macro passes on as literals and as whole attributes; a variable of that name.
    "macro_rules! make { ($f:literal, $m:meta, $p:meta) => { DISPATCH pub mod k {
        #[cfg(target_feature = $f)] fn w() -> u64 { 8 } #[cfg(not(target_feature = $f))] fn w() -> u64 { 4 }
        #[cfg(target_feature = $f)] const W: u64 = 8; #[cfg(not(target_feature = $f))] const W: u64 = 4;
        #[$m] fn x() -> u64 { 3 } #[cfg(not($p))] fn x() -> u64 { 2 }
        const fn y() -> usize { let target_feature = \"four\"; target_feature.len() }
        pub fn go() -> (u64, u64, u64, usize, bool) { (w(), W, x(), y(), cfg!(all($p, target_feature = $f))) } } } }
     make!(\"avx2\", cfg(WIDE), WIDE);
     pub fn go() -> (u64, u64, u64, usize, bool) { k::go() }",
    "DISPATCH pub mod k { const r#W: u64 = if cfg!(WIDE) { 2 } else { 1 }; const X: u64 = 2 * W + cfg!(WIDE) as u64; pub fn go(x: u64) -> u64 { W * x + r#W * r#X } }
     pub fn go() -> u64 { k::go(3) }",
    "macro_rules! make { ($n:ident, $p:pat) => { DISPATCH pub fn $n(v: u8) -> u8 { match &v { &$p => v + cfg!(WIDE) as u8, _ => 0 } } } }
     make!(f, 1..=5 | 7..=9);
     pub fn go() -> [u8; 2] { [f(8), f(6)] }",
    // A type with the name of a primitive one; each drop is recorded.
    "pub use std::cell::RefCell; thread_local! { pub static LOG: RefCell<String> = RefCell::new(String::new()); }
     pub struct u8(&'static str); impl Drop for u8 { fn drop(&mut self) { LOG.with_borrow_mut(|log| log.push_str(self.0)); } }
     pub struct D(&'static str); impl Drop for D { fn drop(&mut self) { LOG.with_borrow_mut(|log| log.push_str(self.0)); } }
     pub trait T { fn m(self, a: u8, b: D, c: u8) -> bool; }
     DISPATCH impl T for D { fn m(self, a: u8, b: D, c: u8) -> bool { cfg!(WIDE) } }
     pub fn go() -> (bool, String) { (D(\"self\").m(u8(\"a\"), D(\"b\"), u8(\"c\")), LOG.take()) }",
    // Attributes of clones on one definition only.
    "DISPATCH pub mod k {
        #[cfg(WIDE)] #[inline(never)] #[allow(dead_code)] /// Wide.
        pub fn f() -> u64 { 9 } #[cfg(not(WIDE))] #[must_use] #[cfg_attr(WIDE, inline)] pub fn g() -> u64 { 4 } #[cfg(WIDE)] #[must_use] pub fn g() -> u64 { 3 }
        #[cfg(not(WIDE))] pub fn f() -> u64 { 5 } }
     pub fn go() -> [u64; 2] { [k::f(), k::g()] }",
    // An impl of a type in the same block as the `cfg`.
    "pub unsafe trait Has<T> {} pub struct Reader;
     DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] { pub struct Local; impl Local { fn f(&self) -> u64 { 3 } } return Local.f(); } #[cfg(not(WIDE))] { 1 } }",
];

pub(super) const REFUSED: &[(&str, &str)] = &[
    // Imports.
    (SHARED_IMPORT, "pub fn f() -> u64 { 1 } pub fn g() -> u64 { 2 }
     DISPATCH pub mod k { #[cfg(WIDE)] use super::f as h; #[cfg(not(WIDE))] use super::g as h; pub fn go() -> u64 { h() } }"),
    (SHARED_IMPORT, "pub mod fast { pub fn f() {} } pub mod slow { pub fn f() {} }
     DISPATCH pub mod k { #[cfg(WIDE)] use super::fast::*; #[cfg(not(WIDE))] use super::slow::*; pub fn go() { f() } }"),
    (SHARED_IMPORT, "pub trait Fast { fn width(&self) -> u64 { 9 } } impl Fast for u8 {} pub trait Slow { fn width(&self) -> u64 { 5 } } impl Slow for u8 {}
     DISPATCH pub mod k { #[cfg(WIDE)] use super::Fast as _; #[cfg(not(WIDE))] use super::Slow as _; pub fn go() -> u64 { 1_u8.width() } }"),
    (SHARED_IMPORT, "pub const A: u64 = 1; DISPATCH pub mod k { pub mod inner { #[cfg(any(WIDE, windows))] pub use super::super::A as B; } pub fn go() {} }"),
    (SHARED_IMPORT, "pub const A: u64 = 1; DISPATCH pub mod k { #[cfg_attr(unix, cfg(WIDE))] pub use super::A as B; pub fn go() {} }"),
    // Macros.
    (SHARED_MACRO, "DISPATCH pub mod k { macro_rules! w { () => { cfg!(WIDE) } } pub fn go() -> bool { w!() } }"),
    (SHARED_MACRO, "DISPATCH pub mod k { #[cfg(WIDE)] macro_rules! w { () => { 1 } } #[cfg(not(WIDE))] macro_rules! w { () => { 2 } } pub fn go() -> u64 { w!() } }"),
    (SHARED_MACRO, "DISPATCH pub mod k { macro_rules! w { () => { simd_core::match_target! { \"avx2\" => 1, _ => 2 } } } pub fn go() -> u64 { w!() } }"),
    // Code that all clones share.
    ("all clones share this `static`", "DISPATCH pub mod k { static S: u64 = if cfg!(WIDE) { 1 } else { 2 }; pub fn go() -> u64 { S } }"),
    ("all clones share this `static`", "DISPATCH pub mod k { #[cfg(WIDE)] static S: u64 = 1; #[cfg(not(WIDE))] static S: u64 = 2; pub fn go() -> u64 { S } }"),
    ("all clones share this type", "DISPATCH pub mod k { #[cfg(WIDE)] pub struct S(u64); #[cfg(not(WIDE))] pub struct S(u32); pub fn go(s: &S) -> u64 { s.0 as u64 } }"),
    ("all clones share this type", "DISPATCH pub mod k { pub enum S { A, #[cfg(WIDE)] B } pub fn go() -> u64 { size_of::<S>() as u64 } }"),
    ("all clones share this type", "DISPATCH pub mod k { pub union S { a: [u8; if cfg!(WIDE) { 8 } else { 4 }] } pub fn go() -> u64 { size_of::<S>() as u64 } }"),
    ("all clones share this trait", "DISPATCH pub mod k { #[cfg(WIDE)] pub trait Tr {} pub fn go() {} }"),
    ("all clones share this impl", "DISPATCH pub mod k { pub struct S; #[cfg(WIDE)] impl S { pub fn kind(&self) -> u64 { 9 } } pub fn go() {} }"),
    ("all clones share this impl", "pub trait Kind { fn kind(&self) -> u64 { 5 } } DISPATCH pub mod k { pub struct S; impl super::Kind for S {} #[cfg(WIDE)] impl S { pub fn kind(&self) -> u64 { 9 } } pub fn go(s: &S) -> u64 { use super::Kind as _; s.kind() } }"),
    ("all clones share this module", "DISPATCH pub mod k { #[cfg(WIDE)] pub mod inner { pub fn f() {} } pub fn go() {} }"),
    ("all clones share this associated constant", "pub struct S; DISPATCH impl S { pub const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; pub fn go(&self) -> u64 { Self::W } }"),
    ("all clones share this associated type", "pub struct S; DISPATCH impl Iterator for S { #[cfg(WIDE)] type Item = u64; #[cfg(not(WIDE))] type Item = u32; fn next(&mut self) -> Option<Self::Item> { None } }"),
    ("all clones share this associated constant", "pub trait Tr { const W: u64; fn f(&self) -> u64; } DISPATCH impl Tr for u8 { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; fn f(&self) -> u64 { Self::W + cfg!(WIDE) as u64 } }"),
    ("all clones share this associated constant", "DISPATCH pub trait Tr { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; fn f(&self) -> u64 { Self::W } }"),
    ("all clones share this signature", "DISPATCH pub mod k { pub fn go(x: [u8; if cfg!(WIDE) { 8 } else { 4 }]) -> u8 { x[0] } }"),
    ("all clones share this signature", "DISPATCH pub fn go(#[cfg(WIDE)] x: u64, #[cfg(not(WIDE))] x: u32) -> u64 { x as u64 }"),
    ("all clones share this `const fn`", "DISPATCH pub mod k { const fn w() -> u64 { if cfg!(WIDE) { 2 } else { 1 } } pub fn go() -> u64 { w() } }"),
    ("all clones share this function without a body", "DISPATCH pub trait Tr { #[cfg(WIDE)] fn required(&self); fn go(&self) -> u64 { 1 } }"),
    ("all clones share this function, which has no clones", "DISPATCH pub mod k { #[target_feature(enable = \"avx2\")] pub fn f() -> bool { cfg!(WIDE) } pub fn go() {} }"),
    ("an impl in it exists once", "pub trait Tr {} DISPATCH pub mod k { const W: u64 = { struct L; impl super::Tr for L {} if cfg!(WIDE) { 2 } else { 1 } }; pub fn go() -> u64 { W } }"),
    // Definitions that some clones lack, or that differ in what callers see.
    ("no definition", "DISPATCH pub mod k { #[cfg(WIDE)] fn w() -> u64 { 9 } pub fn go() -> u64 { #[cfg(WIDE)] return w(); #[cfg(not(WIDE))] 1 } }"),
    ("no definition", "pub mod generic { pub const LANES: usize = 4; } DISPATCH pub mod k { use super::generic::*; #[cfg(WIDE)] const LANES: usize = 8; pub fn go() -> usize { LANES } }"),
    ("no definition", "pub mod generic { pub type V = [u8; 4]; } DISPATCH pub mod k { use super::generic::*; #[cfg(WIDE)] type V = [u8; 8]; pub fn go() -> usize { size_of::<V>() } }"),
    ("no definition", "pub mod generic { pub fn weight() -> u64 { 5 } } DISPATCH pub mod k { use super::generic::*; #[cfg(WIDE)] fn weight() -> u64 { 9 } pub fn go() -> u64 { weight() } }"),
    ("no definition", "pub trait Kind { fn kind(&self) -> u64 { 5 } } pub struct S; impl Kind for S {} DISPATCH impl S { #[cfg(WIDE)] pub fn kind(&self) -> u64 { 9 } }"),
    ("no definition", "DISPATCH pub mod k { #[cfg(target_feature = \"fma\")] const K: u64 = 8; #[cfg_attr(d, simd_core::dispatch(targets = \"avx2,fma\"))] pub fn go(x: u64) -> u64 { #[cfg(target_feature = \"fma\")] return x + K; x } }"),
    ("no definition", "DISPATCH pub mod k { #[cfg(WIDE)] const K: u64 = 8; #[cfg(all(target_feature = \"sse4.1\", not(WIDE)))] const K: u64 = 4; pub fn go() -> u64 { 1 } }"),
    ("differ in", "DISPATCH pub mod k { #[cfg(WIDE)] pub fn f() -> u64 { 9 } #[cfg(not(WIDE))] pub unsafe fn f() -> u64 { 5 } pub fn go() {} }"),
    ("differ in", "DISPATCH pub mod k { #[cfg(WIDE)] pub fn f(x: u64) -> u64 { 9 } #[cfg(not(WIDE))] pub fn f(x: u32) -> u64 { 5 } pub fn go() {} }"),
    ("differ in `#[track_caller]`", "DISPATCH pub mod k { #[cfg(WIDE)] #[track_caller] pub fn f() -> u64 { 9 } #[cfg(not(WIDE))] pub fn f() -> u64 { 5 } }"),
    ("differ in `#[must_use]`", "DISPATCH pub mod k { #[cfg(WIDE)] pub fn f() -> u64 { 9 } #[cfg(not(WIDE))] #[inline] #[must_use] pub fn f() -> u64 { 5 } }"),
    ("differ in `#[cfg_attr(unix, deprecated)]`", "pub struct S; DISPATCH impl S { #[cfg(WIDE)] pub fn f() -> u64 { 9 } #[cfg(not(WIDE))] #[cfg_attr(unix, deprecated)] pub fn f() -> u64 { 5 } }"),
    ("callers of all clones see this attribute", "DISPATCH pub mod k { #[cfg_attr(WIDE, track_caller)] pub fn f() -> u64 { 9 } }"),
    ("differ in visibility", "DISPATCH pub mod k { #[cfg(WIDE)] pub const W: u64 = 9; #[cfg(not(WIDE))] const W: u64 = 5; pub fn go() -> u64 { W } }"),
    // Copies that would mean something else: after or before another definition of a macro, or with a `static` of their own.
    ("`lanes` is defined among its copies", "DISPATCH pub mod k { macro_rules! lanes { () => { 2 } } pub fn before() -> u64 { W } macro_rules! lanes { () => { 4 } } const W: u64 = if cfg!(WIDE) { 2 * lanes!() } else { lanes!() }; }"),
    ("`lanes` is defined among its copies", "DISPATCH pub mod k { macro_rules! lanes { () => { 4 } } const W: u64 = if cfg!(WIDE) { 2 * lanes!() } else { lanes!() }; macro_rules! lanes { () => { 2 } } pub fn after() -> u64 { W } }"),
    ("`lanes` is defined among its copies", "macro_rules! outside { () => { lanes!() } } DISPATCH pub mod k { macro_rules! lanes { () => { 4 } } const W: u64 = outside!() + cfg!(WIDE) as u64; macro_rules! lanes { () => { 2 } } pub fn after() -> u64 { W } }"),
    ("`lanes` is defined among its copies", "DISPATCH pub mod k { const W: u64 = 1 + cfg!(WIDE) as u64; macro_rules! lanes { () => { 4 } } const _: () = assert!(W < lanes!()); #[macro_use] mod inner { macro_rules! lanes { () => { 1 } } } pub fn after() -> u64 { W } }"),
    ("`two` is defined between it and the first one", "DISPATCH pub mod k { macro_rules! two { () => { 2 } } #[cfg(WIDE)] pub fn f() -> u64 { two!() * 100 } macro_rules! two { () => { 3 } } #[cfg(not(WIDE))] pub fn f() -> u64 { two!() } }"),
    ("`two` is defined between it and the first one", "macro_rules! outside { () => { two!() } } DISPATCH pub mod k { #[cfg(WIDE)] pub fn f() -> u64 { 100 } macro_rules! two { () => { 3 } } #[cfg(not(WIDE))] pub fn f() -> u64 { outside!() } }"),
    ("would have a `static` in it of its own", "use std::sync::atomic::AtomicU64; DISPATCH pub mod k { use super::*; const COUNT: &AtomicU64 = { static C: AtomicU64 = AtomicU64::new(cfg!(WIDE) as u64); &C }; pub fn go() -> u64 { COUNT.load(std::sync::atomic::Ordering::Relaxed) } }"),
    ("would have a `static` in it of its own", "DISPATCH pub mod k { const W: u64 = 1 + cfg!(WIDE) as u64; macro_rules! of { ($e:expr) => {{ static S: u64 = 3; &S }} } const R: &u64 = if W == 2 { of!(1) } else { &5 }; pub fn go() -> u64 { *R } }"),
    // Tests that cannot be read.
    (UNREAD, "use std::cfg as has; DISPATCH pub fn go() -> bool { has!(WIDE) }"),
    (UNREAD, "DISPATCH pub fn go() -> bool { macro_rules! feature { ($name:literal) => { cfg!(target_feature = $name) } } feature!(\"avx2\") }"),
    (UNREAD, "macro_rules! call { ($macro:ident, $($rest:tt)*) => { $macro!($($rest)*) } } DISPATCH pub fn go() -> bool { call!(cfg, WIDE) }"),
    (UNREAD, "macro_rules! call { ($($rest:tt)*) => { cfg!($($rest)*) } } DISPATCH pub mod k { pub fn go() -> bool { assert!([call![not(WIDE)]][0] || true); true } }"),
    (UNREAD, "pub trait T { fn m(&self) -> bool; } macro_rules! call { ($($rest:tt)*) => { cfg!($($rest)*) } } DISPATCH impl T for u8 { fn m(&self) -> bool { fn inner() -> bool { call!(r#target_feature = \"avx2\") } inner() } }"),
    (UNREAD, "DISPATCH pub mod k { const A: bool = { macro_rules! m { ($m:ident, $($r:tt)*) => { $m!($($r)*) } } m!(cfg, WIDE) }; pub fn go() -> bool { A } }"),
    (UNREAD, "DISPATCH pub mod k { const A: bool = { macro_rules! m { ($f:literal) => { cfg!(target_feature = $f) } } m!(\"avx2\") }; pub fn go() -> bool { A } }"),
    (UNREAD, "macro_rules! ready { ($($t:tt)*) => { cfg!($($t)*) } } DISPATCH pub fn go() -> bool { ready!(WIDE) }"),
    // A macro of the user's with the name of one that reports errors.
    ("all clones share this `static`", "macro_rules! compile_error { ($($t:tt)*) => {} } DISPATCH pub mod k { static S: u64 = if cfg!(WIDE) { 1 } else { 2 }; pub fn go() -> u64 { S } }"),
    // A check refuses what a build refuses.
    ("mismatched types", "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {} fn take(all: [unsafe fn(); 2]) -> usize { all.len() } DISPATCH pub fn go() -> usize { { let (f, g) = (1, 2); assert!(f < g); } for f in 0..2 { let g = f; assert!(f == g); } let x = [f, g]; take(x) }"),
    ("mismatched types", "#[target_feature(enable = \"avx2\")] fn f<T>() {} #[target_feature(enable = \"avx2\")] fn g<T>() {} fn take(all: [unsafe fn(); 2]) -> usize { all.len() } DISPATCH pub fn go() -> usize { let x = [f::<u8>, g::<u8>]; size_of::<u8>() + take(x) }"),
    ("mismatched types", "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {} fn take(all: [unsafe fn(); 2]) -> usize { all.len() } DISPATCH pub fn go(a: usize, b: usize) -> usize { size_of::<&dyn for<'a> Fn(&'a u8)>(); let m = a | b; let x = [f, g]; let n = take(x) + m; for i in 0..3 { drop(i); } n | b }"),
    ("mismatched types", "#[target_feature(enable = \"avx2\")] fn f() {} #[target_feature(enable = \"avx2\")] fn g() {} fn take(all: [unsafe fn(); 2]) -> usize { all.len() } DISPATCH pub fn go(x: Option<u8>) -> usize { let _ = match x { Some(f) => f, None => 1 }; let h = |g: u8| g; if let Some(g) = x { h(g); } let f = [f, g]; take(f) }"),
    // Constants and aliases that differ, where clones do not see them.
    (CONSTANT, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; pub fn go() -> u64 { self::W } }"),
    (CONSTANT, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; pub mod inner { pub fn go() -> u64 { super::W } } }"),
    (CONSTANT, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; static S: u64 = W; pub fn go() -> u64 { S } }"),
    (CONSTANT, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; const fn w() -> u64 { W } pub fn go() -> u64 { w() } }"),
    (PATTERN, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; #[simd_core::dispatch(skip)] pub fn go() -> u64 { match 1 { W => 3, _ => 4 } } pub fn f() {} }"),
    (PATTERN, "DISPATCH pub mod k { const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; pub mod inner { use super::*; #[simd_core::dispatch(skip)] pub fn go() -> u64 { if let W = 2 { 3 } else { 4 } } } pub fn f() {} }"),
    (CONSTANT, "DISPATCH pub mod k { pub const W: u64 = if cfg!(WIDE) { 2 } else { 1 }; pub fn f() {} } pub fn go() -> u64 { k::W }"),
    (ALIAS, "DISPATCH pub mod k { type V = [u8; if cfg!(WIDE) { 8 } else { 4 }]; pub fn go(x: V) -> u8 { x[0] } }"),
    (ALIAS, "DISPATCH pub mod k { type V = [u8; if cfg!(WIDE) { 8 } else { 4 }]; pub struct S { v: V } pub fn go() -> usize { size_of::<S>() } }"),
    ("which means a parameter", "DISPATCH pub mod k { const N: usize = 8; const W: usize = if cfg!(WIDE) { 2 * N } else { N }; pub fn go<const N: usize>(x: [u8; N]) -> (usize, usize) { (W, x.len()) } }"),
    ("which means a parameter", "DISPATCH pub mod k { type T = u64; const W: usize = if cfg!(WIDE) { size_of::<T>() } else { 1 }; pub fn go<T>(x: T) -> usize { W + size_of::<T>() } }"),
    ("would hide the parameter", "macro_rules! outer { () => { 1 } } DISPATCH pub mod k { #[cfg(WIDE)] pub type T = [u8; 4]; #[cfg(not(WIDE))] pub type T = [u8; 2]; pub const W: usize = if cfg!(WIDE) { 3 } else { outer!() }; pub fn size<T>() -> usize { size_of::<T>() + W } }"),
    ("would hide the parameter", "macro_rules! outer { () => { 1 } } DISPATCH pub mod k { pub const N: usize = if cfg!(WIDE) { 3 } else { 4 }; pub const W: usize = if cfg!(WIDE) { 3 } else { outer!() }; pub trait Tr { fn m<const N: usize>(&self) -> usize { N + W } } }"),
    // Attributes under other names.
    ("its own name", "use simd_core::dispatch as multi; DISPATCH pub mod k { use super::multi; #[cfg_attr(d, multi(skip))] pub fn go() -> bool { cfg!(WIDE) } }"),
    ("must be called `dispatch`", "use simd_core::dispatch as multi; DISPATCH pub mod k { use super::multi; #[cfg(d)] #[multi(targets = \"avx2\")] pub fn go() -> bool { cfg!(WIDE) } }"),
    // Impls in bodies, of types from outside of the block.
    (IMPL, "pub unsafe trait Has<T> {} pub struct Reader; DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] { pub struct Local; unsafe impl Has<Local> for Reader {} } 1 }"),
    (IMPL, "pub unsafe trait Has {} pub struct Reader; DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] unsafe impl Has for Reader {} 1 }"),
    (IMPL, "pub struct Reader; DISPATCH pub fn go() -> u64 { if cfg!(WIDE) { impl Reader { pub fn promise(&self) {} } } 1 }"),
    (IMPL, "pub unsafe trait Has {} DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] { struct Local; unsafe impl<Local> Has for Local {} } 1 }"),
    (IMPL, "pub unsafe trait Has {} pub struct Reader; DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] assert!({ unsafe impl Has for Reader {} true }); 1 }"),
    (IMPL, "pub unsafe trait Has {} pub struct Reader; DISPATCH pub fn go() -> u64 { macro_rules! promise { ($t:ty) => { unsafe impl Has for $t {} } } #[cfg(WIDE)] promise!(Reader); 1 }"),
    (IMPL, "pub unsafe trait Has {} DISPATCH pub mod k { pub struct Reader; macro_rules! promise { ($t:ty) => { unsafe impl super::Has for $t {} } } macro_rules! other { () => { promise!(Reader); } } pub fn go() -> u64 { #[cfg(WIDE)] { other!{} } 1 } }"),
    ("an impl in it exists once", "pub unsafe trait Has {} DISPATCH pub mod k { pub struct Reader; macro_rules! promise { ($t:ty) => { unsafe impl super::Has for $t {} } } const W: u64 = { #[cfg(WIDE)] promise!(Reader); 1 }; pub fn go() -> u64 { W } }"),
    (IMPL, "pub unsafe trait Has {} pub struct Reader; DISPATCH pub fn go() -> u64 { #[cfg(WIDE)] unsafe impl Has for Reader {} ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) }"),
    (IMPL, "pub unsafe trait Has {} DISPATCH pub mod k { pub struct S; pub fn go() -> u64 { #[cfg(WIDE)] { struct S; { unsafe impl super::Has for S {} } } 1 } }"),
    // Impls whose type or whose content differs, and what a program has once.
    (IMPL, "pub unsafe trait Has<T> {} pub struct Reader<const N: usize>; DISPATCH pub mod k { use super::*; const W: usize = if cfg!(WIDE) { 8 } else { 4 }; pub fn go() -> usize { pub struct Local; unsafe impl Has<Local> for Reader<W> {} W } }"),
    (IMPL, "pub unsafe trait Has {} pub struct Reader<const N: usize>; DISPATCH pub mod k { use super::*; const W: usize = if cfg!(WIDE) { 8 } else { 4 }; macro_rules! promise { () => { unsafe impl Has for Reader<W> {} } } pub fn go() -> usize { promise! {} W } }"),
    ("an impl in it exists once", "pub struct Reader<const N: usize>; DISPATCH pub mod k { const W: usize = if cfg!(WIDE) { 8 } else { 4 }; const _: () = { impl super::Reader<W> { pub fn kind(&self) -> u64 { W as u64 + 1 } } }; pub fn go() -> usize { W } }"),
    ("no_mangle in it exists once", "DISPATCH pub mod k { const W: usize = if cfg!(WIDE) { 8 } else { 4 }; const _: () = { #[unsafe(no_mangle)] pub extern \"C\" fn once() -> usize { W } }; pub fn go() -> usize { W } }"),
    ("`no_mangle` would be repeated", "DISPATCH pub fn go(x: u64) -> u64 { #[unsafe(no_mangle)] pub extern \"C\" fn twice(x: u64) -> u64 { x * 2 } twice(x) }"),
    ("`macro_export` would be repeated", "DISPATCH pub fn go(x: u64) -> u64 { #[macro_export] macro_rules! once { () => { 1 } } x + once!() }"),
    // Signatures and methods that can have no clones.
    ("cannot return `impl Trait`", "DISPATCH pub fn go() -> impl Fn() -> bool { || cfg!(WIDE) }"),
    ("a `const fn` cannot be dispatched", "DISPATCH pub const fn go() -> u64 { 1 }"),
    ("cannot have clones", "pub trait Tr { fn m(&self) -> u64; } impl Tr for u8 { DISPATCH #[track_caller] fn m(&self) -> u64 { cfg!(WIDE) as u64 } }"),
];

const SHARED_IMPORT: &str = "all clones share this import";
const SHARED_MACRO: &str = "all clones share this macro";
const CONSTANT: &str = "ConstantUsableOnlyInsideClones";
const PATTERN: &str = "cannot shadow statics";
const UNREAD: &str = "cannot read this test of a feature";
const ALIAS: &str = "AliasUsableOnlyInsideClones";
const IMPL: &str = "this impl would be repeated";
