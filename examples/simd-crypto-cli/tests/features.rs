//! The variables with which tests take CPU features away are in no program by accident.
use std::process::Command;

/// The packages that a normal build compiles, with their features, a line each.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--format", "{p} [{f}]"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn has_test_kit(tree: &str) -> bool {
    let mut of_simd_core = tree.lines().filter(|line| line.starts_with("simd-core v")).peekable();
    assert!(of_simd_core.peek().is_some(), "{tree}");
    of_simd_core.any(|line| line.contains("testing"))
}

/// The program can be told to do without features, and the library does not decide that for other programs.
#[test]
fn the_program_asks_for_the_environment() {
    let has = |package: &str| {
        let tree = tree(&["--package", package]);
        tree.lines().any(|line| line.starts_with("simd-core v") && line.contains("environment"))
    };
    assert!(has("simd-crypto-cli") && !has("simd-crypto"));
}

#[test]
fn the_test_kit_is_asked_for() {
    let program = ["--package", "simd-crypto-cli"];
    assert!(!has_test_kit(&tree(&program)));
    assert!(!has_test_kit(&tree(&["--package", "simd-crypto"])));
    assert!(has_test_kit(&tree(&[&program[..], &["--features", "baseline"]].concat())));
}
