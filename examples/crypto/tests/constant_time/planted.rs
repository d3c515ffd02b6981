//! What must be found: the two leaks that the kernels must not have.
use core::hint::black_box;

use crate::kernels::Kernel;

pub(crate) const PLANTED: &[Kernel] = &[
    ("a branch on a secret", 1, |secret| vec![if secret[0] & 1 == 0 { even() } else { odd() }]),
    ("a look-up at a secret index", 1, |secret| vec![black_box(&TABLE)[usize::from(secret[0])]]),
    ("a branch on one bit of a vector", 64, |secret| {
        let sums: Vec<u32> =
            secret.chunks_exact(4).map(|word| word.iter().map(|byte| u32::from(*byte)).sum()).collect();
        vec![if sums.iter().sum::<u32>() & 16 == 0 { even() } else { odd() }]
    }),
];

static TABLE: [u8; 256] = [0x63; 256];

// Two functions that are never inlined, so that the choice between them is no conditional move.
#[inline(never)]
fn even() -> u8 {
    black_box(2)
}

#[inline(never)]
fn odd() -> u8 {
    black_box(3)
}
