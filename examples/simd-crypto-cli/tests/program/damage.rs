//! Shares that are not what they were.
use super::{Place, Ran, bytes};
use simd_crypto::share_files::{Reader, TextWriter};
use std::fs;
use std::io::Write;

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
fn shares_that_are_cut_and_longer() {
    let place = two_sets(b"secret");
    let share = place.read("a/share-002.sss");
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
fn text_shares() {
    let place = Place::new();
    place.write("secret", "secret");
    for folder in ["a", "b"] {
        place.run(&format!("shamir split -n 3 -t 2 --in secret --out-dir {folder} --format text")).done();
    }
    let line = String::from_utf8(place.read("a/share-002.txt")).unwrap();
    for (text, words) in [
        (&*line.replace("sss1|2", "sss1|3"), "`text`: line 1: mistyped at column 6: another character belongs there"),
        (&line[..line.len() - 1 - 20], "`text`: line 1: cut off: no check value of 16 digits at its end"),
        (&format!("# Anna\n{}", line.replacen("|2|", "|0|", 2)), "`text`: line 2: "),
        (&line, "`text`: at the same point as `a/share-002.txt`, 2"),
        ("2|ab\n", "`text`: a line of another program and a share of this program do not go together"),
        ("# field: 0x11d\n", "`text`: a share over a field that is not known (0x011d)"),
        ("# Field 0x11b\n", "`text`: line 1: a comment that names a field has to be `# field: 0x11b`"),
    ] {
        place.write("text", text);
        refused(&place, "a/share-001.txt a/share-002.txt text", 3, &[words]);
    }
    refused(&place, "a/share-001.txt a/share-003.txt b/share-002.txt", 3, &["`b/share-002.txt`: of another set"]);
    refused(&place, "a/share-003.txt", 4, &["2 shares are needed, and 1 given: `a/share-003.txt`"]);
}

/// Lines `x|hex`, of which nothing is known.
#[test]
fn lines_of_other_programs() {
    let place = Place::new();
    place.write("one", "1|001122334455\n");
    for (text, words) in [
        ("1|abc\n", "`text`: line 1: the number of hexadecimal digits is odd"),
        ("\n1|abcg\n", "`text`: line 2: the character at column 6 is `g`, which is no hexadecimal digit"),
        ("0|ab\n", "`text`: line 1: there is no number from 1 to 255"),
        ("256|ab\n", "`text`: line 1: there is no number from 1 to 255"),
        ("# nothing\n", "`text`: no share in it"),
        ("2|ab\n3|abcd\n", "`text, line 2`: of another length than `one`"),
        ("2|ab\n2|cd\n", "`text, line 2`: at the same point as `text, line 1`, 2"),
        ("7|ab\n", "`text`: of another length than `one`"),
        ("01|00112233 4455\n", "`text`: at the same point as `one`, 1"),
    ] {
        place.write("text", text);
        refused(&place, "-t 2 one text", 3, &[words]);
    }
    refused(&place, "-t 3 one", 4, &["3 shares are needed, and 1 given: `one`"]);
    refused(&place, "one", 2, &["`one`: a line of another program does not say how many are needed; --threshold does"]);
}

/// Changes the values of a share, and makes its digests fit: only other shares show it.
fn forge(place: &Place, share: &str, to: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let share = place.read(share);
    let mut reader = Reader::new(&share[..]).unwrap();
    let mut values = vec![0; 100_000];
    assert_eq!(reader.read(&mut values).unwrap(), values.len());
    change(&mut values);
    let mut writer = TextWriter::new(Vec::new(), reader.header()).unwrap();
    writer.write_all(&values).unwrap();
    place.write(to, writer.finish().unwrap());
}

#[test]
fn forged_shares() {
    let place = two_sets(&bytes(100_000));
    let shares = "a/share-001.sss a/share-002.sss forged";
    forge(&place, "a/share-003.sss", "forged", |_| {});
    assert!(place.run(&format!("shamir combine --out - {shares}")).done() == bytes(100_000));
    forge(&place, "a/share-003.sss", "forged", |values| values[99_999] ^= 1);
    refused(&place, shares, 3, &["`forged`: contradicts the 2 shares before"]);
    forge(&place, "a/share-003.sss", "forged", |values| values.truncate(70_000));
    refused(&place, shares, 3, &["`forged`: of another length than `a/share-001.sss`"]);
}

/// With two shares more than are needed, or four, one or two that have been forged are named; the others are not.
#[test]
fn forged_shares_are_named() {
    let place = Place::new();
    place.write("secret", bytes(100_000));
    place.run("shamir split -n 7 -t 3 --in secret --out-dir a").done();
    let forge = |x: u8, columns: &[usize]| {
        forge(&place, &format!("a/share-{x:03}.sss"), &x.to_string(), |values| {
            for column in columns {
                values[*column] ^= x;
            }
        });
    };
    let combine = |shares: &str| {
        let ran = place.run(&format!("shamir combine --out out {shares}"));
        assert!(!place.path("out").exists());
        ran.failed(3, &[]);
        let names: Vec<_> = ran.err.lines().map(|line| line.split('`').nth(1).unwrap().to_owned()).collect();
        (names, ran.err)
    };
    let whole = "a/share-003.sss a/share-004.sss a/share-005.sss a/share-006.sss a/share-007.sss";
    for columns in [&[0][..], &[99_999], &[40_000, 40_001, 70_000]] {
        forge(1, columns);
        let (names, err) = combine(&format!("1 {whole}"));
        assert_eq!(names, ["1"], "{err}");
        assert!(err.contains("`1`: has been changed: it contradicts all others"), "{err}");
        let (names, _) = combine(&format!("{} 1", &whole[..63]));
        assert_eq!(names, ["1"]);
        // At other places, and the same.
        for others in [&[50_000][..], columns] {
            forge(2, others);
            let (mut names, err) = combine(&format!("1 {whole} 2"));
            names.sort();
            assert_eq!(names, ["1", "2"], "{err}");
        }
    }
    // Of four shares nobody can tell which one it is.
    let (names, err) = combine("1 a/share-003.sss a/share-004.sss a/share-005.sss");
    assert!(
        names == ["a/share-005.sss"] && err.contains("one of them all has been changed; more shares would"),
        "{err}"
    );
}
