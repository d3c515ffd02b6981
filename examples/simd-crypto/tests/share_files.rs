//! Share files: their bytes, and that everything that happens to them is noticed.
#[path = "../fuzz/entry.rs"]
mod entry;

use hex_literal::hex;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use simd_crypto::shamir::{SeededRng, Set};
use simd_crypto::share_files::{
    Header, LineProblem, Mistake, Reader, ShareError, TextReader, TextWriter, Writer, scan,
};
use std::collections::BTreeSet;
use std::io::Write;

const RECORD: usize = 1 << 16;
/// The length of a record with its length and its digest.
const FULL_RECORD: usize = 4 + RECORD + 32;

fn header() -> Header {
    Header { set: Set { id: core::array::from_fn(|i| i as u8), threshold: 2 }, x: 3 }
}

fn written(values: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    writer.write_all(values).unwrap();
    writer.finish().unwrap()
}

fn counting(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256) as u8).collect()
}

/// Puts right the digests that are at these places.
fn with_digests(mut file: Vec<u8>, places: &[usize]) -> Vec<u8> {
    for place in places {
        let digest = Sha256::digest(&file[..*place]);
        file[*place..place + 32].copy_from_slice(&digest);
    }
    file
}

/// Computed with Python's `hashlib` from the description of the format.
#[test]
fn bytes_of_the_format() {
    let file = hex!(
        "89535353 0d0a1a0a 0100 1b01 02 03 0000 000102030405060708090a0b0c0d0e0f"
        "8774c76785f3b14f6132d42a504bc6f297ccfdcf15a825efba2dc2a2ecb8a7e9"
        "03000000 616263"
        "57881b246895cf4ee653c672cc7619870442b353c03b68f40464a3dcf37f5f0e"
        "00000000 0300000000000000"
        "b7c5aa9564a827b74f6bf99c8777751d5916bd3b01385cbb975968e374a7c4c7"
    );
    assert_eq!(written(b"abc"), file);
    assert_eq!(entry::binary(&file).unwrap(), b"abc");
}

#[test]
fn every_length_comes_back() {
    for length in [0, 1, 31, RECORD - 1, RECORD, RECORD + 1, 2 * RECORD, 3 * RECORD + 5] {
        let values = counting(length);
        let file = written(&values);
        assert_eq!(entry::binary(&file).unwrap(), values);
        // In pieces that do not fit the records.
        let mut reader = Reader::new(&file[..]).unwrap();
        assert_eq!(reader.header(), &header());
        let (mut piece, mut read) = (vec![0; 10_007], Vec::new());
        loop {
            let count = reader.read(&mut piece).unwrap();
            read.extend_from_slice(&piece[..count]);
            if count < piece.len() {
                break;
            }
        }
        assert!(read == values, "{length} values");
        assert_eq!(reader.read(&mut piece).unwrap(), 0);
    }
}

#[test]
fn impossible_headers_are_not_written() {
    for (threshold, x) in [(0, 1), (256, 1), (1, 0)] {
        let header = Header { set: Set { id: [0; 16], threshold }, x };
        let error = Writer::new(Vec::new(), &header).err().unwrap();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert!(TextWriter::new(Vec::new(), &header).is_err());
    }
}

#[test]
fn every_bit_counts() {
    for values in [&b""[..], b"secret"] {
        let file = written(values);
        for bit in 0..8 * file.len() {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let error = entry::binary(&changed).expect_err("a bit has been changed");
            let expected = match bit / 8 {
                0..8 => matches!(error, ShareError::Unknown),
                8..64 => matches!(error, ShareError::Damaged { digest: 32 }),
                // A greater length looks like a cut.
                64..68 => matches!(error, ShareError::Damaged { .. } | ShareError::Truncated { .. }),
                _ => matches!(error, ShareError::Damaged { .. }),
            };
            assert!(expected, "bit {bit}: {error:?}");
        }
    }
}

