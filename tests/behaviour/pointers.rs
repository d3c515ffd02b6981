//! Dispatched functions as function pointers, which are pointers to their dispatchers: a call runs the clone for this CPU.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::LazyLock;

use integration_tests::{expected, ran};
use simd_core::testing::each_target;
use simd_core::{Targets, dispatch, targets};

const LIST: Targets = targets!("avx2,aes | aes");

#[dispatch(targets = "avx2,aes | aes")]
fn which() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
fn largest<T: Copy + PartialOrd>(xs: &[T]) -> Option<&T> {
    xs.iter().reduce(|a, b| if b > a { b } else { a })
}

static WHICH: fn() -> &'static str = which;

#[test]
#[each_target(LIST)]
fn the_clone_that_runs() {
    #[dispatch(targets = "avx2,aes | aes")]
    fn sees() -> (bool, bool) {
        (cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
    assert_eq!(black_box(WHICH)(), expected());
    assert_eq!(black_box(WHICH)(), which());
    let sees: fn() -> (bool, bool) = black_box(sees);
    assert_eq!(sees(), integration_tests::sees());
}

#[test]
#[each_target(LIST)]
fn any_lifetime() {
    struct Kernels {
        largest: fn(&[u32]) -> Option<&u32>,
        either: for<'a> fn(&'a str, &'a str, bool) -> &'a str,
        first: fn(&Row) -> &u32,
    }

    #[dispatch(targets = "avx2,aes | aes")]
    fn either<'a>(a: &'a str, b: &'a str, first: bool) -> &'a str {
        if first { a } else { b }
    }

    struct Row([u32; 2]);

    #[dispatch(targets = "avx2,aes | aes")]
    impl Row {
        fn first(&self) -> &u32 {
            self.0.iter().next().unwrap()
        }
    }

    let kernels = black_box(Kernels { largest, either, first: Row::first });
    let outer = [3];
    let mut found = &outer[0];
    for length in 1..4 {
        let xs: Vec<u32> = (0..length).collect();
        assert_eq!((kernels.largest)(&xs), Some(&(length - 1)));
        assert_eq!((kernels.first)(&Row([length, 0])), &length);
        found = (kernels.largest)(&outer).unwrap_or(found);
    }
    assert_eq!((found, (kernels.largest)(&[])), (&3, None));
    assert_eq!((kernels.either)("a", &String::from("b"), false), "b");
    let of_bytes = black_box(largest::<u8> as fn(&[u8]) -> Option<&u8>);
    assert_eq!(of_bytes(b"abc"), Some(&b'c'));
}

#[allow(non_snake_case, reason = "a parameter called like a clone")]
#[test]
#[each_target(LIST)]
fn parameters_of_every_form() {
    #[dispatch(targets = "avx2,aes | aes")]
    fn nothing() {}
    #[dispatch(targets = "avx2,aes | aes")]
    fn patterns((a, b): (u32, u32), [c, ..]: [u32; 3], mut d: u32) -> u32 {
        d += a;
        d * b + c
    }
    #[dispatch(targets = ["avx2,aes", "aes"])]
    fn one(_: u8) -> Vec<u8> {
        vec![1]
    }
    #[dispatch(targets = "avx2,aes | aes")]
    fn selected(selected: u8, __selected__aes: u8) -> u8 {
        selected + __selected__aes
    }
    #[dispatch(targets = "avx2,aes | aes")]
    fn diverges() -> ! {
        panic!("on purpose")
    }

    black_box(nothing as fn())();
    assert_eq!(black_box(patterns as fn((u32, u32), [u32; 3], u32) -> u32)((1, 2), [3, 4, 5], 6), 17);
    assert_eq!(black_box(one as fn(u8) -> Vec<u8>)(0), [1]);
    assert_eq!(black_box(selected as fn(u8, u8) -> u8)(1, 2), 3);
    let diverges: fn() -> ! = black_box(diverges);
    assert!(cfg!(not(panic = "unwind")) || std::panic::catch_unwind(|| diverges()).is_err());
}

/// Another list than that of what it calls changes nothing but who decides.
#[test]
#[each_target(LIST)]
fn with_another_list() {
    #[dispatch(targets = "sse4.1 | dotprod")]
    fn other() -> &'static str {
        which()
    }
    #[dispatch(targets = "wasm32: simd128")]
    fn foreign() -> &'static str {
        which()
    }
    let table: [fn() -> &'static str; 3] = black_box([which, other, foreign]);
    assert_eq!(table.map(|entry| entry()), [expected(); 3]);
}

#[test]
#[each_target(LIST)]
fn inside_of_a_clone() {
    #[dispatch(targets = "aes")]
    fn root() -> [&'static str; 2] {
        let pointer: fn() -> &'static str = black_box(which);
        [pointer(), which()]
    }
    assert_eq!(root(), [expected(); 2]);
}

type Step = fn(u32) -> u32;

mod steps {
    #[super::dispatch(targets = "avx2,aes | aes")]
    pub(super) fn one(x: u32) -> u32 {
        x + 1
    }

    #[super::dispatch(targets = "avx2,aes | aes")]
    #[inline(never)]
    pub(super) fn two(x: u32) -> u32 {
        x + 2
    }
}

/// A static has one address for each pointer in it; a constant may have one for each mention.
static STEPS: [Step; 2] = [steps::one, steps::two];

static FILLED: LazyLock<[Step; 2]> = LazyLock::new(|| [steps::one, steps::two]);

/// Another codegen unit, most of the time.
mod elsewhere {
    use super::{FILLED, STEPS, Step};

    #[inline(never)]
    pub(super) fn position(step: Step) -> Option<usize> {
        STEPS.iter().position(|stored| core::ptr::fn_addr_eq(*stored, step))
    }

    #[inline(never)]
    pub(super) fn position_of_filled(step: Step) -> Option<usize> {
        FILLED.iter().position(|stored| core::ptr::fn_addr_eq(*stored, step))
    }
}

/// Addresses of one dispatched function may differ from place to place; this is what to compare instead.
#[test]
fn pointers_that_were_stored_once() {
    for (index, step) in STEPS.iter().enumerate() {
        assert_eq!((elsewhere::position(*step), step(3)), (Some(index), 4 + index as u32));
    }
    for (index, step) in FILLED.iter().enumerate() {
        assert_eq!((elsewhere::position_of_filled(*step), step(3)), (Some(index), 4 + index as u32));
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Which {
    One,
    Two,
}

impl Which {
    fn step(self) -> Step {
        match self {
            Which::One => steps::one,
            Which::Two => steps::two,
        }
    }
}

#[test]
fn a_name_for_each() {
    let all = [Which::One, Which::Two];
    assert_eq!(all.map(|which| which.step()(3)), [4, 5]);
    assert_ne!(all[0], all[1]);
}
