//! `data-encoding`: the bases with most users.

use super::subject::{BASE32, BASE64, BASE64_MIME, Encoding, HEXLOWER};
use crate::harness::{Row, bytes, placed, zeros};

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, encoding) in [("BASE64", BASE64), ("BASE32", BASE32), ("HEXLOWER", HEXLOWER)] {
        rows.extend(both(name, "64 KiB", 64 * 1024, encoding));
    }
    rows.extend(both("BASE64_MIME", "64 KiB", 64 * 1024, BASE64_MIME));
    rows.extend(both("BASE64", "32 bytes", 32, BASE64));
    rows
}

fn both(name: &str, size: &str, len: usize, encoding: Encoding) -> [Row; 2] {
    let text = &*placed(encoding.encode(bytes(len)).as_bytes());
    let (one, other) = (encoding.clone(), encoding);
    let room = other.decode_len(text.len()).unwrap();
    [
        Row::new(&format!("{name} encode_mut, {size}"), len, (bytes(len), zeros(text.len())), move |(bytes, text)| {
            one.encode_mut(bytes, text)
        }),
        Row::new(&format!("{name} decode_mut, {size}"), text.len(), (text, zeros(room)), move |(text, bytes)| {
            other.decode_mut(text, bytes)
        }),
    ]
}
