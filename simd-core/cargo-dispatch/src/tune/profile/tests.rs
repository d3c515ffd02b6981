use std::fs;

use super::*;

/// Three functions that take about two, one and no parts of the time, of which the first is inlined.
const PROGRAM: &str = "\
fn mixed(rounds: u64, seed: u64) -> u64 {
    (0..rounds).fold(seed, |sum, at| (sum ^ at).rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[inline(never)]
fn outer(seed: u64) -> u64 {
    mixed(80_000_000, seed)
}

macro_rules! make {
    ($name:ident) => {
        #[inline(never)]
        fn $name(seed: u64) -> u64 {
            let mut sum = seed;
            for at in 0..40_000_000 {
                sum = (sum ^ at).rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
            sum
        }
    };
}
make!(made);

fn main() {
    let thread = std::thread::spawn(|| outer(1));
    let sum = made(2) + thread.join().unwrap();
    std::process::exit(i32::from(sum == 0));
}
";

#[test]
fn samples_are_those_of_the_functions_that_are_inlined() {
    let directory = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    fs::write(root.join("main.rs"), PROGRAM).unwrap();
    let program = root.join("program");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-Copt-level=2", "-Cdebuginfo=line-tables-only", "main.rs", "-o"]).arg(&program);
    assert!(rustc.current_dir(&root).status().unwrap().success());
    let source = Source::new("main.rs".into(), PROGRAM.to_owned()).unwrap();
    let heat = Heat::of(Command::new(&program), &program, &root, &[&source]).unwrap();
    // The shares depend on other programs, and no more on them than this.
    let shares = ["main.rs:1", "main.rs:6"].map(|key| heat.share(key));
    assert!(shares[0].own > 0.2 && shares[0].outermost == 0.0, "{shares:?}");
    assert!(shares[1].own < 0.05 && shares[1].all >= shares[0].own && shares[1].outermost > 0.2, "{shares:?}");
    let made = heat.share("main.rs:13");
    assert!(made.own > 0.1 && made.outermost > 0.1, "{made:?}");
}