#[test]
fn every_cut_is_noticed() {
    let file = written(b"secret");
    for length in 0..file.len() {
        let error = entry::binary(&file[..length]).expect_err("it has been cut");
        let expected = if length == 0 {
            matches!(error, ShareError::Unknown)
        } else {
            matches!(error, ShareError::Truncated { length: at } if at == length as u64)
        };
        assert!(expected, "{length}: {error:?}");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(matches!(entry::binary(&longer), Err(ShareError::Trailing { length }) if length == file.len() as u64));
    let twice = [&file[..], &file[..]].concat();
    assert!(matches!(entry::binary(&twice), Err(ShareError::Trailing { .. })));
}

#[test]
fn records_have_their_places() {
    let file = written(&counting(3 * RECORD));
    let record = |i: usize| &file[64 + i * FULL_RECORD..64 + (i + 1) * FULL_RECORD];
    let (start, end) = (&file[..64], &file[64 + 3 * FULL_RECORD..]);
    let damaged = |records: &[&[u8]]| {
        let changed = [&[start], records, &[end]].concat().concat();
        matches!(entry::binary(&changed), Err(ShareError::Damaged { .. }))
    };
    assert!(!damaged(&[record(0), record(1), record(2)]));
    assert!(damaged(&[record(1), record(0), record(2)]));
    assert!(damaged(&[record(0), record(2)]));
    assert!(damaged(&[record(0), record(1)]));
    assert!(damaged(&[record(0), record(0), record(1), record(2)]));
    assert!(damaged(&[]));
    // Records and the header of another share.
    let other = {
        let mut writer = Writer::new(Vec::new(), &Header { x: 4, ..header() }).unwrap();
        writer.write_all(&counting(3 * RECORD)).unwrap();
        writer.finish().unwrap()
    };
    assert!(damaged(&[record(0), &other[64 + FULL_RECORD..64 + 2 * FULL_RECORD], record(2)]));
    let changed = [&other[..64], &file[64..]].concat();
    assert!(matches!(entry::binary(&changed), Err(ShareError::Damaged { .. })));
}

/// Files that are wrong in spite of right digests.
#[test]
fn what_cannot_be_is_refused() {
    let file = written(b"secret");
    let places = [32, 74, 118];
    assert_eq!(with_digests(file.clone(), &places), file);
    let with = |place: usize, byte: u8| {
        let mut changed = file.clone();
        changed[place] = byte;
        entry::binary(&with_digests(changed, &places)).expect_err("it cannot be")
    };
    assert_eq!(with(8, 2).to_string(), "a share of format version 2, and only version 1 is known");
    assert!(matches!(with(10, 0x1d), ShareError::Field(0x11d)));
    assert!(matches!(with(12, 0), ShareError::Impossible(_)));
    assert!(matches!(with(13, 0), ShareError::Impossible(_)));
    assert!(matches!(with(14, 1), ShareError::Impossible(_)));
    assert!(matches!(with(15, 1), ShareError::Impossible(_)));
    assert!(matches!(with(110, 7), ShareError::Impossible(_)));
    // A short record before another one, as no writer makes.
    let mut two = file[..106].to_vec();
    two.extend_from_slice(&file[64..]);
    let two = with_digests(two, &[32, 74, 116, 160]);
    assert!(matches!(entry::binary(&two), Err(ShareError::Damaged { .. })));
}

#[test]
fn errors_of_the_reader_are_passed_on() {
    struct Fails;
    impl std::io::Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("on purpose"))
        }
    }
    assert!(matches!(Reader::new(Fails), Err(ShareError::Read(_))));
    let file = written(b"secret");
    let mut reader = Reader::new(std::io::Read::chain(&file[..70], Fails)).unwrap();
    assert!(matches!(reader.read(&mut [0; 9]), Err(ShareError::Read(_))));
    assert!(matches!(scan(std::io::BufReader::new(Fails)), Err(ShareError::Read(_))));
}

