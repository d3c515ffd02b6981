//! A list of targets with a name is the list wherever it is named: the same clones, in each form of the attribute.

use integration_tests::{expected, ran};
use simd_core::testing::each_target;
use simd_core::{Targets, dispatch, target_list, targets};

use lists::renamed as other_name;

mod lists {
    simd_core::target_list! {
        /// The targets of most functions here.
        pub(crate) simd = "avx2,aes | aes"
    }
    simd_core::target_list!(pub(super) few = "aes");

    pub(crate) use self::simd as renamed;

    mod deeper {
        simd_core::target_list!(pub(in crate::target_lists) brackets = ["avx2,aes", super::few]);
        simd_core::target_list!(pub(in crate::target_lists) nothing_new = self::brackets);
    }
    pub(super) use deeper::{brackets, nothing_new};
}

target_list!(own = lists::simd);

#[dispatch(targets = crate::target_lists::lists::simd)]
fn function() -> &'static str {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = own)]
mod module {
    use super::ran;

    macro_rules! doubled {
        ($x:expr $(, $rest:tt)*) => {
            $x * 2
        };
    }

    /// Documented, with a "quote", and 'single' ones.
    pub(super) fn of_a_module() -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[dispatch(targets = crate::target_lists::lists::few)]
    pub(super) fn fewer() -> (bool, bool) {
        (cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[simd_core::dispatch(targets = ["avx2,aes", crate::target_lists::lists::few])]
    pub(super) mod in_brackets {
        pub(in super::super) fn of_a_nested_module<'a>(x: &'a [u32]) -> (&'static str, u32, &'a u32) {
            let y = x.iter().map(|&y| doubled!(1 + y)).sum::<u32>() >> 1 << 1;
            (super::super::ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")), y, &x[0])
        }
    }
}

struct Type;

#[dispatch(targets = other_name, list = pub(crate) DECLARED)]
impl Type {
    fn method(&self) -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[dispatch(targets = lists::few)]
    fn fewer(&self) -> bool {
        cfg!(target_feature = "aes")
    }
}

#[dispatch(targets = lists::nothing_new)]
impl core::ops::Not for Type {
    type Output = &'static str;

    fn not(self) -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
}

#[dispatch(targets = [lists::brackets])]
trait Named {
    fn default(&self) -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
}

impl Named for Type {}

macro_rules! dispatched {
    ($list:path, $value:expr, $name:ident) => {
        #[dispatch(targets = $list)]
        fn $name() -> u32 {
            $value * 2
        }
    };
}

dispatched!(lists::simd, 1 + 2, by_a_macro);

#[test]
#[each_target(lists::simd)]
fn the_clone_that_the_list_has() {
    #[dispatch(targets = own)]
    fn in_a_body() -> &'static str {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[dispatch(targets = lists::simd)]
    fn calls() -> &'static str {
        function()
    }

    #[dispatch(targets = ["avx2,aes", lists::few])]
    fn in_brackets() -> &'static str {
        function()
    }

    let [calls, in_brackets] = core::hint::black_box([calls as fn() -> &'static str, in_brackets]);
    let ran = [
        function(),
        module::of_a_module(),
        module::in_brackets::of_a_nested_module(&[1, 2]).0,
        Type.method(),
        !Type,
        Type.default(),
        in_a_body(),
        calls(),
        in_brackets(),
    ];
    assert_eq!(ran, [expected(); 9]);
    assert_eq!((module::fewer().1, Type.fewer()), (!expected().is_empty(), !expected().is_empty()));
    assert_eq!(by_a_macro(), 6);
    assert_eq!(module::in_brackets::of_a_nested_module(&[1, 2]).1, 10);
}

#[test]
fn as_values() {
    const SAME: Targets = targets!(lists::simd);
    let wider = targets!(["avx512f", lists::simd]).to_string();
    assert_eq!(wider, targets!("avx512f | avx2,aes | aes").to_string());
    let listed = targets!("avx2,aes | aes").to_string();
    let values = [lists::simd, SAME, own, other_name, lists::brackets, lists::nothing_new, DECLARED];
    for value in values {
        assert_eq!(value.to_string(), listed);
    }
}
