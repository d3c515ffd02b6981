//! Constants and aliases that differ between clones: a clone sees one value of each, however its code comes to it.
#![forbid(unsafe_code)]

use integration_tests::{expected, sees};
use simd_core::testing::each_target;

/// From outside of the module.
macro_rules! outer {
    () => {
        W
    };
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod kernels {
    use std::fmt::Write as _;

    macro_rules! w {
        () => {
            W
        };
    }

    #[cfg(target_feature = "aes")]
    pub(super) const W: usize = 8;
    #[cfg(not(target_feature = "aes"))]
    pub(super) const W: usize = 4;
    /// Asks in its value.
    const X: usize = if cfg!(target_feature = "avx2") { 16 } else { W };
    const SUM: usize = W + X;
    #[allow(clippy::identity_op, reason = "for the macro")]
    const BY_MACRO: usize = w!() + 0;
    const AES: bool = cfg!(target_feature = "aes");
    macro_rules! pick {
        ($with:expr, $without:expr) => {
            if AES { $with } else { $without }
        };
    }
    macro_rules! pick_through_another {
        () => {
            pick!(80, 40)
        };
    }
    /// Asks in a macro, and in one of a macro.
    const PICKED: usize = pick!(8, 4);
    const PICKED_THROUGH_ANOTHER: usize = pick_through_another!() + PICKED;
    type PickedLanes = [u8; pick!(8, 4)];
    type AskingLanes = [u8; if cfg!(target_feature = "aes") { 8 } else { 4 }];

    mod other {
        pub(super) const W: usize = 100;
        pub(super) enum Which {
            X,
        }
    }

    pub(super) fn imported() -> (usize, usize, bool) {
        let by_glob = {
            use other::*;
            W
        };
        fn by_name() -> usize {
            use other::W;
            W
        }
        use other::Which::*;
        (by_glob, by_name(), matches!(X, other::Which::X))
    }

    pub(super) fn imported_at_once() -> usize {
        use self::other::W;
        W
    }

    pub(super) fn picked() -> (bool, [usize; 5]) {
        const LOCAL: usize = pick!(8, 4);
        let lanes = [size_of::<PickedLanes>(), size_of::<AskingLanes>()];
        (cfg!(target_feature = "aes"), [PICKED, PICKED_THROUGH_ANOTHER / 11, LOCAL, lanes[0], lanes[1]])
    }

    pub(super) mod inside_of {
        const AES: bool = cfg!(target_feature = "aes");

        pub(in super::super) fn picked() -> usize {
            const PICKED: usize = pick!(8, 4);
            PICKED
        }
    }

    /// Of no clone's features, so that the build's value is that of each.
    #[dispatch(skip)]
    pub(super) const SAME: usize = if cfg!(target_feature = "neon") { 3 } else { 2 };
    type Lanes = [u8; W];
    type Pair<'a, T> = (&'a T, [T; W]);
    const _: () = assert!(W % 4 == 0 && SUM > W);

    macro_rules! twice {
        () => {
            w!() * 2
        };
    }
    macro_rules! shown {
        () => {
            format!("{W}")
        };
    }

    /// The features of the clone, and what it sees.
    pub(super) fn plain() -> ((bool, bool), [usize; 4]) {
        ((cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")), [W, X, SUM, BY_MACRO])
    }

    pub(super) fn by_macros() -> [usize; 3] {
        [w!(), twice!() / 2, shown!().parse().unwrap()]
    }

    pub(super) fn by_a_macro_from_outside() -> usize {
        outer!()
    }

    pub(super) fn by_a_local_macro() -> usize {
        macro_rules! local {
            () => {
                W
            };
        }
        local!()
    }

    // Nothing but the string names it.
    pub(super) fn in_format_strings() -> [String; 3] {
        let mut written = String::new();
        write!(written, "{W:?}").unwrap();
        [format!("{W}"), format!("{W:0$}", 0), written]
    }

    pub(super) fn in_nested_functions() -> [usize; 3] {
        fn named() -> usize {
            W
        }
        const LOCAL: usize = W;
        let closure = || W;
        [named(), closure(), LOCAL]
    }

    fn generic<const N: usize>() -> usize {
        N
    }

    pub(super) fn as_an_argument() -> [usize; 3] {
        [generic::<W>(), generic::<{ W * 2 }>() / 2, [0; W].len()]
    }

    pub(super) fn in_patterns(n: usize) -> (bool, bool) {
        let of_match = match n {
            W => true,
            _ => false,
        };
        (of_match, matches!(n, W))
    }

    pub(super) fn aliases() -> [usize; 3] {
        let lanes: Lanes = Default::default();
        let pair: Pair<'_, u8> = (&1, [0; W]);
        [size_of::<Lanes>(), lanes.len(), pair.1.len()]
    }

    pub(super) fn its_own() -> usize {
        const W: usize = 1;
        W
    }

    pub(super) fn parameter<const W: usize>() -> usize {
        W
    }

    pub(super) struct Of<const N: usize>;

    impl<const W: usize> Of<W> {
        pub(super) const HALF: usize = W / 2;

        pub(super) fn own() -> usize {
            W
        }
    }

    pub(super) struct Wide;

    impl Wide {
        /// Has the build's value in all clones.
        #[dispatch(skip)]
        pub(super) const X: usize = if cfg!(target_feature = "aes") { 8 } else { 4 };

        pub(super) fn method(&self) -> usize {
            W
        }

        pub(super) fn associated() -> usize {
            Self::X
        }
    }

    impl Iterator for Wide {
        type Item = usize;

        fn next(&mut self) -> Option<Self::Item> {
            Some(self.method())
        }
    }

    pub(super) async fn later() -> usize {
        core::future::ready(()).await;
        W
    }

    /// Has another list than the module.
    #[simd_core::dispatch(targets = "aes")]
    pub(super) fn of_its_own_list() -> (bool, usize) {
        (cfg!(target_feature = "avx2"), X)
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn one_value_in_a_clone() {
    let ((avx2, aes), [w, x, sum, by_macro]) = kernels::plain();
    assert_eq!((avx2, aes), sees());
    assert_eq!(w, if aes { 8 } else { 4 });
    assert_eq!((x, sum, by_macro), (if avx2 { 16 } else { w }, w + x, w), "{}", expected());
    assert_eq!(kernels::by_macros(), [w; 3]);
    assert_eq!((kernels::imported(), kernels::imported_at_once()), ((100, 100, true), 100));
    assert_eq!((kernels::picked(), kernels::inside_of::picked()), ((aes, [w; 5]), w));
    assert_eq!((kernels::by_a_macro_from_outside(), kernels::by_a_local_macro()), (w, w));
    assert_eq!(kernels::in_format_strings(), [(); 3].map(|()| w.to_string()));
    assert_eq!(kernels::in_nested_functions(), [w; 3]);
    assert_eq!(kernels::as_an_argument(), [w; 3]);
    assert_eq!(kernels::in_patterns(w), (true, true));
    assert_eq!(kernels::in_patterns(12 - w), (false, false));
    assert_eq!(kernels::aliases(), [w; 3]);
    assert_eq!((kernels::Wide.method(), kernels::Wide.next()), (w, Some(w)));
    assert_eq!(integration_tests::block_on(kernels::later()), w);
    let (avx2, x) = kernels::of_its_own_list();
    assert_eq!(x, if avx2 { 16 } else { w });
}

#[test]
#[each_target("avx2,aes | aes")]
fn other_things_of_the_name() {
    assert_eq!((kernels::its_own(), kernels::parameter::<3>()), (1, 3));
    assert_eq!((kernels::Of::<6>::own(), kernels::Of::<6>::HALF), (6, 3));
    assert_eq!(kernels::Wide::associated(), kernels::Wide::X);
    assert_eq!(kernels::SAME, if cfg!(target_feature = "neon") { 3 } else { 2 });
}
