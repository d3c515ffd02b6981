//! `encoding_rs`: checks and conversions.

use super::subject::{WINDOWS_1252, mem};
use crate::harness::{Row, bytes, placed, zeros};

pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (size, len) in [("64 KiB", 64 * 1024), ("1 KiB", 1024), ("64 bytes", 64)] {
        let ascii = bytes(len);
        ascii.iter_mut().for_each(|byte| *byte = b' ' + *byte % 90);
        let latin = zeros(len);
        latin.copy_from_slice(ascii);
        latin.iter_mut().step_by(9).for_each(|byte| *byte = 0xE9);
        let (ascii, latin) = (&*ascii, &*latin);
        let wide: Vec<u16> = latin.iter().map(|&byte| u16::from(byte)).collect();
        let basic: Vec<u16> = ascii.iter().map(|&byte| u16::from(byte)).collect();
        let text: String = latin.iter().map(|&byte| char::from(byte)).collect();
        let (text, wide) = (std::str::from_utf8(placed(text.as_bytes())).expect("the copy of a string"), &*placed(&wide));
        let units = |len| placed(&vec![0_u16; len]);
        rows.extend([
            Row::new(&format!("is_ascii, {size}"), len, ascii, |text| mem::is_ascii(text)),
            Row::new(&format!("is_basic_latin, {size}"), 2 * len, placed(&basic), |text| mem::is_basic_latin(text)),
            Row::new(&format!("is_utf16_latin1, {size}"), 2 * len, wide, |text| mem::is_utf16_latin1(text)),
            Row::new(&format!("Latin 1 to UTF-16, {size}"), len, (latin, units(len)), |(from, to)| {
                mem::convert_latin1_to_utf16(from, to);
            }),
            Row::new(&format!("UTF-16 to Latin 1, {size}"), 2 * len, (wide, zeros(len)), |(from, to)| {
                mem::convert_utf16_to_latin1_lossy(from, to);
            }),
            Row::new(&format!("UTF-8 to UTF-16, ASCII, {size}"), len, (ascii, units(len + 1)), |(from, to)| {
                mem::convert_utf8_to_utf16(from, to)
            }),
            Row::new(&format!("UTF-8 to UTF-16, Latin 1, {size}"), len, (text, units(2 * len)), |(from, to)| {
                mem::convert_utf8_to_utf16(from.as_bytes(), to)
            }),
            Row::new(&format!("UTF-16 to UTF-8, {size}"), 2 * len, (wide, zeros(3 * len)), |(from, to)| {
                mem::convert_utf16_to_utf8(from, to)
            }),
            Row::new(&format!("windows-1252 to UTF-8, {size}"), len, (latin, zeros(3 * len)), |(from, to)| {
                let mut decoder = WINDOWS_1252.new_decoder_without_bom_handling();
                decoder.decode_to_utf8_without_replacement(from, to, true).1
            }),
        ]);
    }
    rows
}
