//! One thing to time.

use core::ops::{Deref, DerefMut};
use core::time::Duration;
use std::time::Instant;

/// Runs the work so many times and says how long that took.
pub type Runner = Box<dyn FnMut(u64) -> Duration>;

/// Some work, done by someone.
pub struct Case {
    /// The table in which it is compared with others.
    pub group: &'static str,
    /// The row: which work, and how much of it.
    pub work: String,
    /// The column: whose code does it.
    pub by: &'static str,
    /// How many operations one run is; times are quoted for one.
    pub operations: u64,
    /// How many bytes one operation takes in, where throughput is of interest.
    pub bytes: Option<u64>,
    prepare: Box<dyn Fn() -> Runner>,
}

impl Case {
    /// A case of which `prepare` makes the inputs and gives what is to be timed.
    pub fn new<F: FnMut() + 'static>(
        group: &'static str,
        work: impl Into<String>,
        by: &'static str,
        prepare: impl Fn() -> F + 'static,
    ) -> Self {
        let prepare = move || -> Runner {
            let mut run = prepare();
            Box::new(move |times| {
                let start = Instant::now();
                for _ in 0..times {
                    run();
                }
                start.elapsed()
            })
        };
        Self { group, work: work.into(), by, operations: 1, bytes: None, prepare: Box::new(prepare) }
    }

    /// Quotes the time of one of so many operations in each run.
    #[must_use]
    pub fn operations(mut self, operations: u64) -> Self {
        self.operations = operations;
        self
    }

    /// Quotes throughput as well, of so many bytes in each operation.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = Some(bytes as u64);
        self
    }

    /// A name that no other case has.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}/{}", self.group, self.work, self.by)
    }

    /// Makes the inputs.
    #[must_use]
    pub fn prepare(&self) -> Runner {
        (self.prepare)()
    }
}

/// A length in bytes as people write it.
#[must_use]
pub fn length(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / 1_048_576),
    }
}

/// Elements in memory from the beginning of a cache line on.
///
/// Where an allocation begins is chance, and not the same in two programs; vectors that lie across two cache lines take
/// up to twice as long.
pub struct Lines<T> {
    elements: Vec<T>,
    start: usize,
}

impl<T: Copy> Lines<T> {
    /// A copy of `elements`, of which 64 bytes are a whole number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn new(elements: &[T]) -> Self {
        let mut all: Vec<T> = Vec::with_capacity(elements.len() + 64);
        let start = all.as_ptr().align_offset(64);
        all.resize(start, elements[0]);
        all.extend_from_slice(elements);
        Self { elements: all, start }
    }
}

impl<T: Copy> Clone for Lines<T> {
    fn clone(&self) -> Self {
        Self::new(self)
    }
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.elements[self.start..]
    }
}

impl<T> DerefMut for Lines<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements[self.start..]
    }
}

impl<T> AsRef<[T]> for Lines<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T> AsMut<[T]> for Lines<T> {
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

/// Some bytes, the same in every run.
#[must_use]
pub fn sample(length: usize) -> Lines<u8> {
    let bytes = (1..=length).map(|i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0]);
    Lines::new(&bytes.collect::<Vec<u8>>())
}
