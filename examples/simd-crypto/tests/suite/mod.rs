//! The tests themselves. Those in modules called `once` do not depend on the clones.
mod aes;
mod gf;
mod haraka;
mod memory;
mod pmul;
mod polynomial;
mod reference;
mod shamir;
