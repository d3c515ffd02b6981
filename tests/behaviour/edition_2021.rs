//! The tests of behaviour that depend on the edition, compiled in edition 2021 by `fixtures/edition-2021`.

mod cfg;
mod differing;
mod drops;
mod functions;
mod impls;
mod methods;
mod modules;
mod traits;
