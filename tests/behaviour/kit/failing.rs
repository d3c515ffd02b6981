//! What the kit says of tests that fail. Those here fail only where the tests below start them.

use std::env;
use std::process::{Command, Output};

use integration_tests::build::{Build, Crate, DEBUG};
use integration_tests::{available, has_compiler, shown, skip};
use simd_core::testing::{agree, each_target, this_program};

use super::{LIST, name, sum, which};

const FAIL: &str = "KIT_FAILS_ON_PURPOSE";

fn fails() -> bool {
    env::var_os(FAIL).is_some()
}

#[test]
#[each_target(LIST)]
fn for_one_target() {
    println!("printed for {:?}", which());
    assert!(!fails() || which() != "aes", "the message of the failure");
}

#[test]
#[each_target(LIST)]
fn with_an_error() -> Result<(), String> {
    if fails() && which().is_empty() { Err("the text of the error".to_owned()) } else { Ok(()) }
}

#[test]
#[each_target(LIST)]
fn in_the_constant() {
    agree(|| sum(&[2]) + u32::from(fails() && !which().is_empty()));
}

proptest::proptest! {
    // They are found again.
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]
    #[test]
    #[each_target(LIST)]
    fn for_some_inputs(xs: Vec<u32>) {
        agree(|| {
            assert!(!(fails() && which() == "aes" && xs.len() > 2), "more than two");
            sum(&xs)
        });
    }
}

#[test]
#[each_target(LIST)]
fn with_more_results_in_the_baseline() {
    for _ in 0..if fails() && which().is_empty() { 2 } else { 1 } {
        agree(|| 1);
    }
}

#[test]
#[each_target(LIST)]
fn with_fewer_results_in_the_baseline() {
    for _ in 0..if fails() && which().is_empty() { 1 } else { 2 } {
        agree(|| 1);
    }
}

#[each_target(LIST)]
fn no_test_by_itself() {}

#[test]
fn called_by_another() {
    if fails() {
        no_test_by_itself();
    }
}

/// This program, to run the test `name` and fail.
fn failing(name: &str) -> Command {
    let mut command = this_program();
    command.args(["--exact", &format!("kit::failing::{name}")]).env(FAIL, "1").env("RUST_BACKTRACE", "0");
    command.env_remove("SIMD_CORE_TESTING_CHILD");
    command
}

/// What is said, below the harness's own words; `None` where no process can be started, and the kit starts none either.
fn said(command: &mut Command) -> Option<(bool, String)> {
    let output = if cfg!(miri) { None } else { command.output().ok() };
    let Some(Output { status, stdout, stderr }) = output else {
        skip("no process can be started here");
        return None;
    };
    Some((status.success(), shown(&Output { status, stdout, stderr })))
}

/// Runs `failing::name` and wants `texts` in what it prints.
#[track_caller]
fn wants(name: &str, texts: &[&str]) {
    let Some((success, said)) = said(&mut failing(name)) else { return };
    assert!(!success, "{said}");
    for text in texts {
        assert!(said.contains(text), "no {text:?} in:\n{said}");
    }
}

/// Whether every target of the list can be chosen here, by a process that is not limited itself.
fn all_here() -> bool {
    let all = !cfg!(any(target_feature = "aes", target_feature = "avx2")) && available("avx2,aes") && available("aes");
    if !all {
        skip("here not every target of the list can be chosen");
    }
    all
}

#[test]
#[each_target(LIST)]
fn with_nothing_to_compare() {
    if fails() {
        agree(|| _ = sum(&[2]));
    }
}

#[test]
fn a_failure_is_shown_with_its_target() {
    if !all_here() {
        return;
    }
    wants(
        "for_one_target",
        &[
            "`kit::failing::for_one_target`, for the target `aes`, fails",
            "printed for \"aes\"",
            "the message of the failure",
        ],
    );
    let (_, text) = said(&mut failing("for_one_target")).unwrap();
    assert!(text.contains(&format!("passed for {}", name("avx2,aes"))), "{text}");
    assert!(text.contains("passed for baseline"), "{text}");
    assert!(!text.contains("printed for \"\""), "what passes is not shown:\n{text}");
    wants("with_an_error", &["for the target `baseline`, fails", "the text of the error"]);
}

