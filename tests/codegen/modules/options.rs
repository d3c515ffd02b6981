//! Options of the compiler, as different build tools write them.

use super::super::folding::random::Random;

/// The options for a level of optimisation, and the same as cargo writes them. `@` stands for a file with the options after it.
pub(super) fn level(random: &mut Random) -> (Vec<String>, Vec<String>) {
    let level = random.pick(&["0", "1", "2", "3", "s"]);
    let other = random.pick(&["0", "3"]);
    let usual = ["-C".to_owned(), format!("opt-level={level}")].to_vec();
    let short = ["-C", "opt-level=3"].map(str::to_owned).to_vec();
    let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    match random.below(12) {
        0 => (words(format!("-Copt-level={level}")), usual),
        1 => (words(format!("--codegen opt-level={level}")), usual),
        2 => (words(format!("--codegen=opt-level={level}")), usual),
        3 => (words(format!("-C opt_level={level}")), usual),
        4 => (words(format!("-O -C opt-level={level}")), usual),
        5 => (words(format!("-Copt-level={other} --codegen=opt-level={level}")), usual),
        6 => (words(format!("@ -Copt-level={level}")), usual),
        7 => (words(format!("-gCopt-level={level}")), words(format!("-g -C opt-level={level}"))),
        8 => (words("-gO".to_owned()), [vec!["-g".to_owned()], short].concat()),
        9 => (words(format!("-C opt-level={other} -O")), short),
        10 => (words(format!("@ --codegen opt-level={level}")), usual),
        _ => (words("-O".to_owned()), short),
    }
}

/// Options that change nothing.
pub(super) fn others(random: &mut Random) -> Vec<String> {
    let all = [
        "--cfg=simd_core_portable",
        "--cfg=simd_core_without=\"vaes\"",
        "--cap-lints=allow",
        "--cap-lints=warn",
        "-Cforce-frame-pointers=yes",
        "--cfg=feature=\"std\"",
    ];
    (0..random.below(2)).map(|_| random.pick(&all).to_owned()).collect()
}
