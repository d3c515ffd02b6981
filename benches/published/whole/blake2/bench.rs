//! `blake2`: short and long messages.

use super::subject::{Blake2b512, Blake2s256, Digest as _};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let b = |name: &str, len: usize| Row::new(name, len, bytes(len), |bytes| Blake2b512::digest(bytes));
    let s = |name: &str, len: usize| Row::new(name, len, bytes(len), |bytes| Blake2s256::digest(bytes));
    vec![
        b("Blake2b512, 64 bytes", 64),
        b("Blake2b512, 16 KiB", 16 * 1024),
        s("Blake2s256, 64 bytes", 64),
        s("Blake2s256, 16 KiB", 16 * 1024),
    ]
}
