//! Keystream blocks: one at a time with little latency, or many at a time in as many lanes as the CPU has.
//!
//! The ten double rounds are written once, over [`Row`]. For one block, a row of the matrix is one register. For a few,
//! a register holds the same row of as many blocks as fit, and two of these are worked on in step. For many blocks, the
//! same source is the body of a loop over the blocks that has no loop of its own, so LLVM makes each of the sixteen words
//! a register with a lane for every block: 8 lanes of AVX2, 4 of SSE2 or NEON. Rotations become byte shuffles or shifts, and
//! the stores of four words side by side become the transposition. For AVX-512, the sixteen registers and both halves of
//! their transposition are written as such, and of long messages two times sixteen blocks are worked on in step.
#![allow(clippy::inline_always, reason = "the body of one loop, which is vectorised only without calls")]
use crate::keystream::Mode;
use crate::lanes::{Loose4, Row};

pub(super) use blocks::{apply, derive};

/// The rows of a block before the rounds (RFC 8439, section 2.3), with a block counter of zero.
pub(super) type Matrix = [[u32; 4]; 4];

/// The keystream is applied to `blocks`, then `extra`, from block number `counter` on. Numbers are modulo 2^32.
pub(super) struct Work<'a> {
    pub(super) counter: u32,
    pub(super) blocks: &'a mut [[u8; 64]],
    pub(super) extra: Option<&'a mut [u8; 64]>,
    pub(super) mode: Mode,
}

impl Work<'_> {
    #[inline]
    fn len(&self) -> usize {
        self.blocks.len() + usize::from(self.extra.is_some())
    }
}

#[simd_core::dispatch(targets = crate::targets::chacha20)]
mod blocks {
    use core::mem;

    use super::{Loose4, Matrix, Row, Rows, Work, keystream, rounds};
    use crate::keystream::Mode;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    use crate::lanes::{Across16, Two, U32x4, U32x8, U32x16};
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    use zerocopy::transmute;
    use zerocopy::transmute_mut;

    /// The row of one block. In the baseline, a type whose operators are dispatched would decide at each of them.
    #[cfg(target_feature = "avx2")]
    type OneRow = U32x4;
    #[cfg(not(target_feature = "avx2"))]
    type OneRow = Loose4;

    /// Applies the keystream of `matrix`, and leaves no work.
    #[inline(never)]
    pub(in crate::chacha20) fn apply(matrix: &Matrix, work: &mut Work<'_>) {
        if work.len() > 1 {
            many(matrix, work);
        }
        if let Some(block) = work.blocks.first_mut().or(work.extra.as_deref_mut()) {
            put(block, &Rows::<1>::new(keystream::<OneRow>(matrix, work.counter)), 0, work.mode);
        }
    }

    /// The first and the last row of `matrix` after all rounds (draft-irtf-cfrg-xchacha-03, section 2.2).
    pub(in crate::chacha20) fn derive(matrix: &Matrix) -> [[u32; 4]; 2] {
        let [a, b, c, d] = *matrix;
        let [first, _, _, last] = rounds([OneRow::splat(a), OneRow::splat(b), OneRow::splat(c), OneRow::splat(d)]);
        let mut rows = [[0; 4]; 2];
        first.store(&mut rows[..1]);
        last.store(&mut rows[1..]);
        rows
    }

    /// The most blocks at a time that the work fills by more than half, until one block or none is left. Of 32 blocks, it has
    /// to fill more than 24: they take as long as 16 and 16, or less.
    ///
    /// Only the form for the most blocks has a loop, and what it leaves is done in two steps at most. In a loop over all forms,
    /// the rows of the matrix would be spread over vectors before it, and kept on the stack over the calls.
    #[inline(never)]
    fn many(matrix: &Matrix, work: &mut Work<'_>) {
        #[cfg(target_feature = "avx512f")]
        {
            // All registers. Where an addition takes two cycles, as on AMD's Zen 5, those of 16 blocks would wait for each other.
            while work.len() > 24 {
                spread(work, &Rows::<32>::new(keystream::<Two<Across16>>(matrix, work.counter)));
            }
            if work.len() > 8 {
                spread(work, &Rows::<16>::new(keystream::<Across16>(matrix, work.counter)));
            }
            if work.len() > 4 {
                spread(work, &Rows::<8>::new(keystream::<Two<U32x16>>(matrix, work.counter)));
            } else if work.len() > 1 {
                spread(work, &Rows::<4>::new(keystream::<U32x16>(matrix, work.counter)));
            }
        }
        #[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
        {
            if work.len() > 4 {
                lanes::<8>(matrix, work, 5);
            }
            if work.len() > 1 {
                spread(work, &Rows::<4>::new(keystream::<Two<U32x8>>(matrix, work.counter)));
            }
        }
        #[cfg(not(target_feature = "avx2"))]
        if work.len() > 1 {
            lanes::<4>(matrix, work, 2);
        }
    }

    /// `N` blocks at a time, a lane for each, as long as there are at least `enough`.
    #[inline(never)]
    fn lanes<const N: usize>(matrix: &Matrix, work: &mut Work<'_>, enough: usize) {
        let mut keystreams = Rows([[[0; 4]; N]; 4]);
        while work.len() >= enough {
            let Rows([a, b, c, d]) = &mut keystreams;
            for lane in 0..N {
                let rows = keystream::<Loose4>(matrix, work.counter.wrapping_add(lane as u32));
                rows[0].store(&mut a[lane..=lane]);
                rows[1].store(&mut b[lane..=lane]);
                rows[2].store(&mut c[lane..=lane]);
                rows[3].store(&mut d[lane..=lane]);
            }
            spread(work, &keystreams);
        }
    }

