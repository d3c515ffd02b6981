//! The kernels against vectors and a plain reference, on every clone that this CPU can run.
use simd_core::detected;
use simd_crypto::{aes, haraka};
use std::io::{self, Write};
use std::process::Command;
use std::{env, fmt};

mod suite;

/// What the process runs when the environment leaves only these features.
const ONLY: &str = "SIMD_CORE_ONLY";

/// Targets of the kernels on this architecture, best first; the last is the baseline.
const TARGETS: &[&str] = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    &["vaes,avx512f", "vaes,avx2", "aes", ""]
} else if cfg!(target_arch = "aarch64") {
    &["aes", ""]
} else {
    &[""]
};

/// The suite again in processes that see fewer features. This process tests the best that the CPU has.
#[test]
fn every_other_target() {
    if env::var_os(ONLY).is_some() {
        return;
    }
    for &target in TARGETS {
        if best_of(target) != if target.is_empty() { "baseline" } else { target } {
            report(format_args!("not run on this CPU: the tests of `kernels` with `{target}`, which it lacks"));
            continue;
        }
        let out = this_program()
            .args(["suite::", "--include-ignored", "the_target_runs"])
            .env(ONLY, target)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "with only {target:?}:\n{text}{}", String::from_utf8_lossy(&out.stderr));
        assert!(text.contains("test the_target_runs ... ok"), "{text}");
    }
}

/// Says so past the test runner, which keeps what `eprintln!` writes to itself.
#[allow(clippy::explicit_write, reason = "it is what the runner does not capture")]
fn report(what: fmt::Arguments<'_>) {
    writeln!(io::stderr(), "{what}").unwrap();
}

/// This program, under the emulator that cargo ran it with, if any.
fn this_program() -> Command {
    let program = env::current_exe().unwrap();
    let prefix = format!("CARGO_TARGET_{}", env::consts::ARCH.to_uppercase());
    let runner = env::vars().find(|(name, _)| name.starts_with(&prefix) && name.ends_with("_RUNNER"));
    let words: Vec<String> = runner.iter().flat_map(|(_, runner)| runner.split(' ').map(str::to_owned)).collect();
    match &words[..] {
        [] => Command::new(program),
        [emulator, arguments @ ..] => {
            let mut command = Command::new(emulator);
            command.args(arguments).arg(program);
            command
        }
    }
}

/// In such a process: the clone that it was started for is the one that runs, unless the CPU lacks it or the build has more.
#[test]
#[ignore = "run by every_other_target with the environment set"]
fn the_target_runs() {
    let wanted = env::var(ONLY).unwrap();
    let best = best_of(&wanted);
    assert_eq!(aes::target(), best);
    assert_eq!(haraka::target(), if best == "baseline" { "baseline" } else { "aes" });
}

/// The first target that this process has; the build's own features cannot be taken away.
fn best_of(wanted: &str) -> &'static str {
    let asked = !cfg!(any(miri, simd_core_no_detect));
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        let vaes = asked
            && std::is_x86_feature_detected!("vaes")
            && std::is_x86_feature_detected!("aes")
            && wanted.contains("vaes")
            || cfg!(target_feature = "vaes");
        let avx512 = asked && std::is_x86_feature_detected!("avx512f") && wanted.contains("avx512f")
            || cfg!(target_feature = "avx512f");
        let aes =
            asked && std::is_x86_feature_detected!("aes") && wanted.contains("aes") || cfg!(target_feature = "aes");
        match (vaes, avx512, aes) {
            (true, true, _) => "vaes,avx512f",
            (true, false, _) => "vaes,avx2",
            (false, _, true) => "aes",
            (false, _, false) => "baseline",
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        let aes =
            asked && std::arch::is_aarch64_feature_detected!("aes") && wanted == "aes" || cfg!(target_feature = "aes");
        if aes { "aes" } else { "baseline" }
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = (asked, wanted);
        "baseline"
    }
}

/// What the process says of itself agrees with what ordinary code is told.
#[test]
fn target_agrees_with_detection() {
    let aes = cfg!(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")) && detected!("aes");
    assert_eq!(haraka::target() == "aes", aes);
    assert_eq!(aes::target() != "baseline", aes);
}