#[test]
fn text_is_read_as_people_paste_it() {
    let expected = vec![(1, vec![0xab, 0xcd]), (255, vec![0x12, 0x34])];
    for text in [
        "1|abcd\n255|1234\n",
        "1|abcd\n255|1234",
        "1|ABcd\r\n255|1234\r\n",
        "\u{feff}1|abcd\n255|1234\n",
        "\u{feff}1|abcd\n\u{feff}255|1234\n",
        "\u{feff}\u{feff}1|abcd\n \u{feff} 255|1234\n\u{feff}",
        "# field: 0x11b\n1|abcd\n#\tfield:0x011B \r\n#fiel d\n255|1234",
        "\n\n  1 | ab cd \n\t\n255|\t12 34   \n\n",
        "# two shares\n001|abcd\n   # and the other\n0255|1234\n",
    ] {
        assert_eq!(entry::text(text.as_bytes()).unwrap(), expected, "{text:?}");
    }
    assert_eq!(entry::text(b"7|\n").unwrap(), [(7, vec![])]);
    // Longer than the blocks in which digits are converted.
    for length in [4095, 4096, 4097, 20_000] {
        let values = counting(length);
        let digits: Vec<String> = values.iter().map(|byte| format!("{byte:02X}")).collect();
        for text in [format!("1|{}\n", digits.join(" ")), format!("1|{} \n", digits.join("")), digits.join("") + "x"] {
            match text.strip_suffix('x') {
                None => assert_eq!(entry::text(text.as_bytes()).unwrap(), [(1, values.clone())]),
                Some(digits) => {
                    let wrong = format!("1|{digits}x0");
                    let column = wrong.len() as u64 - 1;
                    let error = entry::text(wrong.as_bytes()).unwrap_err();
                    let expected = format!("the character at column {column} is `x`, which is no hexadecimal digit");
                    assert_eq!(error.to_string(), format!("line 1: {expected}"));
                }
            }
        }
    }
}

#[test]
fn text_that_is_no_share_is_refused() {
    let line = |text: &str| match entry::text(text.as_bytes()) {
        Err(ShareError::Line { line, problem }) => (line, problem),
        other => panic!("{text:?}: {other:?}"),
    };
    assert_eq!(line("1|ab\nabcd\n"), (2, LineProblem::NoBar));
    assert_eq!(line("1|ab\n12"), (2, LineProblem::NoBar));
    assert_eq!(line("1-abcd"), (1, LineProblem::NoBar));
    assert_eq!(line("1 2|abcd"), (1, LineProblem::NoBar));
    assert_eq!(line("0|ab"), (1, LineProblem::Point));
    assert_eq!(line("256|ab"), (1, LineProblem::Point));
    assert_eq!(line("99999999999999999999|ab"), (1, LineProblem::Point));
    assert_eq!(line("|ab"), (1, LineProblem::Point));
    assert_eq!(line("\n\n1|abc"), (3, LineProblem::OddDigits));
    assert_eq!(line("1|abxd"), (1, LineProblem::Digit(5, 'x')));
    assert_eq!(line("1|ab  c x"), (1, LineProblem::Digit(9, 'x')));
    assert_eq!(line("1|ab\u{a0}"), (1, LineProblem::Digit(5, '\u{a0}')));
    assert_eq!(line("1|ab\u{feff}2|cd"), (1, LineProblem::Digit(5, '\u{feff}')));
    let long = "0".repeat(1000);
    assert_eq!(line(&format!("1|{long} {long}x0")), (1, LineProblem::Digit(2004, 'x')));
    assert_eq!(line("1|ab|d"), (1, LineProblem::SecondBar(5)));
    assert_eq!(line("1|0xab"), (1, LineProblem::Digit(4, 'x')));
    for text in [&b""[..], b"\n \n", b"# nothing"] {
        assert!(matches!(entry::text(text), Err(ShareError::Empty)));
    }
    // Byte order marks that are cut, or in the wrong place.
    for text in
        [&b"\xef"[..], b"\xef1|ab", b"\xef\xbb", b"\xef\xbb\n1|ab", b"\xbb\xbf1|ab", b"\xef\xef\xef1|ab", b"1|ab\n\xef"]
    {
        assert!(matches!(entry::text(text), Err(ShareError::Unknown)), "{text:?}");
    }
    for text in [&b"\x00"[..], b"1|ab\xff\n", b"\x7fELF", b"1|a\x00", b"1|ab\xc2"] {
        assert!(matches!(entry::text(text), Err(ShareError::Unknown)), "{text:?}");
    }
    let many: Vec<String> = (0..256).map(|i| format!("{}|ab", i % 255 + 1)).collect();
    assert!(matches!(entry::text(many.join("\n").as_bytes()), Err(ShareError::TooMany)));
}

