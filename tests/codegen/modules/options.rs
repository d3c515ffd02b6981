//! Options of the compiler, as different build tools write them.

use super::super::folding::random::Random;

/// Spellings of a level of optimisation, and how cargo writes the same: `§` is the level, `¤` another one, and `@` stands for a file with
/// the options after it.
const LEVELS: [(&str, &str); 12] = [
    ("-Copt-level=§", "-C opt-level=§"),
    ("--codegen opt-level=§", "-C opt-level=§"),
    ("--codegen=opt-level=§", "-C opt-level=§"),
    ("-C opt_level=§", "-C opt-level=§"),
    ("-O -C opt-level=§", "-C opt-level=§"),
    ("-Copt-level=¤ --codegen=opt-level=§", "-C opt-level=§"),
    ("@ -Copt-level=§", "-C opt-level=§"),
    ("-gCopt-level=§", "-g -C opt-level=§"),
    ("-gO", "-g -C opt-level=3"),
    ("-C opt-level=¤ -O", "-C opt-level=3"),
    ("@ --codegen opt-level=§", "-C opt-level=§"),
    ("-O", "-C opt-level=3"),
];

pub(super) fn level(random: &mut Random) -> (Vec<String>, Vec<String>) {
    let level = random.pick(&["0", "1", "2", "3", "s"]);
    let other = random.pick(&["0", "3"]);
    let words = |text: &str| text.replace('§', level).replace('¤', other).split(' ').map(str::to_owned).collect();
    let (spelled, usual) = random.pick(&LEVELS);
    (words(spelled), words(usual))
}

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
