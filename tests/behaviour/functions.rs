//! Free functions of every kind: the right clone runs, and does what the function would do without the attribute.
#![allow(clippy::unused_async, reason = "what is awaited does not matter here")]

use core::num::ParseIntError;
use core::ops::Add;
use core::panic::Location;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::collections::BTreeMap;

use integration_tests::{block_on, expected, ran};
use simd_core::testing::each_target;
use simd_core::{detected, dispatch};

type Ran = &'static str;

#[dispatch(targets = "avx2,aes | aes")]
fn no_parameters() -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
fn nothing() {}

#[dispatch(targets = ["avx2,aes", "aes"])]
fn in_a_list() -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[test]
#[each_target("avx2,aes | aes")]
fn the_smallest() {
    assert_eq!(no_parameters(), expected());
    assert_eq!(in_a_list(), expected());
    nothing();
    nothing();
}

#[dispatch(targets = "avx2,aes | aes")]
fn generic<T, const N: usize>(all: &[T; N], zero: T) -> (&[T], T, Ran)
where
    T: Copy + Add<Output = T>,
{
    let sum = all.iter().fold(zero, |sum, &one| sum + one);
    (&all[1..], sum, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[dispatch(targets = "avx2,aes | aes")]
fn not_inferred<T: Default + Into<u64>, const N: u64>() -> (u64, Ran) {
    (T::default().into() + N, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[dispatch(targets = "avx2,aes | aes")]
fn elided(longer: &mut Vec<u8>, by: &[u8]) -> (usize, Ran) {
    longer.extend_from_slice(by);
    (longer.len(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[test]
#[each_target("avx2,aes | aes")]
fn generics_and_lifetimes() {
    assert_eq!(generic(&[1_u32, 2, 3], 10), (&[2, 3][..], 16, expected()));
    assert_eq!(generic::<f64, 1>(&[0.5], 0.0), (&[][..], 0.5, expected()));
    assert_eq!(not_inferred::<u8, 4>(), (4, expected()));
    assert_eq!(elided(&mut vec![1], &[2, 3]), (3, expected()));
}

#[dispatch(targets = "avx2,aes | aes")]
fn only_on_some_platforms(a: u64, #[cfg(any())] b: u64, #[cfg(not(any()))] (c, d): (u64, u64)) -> (u64, Ran) {
    (a + c + d, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[test]
#[each_target("avx2,aes | aes")]
fn parameters() {
    assert_eq!(only_on_some_platforms(1, (2, 3)), (6, expected()));
}

#[dispatch(targets = "avx2,aes | aes")]
fn fibonacci(n: u64) -> (u64, Ran) {
    let clone = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    if n < 2 { (n, clone) } else { (fibonacci(n - 1).0 + fibonacci(n - 2).0, fibonacci(n - 1).1) }
}

#[test]
#[each_target("avx2,aes | aes")]
fn recursion() {
    assert_eq!(fibonacci(12), (144, expected()));
}

#[dispatch(targets = "avx2,aes | aes")]
fn never(text: &str) -> ! {
    assert!(!text.is_empty(), "empty");
    std::panic::panic_any(format!("{text} {}", ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))))
}

#[test]
#[each_target("avx2,aes | aes")]
#[cfg_attr(target_family = "wasm", ignore = "a panic ends the program there")]
fn ways_to_return() {
    #[cfg(panic = "unwind")]
    {
        let thrown = std::panic::catch_unwind(|| never("thrown by")).unwrap_err();
        assert_eq!(*thrown.downcast::<String>().unwrap(), format!("thrown by {}", expected()));
    }
    let _: fn(&str) -> ! = never;
}

#[dispatch(targets = "avx2,aes | aes")]
#[track_caller]
fn tracked() -> (u32, Ran) {
    (Location::caller().line(), ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[dispatch(targets = "avx2,aes | aes")]
#[track_caller]
fn tracked_through(option: Option<u64>) -> u64 {
    option.expect("a number")
}

#[test]
#[each_target("avx2,aes | aes")]
fn caller_location() {
    // The first call of a process takes another way than the next.
    assert_eq!(tracked(), (line!(), expected()));
    assert_eq!(tracked(), (line!(), expected()));
    let as_value: fn() -> (u32, Ran) = tracked;
    assert_eq!(as_value().1, expected());
    assert_eq!(tracked_through(Some(1)), 1);
}

#[test]
#[each_target("avx2,aes | aes")]
#[cfg(panic = "unwind")]
#[cfg_attr(target_family = "wasm", ignore = "a panic ends the program there")]
fn caller_location_of_a_panic() {
    use std::sync::Mutex;
    static LINES: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| LINES.lock().unwrap().extend(info.location().map(Location::line))));
    let first = line!() + 1;
    let _ = std::panic::catch_unwind(|| tracked_through(None));
    let _ = std::panic::catch_unwind(|| tracked_through(None));
    std::panic::set_hook(before);
    let lines = LINES.lock().unwrap();
    assert!(lines.windows(2).any(|pair| pair == [first, first + 1]), "{lines:?}, expected {first}");
}

#[dispatch(targets = "avx2,aes | aes")]
#[must_use = "it is the answer"]
#[cold]
#[inline(never)]
fn cold() -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
#[inline(always)]
#[allow(clippy::inline_always, reason = "what the test is about")]
fn always_inlined() -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
#[deprecated(note = "for the test")]
fn deprecated(n: u32) -> Ran {
    if n > 0 { deprecated(n - 1) } else { ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")) }
}

#[dispatch(targets = "avx2,aes | aes")]
#[expect(unused_variables, reason = "what the test is about")]
fn expecting(n: u32) -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
fn attributes_inside(n: u32) -> Ran {
    #![allow(unused_variables, reason = "what the test is about")]
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[dispatch(targets = "avx2,aes | aes")]
#[cfg_attr(all(), inline(never))]
#[cfg_attr(target_feature = "aes", allow(unused_variables, reason = "for one clone"))]
#[cfg_attr(not(target_feature = "aes"), allow(unused_variables, reason = "for the others"))]
fn conditional_attributes(n: u32) -> Ran {
    ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
}

#[test]
#[each_target("avx2,aes | aes")]
fn attributes() {
    assert_eq!(cold(), expected());
    assert_eq!(always_inlined(), expected());
    #[allow(deprecated, reason = "what the test is about")]
    {
        assert_eq!(deprecated(3), expected());
    }
    assert_eq!(expecting(1), expected());
    assert_eq!(attributes_inside(1), expected());
    assert_eq!(conditional_attributes(1), expected());
}

/// # Safety
///
/// `p` is valid for a read.
#[dispatch(targets = "avx2,aes | aes")]
unsafe fn unsafe_function(p: *const u64) -> (u64, Ran) {
    // SAFETY: the caller promises it.
    (unsafe { *p }, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

/// # Safety
///
/// `p` is valid for a write.
#[dispatch(targets = "avx2,aes | aes")]
unsafe extern "C" fn unsafe_c_function(p: *mut Ran) {
    // SAFETY: the caller promises it.
    unsafe { *p = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")) }
}

#[dispatch(targets = "avx2,aes | aes")]
#[unsafe(no_mangle)]
extern "C" fn simd_core_test_exported(n: u64) -> usize {
    usize::try_from(n).unwrap_or_default() + ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")).len()
}

mod foreign {
    unsafe extern "C" {
        pub(super) safe fn simd_core_test_exported(n: u64) -> usize;
    }
}

#[test]
#[each_target("avx2,aes | aes")]
fn unsafe_and_foreign() {
    let mut clone = "unset";
    // SAFETY: both are references.
    unsafe {
        assert_eq!(unsafe_function(&3), (3, expected()));
        unsafe_c_function(&raw mut clone);
    }
    assert_eq!(clone, expected());
    assert_eq!(simd_core_test_exported(1), 1 + expected().len());
    assert_eq!(foreign::simd_core_test_exported(2), 2 + expected().len());
    let pointer: unsafe fn(*const u64) -> (u64, Ran) = unsafe_function;
    // SAFETY: it is a reference.
    assert_eq!(unsafe { pointer(&4) }, (4, expected()));
}

async fn ready<T>(value: T) -> T {
    let mut waited = false;
    core::future::poll_fn(move |context| {
        if waited {
            return core::task::Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        core::task::Poll::Pending
    })
    .await;
    value
}

#[dispatch(targets = "avx2,aes | aes")]
async fn several_awaits(numbers: &[u64], (a, b): (u64, u64)) -> (u64, Vec<Ran>) {
    let mut clones = vec![ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))];
    let mut sum = ready(a).await + ready(b).await;
    for &number in numbers {
        sum += ready(number).await;
        clones.push(no_parameters());
    }
    let later = async {
        let value = ready(1).await;
        (value, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    };
    let (one, clone) = later.await;
    clones.push(clone);
    (sum + one, clones)
}

#[dispatch(targets = "avx2,aes | aes")]
async fn recursive_future(n: u64) -> Result<(u64, [Ran; 2]), ParseIntError> {
    if n == 0 {
        let (sum, clones) = several_awaits(&[1], (2, 3)).await;
        return Ok((sum, [clones[0], ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))]));
    }
    let (below, clones) = Box::pin(recursive_future(n - 1)).await?;
    let parsed: u64 = ready(n.to_string()).await.parse()?;
    Ok((below + parsed, clones))
}

#[test]
#[each_target("avx2,aes | aes")]
fn futures() {
    for _ in 0..2 {
        assert_eq!(block_on(several_awaits(&[1, 2], (3, 4))), (11, vec![expected(); 4]));
        assert_eq!(block_on(recursive_future(0)), Ok((7, [expected(); 2])));
        assert_eq!(block_on(recursive_future(4)), Ok((17, [expected(); 2])));
    }
}

#[dispatch(targets = "avx2,aes | aes")]
#[cfg(not(target_family = "wasm"))]
fn starts_threads(number: u64) -> Vec<(u64, Ran)> {
    let moved = move |x: u64| (x + number, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
    let scoped = std::thread::scope(|scope| scope.spawn(|| moved(1)).join());
    [scoped, std::thread::spawn(move || moved(2)).join()].map(Result::unwrap).to_vec()
}

#[test]
#[each_target("avx2,aes | aes")]
#[cfg(not(target_family = "wasm"))]
fn threads() {
    assert_eq!(starts_threads(1), [(2, expected()), (3, expected())]);
    assert_eq!(std::thread::spawn(no_parameters).join().unwrap(), expected());
    let future = several_awaits(&[1], (2, 3));
    let (sum, clones) = std::thread::spawn(|| block_on(future)).join().unwrap();
    assert_eq!((sum, clones), (7, vec![expected(); 3]));
}

#[dispatch(targets = "avx2,aes | aes")]
fn closures(numbers: &[u64]) -> (u64, Vec<Ran>) {
    let clone = || ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    let twice = |x: u64| -> u64 { x * 2 };
    let mut clones = vec![clone()];
    let sum: u64 = numbers.iter().map(|&x| twice(x) | 1).inspect(|_| clones.push(clone())).sum();
    let moved = move |x: u64| (x | sum, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")));
    clones.push(moved(1).1);
    (moved(0).0, clones)
}

#[dispatch(targets = "avx2,aes | aes")]
fn nested_functions(numbers: &[u64]) -> (u64, Ran, Ran) {
    fn clone() -> Ran {
        ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
    }
    fn generic<T: Copy>(all: &[T], f: impl Fn(T) -> u64) -> (u64, Ran) {
        fn deeper() -> Ran {
            ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"))
        }
        (all.iter().map(|&one| f(one)).sum(), deeper())
    }
    const fn constant(x: u64) -> u64 {
        x + 1
    }
    let (sum, deeper) = generic(numbers, constant);
    (sum, clone(), deeper)
}

#[dispatch(targets = "avx2,aes | aes")]
fn local_items(n: u64) -> (u64, Ran, Ran) {
    use Kind::{Large, Small};
    const LIMIT: u64 = 10;
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Small,
        Large,
    }
    struct Number(u64);
    trait Measured {
        fn kind(&self) -> (Kind, Ran);
    }
    impl Number {
        fn doubled(&self) -> Self {
            Self(self.0 * 2)
        }
    }
    impl Measured for Number {
        fn kind(&self) -> (Kind, Ran) {
            let kind = if self.0 > LIMIT { Large } else { Small };
            (kind, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
        }
    }
    CALLS.fetch_add(1, Relaxed);
    let (kind, method) = Number(n).doubled().kind();
    let calls = u64::try_from(CALLS.load(Relaxed)).unwrap_or_default();
    let clone = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    (if kind == Large { 100 + calls } else { calls }, clone, method)
}

#[test]
#[each_target("avx2,aes | aes")]
fn inside_the_body() {
    assert_eq!(closures(&[1, 2]), (3 + 5, vec![expected(); 4]));
    assert_eq!(nested_functions(&[1, 2]), (5, expected(), expected()));
    // One static for all calls of a process.
    // A local impl's functions have the build's features.
    let build = ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes"));
    assert_eq!(local_items(1), (1, expected(), build));
    assert_eq!(local_items(6), (102, expected(), build));
}

#[dispatch(targets = "avx2,aes | aes")]
fn add_one(x: u64) -> (u64, Ran) {
    (x + 1, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[dispatch(targets = "avx2,aes | aes")]
fn passes_functions(numbers: &[u64]) -> Vec<(u64, Ran)> {
    fn nested(x: u64) -> (u64, Ran) {
        (x + 2, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
    }
    let pointers: [fn(u64) -> (u64, Ran); 2] = [add_one, nested];
    let mapped = numbers.iter().copied().map(add_one);
    mapped.chain(numbers.iter().copied().map(nested)).chain(pointers.map(|f| f(0))).collect()
}

static TABLE: [fn(u64) -> (u64, Ran); 2] = [add_one, add_one];

#[test]
#[each_target("avx2,aes | aes")]
#[cfg_attr(target_family = "wasm", ignore = "starts a thread")]
fn as_values() {
    let ran = expected();
    assert_eq!((0..2).map(add_one).collect::<Vec<_>>(), [(1, ran), (2, ran)]);
    assert_eq!(TABLE[1](4), (5, ran));
    assert_eq!(passes_functions(&[1]), [(2, ran), (3, ran), (1, ran), (2, ran)]);
    let lent: for<'x> fn(&'x mut Vec<u8>, &[u8]) -> (usize, Ran) = elided;
    assert_eq!(lent(&mut Vec::new(), &[1]), (1, ran));
    let by_name: BTreeMap<&str, Box<dyn Fn(u64) -> (u64, Ran)>> = BTreeMap::from([("one", Box::new(add_one) as _)]);
    assert_eq!(by_name["one"](1), (2, ran));
}

#[dispatch(targets = "avx2,aes | aes")]
fn asks_what_is_detected() -> ([bool; 3], Ran) {
    let known = [detected!("aes"), detected!("avx2,aes"), [1].map(|_| detected!("aes"))[0]];
    (known, ran(cfg!(target_feature = "avx2"), cfg!(target_feature = "aes")))
}

#[test]
#[each_target("avx2,aes | aes")]
fn detection() {
    let (aes, both) = (integration_tests::available("aes"), integration_tests::available("avx2,aes"));
    assert_eq!(asks_what_is_detected(), ([aes, both, aes], expected()));
    assert_eq!((detected!("aes"), detected!("avx2,aes")), (aes, both));
}

#[dispatch(targets = "avx2,aes | aes")]
fn closures_that_begin_with_a_block(yes: bool) -> [u8; 3] {
    let sum = || if yes { 1 } else { 2 } + 3;
    let element = |at: usize| if yes { [4, 5] } else { [3, 5] }[at];
    let cast = || match yes {
        true => 6_u16,
        false => 7,
    } as u8;
    [sum(), element(1), cast()]
}

#[test]
#[each_target("avx2,aes | aes")]
fn bodies_of_closures_end_where_they_end() {
    assert_eq!(closures_that_begin_with_a_block(true), [4, 5, 6]);
    assert_eq!(closures_that_begin_with_a_block(false), [5, 5, 7]);
}
