//! Constants and aliases that differ between clones, in code of every kind, and attributes under `cfg_attr`: compared with what the
//! unannotated code computes with the features of the clone.

use integration_tests::{available, ran, sees};
use simd_core::testing::each_target;

type Ran = &'static str;

#[simd_core::dispatch(targets = "avx2,aes | aes")]
mod kernels {
    use super::Ran;
    use integration_tests::ran;

    #[cfg(target_feature = "aes")]
    const W: usize = 8;
    #[cfg(not(target_feature = "aes"))]
    const W: usize = 4;
    const NAME: Ran = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    /// Of three definitions.
    #[cfg(all(target_feature = "aes", target_feature = "avx2"))]
    type Word = u64;
    #[cfg(all(target_feature = "aes", not(target_feature = "avx2")))]
    type Word = u32;
    #[cfg(not(target_feature = "aes"))]
    type Word = u16;
    /// Through two others, and through a macro.
    type Block<T = Word> = [T; W2];
    macro_rules! through_a_macro {
        ($times:expr) => {
            W * $times
        };
    }
    const W2: usize = through_a_macro!(2);
    const BYTES: usize = size_of::<Block>();
    const FUNCTION: fn() -> Ran = if W == 8 { with_aes } else { without };
    const _: () = assert!(W2 == 2 * W && BYTES == W2 * size_of::<Word>());
    const _: () = assert!(NAME.len() < W2 * W || cfg!(not(target_feature = "aes")));

    fn with_aes() -> Ran {
        NAME
    }

    fn without() -> Ran {
        "without"
    }

    /// The values of [`expected`](super::expected_values).
    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct Values {
        pub(super) w: usize,
        pub(super) name: Ran,
        pub(super) bytes: usize,
        pub(super) shown: String,
    }

    pub(super) fn function() -> Values {
        Values { w: W, name: NAME, bytes: size_of::<Block>(), shown: format!("{W} {NAME:?} {W:>W2$}") }
    }

    pub(super) fn of_its_name<const W: usize, Word: Default>() -> (usize, Word) {
        (W, Word::default())
    }

    /// Names inside of it are its own.
    pub(super) fn nested_of_its_name() -> (usize, usize, usize) {
        fn parameter<const W: usize>() -> usize {
            W
        }
        fn constant() -> usize {
            const W: usize = 3;
            W
        }
        (parameter::<7>(), constant(), W)
    }

    pub(super) fn called() -> Ran {
        FUNCTION()
    }

    pub(super) struct Kernel;

    impl Kernel {
        pub(super) fn inherent(&self) -> Values {
            let word: Word = 0;
            let block: Block = [word; W2];
            Values { w: W, name: NAME, bytes: size_of_val(&block), shown: format!("{W} {NAME:?} {W:>W2$}") }
        }

        pub(super) fn associated() -> Values {
            Self.inherent()
        }

        pub(super) fn of_its_name<const W: usize, Word: Default>(&self) -> (usize, Word) {
            (W, Word::default())
        }

        pub(super) fn generic<T, const N: usize>(&self, array: [T; N]) -> (usize, usize) {
            (array.len() + W, size_of::<Block<T>>() / size_of::<T>())
        }
    }

    pub(super) trait Evaluate {
        fn evaluate(&self) -> Values;

        fn provided(&self) -> (Values, Ran) {
            const LOCAL: usize = W + 1;
            fn nested() -> Ran {
                ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
            }
            let values = self.evaluate();
            assert_eq!((LOCAL - 1, values.name), (W, NAME));
            (values, nested())
        }

        fn of_its_name<const W: usize, Word: Default>(&self) -> (usize, Word);

        #[dispatch(targets = "aes")]
        fn of_its_own_list(&self) -> (usize, Ran) {
            (W, NAME)
        }

        fn several(&self) -> Ran;
    }

    impl Evaluate for Kernel {
        fn evaluate(&self) -> Values {
            Values { w: W, name: NAME, bytes: BYTES, shown: format!("{W} {NAME:?} {W:>W2$}") }
        }

        fn of_its_name<const W: usize, Word: Default>(&self) -> (usize, Word) {
            (W, Word::default())
        }

        #[cfg(all(target_feature = "aes", target_feature = "avx2"))]
        fn several(&self) -> Ran {
            "avx2,aes"
        }
        #[cfg(all(target_feature = "aes", not(target_feature = "avx2")))]
        fn several(&self) -> Ran {
            let _block: Block = [0_u32; 16];
            "aes"
        }
        #[cfg(not(target_feature = "aes"))]
        fn several(&self) -> Ran {
            simd_core::match_target! { "aes" => "", _ => if cfg!(target_feature = "aes") { "never" } else { "" } }
        }
    }

    impl<const N: usize> Evaluate for [Word8; N] {
        fn evaluate(&self) -> Values {
            Kernel.evaluate()
        }

        fn of_its_name<const W: usize, Word: Default>(&self) -> (usize, Word) {
            #[cfg(target_feature = "aes")]
            let w = { W + N };
            #[cfg(not(target_feature = "aes"))]
            let w = { N + W };
            (w, Word::default())
        }

        fn several(&self) -> Ran {
            match () {
                #[cfg(target_feature = "aes")]
                () => Kernel.several(),
                #[cfg(not(target_feature = "aes"))]
                () => "",
            }
        }
    }

    /// The same in all clones.
    type Word8 = u8;

