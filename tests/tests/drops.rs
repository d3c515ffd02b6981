//! Parameters are dropped in the order in which a plain function drops them, also when it panics.
//!
//! Each function is compiled twice from the same tokens, once with the attribute.

use core::cell::RefCell;
use core::future::Future;
use core::task::{Context, Waker};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;

use integration_tests::block_on;

#[test]
fn every_clone() {
    integration_tests::run_each(&integration_tests::TARGETS);
}

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

/// What is dropped while `f` runs.
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
        let _last = Noisy("last");
    }

    pub(super) async fn pending(_a: Noisy, (_b, _): (Noisy, Noisy), _: Noisy) {
        let _local = Noisy("local");
        core::future::pending::<()>().await;
    }

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

/// `$call` in both modules has the same effect, twice over; `$at_least` values are dropped.
macro_rules! same {
    ($at_least:literal, $module:ident => $call:expr) => {{
        use plain as $module;
        let expected = dropped(|| $call);
        assert!(expected.len() >= $at_least, "{expected:?}");
        for _ in 0..2 {
            use dispatched as $module;
            assert_eq!(dropped(|| $call), expected);
        }
    }};
}

fn pair() -> (Noisy, Noisy) {
    (Noisy("left"), Noisy("right"))
}

#[test]
fn functions() {
    same!(4, m => drop(m::named(Noisy("a"), Noisy("b"))));
    same!(8, m => m::patterns(pair(), Noisy("c"), (Noisy("d"), Noisy("e")), Noisy("f")));
    same!(2, m => m::moved_on(Noisy("a"), Noisy("b"), true));
    same!(2, m => m::moved_on(Noisy("a"), Noisy("b"), false));
    same!(3, m => assert_eq!(m::references(&Noisy("a"), &mut Noisy("b")).0, "assigned"));
}

#[test]
fn panics() {
    let caught = |f: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(f)).unwrap_err();
    same!(5, m => drop(caught(&mut || m::panics(Noisy("a"), pair(), Noisy("c")))));
    same!(5, m => drop(caught(&mut || block_on(m::future_panics(Noisy("a"), pair(), Noisy("c"))))));
}

#[test]
fn methods() {
    same!(4, m => m::Holder(Noisy("self")).consumed(Noisy("a"), Noisy("b")));
    same!(4, m => m::Holder(Noisy("self")).taken_apart(pair()));
    same!(3, m => Box::new(m::Holder(Noisy("self"))).boxed(Noisy("a")));
    same!(3, m => m::Holder(Noisy("self")) + Noisy("a"));
    same!(4, m => m::Holder(Noisy("self")) - pair());
}

#[test]
fn futures() {
    same!(7, m => block_on(m::future(Noisy("a"), pair(), Noisy("c"))));
    same!(4, m => drop(m::future(Noisy("a"), pair(), Noisy("c"))));
    same!(5, m => {
        let mut future = pin!(m::pending(Noisy("a"), pair(), Noisy("c")));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    });
}
