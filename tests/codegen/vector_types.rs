//! Vector types of other crates in clones: at the clone's full width, and inlined. `docs/vector-types.md` shows the code.
#![cfg(target_arch = "x86_64")]

use std::process::Command;

use integration_tests::scratch::{Profile, some_of, workspace};
use integration_tests::{has_compiler, report, shown};
use simd_core::asm::Binary;

const PAGE: &str = include_str!("../../docs/vector-types.md");
const SOURCE: &str = include_str!("../fixtures/vector-types/src/kinds.rs");

#[test]
fn they_are_inlined_at_full_width() {
    if !has_compiler() {
        return;
    }
    for profile in some_of(&[Profile::new("3", false), Profile::new("2", false).units(1), Profile::new("s", false)], 1)
    {
        let program = profile.build(&workspace(), "vector-types", "vector-types");
        // A clone of the same target is a call at the level `s`, and no more.
        let called = if profile.opt_level == "s" { &["fearless", "pulp", "archmage"][..] } else { &[] };
        let binary = Binary::open(&program).unwrap();
        for (function, target) in [
            ("fearless::add", "x86-64-v3"),
            ("Scale::add", "x86-64-v3"),
            ("with_archmage::add", "x86-64-v3"),
            ("unaligned::add", "avx,fma"),
            ("with_pulp::add", "x86-64-v3"),
        ] {
            let clones = binary.clones(function).unwrap();
            let clone = clones.target(target).unwrap();
            clone.assert().no_calls_except(called).vectorized(256).at_least("vfmadd", 1).within_target();
        }
        // The method of the trait calls the inherent one, or has inlined it.
        let clones = binary.clones("<Scale as Apply>::apply").unwrap();
        clones.target("x86-64-v3").unwrap().assert().calls_only_clones_and(&[]).no_dispatch();
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
            assert!(output.status.success() && shown(&output) == "right\n", "{profile}: {}", shown(&output));
        }
    }
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
        assert!(PAGE.contains(&code), "docs/vector-types.md lacks:\n{code}");
    }
}
