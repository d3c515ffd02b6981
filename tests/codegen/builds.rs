//! Builds that people make: with features that only some CPUs have, and without optimisation.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

use std::process::Command;

use integration_tests::build::{Crate, DEBUG, RELEASE};
use integration_tests::shown;
use simd_core::asm::{Binary, Features, Trust};

const FILTER: &str = r#"
use simd_core::dispatch;

pub trait Filter {
    fn apply(&self, x: &mut [f32]);
}

pub struct Scale<T>(pub T);

#[dispatch(targets = "avx512f | avx2,fma | sse4.1")]
impl<T: Copy + Into<f32>> Filter for Scale<T> {
    fn apply(&self, x: &mut [f32]) {
        for x in x {
            *x = x.mul_add(self.0.into(), 1.0);
        }
    }
}

#[dispatch(targets = "avx2,fma | sse4.1")]
impl<T: Copy + Into<f32>> Filter for [Scale<T>; 2] {
    fn apply(&self, x: &mut [f32]) {
        for x in x {
            *x = x.mul_add(self[0].0.into(), self[1].0.into());
        }
    }
}
"#;

/// A generic method behind `dyn Trait` in a build with AVX2 and FMA: what is enabled is not tested, and there is no call.
#[test]
fn a_method_of_a_trait_object_in_a_build_with_features() {
    const MAIN: &str = "use builds_dyn::{Filter, Scale};
    fn main() {
        let filters: [Box<dyn Filter>; 2] = [Box::new(Scale(3_u8)), Box::new([Scale(2_u8), Scale(5)])];
        let mut x = vec![1.0; std::env::args().count() + 20];
        std::hint::black_box(filters).iter().for_each(|filter| filter.apply(&mut x));
        println!(\"{} {}\", x[0], x[20]);
    }";
    let crates = [Crate::library("builds_dyn", FILTER), Crate::program("main", MAIN)];
    let program = RELEASE.more(&["-Ctarget-feature=+avx2,+fma"]).path(&crates);
    let binary = Binary::open(&program).unwrap();
    // The list ends with what the build enables: the method in the table of the trait object is the clone itself.
    let whole = binary.function("<[builds_dyn::Scale<T>; 2] as builds_dyn::Filter>::apply").unwrap();
    whole.assert().no_calls().no_dispatch().vectorized(256);
    // What the build does not enable is tested, once: the address of the words, and the words.
    let tested = binary.function("<builds_dyn::Scale<T> as builds_dyn::Filter>::apply").unwrap();
    tested.assert().vectorized(256);
    assert_eq!((tested.dispatches().len(), tested.calls().len()), (2, 1), "{}", tested.listing());
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        let output = Command::new(program).output().expect("it starts");
        assert_eq!(shown(&output), "13 13\n");
    }
}

const KERNEL: &str = r#"
#[simd_core::dispatch(targets = "avx2")]
#[inline(never)]
pub fn sum(xs: &[[u32; 8]]) -> u32 {
    simd_core::match_target! {
        "x86_64: avx2" => {
            use core::arch::x86_64::*;
            let mut all = _mm256_setzero_si256();
            for x in xs {
                // SAFETY: eight words.
                all = _mm256_add_epi32(all, unsafe { _mm256_loadu_si256(x.as_ptr().cast()) });
            }
            _mm256_extract_epi32::<0>(all) as u32
        }
        _ => xs.iter().fold(0, |sum, x| sum.wrapping_add(x[0])),
    }
}
"#;

