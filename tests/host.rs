//! Tests that run a compiler: one program, whose parts run side by side.

mod codegen;
mod diagnostics;
mod platforms;
mod startup;
