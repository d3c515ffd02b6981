//! Starts the test program again.

use std::borrow::ToOwned;
use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::string::String;
use std::vec::Vec;

/// A command that starts this program, under the emulator or other runner that cargo has used for it, if any.
///
/// The runner is that of the environment variable `CARGO_TARGET_<triple>_RUNNER`. Cargo does not pass on a runner from
/// its configuration files: set `SIMD_CORE_RUNNER` to the same command. It has precedence.
///
/// ```no_run
/// use simd_core::testing::this_program;
///
/// // The tests whose names begin with `kernels::`, as if the CPU had AES only.
/// let output = this_program().arg("kernels::").env("SIMD_CORE_ONLY", "aes").output().unwrap();
/// assert!(output.status.success());
/// ```
///
/// # Panics
///
/// If several runners are set for platforms like this one.
#[must_use]
pub fn this_program() -> Command {
    let program = env::current_exe().ok().or_else(|| env::args_os().next().map(PathBuf::from)).unwrap_or_default();
    let variables = env::vars_os();
    let variables = variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let runner = runner(variables.collect(), &THIS);
    let mut words = runner.split_whitespace();
    match words.next() {
        None => Command::new(program),
        Some(first) => {
            let mut command = Command::new(first);
            command.args(words).arg(program);
            command
        }
    }
}

/// The parts of a platform's name.
struct Platform {
    /// The possible starts of its architecture's name.
    arch: &'static [&'static str],
    os: &'static str,
    env: &'static str,
}

/// The platform that this was compiled for.
const THIS: Platform = Platform {
    arch: if cfg!(target_arch = "x86_64") {
        &["X86_64"]
    } else if cfg!(target_arch = "x86") {
        &["I386", "I486", "I586", "I686"]
    } else if cfg!(target_arch = "aarch64") {
        &["AARCH64", "ARM64"]
    } else if cfg!(target_arch = "arm") {
        &["ARM", "THUMB"]
    } else if cfg!(target_arch = "riscv64") {
        &["RISCV64"]
    } else if cfg!(target_arch = "riscv32") {
        &["RISCV32"]
    } else if cfg!(target_arch = "powerpc64") {
        &["POWERPC64"]
    } else if cfg!(target_arch = "powerpc") {
        &["POWERPC_", "POWERPCSPE"]
    } else if cfg!(target_arch = "loongarch64") {
        &["LOONGARCH64"]
    } else if cfg!(target_arch = "s390x") {
        &["S390X"]
    } else {
        // No command runs their tests.
        &[]
    },
    os: if cfg!(target_os = "macos") {
        "DARWIN"
    } else if cfg!(target_os = "android") {
        "ANDROID"
    } else if cfg!(target_os = "linux") {
        "LINUX"
    } else if cfg!(windows) {
        "WINDOWS"
    } else {
        ""
    },
    env: if cfg!(target_env = "gnu") {
        "GNU"
    } else if cfg!(target_env = "musl") {
        "MUSL"
    } else if cfg!(target_env = "msvc") {
        "MSVC"
    } else {
        ""
    },
};

/// The words of the runner for `this` among the environment's `variables`; empty if there is none.
fn runner(variables: Vec<(String, String)>, this: &Platform) -> String {
    if let Some((_, own)) = variables.iter().find(|(name, _)| name == "SIMD_CORE_RUNNER") {
        return own.clone();
    }
    let platform = |name: &str| -> Option<String> {
        let platform = name.strip_prefix("CARGO_TARGET_")?.strip_suffix("_RUNNER")?;
        let arch = this.arch.iter().any(|arch| platform.starts_with(arch));
        (arch && platform.contains(this.os)).then(|| platform.to_owned())
    };
    let mut found: Vec<(String, String)> =
        variables.into_iter().filter_map(|(name, runner)| Some((platform(&name)?, runner))).collect();
    if found.len() > 1 {
        // `GNU`, not `GNUX32`; `MUSL` and `MUSLEABIHF`.
        found.retain(|(platform, _)| {
            platform.rsplit('_').next().is_some_and(|last| {
                last.strip_prefix(this.env).is_some_and(|rest| rest.is_empty() || rest.starts_with("EABI"))
            })
        });
    }
    found.dedup_by(|(_, one), (_, other)| one == other);
    match &found[..] {
        [] => String::new(),
        [(_, runner)] => runner.clone(),
        [(one, _), (other, _), ..] => panic!(
            "both CARGO_TARGET_{one}_RUNNER and CARGO_TARGET_{other}_RUNNER may have started this program: set \
             SIMD_CORE_RUNNER to the right one"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: Platform = Platform { arch: &["AARCH64"], os: "LINUX", env: "GNU" };

    fn found(variables: &[(&str, &str)]) -> String {
        runner(variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(), &ARM)
    }

    #[test]
    fn none_without_a_variable() {
        assert_eq!(found(&[]), "");
        assert_eq!(found(&[("CARGO_TARGET_DIR", "x"), ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "perf")]), "");
    }

    #[test]
    fn that_of_the_platform() {
        let emulator = ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "qemu-aarch64 -L /sysroot");
        assert_eq!(found(&[("CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_RUNNER", "no"), emulator]), emulator.1);
        let device = ("CARGO_TARGET_AARCH64_LINUX_ANDROID_RUNNER", "adb");
        assert_eq!(found(&[device, emulator]), emulator.1);
        let musl = ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", "qemu-aarch64");
        assert_eq!(found(&[musl, emulator]), emulator.1);
        assert_eq!(found(&[musl]), musl.1);
    }

    #[test]
    fn that_of_ours_comes_first() {
        let others = ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "qemu-aarch64");
        assert_eq!(found(&[others, ("SIMD_CORE_RUNNER", "mine -x")]), "mine -x");
    }

    #[test]
    #[should_panic = "set SIMD_CORE_RUNNER to the right one"]
    fn one_of_several_is_not_guessed() {
        found(&[
            ("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "one"),
            ("CARGO_TARGET_AARCH64_VENDOR_LINUX_GNU_RUNNER", "other"),
        ]);
    }
}
