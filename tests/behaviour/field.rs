//! Code of real crates that tests made up at a desk did not have.

/// Definitions that `cfg(target_feature)` picks.
mod variants {
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    mod kernels {
        /// On an architecture without `aes`, or with it, one of the two exists; never both.
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"), target_feature = "aes"))]
        pub(super) fn named() -> &'static str {
            "feature"
        }

        #[cfg(all(
            any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"),
            not(target_feature = "aes")
        ))]
        pub(super) fn named() -> &'static str {
            "none"
        }

        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
        pub(super) fn named() -> &'static str {
            "none"
        }

        /// No clone has this one: another item takes the name.
        #[cfg(all(target_feature = "aes", not(target_feature = "aes")))]
        pub(super) fn never(value: u32) -> u32 {
            value
        }

        pub(super) use core::convert::identity as never;

        pub(super) struct Holder(pub(super) u32);

        impl Holder {
            #[cfg(all(target_feature = "aes", not(target_feature = "aes")))]
            pub(super) fn get(&self, _extra: u32) -> u32 {
                self.0
            }
        }

        pub(super) trait Get {
            fn get(&self) -> u32;
        }

        impl Get for Holder {
            fn get(&self) -> u32 {
                self.0
            }
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn nothing_exists_twice() {
        use kernels::Get as _;

        let aes = integration_tests::expected().contains("aes");
        assert_eq!(kernels::named(), if aes { "feature" } else { "none" });
        assert_eq!(kernels::never(3), 3);
        assert_eq!(kernels::Holder(4).get(), 4);
    }
}

