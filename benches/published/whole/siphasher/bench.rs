//! `siphasher`: keys of maps and longer messages.

use core::hash::{Hash as _, Hasher as _};

use super::subject::{sip, sip128};
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let row = |name: &str, len: usize, hash: fn(&[u8]) -> u64| Row::new(name, len, bytes(len), move |bytes| hash(bytes));
    let sip13: fn(&[u8]) -> u64 = |bytes| sip::SipHasher13::new_with_keys(1, 2).hash(bytes);
    let sip24: fn(&[u8]) -> u64 = |bytes| sip128::SipHasher24::new_with_keys(1, 2).hash(bytes).h1;
    vec![
        row("SipHash-1-3, 8 bytes", 8, sip13),
        row("SipHash-1-3, 64 bytes", 64, sip13),
        row("SipHash-1-3, 4 KiB", 4096, sip13),
        row("SipHash-2-4-128, 8 bytes", 8, sip24),
        row("SipHash-2-4-128, 4 KiB", 4096, sip24),
        row("Hasher, a slice of 8 numbers", 32, |bytes| {
            let mut hasher = sip::SipHasher13::new_with_keys(1, 2);
            bytes.iter().map(|&byte| u32::from(byte)).for_each(|number| number.hash(&mut hasher));
            hasher.finish()
        }),
    ]
}
