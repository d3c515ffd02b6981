//! One attribute clones a whole call tree for several sets of CPU features, and selects a clone at run time.
//!
//! ```
//! use simd_core::dispatch;
//!
//! #[dispatch(targets = "x86-64-v3 | sve2")]
//! pub fn brighten(pixels: &mut [u8], by: u8) {
//!     for pixel in pixels {
//!         *pixel = pixel.saturating_add(by);
//!     }
//! }
//!
//! let mut row = [100, 200, 250];
//! brighten(&mut row, 10);
//! assert_eq!(row, [110, 210, 255]);
//! ```
//!
//! | to | use |
//! |---|---|
//! | compile functions, impls, traits and modules for several targets | [`dispatch`](macro@dispatch) |
//! | write code for some targets only | [`match_target!`] |
//! | check for features and properties at run time | [`detected!`] |
//! | give a list of targets a name | [`target_list!`] |
//! | report which clone runs, and why | [`targets!`], [`features()`] |
//! | end a program with a message if the CPU lacks the build's features | [`check_cpu!`](macro@check_cpu) |
//! | detect features in a program without a C runtime | [`start`] |
//! | test every clone, with the feature `testing` | `simd_core::testing` |
//! | assert on machine code, with the feature `asm` | `simd_core::asm` |
//!
//! # Cargo features
//!
//! | feature | default | |
//! |---|---|---|
//! | `macros` | yes | the attribute and the macros; without it, write their expansions into files: [`expanded`] |
//! | `std` | yes | detect CPU features with the standard library; without it, with `cpuid` or through the kernel |
//! | `asm` | no | assertions on machine code, `simd_core::asm`, for tests |
//! | `nightly` | no | on a nightly compiler: targets may name [unstable features](#unstable-features), such as AVX10, SME and RISC-V's vectors |
//! | `environment` | no | for programs that are shipped: environment variables take features away, [for support cases](#support-cases) |
//! | `testing` | no | `simd_core::testing`, for tests: environment variables disable features, so that every clone can be tested |
//!
//! # Unstable features
//!
//! With the feature `nightly` and a nightly compiler, all lists of targets accept `avx10.1`, `amx-tile`, `apxf`,
//! `sve2p1`, `sme`, RISC-V's `v` and the other unstable features that the standard library detects. The crate with the
//! list needs rustc's feature gate (`#![feature(avx10_target_feature)]`), which the compiler's error names.
//!
//! - Lists without unstable names mean the same with the feature and without it. A stable compiler refuses unstable names and
//!   nothing else.
//! - Without the feature `std`, a target with an unstable name is left out, unless the build enables it.
//! - Nightly compilers change names and gates. `docs/targets.md` in the repository has them.
//!
//! # Support cases
//!
//! To disable a feature on a user's machine, as OpenSSL's `OPENSSL_ia32cap` does, enable the cargo feature `environment`. The
//! program then reads two variables before `main`:
//!
//! - `SIMD_CORE_WITHOUT`: features that are disabled, with all that imply them (`SIMD_CORE_WITHOUT=avx512f,fast-gather`).
//! - `SIMD_CORE_ONLY`: features that remain, with all that they imply (`avx2,fma`, `x86-64-v3`; empty for the baseline).
//!
//! Both can only disable features, and not those that the build enables.
//!
//! - Enable the cargo feature in the program's own `Cargo.toml`, not in a library: it affects the whole program.
//! - A wrong name ends the program before `main`, with a message and exit code 2.
//! - Programs with more privileges than their user (set-user-ID and the like) and libraries that a program loads ignore the
//!   variables.
//! - If clones differ in safety, for example in constant time, an attacker who controls the environment can select the weakest.
//!
//! # Testing every clone
//!
//! With the feature `testing`, meant for dev-dependencies, a process reads the same variables, and `SIMD_CORE_REQUIRE`:
//!
//! ```sh
//! SIMD_CORE_ONLY=x86-64-v3 cargo test
//! SIMD_CORE_ONLY= cargo test
//! ```
//!
//! Do not ship a program with `testing`. `simd_core::testing` uses the variables, and `docs/testing.md` in the repository has them
//! all. Without the cargo features `environment` and `testing`, they have no effect.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![cfg_attr(
    not(feature = "macros"),
    allow(
        rustdoc::broken_intra_doc_links,
        rustdoc::private_intra_doc_links,
        reason = "pages name macros that are not there"
    )
)]
// Feature gates of the standard library's detection of unstable features.
#![cfg_attr(
    all(simd_core_unstable, feature = "std", any(target_arch = "x86", target_arch = "x86_64")),
    feature(apx_target_feature, avx10_target_feature, movrs_target_feature, x86_amx_intrinsics)
)]
#![cfg_attr(
    all(simd_core_unstable, feature = "std", target_arch = "aarch64"),
    feature(stdarch_aarch64_feature_detection)
)]
#![cfg_attr(
    all(simd_core_unstable, feature = "std", any(target_arch = "riscv32", target_arch = "riscv64")),
    feature(stdarch_riscv_feature_detection)
)]

