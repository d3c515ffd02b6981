//! `crc32fast`: checksums.

use super::subject::{Hasher, hash};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (size, len) in [("8 bytes", 8), ("64 bytes", 64), ("1 KiB", 1024), ("64 KiB", 64 * 1024)] {
        rows.push(Row::new(&format!("hash, {size}"), len, bytes(len), |bytes| hash(bytes)));
    }
    rows.push(Row::new("update, 64 pieces of 16 bytes", 1024, bytes(1024), |bytes| {
        let mut hasher = Hasher::new();
        bytes.chunks(16).for_each(|piece| hasher.update(piece));
        hasher.finalize()
    }));
    rows
}
