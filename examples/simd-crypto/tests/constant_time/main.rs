//! Whether the kernels, and what is built on them, run in constant time. Two ways to see it complete each other:
//!
//! - `trace` steps through a run for each of several secrets, and compares every instruction, every address of memory and the
//!   operands of divisions. It runs every clone that this CPU has (without optimisation the best
//!   and the baseline), and takes what is public of a result as it comes: that a tag is
//!   wrong, that a byte is a digit. It sees what differs between the secrets that it tries.
//! - `valgrind` runs a kernel once, with its secret marked as undefined. Memcheck follows what is computed from it, bit by bit,
//!   and reports every branch and every address that depends on it, whatever the secret. It does not know AVX-512, and takes what
//!   is public of a result for secret.
//!
//! Neither sees counts of shifts, operands of other slow instructions, and code that another build makes of the same
//! source. Run it with `--release` as well.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod fields;
mod kernels;
mod modes;
mod opened;
mod planted;
mod share_files;
mod trace;
#[cfg(feature = "rustcrypto")]
mod traits;
mod valgrind;

use std::collections::BTreeSet;
use std::env;
use std::process::{Command, Stdio};
use std::thread;

use integration_tests::skip;
use kernels::Kernel;
use opened::Opened;
use planted::PLANTED;
use simd_core::testing::this_program;
use simd_core::{Status, detected};
use simd_crypto::targets;
use trace::{Trace, trace};

/// Which clones run, and what the environment leaves of the features that valgrind has for that.
const LIMITS: [(&str, Option<(&str, &str)>); 3] = [
    ("the best clones that valgrind can run", None),
    ("clones without AVX2", Some(("SIMD_CORE_WITHOUT", "avx2"))),
    ("the baseline", Some(("SIMD_CORE_ONLY", ""))),
];

struct Outcome {
    name: String,
    reports: u64,
    /// Whether the result depends on the secret at all.
    depends: bool,
}

