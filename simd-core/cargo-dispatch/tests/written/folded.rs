//! Machine code of calls between a crate with written files and one with the macro: nothing is left to decide in a clone.

use std::fs;
use std::path::Path;

use simd_core_asm::{Binary, Function, Target};

use super::{cargo, expand, package, succeeds, target};
use crate::manifest;

const WORKSPACE: &str = "[workspace]\nmembers = [\"leaf\", \"app\"]\nresolver = \"3\"\n";

const OF_LEAF: &str =
    "[dependencies]\nsimd-core = { path = SIMD_CORE, default-features = false, features = [\"std\"] }\n";
const OF_APP: &str = "[dependencies]\nleaf = { path = \"../leaf\" }\nsimd-core = { path = SIMD_CORE }\n";

const STEPS: &str = r#"
#[inline]
#[cfg_attr(false, dispatch(targets = "x86-64-v4 | x86-64-v3"))]
pub fn step(x: u32) -> u32 {
    (0..4).fold(x, |x, i| x.rotate_left(i) ^ x.wrapping_mul(7))
}

#[derive(Clone, Copy)]
pub struct Lane(pub u32);

#[cfg_attr(false, dispatch(targets = "x86-64-v4 | x86-64-v3"))]
impl core::ops::Mul for Lane {
    type Output = Lane;
    #[inline]
    fn mul(self, other: Lane) -> Lane {
        let mut product = 0;
        for i in 0..32 {
            product ^= (self.0 << i) & (other.0 >> i & 1).wrapping_neg();
        }
        Lane(product)
    }
}
"#;

const MACROS: &str = r#"
use leaf::steps::{Lane, step};

#[inline]
#[simd_core::dispatch(targets = "x86-64-v4 | x86-64-v3")]
pub fn inner(x: u32) -> u32 {
    (0..5).fold(x, |x, i| x.rotate_left(i) ^ x.wrapping_add(9))
}

#[simd_core::dispatch(targets = "x86-64-v4 | x86-64-v3")]
pub fn by_macro(xs: &mut [u32]) {
    for x in xs {
        *x = (Lane(step(*x)) * Lane(3)).0;
    }
}
"#;

const OWN: &str = r#"
use leaf::steps::{Lane, step};

#[cfg_attr(false, dispatch(targets = "x86-64-v4 | x86-64-v3"))]
pub fn written(xs: &mut [u32]) {
    for x in xs {
        *x = (Lane(crate::macros::inner(*x)) * Lane(step(*x))).0;
    }
}
"#;

const MAIN: &str = r#"
mod macros;
#[cfg_attr(not(miri), path = "own.dispatched.rs")]
mod own;
fn main() {
    let mut xs = core::hint::black_box([1, 2, 3]);
    core::hint::black_box(macros::by_macro as fn(&mut [u32]))(&mut xs);
    core::hint::black_box(own::written as fn(&mut [u32]))(&mut xs);
    println!("{xs:?}");
}
"#;

fn program(name: &str, change: impl Fn(&Path)) -> Binary {
    let line = "#[cfg_attr(not(miri), path = \"steps.dispatched.rs\")]\npub mod steps;\n";
    let files = [
        ("leaf/Cargo.toml", &*manifest("leaf", "2024", OF_LEAF)),
        ("leaf/src/lib.rs", line),
        ("leaf/src/steps.rs", STEPS),
        ("app/Cargo.toml", &manifest("app", "2024", OF_APP)),
        ("app/src/main.rs", MAIN),
        ("app/src/macros.rs", MACROS),
        ("app/src/own.rs", OWN),
    ];
    let directory = package(name, WORKSPACE, &files);
    let (code, said) = expand(&directory, &["--write"]);
    assert_eq!(code, Some(0), "{said}");
    change(&directory);
    succeeds(&cargo(&directory, &["build", "--release"], &[]));
    let program = target().join("release/app");
    let copy = directory.join("program");
    fs::copy(program, &copy).expect("cargo has built it");
    Binary::open(copy).expect("a program")
}

fn clones(binary: &Binary, root: &str) -> Vec<Function> {
    let clones = binary.clones(root).unwrap_or_else(|error| panic!("{error}")).into_vec();
    let clones: Vec<Function> = clones.into_iter().filter(|clone| clone.target() != Some(Target::Baseline)).collect();
    assert_eq!(clones.len(), 2, "{root}");
    clones
}

#[test]
fn calls_across_both_forms_decide_nothing() {
    let binary = program("folded", |_| {});
    for root in ["app::macros::by_macro", "app::own::written"] {
        for clone in clones(&binary, root) {
            clone.assert().no_dispatch_in_callees().within_target();
            assert!(clone.dispatches().is_empty(), "{}", clone.listing());
        }
    }
    // The same without the assertions of the written root.
    let faulty = program("folded_not", |directory| {
        let file = directory.join("app/src/own.dispatched.rs");
        let text = fs::read_to_string(&file).expect("it was written");
        let mut parts = text.split("unsafe { self::cpu::assert_");
        let start = parts.next().expect("the text").to_owned();
        let rest: Vec<&str> = parts.map(|part| part.split_once('}').expect("the end of a block").1).collect();
        assert_eq!(rest.len(), 3, "{text}");
        fs::write(file, start + "{}" + &rest.join("{}")).expect("as before");
    });
    assert!(clones(&faulty, "app::own::written").iter().all(|clone| !clone.dispatches().is_empty()));
}
