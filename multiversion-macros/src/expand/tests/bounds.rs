//! Equal input, equal output; and twice the input, about twice the work.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::fmt::Write;
use core::time::Duration;
use std::alloc::System;
use std::time::Instant;

use proc_macro2::TokenStream;

use super::{ITEMS, LISTS, collected, tokens};
use crate::lists;

/// Counts what each thread asks for: work, without a clock.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does it all.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises; `alloc` passes on what the system gives.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The expansion, and the allocations and the time that it took.
fn expansion(list: &str, item: &str) -> (TokenStream, u64, Duration) {
    let (list, item) = (tokens(list), tokens(item));
    let (before, start) = (ALLOCATIONS.get(), Instant::now());
    let written = lists::dispatch(list, item, false);
    (written, ALLOCATIONS.get() - before, start.elapsed())
}

/// The allocations that the expansion took.
fn work(list: &str, item: &str) -> u64 {
    expansion(list, item).1
}

#[test]
fn the_same_twice() {
    let mut inputs: Vec<(String, String)> =
        collected().into_iter().map(|(args, item)| (args.to_string(), item.to_string())).collect();
    inputs.extend(LISTS.iter().flat_map(|list| ITEMS.iter().map(|item| ((*list).into(), (*item).into()))));
    // What is made once in a process is made.
    expansion(LISTS[0], ITEMS[0]);
    for (args, item) in inputs.into_iter().step_by(3) {
        let text = || {
            let (written, work, _) = expansion(&args, &item);
            (written.to_string(), work)
        };
        // A thread remembers the lists of targets that it has read.
        let fresh = || std::thread::scope(|scope| scope.spawn(text).join().ok());
        assert!(fresh() == fresh(), "{item}");
    }
}

const FOUR_TARGETS: &str = "targets = \"avx512f | avx2,fma | sse4.1 | sve2\"";

/// A module of `count` functions of twelve lines each, in groups: plain ones, methods and methods of traits.
fn module(count: usize) -> String {
    let mut text = "pub mod kernels {\n".to_owned();
    for n in 0..count {
        let (open, close, call) = match n % 3 {
            0 => (String::new(), "", format!("f{}", n.saturating_sub(3))),
            1 => (format!("impl S{n} {{"), "}", "self.other".to_owned()),
            _ => (format!("impl Tr for S{n} {{"), "}", "Self::other".to_owned()),
        };
        let receiver = if close.is_empty() { "" } else { "&self, " };
        writeln!(
            text,
            "{open} /// Says what it does.
                pub fn f{n}<T: Copy + Into<f64>>({receiver}xs: &[T], scale: f64) -> f64 {{
                    let mut lanes = [0.0; 8];
                    for chunk in xs.chunks_exact(8) {{
                        for (lane, x) in lanes.iter_mut().zip(chunk) {{
                            *lane += if cfg!(target_feature = \"fma\") {{ scale.mul_add((*x).into(), 1.0) }} else {{ scale }};
                        }}
                    }}
                    let rest = xs.chunks_exact(8).remainder().iter().map(|&x| x.into() * scale).sum::<f64>();
                    lanes.iter().sum::<f64>() + rest + {call}(xs, scale)
                }} {close}"
        )
        .expect("a string takes any text");
    }
    text + "}"
}

/// A module of 2,000 lines, and others of a half and a quarter of it: the work grows as the input does.
#[test]
fn a_long_module() {
    let functions = 170;
    assert!(module(functions).lines().count() >= 1800);
    let (written, whole, time) = expansion(FOUR_TARGETS, &module(functions));
    let [half, quarter] = [2, 4].map(|part| work(FOUR_TARGETS, &module(functions / part)));
    println!(
        "{functions} functions with four targets and a baseline: {time:?} (unoptimised), {} top-level tokens, {whole} \
         allocations; {half} for half of it, {quarter} for a quarter",
        written.into_iter().count(),
    );
    assert!(whole < half * 5 / 2 && half < quarter * 5 / 2, "more than linear: {quarter}, {half}, {whole}");
}

/// With the depth of nested closures the work grows by its square at most: each is looked at from those around it.
#[test]
fn a_deep_module() {
    let nested = |depth: usize| format!("{}fn f() {{ g(|x| x) }} {}", "mod m { ".repeat(depth), "}".repeat(depth));
    let closures = |depth: usize| format!("fn f() {{ {} 1 {} }}", "g(|x| ".repeat(depth), ")".repeat(depth));
    for source in [nested, closures] as [fn(usize) -> String; 2] {
        let work = [10, 20, 40].map(|depth| work(FOUR_TARGETS, &source(depth)));
        println!("nested 10, 20 and 40 deep: {work:?} allocations");
        assert!(work[2] < work[1] * 5 && work[1] < work[0] * 5, "{work:?}");
    }
}
