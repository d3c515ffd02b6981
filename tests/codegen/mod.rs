//! Machine code: calls within a tree are direct, tests fold, and callers get the same results at every level.

mod builds;
mod folding;
mod items;
mod levels;
mod modules;
mod names;
pub(crate) mod outcome;
mod promises;
mod trees;
mod two_builds;
mod vector_types;
mod without;