#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "macros")]
macro_rules! table {
    ($($table:tt)*) => { simd_core_macros::__table!($($table)*); };
}
#[cfg(not(feature = "macros"))]
#[allow(unused_macros, reason = "some serve one CPU")]
#[macro_use]
mod table;

mod check;
mod detect;
mod differs;
pub mod expanded;
mod features;
mod known;
#[cfg(simd_core_ledger)]
mod ledger;
#[cfg(any(feature = "environment", feature = "testing"))]
mod limit;
mod mask;
mod static_target;
mod targets;
#[cfg(feature = "testing")]
pub mod testing;

#[cfg(feature = "asm")]
#[doc(inline)]
pub use simd_core_asm as asm;

pub use check::{UnsupportedCpu, check_cpu};
pub use features::{Features, features};
pub use known::start;
pub use targets::{Status, Target, Targets};

/// Compiles a function, an `impl`, a trait or an inline module once for each target, and selects the clone at run time.
///
/// ```
/// use simd_core::dispatch;
///
/// #[dispatch(targets = "avx2 | sse4.1 | sve2")]
/// fn add(a: &mut [u32], b: &[u32]) {
///     for (a, b) in a.iter_mut().zip(b) {
///         *a = a.wrapping_add(*b);
///     }
/// }
///
/// let mut sums = [1, 2, 3];
/// add(&mut sums, &[10, 20, 30]);
/// assert_eq!(sums, [11, 22, 33]);
/// ```
///
/// # Options
///
/// | option | meaning |
/// |---|---|
/// | `targets = "…"` | the targets, in order of preference; `targets = ["…", "…"]` means the same, and an error marks the one string that is wrong |
/// | `targets = path` | the targets of a list that is named with [`target_list!`]; `targets = [path, "…"]` joins several |
/// | `crate = path` | the path of `simd-core`, if it is not `::simd_core`: for a dependency that is renamed in `Cargo.toml`, or that another crate re-exports. It begins with a crate's name, `crate`, `self` or `super` |
/// | `list = [pub] NAME` | also declares the constant `NAME` next to the item, of type [`Targets`], for tests and printing. To use the targets in another `dispatch`, write a [`target_list!`] |
/// | `skip` | on an item directly in an annotated module, impl or trait: leave it as it is |
///
/// In an annotated module, impl or trait, an item with `#[dispatch(targets = "…")]` has its own targets.
///
/// # Targets
///
/// `|` separates targets and `,` joins features. A target applies to every architecture on which all of its names are
/// valid: `aes` on x86, `x86_64` and aarch64, `avx2,pclmulqdq` on x86 and `x86_64`. To restrict it, write `x86_64:
/// aes` or `x86, x86_64: aes`; `x86` by itself is 32-bit code. Names are those of rustc. Those of `/proc/cpuinfo` and the Arm
/// manuals are aliases (`pmull` for `aes`, `asimd` for `neon`), and `x86-64-v2`, `x86-64-v3` and `x86-64-v4` stand for
/// the levels. A CPU that fits no target runs the *baseline*: the same source without extra features. The macro warns of
/// a target whose features every CPU of its architecture has (`neon`, `x86_64: sse2`).
///
/// # Properties of CPUs
///
/// Some CPUs have a feature whose instructions are slow. A property in a target excludes these CPUs: with
/// `"bmi2,fast-pext"` the clone runs where the CPU has BMI2 and PEXT is fast, and other CPUs take the next target.
///
/// | property | what is fast | CPUs that have the instructions and lack the property |
/// |---|---|---|
/// | `fast-pext` | PDEP, PEXT | AMD before Zen 3, Hygon |
/// | `fast-512` | 512-bit code, which does not lower the clock | Skylake-SP and -X, Cascade Lake, Cooper Lake |
/// | `fast-gather` | gathers | AMD up to Zen 4, Hygon, Intel from Skylake to Rocket Lake (Downfall), Zhaoxin's Yongfeng and Shijidadao |
/// | `fast-compress-store` | VPCOMPRESS to memory | Zen 4 |
///
/// Properties are for x86 and `x86_64`, and depend on the vendor, the family and the model in `cpuid`. A CPU that is
/// not in the table, or whose model a hypervisor hides, counts as having all of them. A target with properties must also
/// name a feature. [`detected!`] also accepts properties without a feature. In a clone that has them, it costs nothing:
///
/// ```
/// use simd_core::{detected, dispatch};
///
/// #[dispatch(targets = "bmi2,fast-pext")]
/// fn even_bits(x: u64) -> u64 {
///     #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
///     if detected!("fast-pext") {
///         return core::arch::x86_64::_pext_u64(x, 0x5555_5555_5555_5555);
///     }
///     (0..32).fold(0, |bits, i| bits | (x >> (2 * i) & 1) << i)
/// }
///
/// assert_eq!(even_bits(0b0100_0111), 0b1011);
/// ```
///
/// Properties are not features of the compiler: they are not in `target_feature`, and no build enables one. So a build with
/// `-C target-cpu=native` still checks them at run time. Its baseline may have BMI2, so the function above must test the
/// property itself.
///
/// # What a clone is
///
/// A clone is the function as you wrote it, compiled with the clone's features. Three things may differ between clones, and nothing
/// else:
///
/// - **Code in bodies.** `cfg(target_feature = "…")` is true for the clone's features and all that they imply: in `#[cfg]`,
///   `#[cfg_attr]`, `cfg!` and `cfg_select!`, on statements and items, and in the arguments of macros. In these, write `cfg(…)` in full:
///   `m!(target_feature = "avx2")` is refused. [`match_target!`] selects code by targets, which are the patterns of its arms.
/// - **The definition of a function**, if several stand under `cfg`s in an annotated module, impl or trait impl. They must agree
///   literally in all that callers see: visibility, `unsafe`, `async`, ABI, generics, types, `where` clauses, and attributes such as
///   `#[track_caller]`. Macros they call must stand above the first one.
/// - **The values of constants and type aliases** of an annotated module, if they test a feature: directly, through a macro of the
///   annotated item, or through another such constant or alias. Use them only in each other and in bodies of the module's functions.
///
/// On each architecture, a function or constant of this kind must be defined for every clone or for none; the error names the clones that
/// lack it.
///
/// In a function's clone, the intrinsics of its features are safe to call if they do not take pointers. Calls to other dispatched
/// functions with the same list go straight to their clones. Closures, async blocks and functions inside of a clone also have its
/// features, except for these:
///
/// - `const fn`s, functions that a macro makes, and functions that return `impl Trait`,
/// - functions in an impl, trait or module of the body,
/// - functions and closures with `inline(always)`, and small closures that are passed to adaptors.
///
/// Anything else that tests a feature in an annotated module, impl or trait is an error at the `cfg`:
///
/// | what tests it | instead |
/// |---|---|
/// | an import | import both under names of their own, and select one in a constant, an alias or a function |
/// | a `macro_rules!` | test the feature in a function or a constant, and name that in the macro; or put the attribute on a function that the macro makes |
/// | a `static` | a constant |
/// | a struct, enum or union | two types, and an alias that selects one |
/// | an associated constant or type | a constant or alias of the module |
/// | a trait, an impl, a module | the `cfg` on its functions (for a trait: on those of its impls) |
/// | a signature | the `cfg` in the body |
/// | a `const fn`, a function with `target_feature` of its own, a required method | a function that can have clones |
/// | a foreign block, a macro call in the place of an item | outside of the annotated item |
/// | a constant or alias with an impl in it | the impl next to it |
///
/// To keep the build's value of a `cfg`, put `#[dispatch(skip)]` on the item; items with `#[cfg(test)]` or `#[test]` keep it, too.
/// A `cfg` on the annotated item itself always has the build's value: rustc evaluates it before the attribute sees it.
///
/// A constant or alias that differs cannot be used in signatures, fields, `static`s, `const fn`s, associated items or other modules, or
/// by a path such as `self::W`. Pass its value to that code, or move the code into a function of the module. The error has
/// `…UsableOnlyInsideClones` in it; for a pattern it is E0530 ("cannot shadow statics"), for an argument of a generic function E0133 ("use
/// of mutable static"). Rules for the definitions:
///
/// - Definitions have one visibility, and contain no `static`.
/// - No generic parameter may have the constant's name, or a name that its value uses.
/// - A macro that it calls is defined once, before the constant's first use.
///
/// Unsafe code must not take the existence of an item as evidence of CPU features. Only running inside a clone is evidence. A value is not:
/// another clone may have made it, before detection or in a library. If clones lay out a value differently, store with it which
/// layout it has.
///
/// # Expansion
///
/// `#[dispatch(targets = "x86_64: avx2")] pub fn add(a: u32, b: u32) -> u32 { a + b }` becomes
///
#[doc = include_str!("expansion.md")]
///
/// In an annotated impl, inherent methods have their clones next to them, as private methods. The clones of a trait's method, or of a method
/// that is annotated itself, are closures in the method, called by functions that have the features.
/// The attribute adds a paragraph with the targets to the documentation of an annotated function.
/// `cargo asm` lists a clone by the function's name and the features (`__add__avx2`, `__mul__avx2_pclmulqdq`, `__add__baseline`), unless it
/// was inlined everywhere.
///
/// # Cost
///
/// | call | cost, besides the direct call |
/// |---|---|
/// | from a clone, with the same list | none, and it can be inlined (for clones that the build enables, see below) |
/// | from a clone, with the same list, to a function of another crate | none; it can be inlined if the function is *small or generic* (see below) |
/// | from a clone, with the same list, to a trait's method of another crate | none if the method is *small or generic*, else a load and a check |
/// | from a clone, with another list | none if the caller's features decide which of the callee's clones is called; else a load and a check |
/// | from a clone whose features the build enables (`-C target-cpu=x86-64-v3`), if the list has an earlier target | a load and a check for the earlier target, 0.5 to 0.9 ns. To leave that target out: `--cfg simd_core_without="avx512f"` |
/// | from unannotated code | a load and a check, 0.5 to 0.9 ns (the load is moved out of loops); no inlining |
/// | from async code of a baseline, or from a closure of a baseline that is not inlined (any list) | a load and a check |
/// | through `dyn` or a `fn` pointer, also from a clone | a load and a check; no inlining |
/// | to an `async fn` | the future holds the arguments twice |
///
/// *Small or generic* here means: it is generic, has `#[inline]`, has a `cfg(target_feature)`, or calls only the standard library and
/// functions of its own annotated item.
///
/// Detection runs once, before `main`. With `--cfg simd_core_portable`, and on systems that `docs/targets.md` does not list, it runs on
/// first use, and calls from clones check again.
///
/// With three targets and the baseline, a release build takes about as long as with four copies by hand. `cargo check` and `cargo
/// clippy` usually compile only the baseline if clones do not differ.
///
/// # Limits and cautions
///
/// ### Refused
///
/// | code | error | instead |
/// |---|---|---|
/// | `-> impl Trait`, variadics, generic parameters under `cfg` | the macro's | in a module or impl, `#[dispatch(skip)]` on the function; else a named type or `Box<dyn Trait>` |
/// | a block, a closure | rustc's | a function |
/// | `#![dispatch]`, `mod x;` | rustc's E0658 | the attribute on the items in the file, or on an inline module there |
/// | a `const fn`, a naked function | the macro's; in an annotated item one copy serves all clones, and may not test features | a `fn` |
/// | an `async` or `#[track_caller]` method that is annotated itself | the macro's; in an annotated trait or trait impl, a warning, and it has no clones | a dispatched function that it calls |
/// | intrinsics in a method of a trait, or in a method that is annotated itself | E0133: to rustc it has no features | a dispatched function that it calls: the call is free |
/// | intrinsics in other functions | E0133 in clones that lack the feature, usually the baseline. `avx512f` does not imply `avx512vnni` | an arm `_` in `match_target!`; a target with each name |
/// | an associated function, annotated itself, that uses its impl's generic parameters and has no `self` and no `Self` | E0401 | the attribute on the impl |
/// | a parameter with the name of a unit struct | E0530 | another name |
/// | in edition 2015, a name that is a keyword now (`async`, `dyn`), or a parameter without a name | the macro's | another name |
/// | our attribute under another name (`use dispatch as multi`) on an item of an annotated module, impl or trait | the macro's | `dispatch` |
/// | an impl in a dispatched body, if neither its type nor its trait is declared in that body (in the same block, if the annotated item tests a feature) | the macro's, unless a macro from elsewhere makes the impl | the impl outside of the body |
/// | an array of `#[target_feature]` functions, `[f, g]` | rustc's: it infers safe pointers in clones with the features, unsafe ones elsewhere | `[f as unsafe fn(), g]` |
/// | intrinsics in a function in a dispatched body, in a build that enables some features of a target | E0133: the baseline lacks the features | the function outside of the body |
/// | exported symbols and `#[macro_export]` in a body | the macro's | the item outside of the body |
/// | `#[macro_export]` in an annotated module | rustc's: the macro has no path in its own crate | the macro outside of the module |
/// | `forbid` of a lint of Clippy; of `deprecated` for an inherent method; of `unused_unsafe` with an `unsafe` block | E0453 | `deny` |
/// | `forbid` of `unused_…` or `unreachable_code`, if a body tests a feature, or a trait's method has a `mut` parameter | E0453 | `deny` |
///
/// ### Compiled, but differently from what one may expect
///
/// | code | what happens | instead |
/// |---|---|---|
/// | another crate's attribute of the name `dispatch`, on a part of an annotated item | counts as ours | that part outside of the item |
/// | functions that a macro call makes in an annotated module | no clones: bitpacking ran at 0.1× (`report` names them) | the attribute in the macro's output |
/// | `cfg(target_feature)` in a `macro_rules!` from outside of the annotated item, in an included file, or in a fragment `$e:expr` that one macro passes to another | has the build's value | a constant or function of the module |
/// | `cfg(target_feature)` in `stringify!`, `dbg!`, `assert!` or a macro of your own called `cfg` | they see the rewritten text | a constant or function of the module |
/// | a `static` or a type in a dispatched body; a type in a constant that differs | exists once for each clone: addresses and `type_name` differ | the item outside of the annotated item |
/// | `unsafe` code outside of clones, if it passes a differing constant to a generic function, `size_of_val(&W)` | sees another type | the code in a function of the module |
/// | comparing pointers to a dispatched function | they differ between crates, as those to any `#[inline]` function | an index or an enum |
/// | `mul_add` in some clones only | results differ in the last bits, which `simd_core::testing::agree` reports | `mul_add` in all clones or in none |
/// | a private `#[inline(always)]` helper that tests no feature | no clones: it is inlined into its callers' clones | nothing; for clones of its own, remove `inline(always)` |
/// | in an annotated item, a short function without loops whose calls are only a few instructions each; a short `next` whose loops can end early | the same | nothing; for clones of its own, give it the attribute |
///
/// ### Slower
///
/// N× compares with the original of a published crate: 0.5× is twice the time. `cargo dispatch report` reports the first six; the others
/// show in the times of `cargo dispatch bench`.
///
/// | code | what happens | instead |
/// |---|---|---|
/// | a function of a few nanoseconds that unannotated code calls | the check costs more than the clone gains | the attribute on the function with the loop, and on what that calls |
/// | a helper that is neither annotated nor inlined | runs with the build's features: 0.73× in one crate | the attribute with the same list, or `#[inline]` |
/// | closures in an adaptor that LLVM does not inline: `Iterator::skip`, `array::from_fn`, long chains | the closures are called, and run without features or check again: 0.57× to 0.85× | a `for` loop over a slice |
/// | a longer closure in `map(…).sum()`, with several codegen units | the same | a `for` loop; or `codegen-units = 1`: kurbo's `perimeter` runs at 1.16× with it, and at 0.62× without |
/// | a function as a value, `map(f)` | is called through the dispatcher | `map(\|x\| f(x))` |
/// | a function that only calls a closure it is given | each closure makes clones of its own: 158 symbols instead of 20 | `#[inline]` on it, the attribute on its caller |
/// | `#[inline]` helpers in hot loops | Rust 1.92 to 1.97 do not pass `#[inline]` and `#[inline(never)]` to LLVM for clones: `lz4_flex` ran at 0.47×, and with 1.99 at 1.07× | a newer Rust; or the helper's code in the loop |
/// | large scalar helpers with one caller, and several targets | LLVM inlines them late or never: deflate ran at 0.7× | one target; or `#[inline(always)]` on the helper, without the attribute |
/// | a `static` table used by a function that other crates inline | LLVM does not know its values in other crates' clones | a `const` |
/// | `x86-64-v4` for scalar code with rotations | LLVM packs it into 512-bit vectors: Keccak ran at 0.44× | `x86-64-v3` only |
///
/// # Errors
///
/// A mistake in the attribute's arguments is a compile error that marks the word, and the item compiles as if unannotated.
///
/// If rustc cannot find `simd_core` (E0433), the dependency has another name: add `crate = path` to the
/// attribute, as in `#[multi::dispatch(targets = "avx2", crate = multi)]`.
///
/// If a clone lacks an intrinsic's feature, rustc refuses the call in that clone: E0133, "call to function … with
/// `#[target_feature]` is unsafe". This clone is usually the baseline, which must compile as well. Put the code under a
/// `cfg`, and write other code for the other clones. If it stands under one already, the function is a method of a trait, or is annotated
/// itself: move the intrinsics into a dispatched function.
///
/// ```
/// #[simd_core::dispatch(targets = "x86_64: pclmulqdq")]
/// fn low_product(a: i64, b: i64) -> i64 {
///     #[cfg(target_feature = "pclmulqdq")]
///     {
///         use core::arch::x86_64::*;
///         _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128(a), _mm_cvtsi64_si128(b), 0))
///     }
///     #[cfg(not(target_feature = "pclmulqdq"))]
///     (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i)
/// }
///
/// assert_eq!(low_product(3, 3), 5);
/// ```
#[cfg(all(feature = "macros", not(simd_core_ledger)))]
pub use simd_core_macros::dispatch;