#[test]
fn a_disagreement_is_shown_with_both_results() {
    if !all_here() {
        return;
    }
    wants("in_the_constant", &["`aes` and `baseline` disagree\n`aes`: 3\n`baseline`: 2\n"]);
    wants("with_nothing_to_compare", &["the closure returns `()`, so there is nothing to compare"]);
    wants("with_more_results_in_the_baseline", &["for the target `aes`: `baseline` continues after `aes` has ended"]);
    wants("with_fewer_results_in_the_baseline", &["`aes`: 1\n`baseline`: it has already ended"]);
}

/// Both processes see the disagreement, so that proptest comes to the same smaller inputs in both.
#[test]
fn a_disagreement_is_shrunk() {
    if !all_here() {
        return;
    }
    wants(
        "for_some_inputs",
        &[
            "`aes`: panicked: more than two\n`baseline`: 0\n",
            "minimal failing input: xs = [\n    0,\n    0,\n    0,\n]",
            "(PROPTEST_RNG_SEED=",
        ],
    );
}

#[test]
fn a_process_that_does_not_run_the_test_is_a_failure() {
    wants(
        "called_by_another",
        &[", did not run: is there a test with exactly the name `kit::failing::no_test_by_itself`?\n"],
    );
}

/// Runners are used, and one that loses the environment is found out.
#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_loses_the_variables_is_a_failure() {
    if !all_here() {
        return;
    }
    if this_program().get_program() != env::current_exe().unwrap() {
        return skip("this program runs in an emulator");
    }
    wants("for_one_target", &["fails"]);
    let mut command = failing("for_one_target");
    let (success, text) = said(command.env("SIMD_CORE_RUNNER", "env -u SIMD_CORE_ONLY")).unwrap();
    assert!(!success, "{text}");
    let best = name("avx2,aes");
    assert!(text.contains(&format!("was started for the target `aes`, but `{best}` runs")), "{text}");
    let mut command = failing("for_one_target");
    let (success, text) = said(command.env("SIMD_CORE_RUNNER", "/there/is/no/runner")).unwrap();
    assert!(!success, "{text}");
    assert!(text.contains("cannot be started again") && text.contains("set SIMD_CORE_RUNNER"), "{text}");
}

#[test]
fn what_the_cpu_lacks_is_skipped_by_name() {
    if !all_here() {
        return;
    }
    let best = name("avx2,aes");
    let mut command = this_program();
    command.args(["--exact", "kit::before_or_after_test"]).env("SIMD_CORE_WITHOUT", "avx2");
    let (success, text) = said(command.env_remove("SIMD_CORE_TESTING_CHILD").env_remove("SIMD_CORE_ONLY")).unwrap();
    assert!(success, "{text}");
    let skipped =
        format!("before_or_after_test: skipped for {best}: this CPU lacks avx2, or the environment disables it\n");
    assert!(text.contains(&skipped), "{text}");
    assert!(!text.contains(&format!("passed for {best}")), "{text}");
}

#[test]
fn what_is_required_is_not_skipped() {
    if !all_here() {
        return;
    }
    let run = |require: &str, without: &str| {
        let mut command = this_program();
        command.args(["--exact", "kit::before_or_after_test"]).env("SIMD_CORE_WITHOUT", without);
        command.env("SIMD_CORE_REQUIRE", require).env_remove("SIMD_CORE_ONLY");
        said(command.env_remove("SIMD_CORE_TESTING_CHILD")).unwrap()
    };
    let level = if cfg!(target_arch = "x86_64") { "x86-64-v3" } else { "avx2,fma" };
    for require in ["avx2,aes", "avx2", level, "avx512f,avx2"] {
        let (success, text) = run(require, "avx2");
        let best = name("avx2,aes");
        let message =
            format!("`kit::before_or_after_test` was skipped for `{best}`, which SIMD_CORE_REQUIRE does not allow");
        assert!(!success && text.contains(&message), "{require}: {text}");
        assert!(text.contains("passed for aes") && text.contains("passed for baseline"), "{text}");
    }
    for (require, without) in [("avx2,aes", ""), ("aes", "avx2"), ("", "aes"), ("avx512f", "")] {
        let (success, text) = run(require, without);
        assert!(success, "{require} without {without}: {text}");
    }
    let (success, text) = run("avx3", "");
    assert!(!success && text.contains("SIMD_CORE_REQUIRE names `avx3`, which is not a feature"), "{text}");
}