#[test]
fn comments_that_name_a_field_are_understood_or_refused() {
    let refused = |comment: &str| entry::text(format!("{comment}\n1|ab\n").as_bytes()).unwrap_err();
    for comment in ["# field: 0x11d", " \u{feff}#field:0x11D", "# field:\t0x000000000000011d"] {
        assert!(matches!(refused(comment), ShareError::Field(0x11d)), "{comment:?}");
    }
    for comment in [
        "# Field: 0x11b",
        "# field: 0X11b",
        "# field: 0x1011b",
        "# field 0x11b",
        "# field: 283",
        "# field: 0x",
        "# field: 0x+11b",
        "# field: 0x11b (of AES)",
        "# made by sharks, field: 0x11b",
        "# fields",
        "#FIELD",
        &format!("#{} field", "long ".repeat(100)),
    ] {
        let problem = LineProblem::Field;
        assert!(matches!(refused(comment), ShareError::Line { line: 1, problem: p } if p == problem), "{comment:?}");
    }
}

#[test]
fn text_that_changes_is_noticed() {
    let share = scan(&b"1|abcd"[..]).unwrap()[0];
    for now in [&b"ab"[..], b"", b"abxy"] {
        let read = TextReader::new(now, &share).read(&mut [0; 2]);
        assert!(matches!(read, Err(ShareError::Changed)));
    }
    let line = text_line(b"secret");
    let share = scan(&line[..]).unwrap()[0];
    let start = share.start as usize;
    let read = |line: &[u8]| TextReader::new(&line[start..], &share).read(&mut [0; 7]).ok();
    assert_eq!(read(&line), Some(6));
    let mut changed = line.clone();
    changed[start] ^= 1;
    assert_eq!(read(&changed), None);
}

fn text_line(values: &[u8]) -> Vec<u8> {
    let mut writer = TextWriter::new(Vec::new(), &header()).unwrap();
    writer.write_all(values).unwrap();
    writer.finish().unwrap()
}

/// Computed with Python's `hashlib` from the description of the format.
#[test]
fn bytes_of_the_text_format() {
    let line = "sss1|2|000102030405060708090a0b0c0d0e0f|3|616263|e11781ff06936e6c\n";
    let grouped = "sss1|2|0001 0203 0405 0607 0809 0a0b 0c0d 0e0f|3|6162 63|e117 81ff 0693 6e6c\n";
    assert_eq!(core::str::from_utf8(&text_line(b"abc")).unwrap(), grouped);
    let share = scan(line.as_bytes()).unwrap()[0];
    assert_eq!((share.set, share.x, share.length), (Some(header().set), 3, 3));
    for same in
        [line.to_uppercase(), line.replace('|', " | "), line.replace("6162", " 6 16\t2 ").replace('\n', " \r\n")]
    {
        assert_eq!(entry::text(same.as_bytes()).unwrap(), [(3, b"abc".to_vec())], "{same}");
    }
}

