//! The common part of all generated code: a program's first crate holds it, and others import it.

pub use std::future::poll_fn;
pub use std::hint::black_box;
pub use std::pin::{Pin, pin};
pub use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
pub use std::sync::{LazyLock, OnceLock};
pub use std::task::{Context, Poll, Waker};

#[inline(always)]
pub fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(7) ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
pub fn call(r: u64, value: u64) -> u64 {
    r.wrapping_mul(131).wrapping_add(value)
}

#[inline(never)]
pub fn ext(x: u64) -> u64 {
    black_box(x)
}

/// A result that is looked at from elsewhere.
pub struct Slot(AtomicU64);

impl Slot {
    #[inline(always)]
    pub const fn new(x: u64) -> Self {
        Slot(AtomicU64::new(x))
    }

    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub fn set(&self, x: u64) {
        self.0.store(x, Relaxed);
    }
}

/// Calls a function when it is dropped.
pub struct Guard<'a, F: FnMut(u64) -> u64>(pub F, pub &'a Slot);

impl<F: FnMut(u64) -> u64> Drop for Guard<'_, F> {
    #[inline]
    fn drop(&mut self) {
        let value = (self.0)(self.1.get());
        self.1.set(mix(self.1.get(), value));
    }
}

/// Is pending for the first polls.
pub struct Yield(pub u8);

impl Future for Yield {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// Many futures here give their results through a slot: a scalar from `poll` makes inlining likelier.
#[inline(always)]
pub fn block(future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    while poll(future.as_mut()) {}
}

/// Polls `future` some times, and drops it then.
#[inline(always)]
pub fn half(future: impl Future<Output = ()>, times: u64) {
    let mut future = pin!(future);
    for _ in 0..times {
        if !poll(future.as_mut()) {
            return;
        }
    }
}

/// Polls both until both are ready.
pub async fn join(one: impl Future<Output = u64>, other: impl Future<Output = u64>) -> u64 {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let (mut first, mut second) = (None, None);
    poll_fn(move |cx| {
        // A future that is ready must not be polled again.
        if first.is_none()
            && let Poll::Ready(value) = one.as_mut().poll(cx)
        {
            first = Some(value);
        }
        if second.is_none()
            && let Poll::Ready(value) = other.as_mut().poll(cx)
        {
            second = Some(value);
        }
        match (first, second) {
            (Some(one), Some(other)) => Poll::Ready(mix(one, other)),
            _ => Poll::Pending,
        }
    })
    .await
}

/// Whether `future` is pending.
#[inline(always)]
pub fn poll(future: Pin<&mut (impl Future<Output = ()> + ?Sized)>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

#[inline(never)]
pub fn poll_elsewhere(future: Pin<&mut dyn Future<Output = ()>>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

pub type Task<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// Polls each task once; those that are ready are dropped.
#[inline(never)]
pub fn turn(tasks: &mut Vec<Task<'_>>) {
    tasks.retain_mut(|task| poll(task.as_mut()));
}

pub type Stored = Box<dyn Fn(u64) -> u64 + Send + Sync>;

pub struct Holder<F> {
    pub f: F,
}

#[inline(never)]
pub fn call_dyn(f: &mut dyn FnMut(u64) -> u64, x: u64) -> u64 {
    f(x)
}

pub fn call_twice<F: FnMut(u64) -> u64>(mut f: F, x: u64) -> u64 {
    let first = f(x);
    f(first)
}

#[inline(never)]
pub fn call_alone<F: FnMut(u64) -> u64>(mut f: F, x: u64) -> u64 {
    f(x)
}

pub fn in_thread<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    match std::thread::scope(|scope| scope.spawn(f).join()) {
        Ok(value) => value,
        Err(thrown) => std::panic::resume_unwind(thrown),
    }
}

pub fn caught(f: impl FnOnce() -> u64) -> u64 {
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f));
    thrown.unwrap_or_else(|thrown| thrown.downcast_ref::<u64>().map_or(0, |x| mix(*x, 1)))
}

/// Unwinds without a message.
pub fn throw(x: u64) -> ! {
    std::panic::resume_unwind(Box::new(x))
}

/// The panic where a function of a clone is called without the clone's features.
pub fn lost() -> ! {
    std::panic::resume_unwind(Box::new("lost"))
}

pub trait Op {
    fn new(x: u64) -> Self;
    fn get(&self) -> u64;
    fn op(&self, other: u64) -> Self;
    fn twice(&self, other: u64) -> Self
    where
        Self: Sized,
    {
        self.op(other).op(other)
    }
}

pub fn ops<T: Op>(x: u64, times: u64) -> u64 {
    let mut value = T::new(x);
    for i in 0..times {
        value = value.op(i);
    }
    value.twice(x).get()
}
