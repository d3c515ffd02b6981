//! `base64`: encoding and decoding, with and without an allocation.

use super::subject::Engine as _;
use super::subject::engine::general_purpose::STANDARD;
use crate::harness::{Row, bytes, placed, zeros};

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, len) in [("24 bytes", 24), ("1 KiB", 1024), ("64 KiB", 64 * 1024)] {
        let text = STANDARD.encode(&*bytes(len));
        let text = &*placed(text.as_bytes());
        let (input, out) = (&*bytes(len), zeros(2 * len));
        rows.push(Row::new(&format!("encode_slice, {name}"), len, (input, out), |(bytes, out)| {
            STANDARD.encode_slice(bytes, out)
        }));
        rows.push(Row::new(&format!("decode_slice, {name}"), len, (text, zeros(2 * len)), |(text, out)| {
            STANDARD.decode_slice(text, out)
        }));
    }
    rows.push(Row::new("encode, 24 bytes", 24, bytes(24), |bytes| STANDARD.encode(bytes)));
    rows
}
