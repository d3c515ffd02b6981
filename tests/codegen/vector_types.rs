//! Vector types of other crates in clones: at the clone's full width, and inlined. `docs/migration.md` shows the code.
#![cfg(target_arch = "x86_64")]

use std::process::Command;

use integration_tests::build::{Build, Package, RELEASE, TARGET, target_directory, workspace};
use integration_tests::{asks_for_all, for_each, shown, skip};
use simd_core::asm::{Binary, Function};

use crate::platforms::nightly::nightly;

const PAGE: &str = include_str!("../../docs/migration.md");
const SOURCE: &str = include_str!("../fixtures/vector-types/src/kinds.rs");
/// The features of `fearless_simd::Avx512`.
const ICE_LAKE: &str = "x86-64-v4,adx,avx512bitalg,avx512ifma,avx512vbmi,avx512vbmi2,avx512vnni,avx512vpopcntdq,gfni,rdrand,\
                        rdseed,sha,vaes,vpclmulqdq,xsavec,xsaveopt,xsaves";

#[test]
fn they_are_inlined_at_full_width() {
    if !asks_for_all() {
        return skip("vector types of other crates; SIMD_CORE_TESTS=all");
    }
    let levels = [RELEASE, Build { opt_level: "2", codegen_units: 1, ..RELEASE }, Build { opt_level: "s", ..RELEASE }];
    for_each(levels, |build| {
        let mut cargo = build.cargo(&workspace(), &["build", "--quiet", "--package", "vector-types"]);
        let output = cargo.output().expect("cargo starts");
        assert!(output.status.success(), "{}", shown(&output));
        let program = target_directory().join(TARGET).join("debug/vector-types");
        let binary = Binary::open(&program).unwrap();
        // At the level `s`, and with Rust 1.99 at each, the helper with `#[simd]` may be a function of its own, for the same features.
        const HELPER: &str = "fearless::products::__FearlessDispatch::call::entry";
        let may_call = build.opt_level == "s" || rustversion::cfg!(since(1.99));
        let called = if may_call { &[HELPER][..] } else { &[] };
        for (function, target, bits) in [
            ("fearless::add", "x86-64-v3", 256),
            ("fearless::add_512", ICE_LAKE, 512),
            ("Scale::multiply_add", "x86-64-v3", 256),
            ("with_archmage::add", "x86-64-v3", 256),
            ("unaligned::add", "avx,fma", 256),
            ("with_pulp::add", "x86-64-v3", 256),
        ] {
            let clones = binary.clones(function).unwrap();
            let clone = clones.target(target).unwrap();
            clone.assert().no_calls_except(called).within_target();
            let helpers = if clone.calls().is_empty() { Vec::new() } else { binary.functions(HELPER).unwrap() };
            let of_this_width = |helper: &&Function| helper.needs().contains("avx512f") == (bits == 512);
            let loops = helpers.iter().find(of_this_width).unwrap_or(clone);
            loops.assert().vectorized(bits).no_dispatch();
            let fused = |name: &str| name.starts_with("vfmadd");
            assert!(
                loops.instructions().iter().any(|instruction| fused(instruction.mnemonic())),
                "{}",
                loops.listing()
            );
        }
        // The method of the trait calls the inherent one, or has inlined it.
        let clones = binary.clones("<Scale as Apply>::apply").unwrap();
        clones.target("x86-64-v3").unwrap().assert().calls_only_clones_and(called).no_dispatch();
        // `wide` has chosen its type when it was compiled.
        let clones = binary.clones("with_wide::add").unwrap();
        let clone = clones.target("x86-64-v3").unwrap();
        assert!(
            !clone.instructions().iter().any(|instruction| instruction.operands().contains("ymm")),
            "{}",
            clone.listing()
        );
        if is_x86_feature_detected!("avx2") {
            let output = Command::new(program).output().expect("the program starts");
            assert!(output.status.success() && shown(&output) == "right\n", "{}", shown(&output));
        }
    });
}

const PORTABLE: &str = "
#![feature(portable_simd)]
use simd_core::dispatch;
use std::simd::{StdFloat, f32x8};

#[dispatch(targets = \"x86-64-v3\")]
pub mod kernels {
    use super::*;

    pub fn add(k: f32, x: &[f32], y: &mut [f32]) {
        for (x, y) in x.as_chunks().0.iter().zip(y.as_chunks_mut().0) {
            *y = product(f32x8::splat(k), f32x8::from_array(*x), f32x8::from_array(*y)).to_array();
        }
    }

    fn product(k: f32x8, x: f32x8, y: f32x8) -> f32x8 {
        if cfg!(target_feature = \"fma\") { x.mul_add(k, y) } else { x * k + y }
    }
}
";

/// `core::simd` has one type for each number of lanes, so nothing has to be done.
#[test]
fn portable_simd_of_a_nightly() {
    if !asks_for_all() {
        return skip("`core::simd` in clones; SIMD_CORE_TESTS=all");
    }
    let Some(mut cargo) = nightly() else { return skip("no nightly compiler is installed") };
    const MAIN: &str = "fn main() {
        let mut y = [1.0; 16];
        std::hint::black_box(portable::kernels::add as fn(f32, &[f32], &mut [f32]))(3.0, &[2.0; 16], &mut y);
        assert_eq!(y, [7.0; 16]);
    }";
    let package = Package::new("portable", PORTABLE).file("src/main.rs", MAIN);
    cargo.args(["build", "--quiet", "--offline", "--release", "--target", TARGET]).current_dir(&package.directory);
    let output = cargo.env("CARGO_TARGET_DIR", target_directory()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", shown(&output));
    let program = target_directory().join(TARGET).join("release/portable");
    let binary = Binary::open(&program).unwrap();
    let clones = binary.clones("kernels::add").unwrap();
    clones.target("x86-64-v3").unwrap().assert().no_calls().vectorized(256).within_target();
    let output = Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{}", shown(&output));
}

#[test]
fn the_page_shows_the_code() {
    for name in ["fearless_simd", "archmage", "safe_unaligned_simd"] {
        let code =
            SOURCE.split(&format!("    // ---- {name}\n")).nth(1).and_then(|rest| rest.split("    // ---- end").next());
        let lines =
            code.unwrap_or_else(|| panic!("{name}")).lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
        let code: String = lines.flat_map(|line| [line, "\n"]).collect();
        let code = code.replace("super::plain", "plain");
        assert!(PAGE.contains(&code), "docs/migration.md lacks:\n{code}");
    }
    let lists = SOURCE.split("targets = \"").skip(1).filter_map(|rest| rest.split('"').next());
    for list in lists.filter(|list| list.starts_with("x86-64-v")) {
        assert!(PAGE.contains(&format!("`{list}`")), "docs/migration.md lacks `{list}`");
    }
}
