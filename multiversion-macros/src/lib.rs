//! The expansions of the macros of [`simd-core`](https://docs.rs/simd-core). For `simd-core-macros` only: any version may change it.
//!
//! The modules stand in groups, of which each uses earlier ones only, as a test of the layers holds.
#![allow(clippy::must_use_candidate, reason = "the macros return each result")]
#![cfg_attr(not(feature = "written"), allow(dead_code, unreachable_pub, reason = "parts of `written`"))]

extern crate proc_macro;

mod expansion;
mod tokens;
mod walk;

mod compiler;
mod depth;

mod error;

mod features;

mod groups;
mod lints;
mod targets;

mod cfg;

mod attrs;

mod match_target;
mod sig;

mod args;

mod item;

mod leaf;

mod inline;

mod check;

mod resolve;

mod plan;

mod transform;

mod emit;

mod each_target;
mod expand;

mod lists;

#[cfg(feature = "written")]
pub mod written;

pub use each_target::expand as each_target;
pub use expand::detected;
pub use features::export::table;
pub use item::definitions::Unclonable;
pub use lists::{answer_dispatch, declare, dispatch, targets as targets_value};
pub use match_target::expand as match_target;
