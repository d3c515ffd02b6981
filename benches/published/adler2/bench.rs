//! `adler2`: checksums of long and short slices.

use super::subject::adler32_slice;
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let row = |name: &str, len: usize| Row::new(name, len, bytes(len), |bytes| adler32_slice(bytes));
    vec![
        row("adler32_slice, 64 KiB", 64 * 1024),
        row("adler32_slice, 1 KiB", 1024),
        row("adler32_slice, 64 bytes", 64),
        row("adler32_slice, 8 bytes", 8),
    ]
}
