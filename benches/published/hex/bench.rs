//! `hex`: encoding and decoding.

use super::subject::{ToHex as _, decode, decode_to_slice, encode, encode_to_slice};
use crate::harness::{Row, bytes, placed, zeros};

pub fn rows() -> Vec<Row> {
    const LEN: usize = 64 * 1024;
    let text = encode(&*bytes(LEN));
    let text = &*placed(text.as_bytes());
    vec![
        Row::new("encode_to_slice, 64 KiB", LEN, (bytes(LEN), zeros(2 * LEN)), |(bytes, hex)| {
            encode_to_slice(bytes, hex)
        }),
        Row::new("encode, 64 KiB", LEN, bytes(LEN), |bytes| encode(bytes)),
        Row::new("encode_hex::<String>, 64 KiB", LEN, bytes(LEN), |bytes| bytes.encode_hex::<String>()),
        Row::new("encode_to_slice, 32 bytes", 32, (bytes(32), zeros(64)), |(bytes, hex)| encode_to_slice(bytes, hex)),
        Row::new("decode_to_slice, 64 KiB", 2 * LEN, (text, zeros(LEN)), |(hex, bytes)| {
            decode_to_slice(*hex, bytes)
        }),
        Row::new("decode, 64 KiB", 2 * LEN, text, |hex| decode(*hex)),
        Row::new("decode_to_slice, 32 bytes", 64, (&text[..64], zeros(32)), |(hex, bytes)| {
            decode_to_slice(*hex, bytes)
        }),
    ]
}
