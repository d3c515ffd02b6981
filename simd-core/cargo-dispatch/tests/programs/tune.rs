//! `cargo dispatch tune` on a package of a program and a bench, from the profile to the sources.

use core::time::Duration;
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::{dispatch, printed, refused, shown, write};
use crate::manifest;

/// A package without programs, and a member with them.
const WORKSPACE: &str = "[workspace]\nmembers = [\"warm\"]\nexclude = [\"other\"]\n";

const MEMBER: &str = r#"
[dependencies]
other = { package = "warm", path = "../other" }
[[bench]]
name = "slow"
harness = false
"#;

const LIBRARY: &str = r"
/// Several times faster with `popcnt`.
pub fn ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Each step waits for the one before.
pub fn steps(mut x: u64, count: u32) -> u64 {
    for _ in 0..count {
        x = (x ^ x >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

#[test]
fn counts() {
    assert_eq!(ones(&[7, 8]), 4);
}
";

const STEADY: &str = r"
use std::hint::black_box;
fn main() {
    let words = [5; 4096];
    for _ in 0..10_000 {
        black_box(warm::ones(black_box(&words)));
    }
    black_box(warm::steps(black_box(7), 5_000_000));
}
";

/// Its loop does not gain.
const SLOW: &str = r#"
mod criterion;
fn main() {
    criterion::Criterion::default().bench_function("steps", || warm::steps(7, 2_000));
}
"#;

/// A repository with the package, and the command.
struct Repository(PathBuf);

impl Repository {
    fn new() -> Self {
        let directory = crate::scratch("tuned");
        for (file, text) in [
            ("Cargo.toml", &*manifest("cold", "2024", WORKSPACE)),
            ("src/lib.rs", ""),
            ("warm/Cargo.toml", &manifest("warm", "2024", MEMBER)),
            ("warm/src/lib.rs", LIBRARY),
            // Of the same name, as a crate depends on itself that criterion needs.
            ("other/Cargo.toml", &manifest("warm", "2024", "").replace("0.0.0", "0.0.1")),
            ("other/src/lib.rs", ""),
            ("warm/src/bin/steady.rs", STEADY),
            ("warm/benches/slow.rs", SLOW),
            ("warm/benches/criterion/mod.rs", include_str!("criterion.rs")),
        ] {
            write(&directory.join(file), text);
        }
        let own = Self(directory);
        own.git(&["init", "--quiet"]);
        own.git(&["add", "Cargo.toml", "src", "warm", "other"]);
        own.git(&["-c", "user.name=test", "-c", "user.email=test", "commit", "--quiet", "--allow-empty", "-m", "test"]);
        // Builds stay, measurements do not.
        for file in [own.made("state.json"), own.0.join("note")] {
            _ = fs::remove_file(file);
        }
        own
    }

    fn made(&self, file: &str) -> PathBuf {
        self.0.join("warm/target/dispatch-tune/warm").join(file)
    }

    fn git(&self, arguments: &[&str]) -> String {
        printed(Command::new("git").args(arguments).current_dir(&self.0))
    }

    fn tune(&self, arguments: &[&str]) -> Command {
        let mut command = dispatch(&self.0.join("warm"), &["tune", "--targets", "popcnt"]);
        command.args(arguments);
        command
    }

    /// The outcome, or nothing if the time was over: then the command was interrupted, with all programs that it had started.
    fn within(&self, time: Duration, arguments: &[&str]) -> Option<Output> {
        let mut command = self.tune(arguments);
        let piped = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the program was built");
        // The shell's own, since there may be no program of that name.
        let group = child.id();
        let signal = |name: &str| {
            let kill = format!("kill -s {name} -- -{group}");
            Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status()
        };
        let start = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            if start.elapsed() > time {
                signal("INT").expect("every system has a shell");
                let output = child.wait_with_output().expect("a child");
                if output.status.success() {
                    return Some(output);
                }
                assert!(output.stdout.is_empty(), "{}", shown(&output));
                let end = Instant::now() + Duration::from_secs(10);
                while signal("0").is_ok_and(|status| status.success()) {
                    assert!(Instant::now() < end, "a program still runs");
                    std::thread::sleep(Duration::from_millis(50));
                }
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(child.wait_with_output().expect("a child"))
    }
}

/// On a busy machine it may take others with it, which bring nothing.
fn has_ones(outcome: &Value) {
    let functions = outcome["functions"].as_array().expect("a list");
    assert!(functions.iter().any(|one| one["function"] == "ones" && one["targets"] == "popcnt"), "{outcome:#}");
}

#[test]
#[ignore = "builds packages: minutes, which the gate takes"]
fn tune_finds_the_function_that_gains() {
    if !is_x86_feature_detected!("popcnt") || cfg!(target_feature = "popcnt") {
        return;
    }
    let repository = Repository::new();
    let steady = ["--command", "steady", "--json"];

    // Interrupted after ever longer times, it leaves nothing and comes to its end.
    let mut time = Duration::from_millis(500);
    let output = loop {
        if let Some(output) = repository.within(time, &steady) {
            break output;
        }
        assert_eq!(repository.git(&["status", "--porcelain"]), "");
        time = time * 5 / 4;
        assert!(time < Duration::from_secs(300));
    };
    assert!(output.status.success(), "{}", shown(&output));
    let outcome: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    has_ones(&outcome);
    let median = outcome["rows"][0]["speeds"][0]["median"].as_f64().expect("a number");
    assert!(median > 1.1, "{outcome:#}");
    let tests = json!([{"target": "baseline", "failed": []}, {"target": "popcnt", "failed": []}]);
    assert_eq!((&outcome["complete"], &outcome["tests"]), (&json!(true), &tests), "{outcome:#}");

    // A known speed is not measured again.
    let known = fs::read(repository.made("state.json")).expect("a run has ended");
    assert_eq!(printed(&mut repository.tune(&steady)).as_bytes(), output.stdout);
    assert_eq!(fs::read(repository.made("state.json")).expect("a run has ended"), known);

    // Two at a time would write the same files.
    let own = File::open(repository.made(".gitignore")).expect("a run has ended");
    own.lock().expect("no other has it");
    let refusal = refused(&mut repository.tune(&steady));
    assert!(refusal.contains("another `cargo dispatch tune` works in"), "{refusal}");
    drop(own);

    // It writes only where git could bring back what was there, and then what the diff says.
    let note = repository.0.join("note");
    write(&note, "mine");
    let refusal = refused(repository.tune(&steady).arg("--apply"));
    assert!(refusal.contains("the working tree has changes, so `--apply` writes nothing:\n    ?? note\n"), "{refusal}");
    fs::remove_file(note).expect("it was written");
    printed(repository.tune(&steady).arg("--apply"));
    assert!(repository.git(&["diff"]).contains("\n+#[simd_core::dispatch(targets = \"popcnt\")]\n pub fn ones"));
    let diff = repository.made("diff");
    write(&diff, outcome["diff"].as_str().expect("text"));
    repository.git(&["apply", "--reverse", diff.to_str().expect("a path in UTF-8")]);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");

    // A bench that does not compile, as it needs a feature, is the user's to mend.
    let (slow, mended) = (repository.0.join("warm/benches/slow.rs"), SLOW.replace("steps(7", "absent(7"));
    write(&slow, &mended);
    let refusal = refused(&mut repository.tune(&["--bench", "slow"]));
    assert!(
        refusal.contains("before any change the copy does not compile") && refusal.contains("`--features`"),
        "{refusal}"
    );
    write(&slow, SLOW);

    // Where nothing pays, the reason stands next to the hot loop.
    let outcome = printed(&mut repository.tune(&["--bench", "slow", "--minutes", "1"]));
    assert!(outcome.contains("\nverdict: nothing pays") && outcome.contains("`for _ in 0..count`"), "{outcome}");
    assert!(outcome.contains("why: each iteration needs a value of the one before"), "{outcome}");
}