/// What `docs/testing.md` says of debug builds: a crate of kernels can be optimised by itself, if its clones are compiled there.
#[test]
fn kernels_in_a_debug_build() {
    const MAIN: &str = "fn main() { println!(\"{}\", kernel::sum(&vec![[1; 8]; std::env::args().count() + 20])) }";
    for (source, calls) in [(KERNEL.to_owned(), false), (KERNEL.replace("#[inline(never)]\n", ""), true)] {
        let kernel = Crate::library("kernel", &source).flags(&["-Copt-level=3"]);
        let program = DEBUG.path(&[kernel, Crate::program("user", MAIN)]);
        let binary = Binary::open(&program).unwrap().optimized();
        let clones = binary.clones("sum").unwrap();
        let clone = clones.target("avx2").unwrap();
        let intrinsics =
            clone.calls().iter().filter(|call| call.callee.name().is_some_and(|name| name.contains("_mm256"))).count();
        assert_eq!(intrinsics > 0, calls, "{}", clone.listing());
    }
}

const LOOPS: &str = r#"
use simd_core::dispatch;

/// One closure for three adaptors, which LLVM does not inline: a large one.
#[dispatch(targets = "avx2,fma")]
#[inline(never)]
pub fn adaptors(x: &mut [f32], y: &mut [f32], z: &mut [f32], by: &[f32]) {
    let step = |(x, y): (&mut [f32], &[f32])| LARGE;
    x.chunks_exact_mut(8).zip(by.chunks_exact(8)).for_each(step);
    y.chunks_exact_mut(8).zip(by.chunks_exact(8)).for_each(step);
    z.chunks_exact_mut(8).zip(by.chunks_exact(8)).for_each(step);
}

#[dispatch(targets = "avx2,fma")]
#[inline(never)]
pub fn loops(x: &mut [f32], y: &mut [f32], z: &mut [f32], by: &[f32]) {
    for x in [x, y, z] {
        for (x, y) in x.chunks_exact_mut(8).zip(by.chunks_exact(8)) {
            LARGE
        }
    }
}

/// A vector at a time.
#[dispatch(targets = "avx512f | avx2,fma")]
pub fn dot8(a: &[f32; 8], b: &[f32; 8]) -> f32 {
    let mut products = [0.0; 8];
    for i in 0..8 {
        products[i] = a[i] * b[i];
    }
    products.iter().sum()
}

#[inline(never)]
pub fn plain(a: &[[f32; 8]], b: &[[f32; 8]]) -> f32 {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        sum += dot8(a, b);
    }
    sum
}

#[dispatch(targets = "avx512f | avx2,fma")]
#[inline(never)]
pub fn annotated(a: &[[f32; 8]], b: &[[f32; 8]]) -> f32 {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        sum += dot8(a, b);
    }
    sum
}

/// Kernels under a `cfg`, as they are and with the attribute; functions from a macro, with the attribute inside and around.
pub mod shipped {
    #[cfg(target_feature = "avx2")]
    pub fn kernel() -> &'static str { "AVX2" }
    #[cfg(not(target_feature = "avx2"))]
    pub fn kernel() -> &'static str { "scalar" }
}

#[dispatch(targets = "avx2")]
pub mod dispatched {
    #[cfg(target_feature = "avx2")]
    pub fn kernel() -> &'static str { "AVX2" }
    #[cfg(not(target_feature = "avx2"))]
    pub fn kernel() -> &'static str { "scalar" }
}

