//! Keystream blocks: one at a time with little latency, or many at a time in as many lanes as the CPU has.
//!
//! The ten double rounds are written once, over [`Quad`]. For one block, a row of the matrix is one register. For many
//! blocks, the same source is the body of a loop over the blocks that has no loop of its own, so LLVM makes each of the
//! sixteen words a register with a lane for every block: 16 lanes of AVX-512, 8 of AVX2, 4 of SSE2 or NEON. Rotations
//! become `vprold` or byte shuffles, and the stores of four words side by side become the transposition.
#![allow(clippy::inline_always, reason = "what is not inlined into a clone does without its features")]
use crate::lanes::{Loose4, Quad};

pub(super) use tree::apply;

/// The rows of a block before the rounds (RFC 8439, section 2.3), with a block counter of zero.
pub(super) type Matrix = [[u32; 4]; 4];

/// What the keystream does to the blocks that it is applied to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Xor,
    Overwrite,
}

/// What the keystream is applied to: `blocks`, then `extra`, from block number `counter` on. Numbers are modulo 2^32.
pub(super) struct Work<'a> {
    pub(super) counter: u32,
    pub(super) blocks: &'a mut [[u8; 64]],
    pub(super) extra: Option<&'a mut [u8; 64]>,
    pub(super) mode: Mode,
}

impl Work<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.blocks.len() + usize::from(self.extra.is_some())
    }
}

#[simd_core::dispatch(targets = "avx512vl | avx2")]
mod tree {
    use core::mem;

    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    use crate::lanes::U32x4;

    use super::{Aligned, Loose4, Matrix, Quad, Work, keystream, put};

    /// Applies the keystream of `matrix`.
    #[inline(never)]
    pub(in crate::chacha20) fn apply(matrix: &Matrix, work: &mut Work<'_>) {
        if work.len() > 1 {
            many(matrix, work);
        }
        if let Some(block) = work.blocks.first_mut().or(work.extra.as_deref_mut()) {
            // In the baseline, a type whose operators are dispatched would decide at each of them.
            #[cfg(target_feature = "avx2")]
            type Row = U32x4;
            #[cfg(not(target_feature = "avx2"))]
            type Row = Loose4;
            put(block, keystream::<Row>(matrix, work.counter), work.mode);
        }
    }

    /// As many blocks at a time as there are lanes, what then is left in fewer lanes, and leaves one block or none.
    #[inline(never)]
    fn many(matrix: &Matrix, work: &mut Work<'_>) {
        #[cfg(target_feature = "avx512f")]
        lanes::<16>(matrix, work, 9);
        #[cfg(target_feature = "avx2")]
        lanes::<8>(matrix, work, if cfg!(target_feature = "avx512f") { 2 } else { 5 });
        #[cfg(not(target_feature = "avx512f"))]
        lanes::<4>(matrix, work, 2);
    }

    /// `N` blocks at a time, as long as there are at least `enough` to make that worth while.
    fn lanes<const N: usize>(matrix: &Matrix, work: &mut Work<'_>, enough: usize) {
        #[cfg(target_feature = "avx2")]
        type Row = U32x4;
        #[cfg(not(target_feature = "avx2"))]
        type Row = Loose4;
        if work.len() < enough {
            return;
        }
        let mut rows = Aligned([[[0; 4]; N]; 4]);
        let Aligned([a, b, c, d]) = &mut rows;
        while work.len() >= enough {
            for lane in 0..N {
                let rows = keystream::<Loose4>(matrix, work.counter.wrapping_add(lane as u32));
                a[lane] = rows[0].words();
                b[lane] = rows[1].words();
                c[lane] = rows[2].words();
                d[lane] = rows[3].words();
            }
            let count = work.blocks.len().min(N);
            let (now, later) = mem::take(&mut work.blocks).split_at_mut(count);
            for (lane, block) in now.iter_mut().enumerate() {
                let rows = [Row::new(a[lane]), Row::new(b[lane]), Row::new(c[lane]), Row::new(d[lane])];
                put(block, rows, work.mode);
            }
            if count < N
                && let Some(block) = work.extra.take()
            {
                let rows = [Row::new(a[count]), Row::new(b[count]), Row::new(c[count]), Row::new(d[count])];
                put(block, rows, work.mode);
            }
            work.blocks = later;
            work.counter = work.counter.wrapping_add(N as u32);
        }
    }
}

/// Begins at a cache line, or every store of 64 bytes would touch two.
#[repr(align(64))]
struct Aligned<T>(T);

/// Applies the words of `rows`, little-endian, to `block`.
#[inline(always)]
fn put<Q: Quad>(block: &mut [u8; 64], rows: [Q; 4], mode: Mode) {
    let bytes: &mut [[[u8; 4]; 4]; 4] = zerocopy::transmute_mut!(block);
    for (bytes, row) in bytes.iter_mut().zip(rows) {
        let row = match mode {
            Mode::Xor => Q::new(bytes.map(u32::from_le_bytes)) ^ row,
            Mode::Overwrite => row,
        };
        *bytes = row.words().map(u32::to_le_bytes);
    }
}

/// The rows of block number `counter` of the keystream (RFC 8439, section 2.3).
#[inline(always)]
fn keystream<Q: Quad>(matrix: &Matrix, counter: u32) -> [Q; 4] {
    let number = Q::new([counter, 0, 0, 0]);
    let start = [Q::new(matrix[0]), Q::new(matrix[1]), Q::new(matrix[2]), Q::new(matrix[3]) + number];
    // Ten times in the source: a loop here would be the one that LLVM vectorises, and not the loop over the blocks.
    let end = five_double_rounds(five_double_rounds(start));
    [start[0] + end[0], start[1] + end[1], start[2] + end[2], start[3] + end[3]]
}

#[inline(always)]
fn five_double_rounds<Q: Quad>(rows: [Q; 4]) -> [Q; 4] {
    double_round(double_round(double_round(double_round(double_round(rows)))))
}

/// A round on the columns and one on the diagonals.
///
/// For the second, the rows are shifted until the diagonals are columns. The row that each round finishes last stays
/// where it is and the others move against it, so that no shift is in the chain of dependent instructions.
#[inline(always)]
fn double_round<Q: Quad>(rows: [Q; 4]) -> [Q; 4] {
    let [a, b, c, d] = quarter_rounds(rows);
    let [a, b, c, d] = quarter_rounds([a.shift::<3>(), b, c.shift::<1>(), d.shift::<2>()]);
    [a.shift::<1>(), b, c.shift::<3>(), d.shift::<2>()]
}

/// The quarter round (RFC 8439, section 2.1) on each column.
#[inline(always)]
fn quarter_rounds<Q: Quad>([a, b, c, d]: [Q; 4]) -> [Q; 4] {
    let a = a + b;
    let d = d.xor_turn::<16, 16>(a);
    let c = c + d;
    let b = b.xor_turn::<12, 20>(c);
    let a = a + b;
    let d = d.xor_turn::<8, 24>(a);
    let c = c + d;
    let b = b.xor_turn::<7, 25>(c);
    [a, b, c, d]
}
