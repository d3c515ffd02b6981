//! Programs that no C runtime starts.

use super::*;

/// The program's code is what its dispatched function took inside of `start`: the best clone. It was the baseline before.
#[test]
fn a_program_of_its_own() {
    const FLAGS: &[&str] = &[
        "-Cpanic=abort",
        "-Crelocation-model=static",
        "-Clink-arg=-no-pie",
        "-Clink-arg=-nostartfiles",
        "-Clink-arg=-nostdlib",
        "-Clink-arg=-static",
    ];
    // The first level inlines everything into everything that it can.
    let build = Build { flags: FLAGS, features: &[], ..OPTIMISED };
    for_each(some_of(&[build, Build { opt_level: "1", ..build }], 1), |build| {
        let output = output(&mut Command::new(build.path(&[Crate::program("bare", source!("bare.rs"))])));
        let best = i32::from(libraries::best_clone());
        assert_eq!(output.status.code(), Some(best + 4 + best * 8), "{}", shown(&output));
    });
}
