//! `cfg(target_feature)` in all its forms sees the features of the clone that it stands in.
#![forbid(unsafe_code)]
#![allow(
    clippy::allow_attributes_without_reason,
    clippy::needless_bool,
    clippy::needless_late_init,
    clippy::useless_vec,
    reason = "the forms that users write are what the tests are about"
)]

use integration_tests::sees;
use simd_core::testing::each_target;

/// Hands its tokens on.
macro_rules! same {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// The first branch whose `cfg` holds, like the well-known macro of that form.
macro_rules! first_of {
    ($(if #[cfg($condition:meta)] { $($then:tt)* } else)+ { $($last:tt)* }) => {
        first_of! { @ () $(($condition) { $($then)* })+ () { $($last)* } }
    };
    (@ ($($before:meta)*) ($condition:meta) { $($then:tt)* } $($rest:tt)+) => {
        #[cfg(all($condition, not(any($($before),*))))]
        same! { $($then)* }
        first_of! { @ ($($before)* $condition) $($rest)+ }
    };
    (@ ($($before:meta)*) () { $($last:tt)* }) => {
        #[cfg(not(any($($before),*)))]
        same! { $($last)* }
    };
}

/// Looks like a `cfg`, and is none.
macro_rules! named_cfg {
    (cfg(target_feature)) => {
        "as it was written"
    };
}

mod wide {
    pub(crate) fn name() -> &'static str {
        "wide"
    }
}

mod narrow {
    pub(crate) fn name() -> &'static str {
        "narrow"
    }
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod forms {
    use super::{narrow, wide};

    #[derive(Debug, PartialEq)]
    pub(super) struct Pair {
        pub(super) left: u64,
        pub(super) right: u64,
    }

    pub(super) fn macro_form() -> (bool, bool) {
        (cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    pub(super) fn other_brackets() -> (bool, bool) {
        (cfg![target_feature = "avx2"], cfg! { target_feature = r"aes" })
    }

    pub(super) fn nested() -> [bool; 4] {
        [
            cfg!(all(target_feature = "avx2", target_feature = "aes")),
            cfg!(any(target_feature = "avx2", target_feature = "aes")),
            cfg!(not(all(target_feature = "avx2", any(target_feature = "aes", target_os = "none")))),
            cfg!(not(any(not(target_feature = "avx2"), not(target_feature = "aes")))),
        ]
    }

    pub(super) fn conditions(n: u64) -> u64 {
        if cfg!(target_feature = "avx2") && cfg!(target_feature = "aes") {
            n + 2
        } else if cfg!(target_feature = "aes") {
            n + 1
        } else {
            n
        }
    }

    pub(super) fn statements() -> u64 {
        let mut sum = 0;
        #[cfg(target_feature = "aes")]
        {
            sum += 1;
        }
        #[cfg(all(target_feature = "avx2", target_feature = "aes"))]
        let more = 10;
        #[cfg(not(all(target_feature = "avx2", target_feature = "aes")))]
        let more = 20;
        #[cfg(any(target_feature = "avx2", target_feature = "aes"))]
        for _ in 0..2 {
            sum += 100;
        }
        sum + more
    }

    pub(super) fn returns() -> &'static str {
        #[cfg(target_feature = "aes")]
        return "aes";
        #[cfg(not(target_feature = "aes"))]
        return "portable";
    }

    pub(super) fn tail() -> &'static str {
        #[cfg(target_feature = "aes")]
        {
            "aes"
        }
        #[cfg(not(target_feature = "aes"))]
        {
            "portable"
        }
    }

    pub(super) fn arms(n: u64) -> &'static str {
        match n {
            #[cfg(target_feature = "aes")]
            1 => "aes",
            #[cfg(not(target_feature = "aes"))]
            1 => "portable",
            _ => "other",
        }
    }

    pub(super) fn expressions() -> (Pair, usize, [u64; 2], u64) {
        let pair = Pair {
            left: 1,
            #[cfg(target_feature = "aes")]
            right: 2,
            #[cfg(not(target_feature = "aes"))]
            right: 3,
        };
        let in_a_macro = vec![
            #[cfg(target_feature = "aes")]
            1,
            2,
        ];
        let array = [
            0,
            #[cfg(target_feature = "aes")]
            1,
            #[cfg(not(target_feature = "aes"))]
            2,
        ];
        let called = u64::max(
            5,
            #[cfg(target_feature = "aes")]
            6,
            #[cfg(not(target_feature = "aes"))]
            7,
        );
        (pair, in_a_macro.len(), array, called)
    }

    pub(super) fn items() -> (u64, &'static str, usize) {
        #[cfg(not(target_feature = "aes"))]
        use narrow::name;
        #[cfg(target_feature = "aes")]
        use wide::name;

        #[cfg(target_feature = "aes")]
        const WIDTH: u64 = 4;
        #[cfg(not(target_feature = "aes"))]
        const WIDTH: u64 = 2;

        struct Local {
            _always: u8,
            #[cfg(target_feature = "aes")]
            _sometimes: u8,
        }

        #[cfg(target_feature = "aes")]
        fn function() -> u64 {
            100
        }
        #[cfg(not(target_feature = "aes"))]
        fn function() -> u64 {
            200
        }

        let _both = (narrow::name, wide::name);
        (WIDTH + function(), name(), size_of::<Local>())
    }

    pub(super) fn attributes() -> u64 {
        #[cfg_attr(target_feature = "aes", allow(unused_variables))]
        #[cfg_attr(not(target_feature = "aes"), cfg(any()))]
        let only_with_aes = 1;
        #[cfg_attr(all(target_feature = "aes", target_feature = "avx2"), cfg(any()), allow(unused))]
        {
            return 1;
        }
        #[allow(unreachable_code)]
        2
    }

    pub(super) fn inside_macros() -> (bool, Vec<bool>, String) {
        let one = same!(if cfg!(target_feature = "aes") { true } else { false });
        let several = vec![cfg!(target_feature = "avx2"), same!(same!(cfg!(target_feature = "aes")))];
        assert_eq!(one, several[1], "{}", cfg!(target_feature = "aes"));
        (one, several, format!("{}", cfg!(target_feature = "aes")))
    }

    pub(super) fn chosen_by_a_macro() -> &'static str {
        first_of! {
            if #[cfg(all(target_feature = "avx2", target_feature = "aes"))] {
                const NAME: &str = "avx2,aes";
            } else if #[cfg(target_feature = "aes")] {
                const NAME: &str = "aes";
            } else {
                const NAME: &str = "";
            }
        }
        NAME
    }

    pub(super) fn local_macro() -> bool {
        macro_rules! aes {
            () => {
                cfg!(target_feature = "aes")
            };
        }
        aes!()
    }

    pub(super) fn closures_and_functions() -> (bool, bool, bool) {
        fn nested() -> bool {
            cfg!(target_feature = "aes")
        }
        const IN_A_CONSTANT: bool = cfg!(target_feature = "aes");
        let closure = || cfg!(target_feature = "aes");
        (nested(), closure(), IN_A_CONSTANT)
    }

    pub(super) fn not_a_cfg() -> (usize, &'static str) {
        let target_feature;
        target_feature = "avx2";
        (target_feature.len(), named_cfg!(cfg(target_feature)))
    }

    pub(super) fn other_options() -> [bool; 3] {
        [cfg!(target_pointer_width = "64"), cfg!(debug_assertions), cfg!(any(unix, windows))]
    }

    #[cfg_attr(target_feature = "aes", inline(never))]
    #[cfg_attr(not(target_feature = "aes"), inline)]
    #[cfg_attr(all(), must_use)]
    pub(super) fn on_the_function() -> bool {
        cfg!(target_feature = "aes")
    }

    #[cfg(any(unix, not(unix)))]
    pub(super) fn conditional() -> bool {
        cfg!(target_feature = "aes")
    }
    #[cfg(not(any(unix, not(unix))))]
    pub(super) fn conditional() -> bool {
        unreachable!()
    }

    pub(super) fn implied() -> (bool, bool) {
        // On x86 what it implies; on other architectures `aes` implies nothing of these names.
        (cfg!(target_feature = "avx"), cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")))
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn predicates() {
    let (avx2, aes) = sees();
    assert_eq!(forms::macro_form(), (avx2, aes));
    assert_eq!(forms::other_brackets(), (avx2, aes));
    assert_eq!(forms::nested(), [avx2 && aes, avx2 || aes, !(avx2 && aes), avx2 && aes]);
    assert_eq!(forms::conditions(0), if avx2 && aes { 2 } else { u64::from(aes) });
    assert_eq!(forms::implied().0, avx2 || cfg!(target_feature = "avx"));
    assert_eq!(
        forms::other_options(),
        [cfg!(target_pointer_width = "64"), cfg!(debug_assertions), cfg!(any(unix, windows))]
    );
    assert_eq!(forms::not_a_cfg(), (4, "as it was written"));
}

#[test]
#[each_target("avx2,aes | aes")]
fn statements_and_expressions() {
    let (avx2, aes) = sees();
    let name = if aes { "aes" } else { "portable" };
    let sum = u64::from(aes) + if avx2 || aes { 200 } else { 0 };
    assert_eq!(forms::statements(), sum + if avx2 && aes { 10 } else { 20 });
    assert_eq!((forms::returns(), forms::tail()), (name, name));
    assert_eq!((forms::arms(1), forms::arms(2)), (name, "other"));
    let (right, called) = if aes { (2, 6) } else { (3, 7) };
    let pair = forms::Pair { left: 1, right };
    assert_eq!(forms::expressions(), (pair, 1 + usize::from(aes), [0, if aes { 1 } else { 2 }], called));
    assert_eq!(forms::items(), if aes { (104, "wide", 2) } else { (202, "narrow", 1) });
    assert_eq!(forms::attributes(), if avx2 && aes { 2 } else { 1 });
}

#[test]
#[each_target("avx2,aes | aes")]
fn in_macros_and_functions() {
    let (avx2, aes) = sees();
    assert_eq!(forms::inside_macros(), (aes, vec![avx2, aes], aes.to_string()));
    assert_eq!(forms::chosen_by_a_macro(), if aes { if avx2 { "avx2,aes" } else { "aes" } } else { "" });
    assert_eq!(forms::local_macro(), aes);
    assert_eq!(forms::closures_and_functions(), (aes, aes, aes));
    assert_eq!((forms::on_the_function(), forms::conditional()), (aes, aes));
}

/// `cfg_select!` came with Rust 1.95.
#[rustversion::since(1.95)]
mod select {
    use integration_tests::sees;

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    mod forms {
        pub(super) fn expression() -> u64 {
            core::cfg_select! {
                all(target_feature = "avx2", target_feature = "aes") => 2,
                target_feature = "aes" => { 1 }
                _ => 0,
            }
        }

        pub(super) fn statements() -> u64 {
            cfg_select! {
                all(target_feature = "avx2", target_feature = "aes") => {
                    const N: u64 = 2;
                }
                target_feature = "aes" => {
                    const N: u64 = if cfg!(target_feature = "aes") { 1 } else { 99 };
                }
                _ => {
                    const N: u64 = 0;
                }
            }
            N
        }

        pub(super) fn closures() -> Vec<u64> {
            let f = cfg_select! {
                target_feature = "aes" => |x: u64| x + u64::from(cfg!(target_feature = "aes")),
                _ => |x: u64| x,
            };
            vec![f(0), [1].map(f)[0]]
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn arms() {
        let (avx2, aes) = sees();
        let level = if avx2 && aes { 2 } else { u64::from(aes) };
        assert_eq!(forms::expression(), level);
        assert_eq!(forms::statements(), level);
        assert_eq!(forms::closures(), if aes { [1, 2] } else { [0, 1] });
    }
}