/// Another character, one that is missing or given twice, two that are swapped, a line that is cut.
#[test]
fn every_typing_error_is_noticed() {
    // White space is no error.
    let line: Vec<u8> = text_line(&[0xa5, 0, 0xff, 0x5a, 1]).into_iter().filter(|byte| *byte != b' ').collect();
    let noticed = |typed: &[u8]| match entry::text(typed) {
        Ok(shares) => panic!("{}: {shares:?}", String::from_utf8_lossy(typed)),
        Err(ShareError::Line { line: 1, .. } | ShareError::Unknown | ShareError::Empty) => {}
        Err(error) => panic!("{}: {error}", String::from_utf8_lossy(typed)),
    };
    let end = line.len() - 1;
    for i in 0..end {
        // Upper-case letters mean the same, and so do zeros before a number, and white space.
        for byte in (b'!'..=b'~').filter(|byte| !byte.eq_ignore_ascii_case(&line[i]) && (i > 0 || *byte != b'#')) {
            let mut typed = line.clone();
            typed[i] = byte;
            noticed(&typed);
        }
        noticed(&[&line[..i], &line[i + 1..]].concat());
        noticed(&[&line[..i], &line[i..=i], &line[i..]].concat());
        if i > 0 {
            noticed(&line[..i]);
            if line[i] != line[i - 1] {
                let mut typed = line.clone();
                typed.swap(i, i - 1);
                noticed(&typed);
            }
        }
    }
    let wrong = |from: &str, to: &str| {
        let typed = String::from_utf8(line.clone()).unwrap().replacen(from, to, 1);
        match entry::text(typed.as_bytes()) {
            Err(ShareError::Line { problem, .. }) => problem,
            other => panic!("{typed}: {other:?}"),
        }
    };
    assert_eq!(wrong("sss1", "sss2"), LineProblem::Tag);
    assert_eq!(wrong("|2|", "|256|"), LineProblem::Threshold);
    assert_eq!(wrong("|2|", "|0|"), LineProblem::Threshold);
    assert_eq!(wrong("e0f|", "e|"), LineProblem::Set);
    assert_eq!(wrong("|3|", "|0|"), LineProblem::Point);
    assert_eq!(wrong("|3|", "|4|"), LineProblem::Mistyped(41, Mistake::Other));
    assert_eq!(wrong("a5", "a57"), LineProblem::Mistyped(45, Mistake::Extra));
    assert_eq!(wrong("\n", "0\n"), LineProblem::LongCheck);
    assert_eq!(wrong("\n", "x\n"), LineProblem::Behind(end as u64 + 1, 'x'));
}

/// Every mistake of one digit is found where it is, in lines of any length up to a limit, and wrapped.
#[test]
fn one_mistake_is_located() {
    let number_of_digits = "0123456789abcdef";
    for length in [1, 2, 6, 256] {
        let values: Vec<u8> = (0..length).map(|i: u32| (i * 151 + i / 7 * 13 + 5) as u8).collect();
        let line = String::from_utf8(text_line(&values)).unwrap();
        let wrapped: String = line.trim_end().chars().enumerate().fold(String::new(), |mut text, (i, one)| {
            if i > 0 && i % 40 == 0 {
                text.push_str("\r\n  ");
            }
            text.push(one);
            text
        });
        for text in [line, wrapped] {
            assert_eq!(entry::text(text.as_bytes()).unwrap(), [(3, values.clone())], "{text}");
            let digits: Vec<usize> = (7..text.len()).filter(|i| text.as_bytes()[*i].is_ascii_hexdigit()).collect();
            let point = digits.iter().position(|i| text[*i - 1..].starts_with("|3|")).unwrap();
            let step = if length < 100 { 1 } else { 311 };
            for at in (0..digits.len()).step_by(step) {
                let (i, next) = (digits[at], digits.get(at + 1).copied());
                let mistake = |typed: String| match entry::text(typed.as_bytes()) {
                    Err(ShareError::Line { line, problem: LineProblem::Mistyped(column, mistake) }) => {
                        (line as usize, column as usize, mistake)
                    }
                    other => panic!("{typed}: {other:?}"),
                };
                let place = |i: usize| {
                    let before = &text[..i];
                    let start = before.rfind('\n').map_or(0, |end| end + 1);
                    (before.matches('\n').count() + 1, i - start + 1)
                };
                let with = |start: usize, other: &str, end: usize| [&text[..start], other, &text[end..]].concat();
                let value = number_of_digits.find(&text[i..=i]).unwrap();
                let other = &number_of_digits[(value + at + 1) % 16..][..1];
                if other != &text[i..=i] && (at != point || other != "0") && (at != point || other < "a") {
                    let (line, column) = place(i);
                    assert_eq!(mistake(with(i, other, i + 1)), (line, column, Mistake::Other), "{text}");
                }
                let is_value = |at: usize| at > point && at < digits.len() - 16;
                if let Some(next) = next
                    && text[i..=i] != text[next..=next]
                    && (is_value(at) && is_value(at + 1) || at + 1 < point || at >= digits.len() - 16)
                {
                    let mut typed = text.clone().into_bytes();
                    typed.swap(i, next);
                    let (line, column) = place(i);
                    let found = mistake(String::from_utf8(typed).unwrap());
                    assert_eq!(found, (line, column, Mistake::Exchanged), "{text}");
                }
                if is_value(at) && length < 100 {
                    assert_eq!(mistake(with(i, "", i + 1)).2, Mistake::Missing, "{text}");
                    assert_eq!(
                        mistake(with(i, &format!("{}{other}", &text[i..=i]), i + 1)).2,
                        Mistake::Extra,
                        "{text}"
                    );
                }
            }
        }
    }
    // In a longer share it would take too long.
    let line = String::from_utf8(text_line(&[0xab; 257])).unwrap().replacen("abab", "abaa", 1);
    assert!(matches!(entry::text(line.as_bytes()), Err(ShareError::Line { problem: LineProblem::Check, .. })));
}

