//! Clones that are chosen once and kept.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use integration_tests::{expected, ran};
use simd_core::testing::each_target;
use simd_core::{Targets, dispatch, select, targets};

const LIST: Targets = targets!("avx2,aes | aes");

#[dispatch(targets = "avx2,aes | aes")]
fn which() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
fn largest<T: Copy + PartialOrd>(xs: &[T]) -> Option<&T> {
    xs.iter().reduce(|a, b| if b > a { b } else { a })
}

/// Its clones, without a dispatcher.
static WHICH: LazyLock<fn() -> &'static str> =
    LazyLock::new(|| select!("avx2,aes | aes", || -> &'static str { which() }));

#[test]
#[each_target(LIST)]
fn the_chosen_clone() {
    assert_eq!(WHICH(), expected());
    assert_eq!(WHICH(), which());
    let sees =
        select!("avx2,aes | aes", || -> (bool, bool) { (cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")) });
    assert_eq!(sees(), integration_tests::sees());
}

#[test]
#[each_target(LIST)]
fn any_lifetime() {
    struct Kernels {
        largest: fn(&[u32]) -> Option<&u32>,
        either: for<'a> fn(&'a str, &'a str, bool) -> &'a str,
    }
    let kernels = Kernels {
        largest: select!("avx2,aes | aes", |xs: &[u32]| -> Option<&u32> { largest(xs) }),
        either: select!("avx2,aes | aes", for<'a> |a: &'a str, b: &'a str, first: bool| -> &'a str {
            if first { a } else { b }
        }),
    };
    let outer = [3];
    let mut found = &outer[0];
    for length in 1..4 {
        let xs: Vec<u32> = (0..length).collect();
        assert_eq!((kernels.largest)(&xs), Some(&(length - 1)));
        found = (kernels.largest)(&outer).unwrap_or(found);
    }
    assert_eq!((found, (kernels.largest)(&[])), (&3, None));
    assert_eq!((kernels.either)("a", &String::from("b"), false), "b");
}

#[allow(non_snake_case, reason = "a parameter called like a clone")]
#[test]
#[each_target(LIST)]
fn parameters_of_every_form() {
    let nothing = select!("avx2,aes | aes", || {});
    nothing();
    let patterns = select!("avx2,aes | aes", |(a, b): (u32, u32), [c, ..]: [u32; 3], mut d: u32| -> u32 {
        d += a;
        d * b + c
    });
    assert_eq!(patterns((1, 2), [3, 4, 5], 6), 17);
    let one = select!(["avx2,aes", "aes"], |_: u8| -> Vec<u8> { vec![1] },);
    assert_eq!(one(0), [1]);
    let selected = select!("avx2,aes | aes", |selected: u8, __selected__aes: u8| -> u8 { selected + __selected__aes });
    assert_eq!(selected(1, 2), 3);
    let diverges: fn() -> ! = select!("avx2,aes | aes", || -> ! { panic!("on purpose") });
    assert!(cfg!(not(panic = "unwind")) || std::panic::catch_unwind(|| diverges()).is_err());
}

/// Another list than that of what it calls changes nothing but who decides.
#[test]
#[each_target(LIST)]
fn with_another_list() {
    let other = select!("sse4.1 | neon", || -> &'static str { which() });
    assert_eq!(other(), expected());
    let foreign = select!("wasm32: simd128", || -> &'static str { which() });
    assert_eq!(foreign(), expected());
}

#[test]
#[each_target(LIST)]
fn inside_of_a_clone() {
    #[dispatch(targets = "aes")]
    fn root() -> [&'static str; 2] {
        let pointer = select!("avx2,aes | aes", || -> &'static str { which() });
        [pointer(), which()]
    }
    assert_eq!(root(), [expected(); 2]);
}
