//! Shares that are not what they were.
use super::{Place, Ran, bytes};
use std::fs;

/// Two sets of three shares, of which two are needed.
fn two_sets(secret: &[u8]) -> Place {
    let place = Place::new();
    place.write("secret", secret);
    for directory in ["a", "b"] {
        place.run(&format!("shamir split -n 3 -t 2 --in secret --out-dir {directory}")).done();
    }
    place
}

/// Combines shares that cannot be, into a file and to standard output: nothing must come out.
#[track_caller]
fn refused(place: &Place, shares: &str, code: i32, words: &[&str]) {
    let names = place.names(".");
    let ran = place.run(&format!("shamir combine --out out {shares}"));
    ran.failed(code, words);
    assert_eq!(place.names("."), names, "{shares}");
    let ran: Ran = place.run(&format!("shamir combine --out - {shares}"));
    ran.failed(code, words);
    assert_eq!(ran.out, b"", "{shares}");
}

#[test]
fn every_byte_of_a_share() {
    let place = two_sets(b"secret");
    let share = place.read("a/share-002.sss");
    for i in 0..share.len() {
        let mut changed = share.clone();
        changed[i] ^= 1 << (i % 8);
        place.write("changed", changed);
        place.run("shamir combine --out out a/share-001.sss changed").failed(3, &["`changed`: "]);
    }
    for length in 0..share.len() {
        place.write("cut", &share[..length]);
        place.run("shamir combine --out out a/share-001.sss cut").failed(3, &["`cut`: "]);
    }
    assert_eq!(place.names("."), ["a", "b", "changed", "cut", "secret"]);
    place.write("cut", &share[..100]);
    refused(&place, "a/share-001.sss cut", 3, &["`cut`: cut off after 100 bytes"]);
    place.write("longer", [&share[..], b"\n"].concat());
    refused(&place, "a/share-001.sss longer", 3, &["`longer`: damaged: it goes on behind its end"]);
}

/// Existing output stays, and what has been damaged at the end of a long share is noticed in time.
#[test]
fn at_the_end_of_a_long_share() {
    let place = two_sets(&bytes(400_000));
    for name in ["a/share-001.sss", "a/share-003.sss"] {
        let mut share = place.read(name);
        let end = share.len() - 50;
        share[end] ^= 1;
        place.write(name, share);
    }
    let words = ["`a/share-001.sss`: damaged", "`a/share-003.sss`: damaged"];
    refused(&place, "a/share-001.sss a/share-002.sss a/share-003.sss", 3, &words);
    // From a pipe as well, as long as it is kept back.
    let ran = place.run_with("shamir combine --out - a/share-002.sss -", &place.read("a/share-001.sss"));
    ran.failed(3, &["`standard input`: damaged"]);
    assert_eq!(ran.out, b"");

    place.write("old", "old");
    place.run("shamir combine --force --out old a/share-001.sss a/share-002.sss").failed(3, &[]);
    assert_eq!(place.read("old"), b"old");
}

#[test]
fn foreign_and_repeated_shares() {
    let place = two_sets(b"secret");
    refused(&place, "a/share-001.sss b/share-002.sss", 3, &["`b/share-002.sss`: of another set"]);
    // It is the one that differs from most.
    refused(&place, "b/share-003.sss a/share-001.sss a/share-002.sss", 3, &["`b/share-003.sss`: of another set"]);
    refused(&place, "a/share-001.sss a/share-001.sss", 3, &["`a/share-001.sss`: given twice"]);
    fs::copy(place.path("a/share-001.sss"), place.path("copy")).unwrap();
    refused(&place, "a/share-001.sss copy", 3, &["`copy`: at the same point as `a/share-001.sss`, 1"]);
    refused(&place, "a/share-001.sss", 4, &["2 shares are needed, and 1 given"]);
    // The header of one share on the values of another.
    let (one, two) = (place.read("a/share-001.sss"), place.read("a/share-002.sss"));
    place.write("mixed", [&one[..64], &two[64..]].concat());
    refused(&place, "mixed a/share-003.sss", 3, &["`mixed`: damaged: the digest at byte"]);
}