/// The ways in which cargo, its options and nextest start a test program.
#[test]
fn under_every_harness_option() {
    let arguments: [&[&str]; 5] = [
        &["--exact", "kit::in_a_module::has_its_path", "--nocapture"],
        &["kit::in_a_module", "--test-threads=1"],
        &["kit::in_a_module::has_its", "--skip", "nothing"],
        &["--exact", "kit::ignored", "--ignored"],
        &["--exact", "kit::with_a_result", "--test-threads=3", "--quiet"],
    ];
    for arguments in arguments {
        let mut command = this_program();
        command.args(arguments).env_remove("SIMD_CORE_TESTING_CHILD");
        let Some((success, text)) = said(&mut command) else { return };
        assert!(success && text.contains("1 passed"), "{arguments:?}: {text}");
        assert_eq!(
            text.contains("passed for baseline"),
            arguments.contains(&"--nocapture") && !cfg!(target_feature = "aes"),
            "{text}"
        );
    }
}

/// A variable that is wrong is an error that names the variable and the word.
#[test]
fn an_unknown_feature_is_an_error() {
    for (variable, value, error) in [
        ("SIMD_CORE_ONLY", "no_such_feature", "SIMD_CORE_ONLY names `no_such_feature`, which is not a feature of "),
        ("SIMD_CORE_WITHOUT", "aes;avx", "SIMD_CORE_WITHOUT names `aes;avx`, which is not a feature of "),
        ("SIMD_CORE_ONYL", "aes", "there is no variable SIMD_CORE_ONYL: did you mean SIMD_CORE_ONLY?"),
    ] {
        let mut command = this_program();
        command
            .args(["--exact", "kit::before_or_after_test"])
            .env(variable, value)
            .env_remove("SIMD_CORE_TESTING_CHILD");
        let Some((success, text)) = said(&mut command) else { return };
        assert!(!success && text.contains(error), "{text}");
    }
}

/// Without the feature `testing` nobody reads the variables.
#[test]
fn without_the_feature_the_variables_mean_nothing() {
    const SOURCE: &str = r#"
        #[simd_core::dispatch(targets = "avx2,aes | aes", list = LIST)]
        pub fn which() -> &'static str {
            if cfg!(target_feature = "avx2") { "avx2" } else if cfg!(target_feature = "aes") { "aes" } else { "" }
        }

        #[test]
        fn the_same() {
            let found = format!("{}: {LIST}", which());
            if let Ok(expected) = std::env::var("EXPECTED") {
                assert_eq!(found, expected);
                return;
            }
            for (variable, value) in [("SIMD_CORE_ONLY", ""), ("SIMD_CORE_WITHOUT", "aes"), ("SIMD_CORE_ONLY", "nonsense")] {
                let mut command = std::process::Command::new(std::env::current_exe().unwrap());
                command.env(variable, value).env("EXPECTED", &found);
                assert!(command.status().unwrap().success());
            }
        }
    "#;
    if !has_compiler() {
        return;
    }
    let crates = [Crate::program("no_testing", SOURCE).flags(&["--test"])];
    let program = Build { features: &["std"], ..DEBUG }.path(&crates);
    let output = Command::new(program).output().expect("it starts");
    assert!(output.status.success(), "{}", shown(&output));
}