/// Inside an impl of a trait, and inside its definition, the trait is in scope though no `use` brings it there.
mod the_trait_is_in_scope {
    #[derive(Debug)]
    struct Wrapped(f32);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl core::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            self.0.fmt(f)
        }
    }

    mod elsewhere {
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        pub(super) trait Double<T = u32> {
            fn double(&self) -> T;

            fn quadruple(&self) -> u32
            where
                T: Into<u32>,
            {
                self.double().into().double()
            }
        }

        impl Double for u32 {
            fn double(&self) -> u32 {
                2 * self
            }
        }
    }

    struct Pair(u32, u32);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl self::elsewhere::Double<u32> for Pair {
        fn double(&self) -> u32 {
            self.0.double() + self.1.double()
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn methods_of_the_trait_are_found() {
        use elsewhere::Double as _;

        assert_eq!(Wrapped(1.5).to_string(), "1.5");
        assert_eq!(Pair(1, 2).double(), 6);
        assert_eq!(3.quadruple(), 12);
    }
}

/// An impl's header implies that what it refers to outlives the reference; a trait's header does not.
mod implied_bounds {
    use core::ops::{Add, Index};

    #[derive(Clone, Debug, PartialEq)]
    struct Set<T, S>(Vec<T>, S);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<T: Clone, S: Clone> Add<&Set<T, S>> for &Set<T, S> {
        type Output = Set<T, S>;

        fn add(self, other: &Set<T, S>) -> Self::Output {
            Set(self.0.iter().chain(&other.0).cloned().collect(), self.1.clone())
        }
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<'a, T: Clone, S> Extend<&'a T> for Set<T, S> {
        fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
            self.0.extend(items.into_iter().cloned());
        }
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<Q: ?Sized, T, S> Index<&Q> for Set<T, S>
    where
        T: PartialEq<Q>,
    {
        type Output = T;

        fn index(&self, item: &Q) -> &T {
            self.0.iter().find(|other| *other == item).expect("the item is there")
        }
    }

    struct Window<'a, T>(&'a [T]);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<T: PartialEq, S> PartialEq<Window<'_, T>> for Set<T, S> {
        fn eq(&self, other: &Window<'_, T>) -> bool {
            self.0 == other.0
        }
    }

    /// A parameter that is there by default.
    struct Holder<S: Source, I = <S as Source>::Item>(S, I);

    trait Source {
        type Item;
    }

    impl<T> Source for Vec<T> {
        type Item = T;
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<'a, T, S: Source<Item = T>> From<&'a Holder<S>> for Window<'a, T> {
        fn from(holder: &'a Holder<S>) -> Self {
            Window(core::slice::from_ref(&holder.1))
        }
    }

    /// `ViewOf<'a, T>` asks that `T` outlives `'a`; a trait that repeated it would have to prove that.
    type ViewOf<'a, T> = Window<'a, T>;

    trait Longer<I> {
        type Output;

        fn longer(self, index: I) -> Self::Output;
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<'a, T, I: Into<usize>> Longer<I> for &ViewOf<'a, T> {
        type Output = &'a T;

        fn longer(self, index: I) -> Self::Output {
            &self.0[index.into()]
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn they_hold_in_clones() {
        let (one, two) = (Set(vec![1], ()), Set(vec![2], ()));
        let mut sum = &one + &two;
        assert_eq!(sum, Set(vec![1, 2], ()));
        sum.extend(&[3]);
        assert_eq!(sum[&3], 3);
        assert!(sum == Window(&[1, 2, 3]));
        let holder = Holder(vec![7], 8);
        assert_eq!(Window::from(&holder).0, [holder.0[0] + 1]);
        let window = Window(&[4, 5]);
        assert_eq!(*window.longer(1_u8), 5);
    }
}

/// An `unsafe fn` in a safe method's body may do what is unsafe without a block, where its edition lets it.
mod unsafe_in_a_method {
    #![allow(unsafe_op_in_unsafe_fn, reason = "as older editions do")]

    trait Last {
        fn last(&self) -> u8;
    }

    struct Bytes([u8; 3]);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Last for Bytes {
        fn last(&self) -> u8 {
            unsafe fn at(bytes: &[u8], index: usize) -> u8 {
                *bytes.get_unchecked(index)
            }

            // SAFETY: there are three.
            unsafe { at(&self.0, 2) }
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn it_compiles() {
        assert_eq!(Bytes([1, 2, 3]).last(), 3);
    }
}

/// A type of the user's may be unsized, or have a trait's parameter for its own `Self`.
mod sized_or_not {
    use core::ops::{AddAssign, Deref};

    struct Layout<T: ?Sized>(u8, T);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<T: ?Sized> Deref for Layout<T> {
        type Target = T;

        fn deref(&self) -> &Self::Target {
            let Layout(_, target) = self;
            target
        }
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl<T: ?Sized + PartialEq> PartialEq for Layout<T> {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0 && self.1 == other.1
        }
    }

    trait Measure {
        fn measure(&self) -> u8;
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Measure for Layout<[u8]> {
        fn measure(&self) -> u8 {
            self.1.iter().sum::<u8>() + self.0
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Meters(u32);

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl AddAssign for Meters {
        fn add_assign(&mut self, other: Meters) {
            *self = Self::sum(*self, other);
        }
    }

    impl Meters {
        fn sum(a: Self, b: Self) -> Self {
            Self(a.0 + b.0)
        }
    }

    trait Raw {
        type Item;
    }

    trait Data: Raw {
        fn unwrap_all(this: Array<Self>) -> Vec<Self::Item>
        where
            Self: Sized;

        fn count(this: &Array<Self>) -> usize
        where
            Self: Sized;
    }

    /// The signature of a method of `Data` may name this only where `Self` is `Raw`.
    struct Array<S: Raw>(Vec<S::Item>);

    struct Owned;

    impl Raw for Owned {
        type Item = u8;
    }

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    impl Data for Owned {
        fn unwrap_all(this: Array<Self>) -> Vec<Self::Item> {
            this.0
        }

        fn count(this: &Array<Self>) -> usize {
            this.0.len()
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn they_compile() {
        let layout: &Layout<[u8]> = &Layout(1, [2, 3]);
        assert_eq!(**layout, [2, 3]);
        assert!(layout == layout);
        assert_eq!(layout.measure(), 6);
        let mut sum = Meters(1);
        sum += Meters(2);
        assert_eq!(sum, Meters(3));
        assert_eq!(Owned::count(&Array(vec![1, 2])), 2);
        assert_eq!(Owned::unwrap_all(Array(vec![1, 2])), [1, 2]);
    }
}

/// Constants and aliases that `cfg(target_feature)` selects, and through them imports and types.
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))]
mod chosen_items {
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    mod kernels {
        #[cfg(target_arch = "aarch64")]
        use core::arch::aarch64 as arch;
        #[cfg(target_arch = "x86")]
        use core::arch::x86 as arch;
        #[cfg(target_arch = "x86_64")]
        use core::arch::x86_64 as arch;

        use narrow::name as narrow_name;
        use wide::name as wide_name;

        #[cfg(not(target_feature = "aes"))]
        const NAME: fn() -> &'static str = narrow_name;
        #[cfg(target_feature = "aes")]
        const NAME: fn() -> &'static str = wide_name;

        #[cfg(target_feature = "aes")]
        const TABLE: [u8; 2] = [1, 2];
        #[cfg(not(target_feature = "aes"))]
        const TABLE: [u8; 1] = [0];

        #[cfg(not(target_feature = "avx2"))]
        const LANES: usize = 4;
        #[cfg(target_feature = "avx2")]
        const LANES: usize = 8;

        const ROUNDS: usize = if cfg!(target_feature = "aes") { 2 } else { 1 };
        const BLOCK: usize = LANES * ROUNDS;
        /// Made of nothing that clones differ on.
        const OTHER: usize = 5;

        type Block = [u8; BLOCK];

        #[derive(Clone, Copy)]
        pub(super) struct Wide(Register);

        #[cfg(not(target_arch = "aarch64"))]
        type Register = arch::__m128i;
        #[cfg(target_arch = "aarch64")]
        type Register = arch::uint8x16_t;

        #[derive(Clone, Copy)]
        pub(super) struct Narrow(u64);

        #[cfg(target_feature = "aes")]
        type Vector = Wide;
        #[cfg(not(target_feature = "aes"))]
        type Vector = Narrow;

        impl Wide {
            fn zero() -> Wide {
                // SAFETY: every bit pattern is a vector.
                Wide(unsafe { core::mem::zeroed() })
            }

            const fn width() -> usize {
                size_of::<Register>()
            }

            fn plus(self, _other: Wide) -> (usize, bool) {
                (Wide::width(), size_of_val(&self.0) == 16 && cfg!(target_feature = "aes"))
            }
        }

        impl Narrow {
            fn zero() -> Narrow {
                Narrow(0)
            }

            const fn width() -> usize {
                size_of::<u64>()
            }

            fn plus(self, other: Narrow) -> (usize, bool) {
                (Narrow::width(), self.0 == other.0 && cfg!(target_feature = "aes"))
            }
        }

        mod wide {
            pub(super) fn name() -> &'static str {
                "wide"
            }
        }

        mod narrow {
            pub(super) fn name() -> &'static str {
                "narrow"
            }
        }

        pub(super) mod lanes {
            #[cfg(target_feature = "aes")]
            pub(in super::super) fn lanes() -> usize {
                super::OTHER
            }
            #[cfg(not(target_feature = "aes"))]
            pub(in super::super) fn lanes() -> usize {
                0
            }
        }

        pub(super) fn block() -> usize {
            size_of::<Block>() + OTHER
        }

        pub(super) fn imported() -> &'static str {
            NAME()
        }

        pub(super) fn featured() -> (u8, usize, (usize, bool)) {
            (TABLE[TABLE.len() - 1], Vector::width(), Vector::zero().plus(Vector::zero()))
        }

        pub(super) struct Holder<const N: usize>;

        impl<const N: usize> Holder<N> {
            pub(super) fn lanes(&self) -> usize {
                N + LANES
            }
        }
    }

    #[test]
    #[simd_core::testing::each_target("avx2,aes | aes")]
    fn clones_have_their_own() {
        let (avx2, aes) = match integration_tests::expected() {
            "" => (cfg!(target_feature = "avx2"), false),
            target => (target.contains("avx2") || cfg!(target_feature = "avx2"), true),
        };
        let lanes = if avx2 { 8 } else { 4 };
        assert_eq!(kernels::block(), lanes * if aes { 2 } else { 1 } + 5);
        assert_eq!(kernels::imported(), if aes { "wide" } else { "narrow" });
        assert_eq!(kernels::featured(), if aes { (2, 16, (16, true)) } else { (0, 8, (8, false)) });
        assert_eq!(kernels::lanes::lanes(), if aes { 5 } else { 0 });
        assert_eq!(kernels::Holder::<1>.lanes(), lanes + 1);
    }
}