#[test]
fn garbage() {
    let place = two_sets(b"secret");
    let random: Vec<u8> = (0..1000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (name, bytes, words) in [
        ("empty", &b""[..], "`empty`: no share in it"),
        ("random", &random, "`random`: neither a binary share nor text shares"),
        ("program", &fs::read(env!("CARGO_BIN_EXE_simd-crypto")).unwrap(), "`program`: neither"),
        ("letter", b"Dear Anna,\n", "`letter`: line 1: there is no `|`"),
        ("zeros", &[0; 5000], "`zeros`: neither"),
    ] {
        place.write(name, bytes);
        refused(&place, &format!("a/share-001.sss {name}"), 3, &[words]);
        let ran = place.run_with("shamir combine --out - a/share-001.sss -", bytes);
        ran.failed(3, &["`standard input`: "]);
    }
}

#[test]
fn other_versions() {
    use sha2::{Digest, Sha256};
    let place = two_sets(b"secret");
    let mut share = place.read("a/share-002.sss");
    share[8] = 2;
    let digest = Sha256::digest(&share[..32]);
    share[32..64].copy_from_slice(&digest);
    place.write("new", share);
    refused(&place, "a/share-001.sss new", 3, &["`new`: a share of format version 2, and only version 1 is known"]);
}

#[test]
fn text_shares() {
    let place = Place::new();
    place.write("secret", "secret");
    place.run("shamir split -n 3 -t 2 --in secret --out-dir a --format text").done();
    for (text, words) in [
        ("1|abc\n", "`text`: line 1: the number of hexadecimal digits is odd"),
        ("\n1|abcg\n", "`text`: line 2: the character at column 6 is no hexadecimal digit"),
        ("0|ab\n", "`text`: line 1: there is no number from 1 to 255"),
        ("256|ab\n", "`text`: line 1: there is no number from 1 to 255"),
        ("# nothing\n", "`text`: no share in it"),
        ("2|ab\n3|abcd\n", "`text, line 2`: of another length than `a/share-001.txt`"),
        ("2|ab\n2|cd\n", "`text, line 2`: at the same point as `text, line 1`, 2"),
        ("7|ab\n", "`text`: of another length than `a/share-001.txt`"),
        ("01|00112233 4455\n", "`text`: at the same point as `a/share-001.txt`, 1"),
    ] {
        place.write("text", text);
        refused(&place, "a/share-001.txt text", 3, &[words]);
    }
    refused(&place, "-t 3 a/share-001.txt a/share-002.txt", 4, &["3 shares are needed, and 2 given"]);

    // One digit of any share: the others contradict.
    for (x, i) in [(1, 2), (2, 5), (3, 13)] {
        let name = format!("a/share-{x:03}.txt");
        let share = place.read(&name);
        let mut changed = share.clone();
        changed[i] = if changed[i] == b'0' { b'1' } else { b'0' };
        place.write(&name, changed);
        let shares = "-t 2 a/share-001.txt a/share-002.txt a/share-003.txt";
        refused(&place, shares, 3, &["`a/share-003.txt`: contradicts the 2 shares before"]);
        place.write(&name, share);
    }
}

/// Shares whose digests have been made to fit: only the others show it.
#[test]
fn forged_shares() {
    use simd_crypto::share_files::{Reader, Writer};
    use std::io::Write;
    let place = two_sets(&bytes(100_000));
    let share = place.read("a/share-003.sss");
    let forge = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut reader = Reader::new(&share[..]).unwrap();
        let mut values = vec![0; 100_000];
        assert_eq!(reader.read(&mut values).unwrap(), values.len());
        change(&mut values);
        let mut writer = Writer::new(Vec::new(), reader.header()).unwrap();
        writer.write_all(&values).unwrap();
        place.write("forged", writer.finish().unwrap());
    };
    let shares = "a/share-001.sss a/share-002.sss forged";
    forge(&|_| {});
    assert!(place.run(&format!("shamir combine --out - {shares}")).done() == bytes(100_000));
    forge(&|values| values[99_999] ^= 1);
    refused(&place, shares, 3, &["`forged`: contradicts the 2 shares before"]);
    forge(&|values| values.truncate(70_000));
    refused(&place, shares, 3, &["`forged`: of another length than `a/share-001.sss`"]);
}