#[test]
fn mistakes_in_typing_have_names() {
    let line = String::from_utf8(text_line(b"horse")).unwrap().trim_end().to_owned();
    let parts: Vec<&str> = line.split('|').collect();
    let with = |part: usize, text: String| {
        let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        parts[part] = text;
        parts.join("|")
    };
    let check = parts[5];
    for (typed, message) in [
        (line.replace("00", "O0"), "column 8 is `O`, which is no hexadecimal digit; is it the digit `0`?"),
        (line.replace('1', "l"), "it begins neither with `sss1|`, whose last character is the digit 1,"),
        (line.replace('|', "I"), "the character at column 5 is `I`, and has to be a `|`"),
        (line.replace('|', " "), "the character at column 5 is a space, and has to be a `|`"),
        (line.replace('|', "\u{a6}"), "column 5 is `\u{a6}` (U+00A6), which belongs in no share; is it a `|`?"),
        (with(4, parts[4].replace(' ', "\u{a0}")), "is U+00A0, which is no hexadecimal digit; it looks like a space"),
        (with(4, parts[4].replace(' ', "-")), "is `-`, which is no hexadecimal digit; between groups there are spaces"),
        (with(4, parts[4].replace(' ', "=\n")), "is `=`, which is no hexadecimal digit; mail programs break lines"),
        (with(4, parts[4].replace(' ', "\u{200b}")), "is U+200B, which is no hexadecimal digit; it is invisible"),
        (with(3, "\u{661}".into()), "is `\u{661}` (U+0661), which belongs in no share"),
        (with(3, "+3".into()), "there is no number from 1 to 255 before the `|`"),
        (format!("Anna: {line}"), "there is something before `sss1`: a share begins its line"),
        (format!("\u{201c}{line}"), "column 1 is `\u{201c}` (U+201C), which belongs in no share"),
        (format!("> {line}"), "there is something before `sss1`: a share begins its line"),
        (format!("{line}."), "is behind the check value: each share and each comment begins a line"),
        (format!("{line} # Anna"), "`#` at column"),
        (format!("{line} {line}"), "`s` at column"),
        (format!("{line}0"), "the check value at its end has more than 16 digits"),
        (with(5, check[..check.len() - 1].into()), "cut off: the check value at its end has 15 digits, and 16 are"),
        (parts[..5].join("|"), "cut off: no check value of 16 digits at its end"),
        (format!("{}\n# Anna", parts[..5].join("|")), "line 1: cut off: no check value"),
        (parts[1..].join("|"), "a second `|` at column 42: a share of this program begins with `sss1|`"),
        (with(4, "00 11 22 33 44".into()), "mistyped in several places, or damaged"),
    ] {
        let error = entry::text(typed.as_bytes()).expect_err(&typed).to_string();
        assert!(error.contains(message) && error.starts_with("line 1: "), "{typed}: {error}");
    }
    let units = |text: &str, big: bool| -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for (start, big) in [("", true), ("", false), ("\u{feff}", true), ("\u{feff}", false)] {
        let error = entry::text(&units(&format!("{start}{line}"), big)).unwrap_err();
        assert_eq!(error.to_string(), "text in UTF-16; save it as UTF-8");
    }
}

