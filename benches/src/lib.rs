//! The cases: simd-core and its kernels, and what a user would take instead.
//!
//! [`cases`] lists it all. The criterion benches and the report time the same cases.
#![allow(clippy::type_complexity, reason = "tables of tuples with their types next to them")]

pub mod case;
mod cases;
pub mod machine;
pub mod ordinary;
#[path = "../../simd-core/cargo-dispatch/src/timing.rs"]
pub mod timing;

pub use cases::{CHACHA20, FROM_PLAIN_CODE, OPENSSL, OURS, PEER, PLAIN, cases};
