//! One attribute clones a whole call tree for several sets of CPU features, and picks the clone at run time.
#![no_std]
#[cfg(feature = "std")]
extern crate std;

mod detect;
mod mask;

pub use simd_core_macros::dispatch;