/// The changes that the fuzz target makes get past the digests, and find every error.
#[test]
fn the_fuzzer_gets_past_the_digests() {
    const ROUNDS: u32 = 6000;
    let mut rng = SeededRng::from_seed([42; 32]);
    let mut random = |below: usize| rng.next_u32() as usize % below.max(1);
    let mut corpus = vec![Vec::new()];
    let (mut errors, mut past_the_header, mut accepted) = (BTreeSet::new(), 0, 0);
    for _ in 0..ROUNDS {
        let mut data = corpus[random(corpus.len())].clone();
        let size = data.len();
        data.resize(400, 0);
        let seed = random(1 << 30) as u32;
        // A small libFuzzer: bytes change, come, go.
        let size = entry::mutate(&mut data, size, 400, seed, |data, size, max_size| {
            let place = random(size);
            match random(3) {
                0 if size < max_size => {
                    data.copy_within(place..size, place + 1);
                    size + 1
                }
                1 if size > 0 => {
                    data.copy_within(place + 1..size, place);
                    size - 1
                }
                _ => {
                    data[place] ^= 1 << random(8);
                    size
                }
            }
        });
        data.truncate(size);
        let error = match entry::binary(&data) {
            Ok(_) => {
                accepted += 1;
                if corpus.len() < 50 {
                    corpus.push(data);
                }
                "none"
            }
            Err(ShareError::Unknown) => "unknown",
            Err(ShareError::Damaged { digest: 32 }) => "header",
            Err(ShareError::Damaged { .. }) => "damaged",
            Err(ShareError::Truncated { length: ..64 }) => "header cut off",
            Err(ShareError::Truncated { .. }) => "truncated",
            Err(ShareError::Trailing { .. }) => "trailing",
            Err(ShareError::Version(_)) => "version",
            Err(ShareError::Field(_)) => "field",
            Err(ShareError::Impossible(what)) => what,
            Err(error) => panic!("{error}"),
        };
        past_the_header += u32::from(!["unknown", "header", "header cut off"].contains(&error));
        errors.insert(error);
    }
    assert!(past_the_header > ROUNDS / 2 && accepted > ROUNDS / 10, "{past_the_header}, {accepted}: {errors:?}");
    for error in ["damaged", "truncated", "trailing", "version", "field", "bytes 14 and 15 are not zero"] {
        assert!(errors.contains(error), "{error}: {errors:?}");
    }
    println!("{past_the_header} of {ROUNDS} get past the header, {accepted} are accepted: {errors:?}");
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = entry::binary(&bytes);
        let _ = entry::text(&bytes);
        // Behind a start that is right.
        let file = written(b"");
        let _ = entry::binary(&[&file[..64], &bytes].concat());
    }

    #[test]
    fn any_line(text in "[ \t0-9|a-fA-Fx#\r\n\u{feff}]{0,60}") {
        let _ = entry::text(text.as_bytes());
        let _ = entry::text([b"sss1|2|000102030405060708090a0b0c0d0e0f|3|", text.as_bytes()].concat().as_slice());
    }
}
