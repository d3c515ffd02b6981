//! Runs the kernels under valgrind with their secrets marked as undefined. Memcheck follows what is computed from them,
//! bit by bit, and reports every branch and every address that depends on it.
//!
//! What it cannot see: counts of shifts and operands of slow instructions; clones for features that valgrind does not
//! know, such as AVX-512; and code that another build makes of the same source. Run it with `--release` as well.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod fields;
mod instructions;
mod kernels;
mod modes;
mod planted;
mod share_files;
mod valgrind;

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use kernels::Kernel;
use planted::PLANTED;

/// Which clones run, and what the environment leaves of the features that valgrind has for that.
const LIMITS: [(&str, Option<(&str, &str)>); 3] = [
    ("the best clones that valgrind can run", None),
    ("clones without AVX2", Some(("SIMD_CORE_WITHOUT", "avx2"))),
    ("the baseline", Some(("SIMD_CORE_ONLY", ""))),
];

/// What one kernel did.
struct Outcome {
    name: String,
    reports: u64,
    /// Whether the result depends on the secret at all.
    depends: bool,
}

#[test]
fn kernels_do_not_betray_their_secrets() {
    let runs = thread::scope(|scope| {
        let runs = LIMITS.map(|(clones, limit)| (clones, scope.spawn(move || run("every_kernel", limit))));
        runs.map(|(clones, run)| (clones, run.join().unwrap()))
    });
    for (clones, run) in runs {
        let Some((outcomes, log)) = run else { return };
        assert_eq!(outcomes.len(), kernels().count(), "{log}");
        for Outcome { name, reports, depends } in outcomes {
            assert!(depends, "{name}, {clones}: the result does not depend on the secret");
            assert_eq!(reports, 0, "{name}, {clones}:\n{log}");
        }
    }
}

/// If these were not found, nothing would be.
#[test]
fn planted_leaks_are_found() {
    let Some((outcomes, log)) = run("every_planted_leak", None) else { return };
    assert_eq!(outcomes.len(), PLANTED.len(), "{log}");
    for Outcome { name, reports, .. } in outcomes {
        assert!(reports > 0, "{name} was not found:\n{log}");
    }
}

/// Runs a test of this file under valgrind. Gives what its kernels did, and valgrind's log; nothing without valgrind.
fn run(test: &str, limit: Option<(&str, &str)>) -> Option<(Vec<Outcome>, String)> {
    if !can_run() {
        return None;
    }
    let output = Command::new("valgrind")
        .args(["--quiet", "--tool=memcheck", "--error-limit=no", "--leak-check=no"])
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .envs(limit)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}\n{log}", output.status);
    let avx2 = is_x86_feature_detected!("avx2") && limit.is_none() || cfg!(target_feature = "avx2");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(&format!("AVX2|{avx2}\n")), "other clones ran than were asked for:\n{said}");
    let outcomes = said
        .lines()
        .filter_map(|line| line.strip_prefix("OUTCOME|"))
        .map(|line| {
            let [name, reports, depends] = line.split('|').collect::<Vec<_>>().try_into().unwrap();
            Outcome { name: name.into(), reports: reports.parse().unwrap(), depends: depends.parse().unwrap() }
        })
        .collect();
    Some((outcomes, log))
}

/// Whether valgrind is there, and knows the instructions of this build. Says so if not.
fn can_run() -> bool {
    let found = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        skip("there is no valgrind");
        return false;
    }
    if cfg!(target_feature = "avx512f") {
        skip("valgrind does not run AVX-512, which this build needs");
        return false;
    }
    true
}

/// Says so past the test runner, which keeps what `eprintln!` writes to itself.
#[allow(clippy::explicit_write, reason = "it is what the runner does not capture")]
fn skip(why: &str) {
    writeln!(io::stderr(), "SKIPPED, constant time is not checked: {why}").unwrap();
}

fn kernels() -> impl Iterator<Item = &'static Kernel> {
    [kernels::KERNELS, modes::KERNELS, fields::KERNELS, share_files::KERNELS].into_iter().flatten()
}

#[test]
fn every_kernel() {
    observe(kernels());
}

#[test]
fn every_planted_leak() {
    observe(PLANTED.iter());
}

/// Runs each kernel on a secret, if this is under valgrind.
fn observe(kernels: impl Iterator<Item = &'static Kernel>) {
    if !valgrind::is_running() {
        return;
    }
    println!("\nAVX2|{}", simd_core::detected!("avx2"));
    for (name, length, kernel) in kernels {
        eprintln!("{name}");
        let mut secret: Vec<u8> = (0..*length).map(|i| (i * 89 + 31) as u8).collect();
        valgrind::forget(&mut secret);
        let before = valgrind::reports();
        let mut result = kernel(&secret);
        let reports = valgrind::reports() - before;
        let depends = valgrind::depends_on_forgotten(&result);
        valgrind::learn(&mut result);
        println!("\nOUTCOME|{name}|{reports}|{depends}");
    }
}
