//! Messages of the macro, and the lints of rustc and clippy.

mod cap_lints;
mod corpus;
mod editions;
mod examples;
mod layers;
mod lints;
