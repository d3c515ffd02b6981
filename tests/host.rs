//! Tests that run a compiler: one program, whose parts run side by side. It is empty where the tests themselves are emulated, without
//! a compiler.
#![cfg(not(emulated))]

mod codegen;
mod diagnostics;
mod platforms;
mod startup;
