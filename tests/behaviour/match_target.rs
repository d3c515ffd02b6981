//! `match_target!`: each clone takes the arm that `cfg(target_feature)` would give it.

use integration_tests::block_on;
use simd_core::testing::each_target;
use simd_core::{dispatch, match_target};

/// The value that each form of the macro has to give in the clone at hand.
macro_rules! expected {
    () => {
        if cfg!(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "avx2")) {
            "avx2"
        } else if cfg!(target_feature = "aes") {
            "aes"
        } else {
            "rest"
        }
    };
}

/// In a macro that the attribute does not see.
macro_rules! by_the_build {
    () => {
        match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" }
    };
}

#[dispatch(targets = "avx2,aes | aes")]
mod kernels {
    use simd_core::match_target;

    macro_rules! chosen {
        () => {
            CHOSEN
        };
    }

    const CHOSEN: &str = match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" };

    use core::convert::identity as pass;

    match_target! {
        "x86, x86_64: avx2" => {
            /// One of several definitions.
            pub fn item() -> &'static str {
                WRAPPED(pass("avx2"))
            }
        }
        "aes" => {
            pub fn item() -> &'static str {
                WRAPPED
            }
        }
        _ => {
            pub fn item() -> &'static str {
                WRAPPED
            }
        }
    }

    fn only_in_avx2(x: &'static str) -> &'static str {
        match_target! { "x86, x86_64: avx2" => x, _ => "" }
    }

    match_target! {
        "x86, x86_64: avx2" => {
            type Wrapped = fn(&'static str) -> &'static str;
            const WRAPPED: Wrapped = only_in_avx2;
        }
        "aes" => {
            type Wrapped = &'static str;
            const WRAPPED: Wrapped = "aes";
        }
        _ => {
            type Wrapped = &'static str;
            const WRAPPED: Wrapped = "rest";
        }
    }

    pub fn expected() -> &'static str {
        if cfg!(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "avx2")) {
            "avx2"
        } else if cfg!(target_feature = "aes") {
            "aes"
        } else {
            "rest"
        }
    }

    pub fn expression() -> &'static str {
        let chosen = match_target!("x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest");
        chosen
    }

    pub fn tail() -> &'static str {
        match_target! {
            "x86, x86_64: avx2" => {
                let chosen = "avx2";
                chosen
            }
            "aes" => if true { "aes" } else { "" }
            _ => "rest",
        }
    }

    pub fn operand() -> usize {
        match_target!("x86, x86_64: avx2" => 2, "aes" => 1, _ => 0) * 10 + match_target! { "avx2" => 2, _ => 3 } * 2
    }

    pub fn statement() -> &'static str {
        let mut chosen = "";
        match_target! {
            "x86, x86_64: avx2" => { chosen = "avx2"; }
            "aes" => chosen = "aes",
            _ => { chosen = "rest" }
        }
        match_target!("aes" => {}, _ => assert_ne!(chosen, "aes"));
        chosen
    }

    pub fn items() -> &'static str {
        match_target! {
            "x86, x86_64: avx2" => { use super::names::avx2 as name; }
            "aes" => { use super::names::aes as name; }
            _ => { use super::names::rest as name; }
        }
        name()
    }

    pub fn nested_function() -> &'static str {
        fn inner() -> &'static str {
            simd_core::match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" }
        }
        inner()
    }

    pub fn closure() -> &'static str {
        let inner = || {
            match_target! {
                "x86, x86_64: avx2" => (|| "avx2")(),
                "aes" => "aes",
                _ => "rest",
            }
        };
        Some(()).map(|()| inner()).unwrap()
    }

    pub async fn asynchronous() -> &'static str {
        core::future::ready(()).await;
        let chosen = match_target! {
            "x86, x86_64: avx2" => core::future::ready("avx2").await,
            "aes" => { async { "aes" }.await }
            _ => "rest",
        };
        core::future::ready(chosen).await
    }

    pub fn nested_arms() -> &'static str {
        match_target! {
            "aes" => match_target! { "x86, x86_64: avx2" => "avx2", _ => "aes" },
            _ => match_target! { "x86, x86_64: avx2" => "avx2", _ => "rest" },
        }
    }

    pub fn in_arguments() -> String {
        format!("{}", match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" })
    }

    pub fn through_local_macros() -> (&'static str, &'static str) {
        macro_rules! local {
            ($rest:expr) => {
                match_target! { "x86, x86_64: avx2" => "avx2", "aes" => { "aes" } _ => $rest }
            };
        }
        macro_rules! local_items {
            ($name:ident) => {
                match_target! {
                    "x86, x86_64: avx2" => { const $name: &str = "avx2"; }
                    "aes" => { const $name: &str = "aes"; }
                    _ => { const $name: &str = "rest"; }
                }
            };
        }
        local_items!(NAME);
        (local!({ "rest" }), NAME)
    }

    pub fn through_own_macros() -> &'static str {
        chosen!()
    }

    pub fn constant() -> (&'static str, [u8; 1]) {
        const LENGTH: usize = match_target! { "aes" => 1, _ => 1 };
        (CHOSEN, [0; LENGTH])
    }

    pub fn early() -> &'static str {
        match_target! { "x86, x86_64: avx2" => return "avx2", "aes" => return "aes", _ => {} }
        "rest"
    }

    pub fn through_a_macro_from_outside() -> &'static str {
        by_the_build!()
    }

    pub struct Type;

    impl Type {
        match_target! {
            "x86, x86_64: avx2" => { pub fn method(&self) -> &'static str { "avx2" } }
            "aes" => { pub fn method(&self) -> &'static str { "aes" } }
            _ => { pub fn method(&self) -> &'static str { "rest" } }
        }
    }

    impl core::ops::Not for Type {
        type Output = &'static str;

        fn not(self) -> &'static str {
            self.method()
        }
    }

    impl core::ops::Neg for Type {
        type Output = &'static str;

        fn neg(self) -> &'static str {
            match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" }
        }
    }

    /// Of a trait, by its definitions.
    impl core::ops::Add for Type {
        type Output = &'static str;

        match_target! {
            "x86, x86_64: avx2" => { fn add(self, _: Self) -> &'static str { "avx2" } }
            "aes" => { fn add(self, _other: Self) -> &'static str { "aes" } }
            _ => { fn add(self, other: Self) -> &'static str { other.method() } }
        }
    }

    pub trait Default {
        fn provided(&self) -> &'static str {
            match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" }
        }
    }

    impl Default for Type {}

    #[dispatch(targets = "aes")]
    pub fn fewer() -> bool {
        match_target!("aes" => true, _ => false) == cfg!(target_feature = "aes")
    }
}

#[allow(dead_code, reason = "which are called depends on the target")]
mod names {
    pub(crate) fn avx2() -> &'static str {
        "avx2"
    }

    pub(crate) fn aes() -> &'static str {
        "aes"
    }

    pub(crate) fn rest() -> &'static str {
        "rest"
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn the_arm_of_the_clone() {
    let expected = kernels::expected();
    assert_eq!(
        expected,
        match integration_tests::expected() {
            "avx2,aes" => "avx2",
            "aes" if !cfg!(target_feature = "avx2") => "aes",
            _ => expected!(),
        }
    );
    let chosen = [
        kernels::expression(),
        kernels::tail(),
        kernels::statement(),
        kernels::items(),
        kernels::item(),
        kernels::nested_function(),
        kernels::closure(),
        block_on(kernels::asynchronous()),
        kernels::nested_arms(),
        &kernels::in_arguments(),
        kernels::through_local_macros().0,
        kernels::through_local_macros().1,
        kernels::through_own_macros(),
        kernels::constant().0,
        kernels::early(),
        kernels::Type.method(),
        !kernels::Type,
        -kernels::Type,
        kernels::Type + kernels::Type,
        kernels::Default::provided(&kernels::Type),
    ];
    assert_eq!(chosen, [expected; 20]);
    let (first, second) = match expected {
        "avx2" => (2, 2),
        "aes" => (1, 3),
        _ => (0, 3),
    };
    assert_eq!(kernels::operand(), first * 10 + second * 2);
    assert!(kernels::fewer());
}

#[test]
#[each_target("avx2,aes | aes")]
fn through_a_pointer() {
    #[dispatch(targets = "avx2,aes | aes")]
    fn chosen() -> &'static str {
        match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" }
    }
    let chosen: fn() -> &'static str = core::hint::black_box(chosen);
    assert_eq!(chosen(), kernels::expected());
}

#[test]
fn outside_of_clones() {
    let chosen = match_target! { "x86, x86_64: avx2" => "avx2", "aes" => "aes", _ => "rest" };
    assert_eq!(chosen, expected!());
    assert_eq!(kernels::through_a_macro_from_outside(), expected!());
    match_target! {
        "x86, x86_64: avx2" => { use names::avx2 as name; }
        "aes" => { use names::aes as name; }
        _ => { use names::rest as name; }
    }
    assert_eq!(name(), expected!());
}