/// `dispatch`, with clones that record that they ran.
#[cfg(all(feature = "macros", simd_core_ledger))]
pub use simd_core_macros::__dispatch_recorded as dispatch;

/// Whether the CPU has all of the given features: `detected!("avx2,fma")`.
///
/// If the build enables the features, this is true at compile time. Inside a clone that has them, the check folds away.
/// On architectures without such features it is false. The names are those of [`dispatch`](macro@dispatch); an unknown
/// name is a compile error.
///
/// ```
/// if simd_core::detected!("x86_64: avx2") {
///     println!("wide integers");
/// }
/// ```
#[cfg(feature = "macros")]
#[macro_export]
macro_rules! detected {
    ($($features:tt)*) => {
        $crate::__private::__detected! { $crate; $($features)* }
    };
}

/// Like a `cfg`, selects the first arm whose target the code is compiled for. Targets are as in
/// [`dispatch`](macro@dispatch).
///
/// A pattern is `_`, a target, or several targets joined by `|`, inside the string or between strings. Inside a
/// dispatched body, each clone selects the arm by its own features; elsewhere, the features that the build enables
/// select it. The other arms are left out, and need not compile. There is no check at run time.
///
/// ```
/// use simd_core::{dispatch, match_target};
///
/// #[dispatch(targets = "pclmulqdq | aarch64: aes")]
/// fn low_product(a: i64, b: i64) -> i64 {
///     match_target! {
///         "x86_64: pclmulqdq" => {
///             use core::arch::x86_64::*;
///             _mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_cvtsi64_si128(a), _mm_cvtsi64_si128(b), 0))
///         }
///         "aarch64: aes" => core::arch::aarch64::vmull_p64(a as u64, b as u64) as i64,
///         _ => (0..64).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i),
///     }
/// }
///
/// assert_eq!(low_product(3, 3), 5);
/// ```
///
/// The macro is an expression, also in a constant. If every arm is braces around items only (imports, functions,
/// constants), the macro stands for those items, in a body, a module or an impl.
///
/// ```
/// # use simd_core::{dispatch, match_target};
/// #[dispatch(targets = "avx2 | sse4.1 | sve2")]
/// pub mod kernels {
///     use simd_core::match_target;
///
///     const LANES: usize = match_target! { "avx2" => 8, "sse4.1" | "neon" => 4, _ => 1 };
///
///     match_target! {
///         "x86, x86_64: sse4.1" | "neon" => { fn kind() -> &'static str { "vectors" } }
///         _ => { fn kind() -> &'static str { "words" } }
///     }
///
///     pub fn lanes() -> (usize, &'static str) {
///         (LANES, kind())
///     }
/// }
///
/// assert_eq!(kernels::lanes().0 == 1, kernels::lanes().1 == "words");
/// ```
///
/// These are errors: no arm fits and there is no `_`; a feature is unknown; an arm can never be selected, because an
/// earlier one fits whenever it does.
///
/// The attribute recognises the macro by its name. Other calls are evaluated for the build: calls under another name
/// (`use simd_core::match_target as other`), those in a `macro_rules!` from outside the annotated item, and
/// patterns that are fragments of a macro.
#[cfg(feature = "macros")]
pub use simd_core_macros::match_target;