    #[simd_core::dispatch(targets = "aes")]
    impl core::ops::Not for Kernel {
        type Output = (usize, Ran);

        fn not(self) -> Self::Output {
            (W, NAME)
        }
    }

    // Under predicates that are true or false.

    #[cfg_attr(all(), simd_core::dispatch(skip))]
    pub(super) fn skipped() -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[cfg_attr(any(), simd_core::dispatch(skip))]
    pub(super) fn not_skipped() -> Ran {
        NAME
    }

    #[dispatch(skip)]
    pub(super) static SKIPPED: Ran = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));

    #[cfg_attr(all(), simd_core::dispatch(targets = "aes"))]
    pub(super) fn of_a_list() -> (usize, Ran) {
        (W, NAME)
    }

    #[cfg_attr(any(), simd_core::dispatch(targets = "aes"))]
    pub(super) fn of_no_other_list() -> (usize, Ran) {
        (W, NAME)
    }

    /// Without features of its own, since the predicate is false.
    #[cfg_attr(any(), target_feature(enable = "aes"))]
    pub(super) fn without_its_own() -> Ran {
        NAME
    }

    /// As the build has it, and no clone.
    #[cfg_attr(any(target_arch = "x86", target_arch = "x86_64"), target_feature(enable = "sse2"))]
    #[dispatch(skip)]
    fn of_the_build() -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }

    #[allow(unused_unsafe)]
    pub(super) fn of_the_build_by_a_call() -> Ran {
        // SAFETY: the tests run on CPUs with SSE2.
        unsafe { of_the_build() }
    }

    impl Kernel {
        #[cfg_attr(all(), dispatch(skip))]
        pub(super) fn skipped(&self) -> Ran {
            ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
        }

        #[cfg_attr(all(), dispatch(targets = "aes"))]
        pub(super) fn of_a_list(&self) -> (usize, Ran) {
            (W, NAME)
        }
    }

    impl core::ops::Neg for Kernel {
        type Output = Ran;

        #[cfg_attr(all(), dispatch(skip))]
        fn neg(self) -> Ran {
            ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
        }
    }

    impl core::ops::Add for Kernel {
        type Output = (usize, Ran);

        #[cfg_attr(all(), dispatch(targets = "aes"))]
        fn add(self, _: Self) -> (usize, Ran) {
            (W, NAME)
        }
    }
}

/// The values of unannotated code with these features.
fn expected_values((avx2, aes): (bool, bool)) -> kernels::Values {
    let (w, name) = (if aes { 8 } else { 4 }, ran(avx2, aes));
    let word = match (avx2, aes) {
        (true, true) => 8,
        (false, true) => 4,
        (_, false) => 2,
    };
    let twice = 2 * w;
    kernels::Values { w, name, bytes: twice * word, shown: format!("{w} {name:?} {w:>twice$}") }
}

/// The features of clones of the list `aes`.
fn of_the_list() -> (usize, Ran) {
    let aes = available("aes");
    (if aes { 8 } else { 4 }, ran(cfg!(target_feature = "avx2"), aes))
}

#[test]
#[each_target("avx2,aes | aes")]
fn constants_and_aliases() {
    use kernels::{Evaluate as _, Kernel};
    let values = expected_values(sees());
    let (w, name) = (values.w, values.name);
    assert_eq!(kernels::function(), values);
    assert_eq!((Kernel.inherent(), Kernel::associated()), (values.clone(), values.clone()));
    assert_eq!((Kernel.evaluate(), Kernel.provided()), (values.clone(), (values.clone(), name)));
    assert_eq!(([0_u8; 3].evaluate(), [0_u8; 3].provided()), (values.clone(), (values, name)));
    assert_eq!(kernels::called(), if sees().1 { name } else { "without" });
    assert_eq!(Kernel.generic([1_u16; 3]), (3 + w, 2 * w));
    assert_eq!((Kernel.several(), [0_u8].several()), (name, name));
    assert_eq!((Kernel.of_its_own_list(), !Kernel), (of_the_list(), of_the_list()));
}

#[test]
#[each_target("avx2,aes | aes")]
fn parameters_of_their_names() {
    use kernels::{Evaluate as _, Kernel};
    let values = expected_values(sees());
    assert_eq!(kernels::of_its_name::<3, char>(), (3, '\0'));
    assert_eq!(kernels::nested_of_its_name(), (7, 3, values.w));
    assert_eq!(Kernel.of_its_name::<3, char>(), (3, '\0'));
    assert_eq!(kernels::Evaluate::of_its_name::<3, bool>(&Kernel), (3, false));
    assert_eq!([0_u8; 3].of_its_name::<1, u8>(), (4, 0));
}

#[test]
#[each_target("avx2,aes | aes")]
fn under_cfg_attr() {
    use kernels::Kernel;
    let of_build = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    let values = expected_values(sees());
    assert_eq!([kernels::skipped(), kernels::SKIPPED, Kernel.skipped(), -Kernel], [of_build; 4]);
    assert_eq!(kernels::of_the_build_by_a_call(), of_build);
    assert_eq!((kernels::not_skipped(), kernels::without_its_own()), (values.name, values.name));
    assert_eq!(kernels::of_no_other_list(), (values.w, values.name));
    assert_eq!([kernels::of_a_list(), Kernel.of_a_list(), Kernel + Kernel], [of_the_list(); 3]);
}
