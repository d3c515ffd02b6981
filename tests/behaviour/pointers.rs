//! What to compare instead of the addresses of dispatched functions, which may differ from place to place.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use simd_core::{dispatch, select};

type Step = fn(u32) -> u32;

mod steps {
    #[super::dispatch(targets = "avx2,aes | aes")]
    pub(super) fn one(x: u32) -> u32 {
        x + 1
    }

    #[super::dispatch(targets = "avx2,aes | aes")]
    #[inline(never)]
    pub(super) fn two(x: u32) -> u32 {
        x + 2
    }
}

/// A static has one address for each pointer in it; a constant may have one for each mention.
static STEPS: [Step; 2] = [steps::one, steps::two];

static SELECTED: LazyLock<[Step; 2]> = LazyLock::new(|| {
    [
        select!("avx2,aes | aes", |x: u32| -> u32 { steps::one(x) }),
        select!("avx2,aes | aes", |x: u32| -> u32 { steps::two(x) }),
    ]
});

/// Another codegen unit, most of the time.
mod elsewhere {
    use super::{SELECTED, STEPS, Step};

    #[inline(never)]
    pub(super) fn position(step: Step) -> Option<usize> {
        STEPS.iter().position(|stored| core::ptr::fn_addr_eq(*stored, step))
    }

    #[inline(never)]
    pub(super) fn position_of_selected(step: Step) -> Option<usize> {
        SELECTED.iter().position(|stored| core::ptr::fn_addr_eq(*stored, step))
    }
}

#[test]
fn pointers_that_were_stored_once() {
    for (index, step) in STEPS.iter().enumerate() {
        assert_eq!((elsewhere::position(*step), step(3)), (Some(index), 4 + index as u32));
    }
    for (index, step) in SELECTED.iter().enumerate() {
        assert_eq!((elsewhere::position_of_selected(*step), step(3)), (Some(index), 4 + index as u32));
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Which {
    One,
    Two,
}

impl Which {
    fn step(self) -> Step {
        match self {
            Which::One => steps::one,
            Which::Two => steps::two,
        }
    }
}

#[test]
fn a_name_for_each() {
    let all = [Which::One, Which::Two];
    assert_eq!(all.map(|which| which.step()(3)), [4, 5]);
    assert_ne!(all[0], all[1]);
}