/// Items for the attribute's output. Do not use them by hand: they are not covered by the version number.
#[doc(hidden)]
pub mod __private {
    #[cfg(all(feature = "macros", not(simd_core_ledger)))]
    pub use simd_core_macros::__dispatch;
    #[cfg(feature = "macros")]
    pub use simd_core_macros::{__detected, __target_list, __targets};

    #[cfg(all(feature = "macros", simd_core_ledger))]
    pub use simd_core_macros::__dispatch_list_recorded as __dispatch;

    #[cfg(simd_core_ledger)]
    pub use crate::{__record, ledger::Clone as RecordedClone};

    /// A crate can give the name `core` in paths to another one, even to itself.
    pub use ::core;

    #[allow(unused_imports, unreachable_pub, reason = "on some platforms there is nothing to check")]
    pub use crate::check::machine::*;
    pub use crate::differs::{AliasUsableOnlyInsideClones, ConstantUsableOnlyInsideClones};
    pub use crate::known::{
        Proof, assert_absent, assert_lacks, assert_none, assert_present, assert_selected, lacks, present, target_lost,
    };
    pub use crate::mask::{FeatureSet, Mask, feature};
    pub use crate::static_target::StaticTarget;
    #[allow(unused_imports, unreachable_pub, reason = "some architectures have no features")]
    pub use crate::static_target::{features::*, levels::*};
    pub use crate::targets::Listed;
}