#[test]
fn no_branch_and_no_address_depends_on_a_secret() {
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
fn planted_leaks_are_reported() {
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
        skip("constant time is not checked: there is no valgrind");
        return false;
    }
    if cfg!(any(
        target_feature = "avx512f",
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "gfni"
    )) {
        skip("constant time is not checked: valgrind does not know all instructions of this build");
        return false;
    }
    true
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
    println!("\nAVX2|{}", detected!("avx2"));
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

/// Features that make each target of each list the best, where the CPU has them.
const CLONES: [&str; 6] = [
    "vaes,vpclmulqdq,gfni,avx512bw,avx512vl,avx512vbmi2,avx512ifma",
    "vaes,vpclmulqdq,avx512bw,avx512vl",
    "vaes,vpclmulqdq,gfni,avx2",
    "aes,pclmulqdq,avx2",
    "aes,pclmulqdq,ssse3",
    "",
];

/// Says to a process that it is to trace, and what.
const TRACE: &str = "CONSTANT_TIME_TRACE";

/// The clones that run in this process: a line for each list.
fn chosen() -> String {
    targets::ALL.map(|(list, targets)| format!("CHOSEN|{list}|{}\n", targets.chosen())).concat()
}

/// The kernels that a process traces: those that memcheck cannot judge, and all with AVX-512, which valgrind does not run.
///
/// A step takes some microseconds. Without optimisation there are ten times as many, and only what is short is traced.
fn traced() -> Vec<Traced> {
    #[cfg(not(feature = "rustcrypto"))]
    let all = [[opened::OPENED, opened::AES, opened::LONGER]];
    #[cfg(feature = "rustcrypto")]
    let all = [[opened::OPENED, opened::AES, opened::LONGER], [traits::OPENED, traits::AES, traits::LONGER]];
    let opened = all.into_iter().flat_map(|[short, aes, long]| {
        [(true, short), (detected!("aes") || OPTIMISED, aes), (OPTIMISED, long)]
            .into_iter()
            .filter(|(in_time, _)| *in_time)
    });
    let opened = opened.flat_map(|(_, opened)| opened);
    let mut all: Vec<_> = opened.map(prepared).collect();
    if detected!("avx512bw") {
        all.extend(kernels().map(|kernel| whole(kernel, Some(FIRST))));
    }
    all
}

/// A name, the length of the secret in bytes, what is prepared of it, and how many of its steps are compared, if not all.
type Traced = (&'static str, usize, Box<dyn Fn(&[u8]) -> trace::Work>, Option<usize>);

fn prepared((name, length, prepare): &'static Opened) -> Traced {
    (*name, *length, Box::new(prepare), None)
}

const OPTIMISED: bool = cfg!(not(debug_assertions));

/// As many steps of a kernel as are compared.
const FIRST: usize = if OPTIMISED { 50_000 } else { 5_000 };

/// All of a kernel, with nothing prepared.
fn whole((name, length, kernel): &'static Kernel, limit: Option<usize>) -> Traced {
    let work = move |secret: &[u8]| -> trace::Work {
        let secret = secret.to_vec();
        Box::new(move || kernel(&secret))
    };
    (name, *length, Box::new(work), limit)
}

/// The output of a process that traces `what` with these features.
fn trace_with(features: &str, what: &str) -> String {
    let output = this_program()
        .args(["--exact", "the_traces", "--nocapture", "--test-threads=1"])
        .envs([("SIMD_CORE_ONLY", features), (TRACE, what)])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn traces_are_the_same_for_all_secrets() {
    if trace_with("", "nothing").contains("STEPS|false") {
        return skip("constant time is not checked: this system delivers no single steps");
    }
    // Which of these differ on this CPU.
    let mut seen = BTreeSet::new();
    let chosen = |features: &str| {
        trace_with(features, "nothing")
            .lines()
            .filter(|line| line.starts_with("CHOSEN"))
            .fold(String::new(), |all, line| all + line + "\n")
    };
    let mut clones: Vec<_> = CLONES.into_iter().filter(|features| seen.insert(chosen(features))).collect();
    for (list, targets) in targets::ALL {
        for target in targets.iter().filter(|target| matches!(target.status(), Status::Runs | Status::Outranked)) {
            let line = format!("CHOSEN|{list}|{}\n", target.name());
            assert!(seen.iter().any(|said| said.contains(&line)), "no clone runs for {}", line.trim());
        }
    }
    if !OPTIMISED && clones.len() > 2 {
        // The best clones and the baseline: the others take a minute.
        clones.drain(1..clones.len() - 1);
    }
    thread::scope(|scope| {
        let runs: Vec<_> = clones.iter().map(|features| scope.spawn(move || trace_with(features, "kernels"))).collect();
        for (features, run) in clones.iter().zip(runs) {
            let said = run.join().unwrap();
            let outcomes: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("TRACE|")).collect();
            assert!(!outcomes.is_empty() && said.contains("ALL|"), "{said}");
            let leaks: Vec<_> = outcomes.iter().filter(|line| !line.contains("|same|")).collect();
            assert!(leaks.is_empty(), "with the features \"{features}\":\n{leaks:#?}");
        }
    });
}

/// If these were not found, nothing would be.
#[test]
fn planted_leaks_are_traced() {
    if trace_with("", "nothing").contains("STEPS|false") {
        return skip("constant time is not checked: this system delivers no single steps");
    }
    let said = trace_with("aes,pclmulqdq,ssse3", "leaks");
    // The others are seen by memcheck, whatever the secret.
    let names = PLANTED[..2].iter().map(|(name, ..)| name).chain(planted::OPENED.iter().map(|(name, ..)| name));
    for name in names {
        assert!(said.contains(&format!("TRACE|{name}|differs|")), "{name} was not found:\n{said}");
    }
}

#[test]
fn the_traces() {
    let all = match env::var(TRACE).as_deref() {
        Ok("kernels") => traced(),
        Ok("leaks") => {
            PLANTED[..2].iter().map(|leak| whole(leak, None)).chain(planted::OPENED.iter().map(prepared)).collect()
        }
        Ok("nothing") => return print!("\n{}STEPS|{}\n", chosen(), trace::is_possible()),
        _ => return,
    };
    println!();
    for (name, length, prepare, limit) in all {
        let mut secrets = secrets(length);
        let results: Vec<_> = secrets.iter().map(|secret| prepare(secret)()).collect();
        let other = results.iter().position(|result| *result != results[0]);
        let other = other.unwrap_or_else(|| panic!("{name} does not depend on the secret"));
        secrets.truncate(if OPTIMISED { other.max(2) } else { other } + 1);
        match trace(&prepare, &secrets, limit) {
            Trace::Same(steps) => println!("TRACE|{name}|same|{steps}"),
            Trace::Differs(place) => println!("TRACE|{name}|differs|{place}"),
        }
    }
    println!("ALL|");
}

/// Secrets that differ in every bit, and in the place of the first byte that is not zero.
fn secrets(length: usize) -> Vec<Vec<u8>> {
    let bytes = |byte: fn(usize) -> usize| (0..length).map(|i| byte(i) as u8).collect();
    let other = bytes(|i| ((i + 3) * (i + 11) * 157) >> 3);
    vec![bytes(|i| i * 89), bytes(|i| !(i * 89)), vec![0; length], vec![0xff; length], other]
}
