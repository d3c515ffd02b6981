//! Compiled into each crate's bench: the rows, which call the crate, and their inputs.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A path of a crate, and its input.
pub struct Row {
    name: String,
    pub(crate) bytes: usize,
    pub(crate) work: Box<dyn Work>,
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

    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long so many calls take.
    pub fn time(&mut self, calls: u64) -> Duration {
        self.work.time(calls)
    }
}

pub(crate) trait Work {
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
