//! Parameters are dropped in the order in which a plain function drops them, also when it panics.
//!
//! Each function is compiled twice from the same tokens, once with the attribute.

use core::cell::RefCell;
use core::future::Future;
use core::pin::pin;
use core::task::{Context, Waker};

use integration_tests::block_on;
use simd_core::testing::each_target;

thread_local! {
    static DROPPED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Writes its name down when it is dropped.
struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push(self.0));
    }
}

/// The drops while `f` runs.
fn dropped(f: impl FnOnce()) -> Vec<&'static str> {
    DROPPED.take();
    f();
    DROPPED.take()
}

/// The items twice, as they are in `plain`, with the attribute in `dispatched`.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $($item)*
        }
        #[simd_core::dispatch(targets = "avx2,aes | aes")]
        mod dispatched {
            use super::*;
            $($item)*
        }
    };
}

twice! {
    pub(super) fn named(_a: Noisy, _b: Noisy) -> Noisy {
        let _local = Noisy("local");
        Noisy("result")
    }

    pub(super) fn patterns((_a, _): (Noisy, Noisy), _: Noisy, (_, _b): (Noisy, Noisy), mut c: Noisy) {
        let _local = Noisy("local");
        assert_eq!(c.0, "f");
        c = Noisy("assigned");
        let _moved = c;
    }

    pub(super) fn moved_on(a: Noisy, b: Noisy, early: bool) {
        drop(b);
        if early {
            return;
        }
        let _again = a;
    }

    #[cfg(panic = "unwind")]
    pub(super) fn panics(_a: Noisy, (_b, _): (Noisy, Noisy), _: Noisy) {
        let _local = Noisy("local");
        panic!("on purpose");
    }

    pub(super) fn references<'a>(_a: &'a Noisy, b: &'a mut Noisy) -> &'a Noisy {
        *b = Noisy("assigned");
        b
    }

    pub(super) async fn future(_a: Noisy, (_b, _): (Noisy, Noisy), _: Noisy) {
        let _local = Noisy("local");
        core::future::ready(Noisy("awaited")).await;
        // A borrow by the operand of `await` lives to the end of the statement.
        let sum = core::future::ready(&Noisy("temporary")).await.0.len() + length(Noisy("argument"));
        assert_eq!(sum, 17);
        let _last = Noisy("last");
    }

    fn length(noisy: Noisy) -> usize {
        noisy.0.len()
    }

    pub(super) async fn pending(_a: Noisy, (_b, _): (Noisy, Noisy), _: Noisy) {
        let _local = Noisy("local");
        core::future::pending::<()>().await;
    }

    #[cfg(panic = "unwind")]
    pub(super) async fn future_panics(_a: Noisy, (_b, _): (Noisy, Noisy), _: Noisy) {
        core::future::ready(Noisy("awaited")).await;
        panic!("on purpose");
    }

    pub(super) struct Holder(pub(super) Noisy);

    impl Holder {
        pub(super) fn consumed(self, _: Noisy, _a: Noisy) {
            let _local = Noisy("local");
        }

        pub(super) fn taken_apart(mut self, (_a, _): (Noisy, Noisy)) {
            self.0 = Noisy("assigned");
            let Self(_inner) = self;
        }

        pub(super) fn boxed(self: Box<Self>, _: Noisy) {
            let _local = Noisy("local");
        }
    }

    impl core::ops::Add<Noisy> for Holder {
        type Output = ();

        fn add(self, _: Noisy) {
            let _local = Noisy("local");
        }
    }

    impl core::ops::Sub<(Noisy, Noisy)> for Holder {
        type Output = ();

        fn sub(self, (_a, _): (Noisy, Noisy)) {
            let _local = Noisy("local");
        }
    }
}

/// Tests that `$call` drops the same in both modules, at the first call of a process and later; `$at_least` values.
macro_rules! same {
    ($($name:ident: $at_least:literal, $module:ident => $call:expr;)*) => {$(
        #[test]
        #[each_target("avx2,aes | aes")]
        fn $name() {
            let expected = {
                use plain as $module;
                dropped(|| $call)
            };
            assert!(expected.len() >= $at_least, "{expected:?}");
            for _ in 0..2 {
                use dispatched as $module;
                assert_eq!(dropped(|| $call), expected);
            }
        }
    )*};
}

fn pair() -> (Noisy, Noisy) {
    (Noisy("left"), Noisy("right"))
}

same! {
    named: 4, m => drop(m::named(Noisy("a"), Noisy("b")));
    patterns: 8, m => m::patterns(pair(), Noisy("c"), (Noisy("d"), Noisy("e")), Noisy("f"));
    moved_and_returned: 2, m => m::moved_on(Noisy("a"), Noisy("b"), true);
    moved: 2, m => m::moved_on(Noisy("a"), Noisy("b"), false);
    references: 3, m => assert_eq!(m::references(&Noisy("a"), &mut Noisy("b")).0, "assigned");
    method: 4, m => m::Holder(Noisy("self")).consumed(Noisy("a"), Noisy("b"));
    method_with_patterns: 4, m => m::Holder(Noisy("self")).taken_apart(pair());
    method_of_a_box: 3, m => Box::new(m::Holder(Noisy("self"))).boxed(Noisy("a"));
    operator: 3, m => m::Holder(Noisy("self")) + Noisy("a");
    operator_with_patterns: 4, m => m::Holder(Noisy("self")) - pair();
    future: 9, m => block_on(m::future(Noisy("a"), pair(), Noisy("c")));
    future_never_polled: 4, m => drop(m::future(Noisy("a"), pair(), Noisy("c")));
    future_never_finished: 5, m => {
        let mut future = pin!(m::pending(Noisy("a"), pair(), Noisy("c")));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    };
}

#[cfg(panic = "unwind")]
mod panics {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn caught(f: impl FnOnce()) {
        catch_unwind(AssertUnwindSafe(f)).unwrap_err();
    }

    same! {
        function: 5, m => caught(|| m::panics(Noisy("a"), pair(), Noisy("c")));
        future: 5, m => caught(|| block_on(m::future_panics(Noisy("a"), pair(), Noisy("c"))));
    }
}

/// In a pattern its name is no variable.
struct Unit;

impl Drop for Unit {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|dropped| dropped.push("unit"));
    }
}

#[simd_core::dispatch(targets = "avx2,aes | aes")]
fn takes_a_unit(Unit: Unit) {
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    fn inside((Unit, Unit): (Unit, Unit)) {}
    fn nested(Unit: Unit) {}
    nested(Unit);
    inside((Unit, Unit));
}

#[test]
#[each_target("avx2,aes | aes")]
fn a_unit_is_dropped_once() {
    DROPPED.with_borrow_mut(Vec::clear);
    takes_a_unit(Unit);
    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    fn behind_a_pointer(Unit: Unit) {}
    core::hint::black_box(behind_a_pointer as fn(Unit))(Unit);
    assert_eq!(DROPPED.take(), ["unit"; 5]);
}