    /// Puts the keystreams of `N` blocks, or as many as there are, where they belong.
    fn spread<const N: usize>(work: &mut Work<'_>, keystreams: &Rows<N>) {
        let count = work.blocks.len().min(N);
        let (now, later) = mem::take(&mut work.blocks).split_at_mut(count);
        #[cfg(target_feature = "avx512f")]
        let (done, now) = {
            let (fours, rest) = now.as_chunks_mut::<4>();
            let [a, b, c, d] = &keystreams.0;
            for (number, blocks) in fours.iter_mut().enumerate() {
                let four = |row: &[[u32; 4]; N]| U32x16::new(row.as_chunks::<4>().0[number]);
                let keystreams = U32x16::transpose_blocks([four(a), four(b), four(c), four(d)]);
                for (block, keystream) in blocks.iter_mut().zip(keystreams) {
                    let words = U32x16::new(transmute!(*block));
                    *block = transmute!(if work.mode == Mode::Xor { words.xor(keystream) } else { keystream }.words());
                }
            }
            (4 * fours.len(), rest)
        };
        #[cfg(not(target_feature = "avx512f"))]
        let done = 0;
        for (number, block) in now.iter_mut().enumerate() {
            put(block, keystreams, done + number, work.mode);
        }
        if count < N
            && let Some(block) = work.extra.take()
        {
            put(block, keystreams, count, work.mode);
        }
        work.blocks = later;
        work.counter = work.counter.wrapping_add(N as u32);
    }

    impl<const N: usize> Rows<N> {
        #[inline]
        fn new<R: Row>(rows: [R; 4]) -> Self {
            let mut words = [[[0; 4]; N]; 4];
            rows[0].store(&mut words[0]);
            rows[1].store(&mut words[1]);
            rows[2].store(&mut words[2]);
            rows[3].store(&mut words[3]);
            Self(words)
        }
    }

    /// Applies the keystream of block `number` of `keystreams`, little-endian, to `block`.
    #[inline]
    fn put<const N: usize>(block: &mut [u8; 64], keystreams: &Rows<N>, number: usize, mode: Mode) {
        let bytes: &mut [[[u8; 4]; 4]; 4] = transmute_mut!(block);
        for (bytes, keystreams) in bytes.iter_mut().zip(&keystreams.0) {
            let mut words = [keystreams[number]];
            if mode == Mode::Xor {
                OneRow::splat(bytes.map(u32::from_le_bytes)).xor(OneRow::splat(words[0])).store(&mut words);
            }
            *bytes = words[0].map(u32::to_le_bytes);
        }
    }
}

/// The keystreams of `N` blocks, by row of the matrix and then by block: four words side by side, so that a vector store
/// can interleave them. Begins at a cache line, or every store of 64 bytes would touch two.
#[repr(align(64))]
struct Rows<const N: usize>([[[u32; 4]; N]; 4]);

/// The rows of block number `counter` of the keystream, and of those after it (RFC 8439, section 2.3).
#[inline(always)]
fn keystream<R: Row>(matrix: &Matrix, counter: u32) -> [R; 4] {
    let [a, b, c, d] = [R::splat(matrix[0]), R::splat(matrix[1]), R::splat(matrix[2]), R::splat(matrix[3])];
    let start = [a, b, c, d.add(R::numbers(counter))];
    let end = rounds(start);
    [start[0].add(end[0]), start[1].add(end[1]), start[2].add(end[2]), start[3].add(end[3])]
}

#[inline(always)]
fn rounds<R: Row>(rows: [R; 4]) -> [R; 4] {
    if R::LOOSE {
        // Ten times in the source: a loop here would be the one that LLVM vectorises, and not the loop over the blocks.
        let rows = double_round(double_round(double_round(double_round(double_round(rows)))));
        double_round(double_round(double_round(double_round(double_round(rows)))))
    } else {
        let mut rows = rows;
        for _ in 0..10 {
            rows = double_round(rows);
        }
        rows
    }
}

/// A round on the columns and one on the diagonals.
///
/// For the second, the rows are shifted until the diagonals are columns. The row that each round finishes last stays
/// where it is and the others move against it, so that no shift is in the chain of dependent instructions.
#[inline(always)]
fn double_round<R: Row>(rows: [R; 4]) -> [R; 4] {
    let [a, b, c, d] = quarter_rounds(rows);
    let [a, b, c, d] = quarter_rounds([a.shift::<3>(), b, c.shift::<1>(), d.shift::<2>()]);
    [a.shift::<1>(), b, c.shift::<3>(), d.shift::<2>()]
}

/// The quarter round (RFC 8439, section 2.1) on each column.
#[inline(always)]
fn quarter_rounds<R: Row>([a, b, c, d]: [R; 4]) -> [R; 4] {
    let (a, d) = a.add_xor_turn::<16, 16>(b, d);
    let (c, b) = c.add_xor_turn::<12, 20>(d, b);
    let (a, d) = a.add_xor_turn::<8, 24>(b, d);
    let (c, b) = c.add_xor_turn::<7, 25>(d, b);
    [a, b, c, d]
}