macro_rules! kernel {
    ($(#[$attribute:meta])*) => {
        $(#[$attribute])*
        pub fn kernel() -> &'static str { if cfg!(target_feature = "avx2") { "AVX2" } else { "scalar" } }
    };
}

pub mod inside { kernel!(#[simd_core::dispatch(targets = "avx2")]); }

#[dispatch(targets = "avx2")]
pub mod around { kernel!(); }
"#;

/// Loops: one closure for several adaptors keeps its calls, and a vector at a time costs a decision for each vector, unless the loop
/// has the attribute. What `cfg` and macros make of kernels in a program for every CPU.
#[test]
fn loops_and_kernels_without_clones() {
    const STEP: &str = "for (x, y) in x.iter_mut().zip(y) { *x = x.mul_add(*y, 1.0) / (x.abs() + *y); }";
    let large = format!("{{ {} }}", STEP.repeat(8));
    const MAIN: &str = "use builds_loops::*;
    fn main() {
        let mut x = [[1.0; 64]; 3];
        let [a, b, c] = &mut x;
        adaptors(a, b, c, &[2.0; 64]);
        loops(a, b, c, &[2.0; 64]);
        assert_eq!(plain(&[[1.0; 8]; 9], &[[2.0; 8]; 9]), annotated(&[[1.0; 8]; 9], &[[2.0; 8]; 9]));
        println!(\"{} {} {} {}\", shipped::kernel(), dispatched::kernel(), inside::kernel(), around::kernel());
    }";
    let source = LOOPS.replace("LARGE", &large);
    let built = RELEASE.compile(&[Crate::library("builds_loops", &source), Crate::program("main", MAIN)]).unwrap();
    assert_eq!(built.said.matches("nothing in this item has clones").count(), 1, "{}", built.said);
    let program = built.path;
    let binary = Binary::open(&program).unwrap();
    let clones =
        ["loops", "adaptors", "annotated"].map(|name| binary.clones(&format!("builds_loops::{name}")).unwrap());
    let [loops, adaptors, annotated] = clones.each_ref().map(|clones| clones.target("avx2,fma").unwrap());
    loops.assert().no_calls().vectorized(256);
    let report = binary.report("builds_loops::adaptors").unwrap().to_string();
    assert!(
        !adaptors.calls().is_empty() && report.contains("__adaptors__avx2_fma::{"),
        "{report}{}",
        adaptors.listing()
    );

    let plain = binary.function("builds_loops::plain").unwrap();
    assert!(!plain.dispatches().is_empty(), "{}", plain.listing());
    annotated.assert().no_dispatch().no_calls();
    let report = binary.report("builds_loops").unwrap().to_string();
    assert!(report.contains("calls from unannotated code") && report.contains("builds_loops::plain"), "{report}");

    if is_x86_feature_detected!("avx2") {
        assert_eq!(shown(&Command::new(program).output().expect("it starts")), "scalar AVX2 AVX2 scalar\n");
    }
}

/// `avx512f` does not imply `avx512vnni`. rustc says so of a safe call, and a report and an audit of one in an `unsafe` block.
#[test]
fn an_intrinsic_beyond_the_target() {
    const LIBRARY: &str = r#"
        #[simd_core::dispatch(targets = "avx512f")]
        #[inline(never)]
        pub fn dot(a: &[u32; 16], b: &[u32; 16]) -> u32 {
            simd_core::match_target! {
                "x86_64: avx512f" => {
                    use core::arch::x86_64::*;
                    // SAFETY: sixteen words.
                    let (a, b) = unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
                    let sums = UNSAFE { _mm512_dpbusd_epi32(_mm512_setzero_si512(), a, b) };
                    _mm512_reduce_add_epi32(sums) as u32
                }
                _ => a.iter().zip(b).map(|(a, b)| a & b).sum(),
            }
        }"#;
    const MAIN: &str = "fn main() { println!(\"{}\", builds_vnni::dot(&[1; 16], &[2; 16])) }";
    let compile =
        |source: &str| RELEASE.compile(&[Crate::library("builds_vnni", source), Crate::program("main", MAIN)]);
    let said = compile(&LIBRARY.replace("UNSAFE ", "")).expect_err("safe code calls it");
    assert!(said.contains("E0133") && said.contains("avx512vnni"), "{said}");
    let program = compile(&LIBRARY.replace("UNSAFE", "unsafe")).unwrap().path;
    let binary = Binary::open(program).unwrap();
    let report = binary.report("builds_vnni::dot").unwrap().to_string();
    assert!(report.contains("_mm512_dpbusd_epi32") && report.contains("its instructions need avx512vnni"), "{report}");
    // The test before the clone is for its target and shows nothing more to an audit.
    let baseline = Features::architectural(binary.architecture());
    let findings = binary.audit(&baseline, &Trust::default()).unwrap().findings;
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert!(finding.path.ends_with("_mm512_dpbusd_epi32") && finding.needs == ["avx512vnni"], "{finding:?}");
}
