//! Readers of text, which branch on what is public of a secret byte: whether it is a digit. The number of instructions must
//! not depend on which digit it is.
use core::hint::black_box;
use simd_crypto::share_files::{TextReader, scan};
use std::env;
use std::process::Command;

/// Says which text is read.
const TEXT: &str = "CONSTANT_TIME_TEXT";
const DIGITS: usize = 6000;

/// Texts with the same places of white space: digits of one kind, and of all kinds.
fn text(which: &str) -> Vec<u8> {
    let digit: fn(usize) -> u8 = match which {
        "zeros" => |_| b'0',
        _ => |i| b"0123456789abcdefABCDEF"[i * 7919 % 22],
    };
    let digits = (0..DIGITS).flat_map(|i| if i % 1000 == 17 { vec![b' ', digit(i)] } else { vec![digit(i)] });
    b"7|".iter().copied().chain(digits).collect()
}

#[inline(never)]
fn counted_read(text: &[u8]) -> usize {
    let share = scan(text).unwrap()[0];
    let mut values = [0; DIGITS / 2];
    let read = TextReader::new(&text[share.start as usize..], &share).read(&mut values).unwrap();
    black_box(values);
    read
}

/// Stops at the first digit that is no zero.
#[inline(never)]
fn counted_leak(text: &[u8]) -> usize {
    text.iter().skip(2).take_while(|byte| black_box(**byte) == b'0').count()
}

#[test]
fn reads_of_digits() {
    if let Ok(which) = env::var(TEXT) {
        let text = text(&which);
        assert_eq!(counted_read(&text), DIGITS / 2);
        black_box(counted_leak(&text));
    }
}

/// The instructions of a function, and of all that it calls, as it reads a text.
fn instructions(function: &str, which: &str) -> u64 {
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            &format!("--toggle-collect=constant_time::instructions::{function}"),
        ])
        .arg(env::current_exe().unwrap())
        .args(["--exact", "instructions::reads_of_digits", "--test-threads=1"])
        .env(TEXT, which)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let count = log.lines().find_map(|line| line.split_once("Collected : ")).expect("callgrind says how many").1;
    count.trim().parse().unwrap()
}

#[test]
fn text_is_read_by_as_many_instructions_whatever_its_digits() {
    if !super::can_run() {
        return;
    }
    let count = |function| ["zeros", "all"].map(|which| instructions(function, which));
    let [zeros, all] = count("counted_read");
    assert!(zeros > DIGITS as u64 && zeros == all, "{zeros}, {all}");
    let [zeros, all] = count("counted_leak");
    assert_ne!(zeros, all, "a leak is not found");
}
