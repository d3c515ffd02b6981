//! Compiled into each crate's bench: the original and the annotated crate in one process, in alternating short rounds.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::convert::Infallible;
use std::fmt::Debug;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[path = "../../../simd-core/cargo-dispatch/src/timing.rs"]
mod timing;

use timing::{ERROR, Spread, median};

/// A path of a crate, and its input.
pub struct Row {
    name: String,
    bytes: usize,
    work: Box<dyn Work>,
}

impl Row {
    /// Times `work` on `state`, which it may change. `bytes` is the size of what one call processes. What `work` returns
    /// and leaves in `state` after its first call has to be the same for both crates.
    pub fn new<S: Debug + 'static, T: Debug + 'static>(
        name: &str,
        bytes: usize,
        state: S,
        work: impl FnMut(&mut S) -> T + 'static,
    ) -> Self {
        Self { name: name.to_owned(), bytes, work: Box::new(On { state, work }) }
    }

    #[allow(dead_code, reason = "for the bench that `cargo dispatch bench` runs")]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long so many calls take.
    pub fn time(&mut self, calls: u64) -> Duration {
        self.work.time(calls)
    }
}

trait Work {
    fn time(&mut self, calls: u64) -> Duration;
    fn outcome(&mut self) -> String;
}

struct On<S, F> {
    state: S,
    work: F,
}

impl<S: Debug, T: Debug, F: FnMut(&mut S) -> T> Work for On<S, F> {
    fn time(&mut self, calls: u64) -> Duration {
        let start = Instant::now();
        for _ in 0..calls {
            black_box((self.work)(black_box(&mut self.state)));
        }
        start.elapsed()
    }

    fn outcome(&mut self) -> String {
        let returned = (self.work)(&mut self.state);
        format!("{returned:?}, and the state {:?}", self.state)
    }
}

thread_local! {
    static BUFFERS: Cell<usize> = const { Cell::new(0) };
}

/// Pseudo-random bytes, the same in each run. The n-th buffer of both crates has the same offset in its page, a multiple of 64,
/// so that alignment favours neither.
pub fn bytes(len: usize) -> &'static mut [u8] {
    let buffer = zeros(len);
    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ len as u64;
    for byte in &mut *buffer {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *byte = (state >> 32) as u8;
    }
    buffer
}

/// Zeros, placed as by [`bytes`].
pub fn zeros(len: usize) -> &'static mut [u8] {
    const PAGE: usize = 4096;
    let offset = BUFFERS.replace(BUFFERS.get() + 1) * 13 * 64 % PAGE;
    let layout = Layout::from_size_align(len + offset + 1, PAGE).expect("the size is small");
    // SAFETY: the layout is not empty, the memory is zeroed and never freed, and it has `offset + len` bytes.
    unsafe {
        let memory = alloc_zeroed(layout);
        assert!(!memory.is_null(), "no memory");
        std::slice::from_raw_parts_mut(memory.add(offset), len)
    }
}

/// A copy of `values`, placed as by [`bytes`]. The allocator would place a `Vec` for each crate differently.
#[allow(dead_code, reason = "for the benches whose input has a type of its own")]
pub fn placed<T: Copy>(values: &[T]) -> &'static mut [T] {
    const { assert!(align_of::<T>() <= 64, "buffers begin at multiples of 64") };
    let copy: *mut T = zeros(size_of_val(values)).as_mut_ptr().cast();
    // SAFETY: the memory has the size and the alignment of the values, and is used for nothing else.
    unsafe {
        copy.copy_from_nonoverlapping(values.as_ptr(), values.len());
        std::slice::from_raw_parts_mut(copy, values.len())
    }
}

/// The rows of one of the crates.
pub fn rows_of(rows: fn() -> Vec<Row>) -> Vec<Row> {
    BUFFERS.set(0);
    rows()
}

/// `targets` prints the list's targets, and why one is not here; `check` compares results; `time SECONDS [PART]`
/// times the rows whose names contain `PART`, each for so many seconds.
#[allow(dead_code, reason = "for the program; the criterion bench has its own")]
pub fn main(targets: simd_core::Targets, original: fn() -> Vec<Row>, annotated: fn() -> Vec<Row>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let pairs = || rows_of(original).into_iter().zip(rows_of(annotated));
    match *arguments {
        ["targets"] => {
            for target in targets.iter() {
                println!("{}\t{}", target.name(), target.status());
            }
        }
        ["check"] => {
            println!("{}", targets.chosen());
            for (mut original, mut annotated) in pairs() {
                let (expected, actual) = (original.work.outcome(), annotated.work.outcome());
                if original.name != annotated.name || expected != actual {
                    eprintln!("`{}` differs with {}", original.name, targets.chosen());
                    eprintln!("original:  {:.300}", expected);
                    eprintln!("annotated: {:.300}", actual);
                    return ExitCode::FAILURE;
                }
            }
        }
        ["time", seconds, ref part @ ..] => {
            let Ok(seconds) = seconds.parse() else { panic!("`{seconds}` is no number of seconds") };
            println!("{}", targets.chosen());
            for (mut original, mut annotated) in pairs() {
                if part.iter().all(|part| original.name.contains(part)) {
                    time(&mut original, &mut annotated, Duration::from_secs_f64(seconds));
                }
            }
        }
        _ => panic!("usage: targets | check | time SECONDS [PART]"),
    }
    ExitCode::SUCCESS
}

/// Prints nanoseconds a call, original and annotated, and the median ratio of a round, original over annotated.
fn time(original: &mut Row, annotated: &mut Row, limit: Duration) {
    const ROUND: Duration = Duration::from_micros(400);
    let Ok((calls, _)) = timing::calls(ROUND, |calls| Ok::<_, Infallible>(original.time(calls)));
    annotated.time(calls);
    let mut rows = [original, annotated];
    let mut times = [Vec::new(), Vec::new()];
    let start = Instant::now();
    for round in 0.. {
        if round >= 8 && start.elapsed() >= limit {
            break;
        }
        for at in timing::turns(rows.len(), round) {
            times[at].push(rows[at].time(calls).as_secs_f64() * 1e9 / calls as f64);
        }
    }
    let ratio = Spread::of_ratios(&times[0], &times[1], ERROR).median;
    let [before, after] = times.map(median);
    println!("{}\t{}\t{before}\t{after}\t{ratio}", rows[0].name, rows[0].bytes);
}
