//! The tests themselves.
mod aes;
mod haraka;
mod reference;
