//! `sha2`: the hash functions.

use super::subject::{Digest as _, Sha256, Sha512};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (size, len) in [("64 bytes", 64), ("1 KiB", 1024), ("64 KiB", 64 * 1024)] {
        rows.extend([
            Row::new(&format!("SHA-256, {size}"), len, bytes(len), |message| Sha256::digest(message)),
            Row::new(&format!("SHA-512, {size}"), len, bytes(len), |message| Sha512::digest(message)),
        ]);
    }
    rows
}
