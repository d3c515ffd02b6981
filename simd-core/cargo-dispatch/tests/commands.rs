//! The subcommands on packages and programs that the tests build. One program, so that they run side by side.
#![allow(missing_docs, reason = "a program of tests")]

mod audit;
mod formats;
mod programs;
mod written;
