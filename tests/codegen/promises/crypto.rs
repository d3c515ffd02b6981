//! The kernels of `simd-crypto`, as the program has them: no tree is lost anywhere.

use super::{Arch, Build, Target, aes, failure, says};
use integration_tests::{asks_for_all, skip};
use simd_core::asm::{Binary, CallLeft, CalleeKind, Function};

/// Whether a clone of a kernel loses its features here: by unannotated code of the crate, a dispatcher that is not inlined,
/// or a clone for less.
fn is_lost(krate: &str, function: &Function, call: &CallLeft) -> bool {
    let own = || call.callee.name().is_some_and(|name| name.trim_start_matches('<').starts_with(krate));
    match call.kind {
        CalleeKind::Clone(Target::Features(features)) => !function.features().contains_all(&features),
        CalleeKind::Clone(_) => true,
        CalleeKind::Dispatcher | CalleeKind::NotDispatched => own(),
        _ => false,
    }
}

/// Of the crate's functions, target clones call clones of no more than their own features.
fn nothing_is_lost(binary: &Binary, krate: &str, at_least: usize) {
    let clones = binary.clones_in(krate).unwrap_or_else(|error| panic!("{error}"));
    let targets: Vec<&Function> = clones.iter().filter(|f| matches!(f.target(), Some(Target::Features(_)))).collect();
    assert!(targets.len() >= at_least, "the program has only these clones: {targets:?}");
    let mut lost = String::new();
    for function in targets {
        function.assert().within_target();
        for call in function.calls_left().iter().filter(|call| is_lost(krate, function, call)) {
            lost += &format!("`{}` calls `{}`: {:?}\n", function.path(), call.callee, call.kind);
        }
    }
    assert!(lost.is_empty(), "{lost}");
}

/// No kernel has a target with a property, because none has such an instruction: see `docs/design.md`.
fn asks_for_no_property(binary: &Binary, krate: &str) {
    // Those that properties of CPUs are about, but for 512-bit vectors.
    let is_slow = |name: &str| ["pdep", "pext"].contains(&name) || name.contains("gather") || name.contains("compress");
    for function in binary.clones_in(krate).unwrap_or_else(|error| panic!("{error}")) {
        let slow = function.instructions().iter().find(|instruction| is_slow(instruction.mnemonic()));
        assert!(slow.is_none(), "`{}` has {slow:?}: is it worth a target with a property?", function.path());
    }
}

#[test]
fn kernels_call_clones_alone() {
    if !asks_for_all() {
        return skip("the machine code of all kernels takes a release build; SIMD_CORE_TESTS=all");
    }
    for &arch in Arch::available() {
        let binary = Build { package: "simd-crypto-cli", ..Build::release(arch) }.binary();
        nothing_is_lost(&binary, "simd_crypto", 20);
        asks_for_no_property(&binary, "simd_crypto");
    }
}

#[test]
fn a_helper_of_a_kernel_without_the_attribute_is_found() {
    for build in aes::releases("fault-plain-whitening") {
        let text = failure(|| nothing_is_lost(&build.binary(), "promises_aes", 1));
        says(
            &text,
            &[
                "`promises_aes::chains::eight_rounds::__eight_rounds__aes` calls `promises_aes::whitened`: NotDispatched",
            ],
        );
    }
}
