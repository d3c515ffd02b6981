//! The tests of behaviour that depend on the edition, compiled in edition 2021 by `fixtures/edition-2021`.

mod cfg;
mod differing;
mod drops;
mod functions;
mod methods;
mod modules;
mod single_methods;
mod traits;
