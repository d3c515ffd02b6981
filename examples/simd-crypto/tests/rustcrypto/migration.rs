//! Programs that were written for RustCrypto's types, compiled twice: with its `use` lines, and with those that the README says
//! to write instead. They print the same, or stop at the same places.
use super::targets;

mod theirs {
    include!("migration/theirs.rs");
    include!("migration/programs.rs");
}

mod ours {
    include!("migration/ours.rs");
    include!("migration/programs.rs");
}

targets! {
    #[test]
    fn programs_print_the_same() {
        let (ours, theirs) = (ours::outputs(), theirs::outputs());
        for (program, expected) in &theirs {
            assert!(!expected.is_empty());
            assert_eq!(ours[program], *expected, "{program}");
        }
    }
}

/// The README shows the lines that were exchanged.
#[test]
fn the_readme_shows_these_lines() {
    let readme = include_str!("../../README.md");
    let (_, diff) = readme.split_once("```diff\n").expect("the README has a diff");
    let (diff, _) = diff.split_once("```").unwrap();
    let side = |sign| -> String {
        let lines = diff.lines().filter(|line| line.starts_with([sign, ' ']));
        lines.map(|line| line[1..].to_owned() + "\n").collect()
    };
    assert_eq!(side('-'), include_str!("migration/theirs.rs"));
    assert_eq!(side('+'), include_str!("migration/ours.rs"));
}
