//! The attribute's promises about machine code, checked on programs that are built for it in many ways.
//!
//! The programs are the crates in `fixtures/promises`. Cargo builds them for this machine and, where its linker and standard
//! library are there, for aarch64; nothing runs but cargo. Each promise is also seen to be broken by a fault that the build
//! plants.

#![cfg(target_os = "linux")]
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

mod aes;
mod build;
mod crypto;
mod elision;
mod inlining;
mod leaf;
mod nested;

use build::{Arch, Build};
use simd_core::asm::{Binary, Function, Target};

/// The targets of the fixtures, best first.
fn targets(arch: Arch) -> [&'static str; 2] {
    match arch {
        Arch::X86_64 => ["avx2,pclmulqdq", "sse4.1"],
        Arch::Aarch64 => ["sha3,aes", "aes"],
    }
}

/// The clones of a root that are there for a target, best first; all must be there.
fn target_clones(binary: &Binary, arch: Arch, root: &str) -> Vec<Function> {
    let clones = binary.clones(root).unwrap_or_else(|error| panic!("{error}"));
    let wanted = targets(arch).map(|target| simd_core::asm::Features::parse(binary.architecture(), target).unwrap());
    for features in wanted {
        let there = clones.iter().any(|clone| clone.target() == Some(Target::Features(features)));
        assert!(there, "`{root}` has no clone for {features}:\n{}", clones.report());
    }
    clones.into_vec().into_iter().filter(|clone| clone.target() != Some(Target::Baseline)).collect()
}

/// The text of the panic of a check that must fail.
#[track_caller]
fn failure(check: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(core::panic::AssertUnwindSafe(check)).expect_err("the fault was not found");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().unwrap()).to_owned(),
    }
}

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}
