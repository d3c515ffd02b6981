//! Dispatched code does what the same code does without the attribute, in the clone that the CPU's features ask for.

mod cfg;
mod constants;
mod differing;
mod drops;
mod expected_path;
mod field;
mod functions;
mod groups;
mod hygiene;
mod impls;
mod inside;
mod kit;
mod macros;
mod match_target;
mod methods;
mod migration;
mod modules;
mod pointers;
mod properties;
mod same;
mod target_lists;
mod traits;
