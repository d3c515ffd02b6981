//! The part that all generated programs have in common. They are run as
//!
//! ```text
//! program CALLER ARGUMENT    the caller's first and second result must be what they have to be
//! program all ARGUMENT       the same for every caller, in one process
//! program count              how many callers there are
//! ```

use std::cell::Cell;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, Waker};

/// A caller: a seed, and bits that branches and loops depend on.
type Caller = fn(u64, u64) -> u64;

#[inline(always)]
fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(7) ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline(always)]
fn call(r: u64, value: u64) -> u64 {
    r.wrapping_mul(131).wrapping_add(value)
}

#[inline(never)]
fn ext(x: u64) -> u64 {
    black_box(x)
}

/// Whether this process is to act as if its CPU had `feature`.
fn has(feature: &str) -> bool {
    let limit = std::env::var("SIMD_CORE_ONLY").ok();
    let left = |only: &String| only.split(',').any(|name| name == feature);
    enabled(feature) || (detected(feature) && limit.as_ref().is_none_or(left))
}

fn has_all(features: &[&str]) -> bool {
    features.iter().all(|feature| has(feature))
}

/// For each list of targets, one more than the place of the target that has to be chosen.
static TAGS: [AtomicU64; LISTS.len()] = [const { AtomicU64::new(0) }; LISTS.len()];

fn tag(list: usize) -> u64 {
    TAGS[list].load(Relaxed)
}

/// Is pending for the first polls.
struct Yield(u8);

impl Future for Yield {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// The futures here give their results through a cell: a scalar from `poll` makes inlining likelier.
#[inline(always)]
fn block(future: impl Future<Output = ()>) {
    let mut future = pin!(future);
    while poll(future.as_mut()) {}
}

/// Whether `future` is pending.
#[inline(always)]
fn poll(future: Pin<&mut impl Future<Output = ()>>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

#[inline(never)]
fn poll_elsewhere(future: Pin<&mut dyn Future<Output = ()>>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

#[inline(never)]
fn call_dyn(f: &mut dyn FnMut(u64) -> u64, x: u64) -> u64 {
    f(x)
}

fn call_twice<F: FnMut(u64) -> u64>(mut f: F, x: u64) -> u64 {
    let first = f(x);
    f(first)
}

#[inline(never)]
fn call_alone<F: FnMut(u64) -> u64>(mut f: F, x: u64) -> u64 {
    f(x)
}

fn in_thread(f: impl Fn() -> u64 + Sync) -> u64 {
    std::thread::scope(|scope| scope.spawn(|| f()).join().unwrap_or(0))
}

fn caught(f: impl FnOnce() -> u64) -> u64 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_or(0)
}

trait Op {
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

fn ops<T: Op>(x: u64, times: u64) -> u64 {
    let mut value = T::new(x);
    for i in 0..times {
        value = value.op(i);
    }
    value.twice(x).get()
}

fn main() {
    for (tag, list) in TAGS.iter().zip(LISTS) {
        let place = list.iter().position(|target| has_all(target)).unwrap_or(list.len());
        tag.store(place as u64 + 1, Relaxed);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| -> u64 { arguments[i].parse().expect("a number") };
    if arguments[0] == "count" {
        return println!("{}", CALLERS.len());
    }
    let callers = if arguments[0] == "all" { 0..CALLERS.len() } else { number(0) as usize..number(0) as usize + 1 };
    for caller in callers {
        let (dispatched, expected) = black_box(CALLERS[caller]);
        let (seed, bits) = (black_box(number(1) ^ 0x5EED), black_box(number(1)));
        let (first, second) = (dispatched(seed, bits), dispatched(seed, bits));
        let expected = expected(seed, bits);
        assert!(
            first == expected && second == expected,
            "caller {caller} with {bits}: first {first:x}, second {second:x}, expected {expected:x}"
        );
    }
}
