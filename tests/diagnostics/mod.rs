//! Messages of the macro, and the lints of rustc and clippy.

mod corpus;
mod editions;
mod examples;
mod layers;
mod lints;
mod messages;
mod methods_of_traits;
mod pages;
