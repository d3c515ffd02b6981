//! Splitting and combining where all is well, and where the files are not.
use super::{Place, bytes};
use std::fs;

/// Lengths around those of the pieces and records.
const LENGTHS: [usize; 5] = [0, 1, 32_768, 65_536, 200_000];

#[test]
fn both_formats_come_back() {
    for length in LENGTHS {
        for (format, extension) in [("binary", "sss"), ("text", "txt")] {
            let place = Place::new();
            place.write("secret", bytes(length));
            let printed = place
                .run(&format!("shamir split -n 5 -t 3 --in secret --out-dir shares --format {format} --allow-empty"))
                .done();
            let names: Vec<_> = (1..6).map(|x| format!("share-{x:03}.{extension}")).collect();
            assert_eq!(place.names("shares"), names);
            let paths: Vec<_> = names.iter().map(|name| format!("shares/{name}")).collect();
            assert_eq!(String::from_utf8(printed).unwrap().lines().collect::<Vec<_>>(), paths);

            for chosen in [[0, 1, 2], [4, 2, 0], [1, 3, 4]] {
                let chosen = chosen.map(|i| paths[i].clone()).join(" ");
                place.run(&format!("shamir combine -t 3 --force --out again {chosen}")).done();
                assert!(place.read("again") == bytes(length), "{length} bytes, {format}");
            }
            // More shares than are needed, and standard output.
            let all = paths.join(" ");
            assert!(place.run(&format!("shamir combine --threshold 3 --out - {all}")).done() == bytes(length));
        }
    }
}

#[test]
fn through_pipes() {
    let place = Place::new();
    place.run_with("shamir split -n 3 -t 2 --in - --out-dir shares", &bytes(200_000)).done();
    let share = place.read("shares/share-002.sss");
    let secret = place.run_with("shamir combine --out - shares/share-001.sss -", &share).done();
    assert!(secret == bytes(200_000));
    place.run_with("shamir combine --out again - shares/share-003.sss", &share).done();
    assert!(place.read("again") == bytes(200_000));
    place.run_with("shamir combine --out - - -", &share).failed(2, &["standard input can be given only once"]);
}

/// Systems let a program have as few as 256 open files.
#[cfg(unix)]
#[test]
fn few_files_are_open_at_once() {
    let place = Place::new();
    let limited = |arguments: &str| place.shell(&format!("ulimit -n 256; exec \"$@\" {arguments}"));
    // The first has several records, and the others as many files as there can be.
    for (n, length, format) in [(70, 70_000, "binary"), (255, 500, "binary"), (255, 500, "text")] {
        place.write("secret", bytes(length));
        limited(&format!("shamir split -n {n} -t {n} --in secret --out-dir shares --format {format}")).done();
        assert!(limited("shamir combine --out - shares/*").done() == bytes(length));
        let lines = String::from_utf8(limited("shamir inspect shares/*").done()).unwrap();
        assert_eq!(lines.lines().count(), n);
        if format == "text" {
            let all: Vec<u8> = place.names("shares").iter().flat_map(|x| place.read(&format!("shares/{x}"))).collect();
            place.write("all", all);
            assert!(limited("shamir combine --out - all").done() == bytes(length));
        }
        fs::remove_dir_all(place.path("shares")).unwrap();
    }
}

/// As of a program in front that has failed.
#[test]
fn an_empty_secret_is_asked_for() {
    let place = Place::new();
    place.write("secret", "");
    for (input, name) in [("secret", "secret"), ("-", "standard input")] {
        let split = format!("shamir split -n 3 -t 2 --in {input} --out-dir shares");
        place.run(&split).failed(1, &[&format!("`{name}`: it is empty; --allow-empty splits it all the same")]);
        assert_eq!(place.names("."), ["secret"]);
        place.run(&format!("{split} --allow-empty")).done();
        assert_eq!(place.run("shamir combine --out - shares/share-001.sss shares/share-003.sss").done(), b"");
        fs::remove_dir_all(place.path("shares")).unwrap();
    }
}

#[test]
fn random_points() {
    let place = Place::new();
    place.write("secret", bytes(100));
    let names = || {
        place.run("shamir split -n 9 -t 2 --random-points --in secret --out-dir shares").done();
        let names = place.names("shares");
        for name in &names {
            fs::rename(place.path("shares").join(name), place.path(name)).unwrap();
        }
        names
    };
    let (first, second) = (names(), names());
    assert_ne!(first, second);
    let last = second[7..].join(" ");
    assert_eq!(place.run(&format!("shamir combine --out - {last}")).done(), bytes(100));
}

#[test]
fn numbers_that_are_impossible() {
    let place = Place::new();
    place.write("secret", "x");
    for numbers in
        ["-n 5 -t 0", "-n 0 -t 1", "-n 0 -t 0", "-n 256 -t 2", "-n 5 -t 6", "-n 5 -t 256", "-n -1 -t 2", "-n 5"]
    {
        let ran = place.run(&format!("shamir split {numbers} --in secret --out-dir shares"));
        ran.failed(2, &[]);
        assert!(!place.path("shares").exists(), "{numbers}");
    }
    place
        .run("shamir split -n 5 -t 6 --in secret --out-dir shares")
        .failed(2, &["the threshold of 6 is above the number of shares, 5"]);
    place.run("shamir combine --out again").failed(2, &["SHARE"]);

    let ran = place.run("shamir split -n 2 -t 1 --in secret --out-dir shares");
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.starts_with("warning: with a threshold of 1"), "{}", ran.err);
    assert_eq!(place.run("shamir combine --out - shares/share-002.sss").done(), b"x");
    let ran = place.run("shamir combine -t 2 --out - shares/share-002.sss");
    ran.failed(2, &["--threshold is 2, and the shares say that 1"]);
}

/// A folder with shares is replaced only with `--force`, and only if it has nothing else.
#[test]
fn sets_of_shares_are_kept_or_replaced() {
    let place = Place::new();
    place.write("secret", "new");
    fs::create_dir(place.path("shares")).unwrap();
    let split = |arguments: &str| place.run(&format!("shamir split -t 2 --in secret --out-dir shares {arguments}"));
    split("-n 5").done();
    let share = place.read("shares/share-003.sss");
    split("-n 3").failed(1, &["`shares`: it is not empty; --force replaces a folder with a set of shares"]);
    assert_eq!(place.read("shares/share-003.sss"), share);
    if cfg!(not(any(target_os = "linux", target_vendor = "apple"))) {
        split("-n 3 --force").failed(1, &["`shares`: this system cannot exchange two folders in one step"]);
        return;
    }
    fs::remove_file(place.path("shares/share-001.sss")).unwrap();
    split("-n 3 --force --format text").done();
    assert_eq!(place.names("shares"), ["share-001.txt", "share-002.txt", "share-003.txt"]);
    split("-n 2 --force").done();
    assert_eq!(place.names("shares"), ["share-001.sss", "share-002.sss"]);
    assert_eq!(place.names("."), ["secret", "shares"]);

    let kept = |words: &str| {
        let names = place.names("shares");
        split("-n 2 --force").failed(1, &["`shares`: --force replaces ", words]);
        assert_eq!((place.names("shares"), place.names(".")), (names, vec!["secret".to_owned(), "shares".to_owned()]));
    };
    place.write("shares/letter", "x");
    kept("and `shares/letter` is no share that can be used: line 1");
    fs::remove_file(place.path("shares/letter")).unwrap();
    fs::copy(place.path("shares/share-002.sss"), place.path("shares/copy.sss")).unwrap();
    kept("and `shares/copy.sss` is no share of that name");
    fs::remove_file(place.path("shares/copy.sss")).unwrap();
    place.write("shares/share-003.sss", share);
    kept("one set of shares, and these are of several");
    place.write("shares/share-003.sss", &place.read("shares/share-002.sss")[..50]);
    kept("and `shares/share-003.sss` is no share that can be used: cut off after 50 bytes");
    fs::remove_file(place.path("shares/share-003.sss")).unwrap();
    place.write("shares/share-007.txt", "7|ab\n");
    kept("and `shares/share-007.txt` is no share of that name");
    fs::remove_file(place.path("shares/share-007.txt")).unwrap();
    fs::create_dir(place.path("shares/share-003.sss")).unwrap();
    kept("and `shares/share-003.sss` is no regular file");
    fs::remove_dir(place.path("shares/share-003.sss")).unwrap();
    split("-n 2 --force").done();
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_them() {
    let place = Place::new();
    place.write("secret", "s");
    for (folder, format) in [("shares", "binary"), ("text", "text")] {
        place.run(&format!("shamir split -n 2 -t 2 --in secret --out-dir {folder} --format {format}")).done();
        for name in place.names(folder) {
            assert_eq!(super::mode(&place.path(folder).join(name)), 0o600);
        }
        assert_eq!(super::mode(&place.path(folder)), 0o700);
    }
    place.write("open", "o");
    for output in ["again", "open"] {
        let shares = "shares/share-001.sss shares/share-002.sss";
        place.run(&format!("shamir combine --force --out {output} {shares}")).done();
        assert_eq!(super::mode(&place.path(output)), 0o600, "{output}");
    }
}

#[test]
fn what_cannot_be_read_or_written() {
    let place = Place::new();
    place.write("secret", "s");
    place.run("shamir split -n 2 -t 2 --in secret --out-dir shares").done();
    fs::create_dir(place.path("directory")).unwrap();
    let split =
        |input: &str, directory: &str| place.run(&format!("shamir split -n 2 -t 2 --in {input} --out-dir {directory}"));
    split("nothing", "new").failed(1, &["`nothing`: "]);
    split("directory", "new").failed(1, &["`directory`: is a directory"]);
    assert!(!place.path("new").exists());
    let combine = |output: &str, shares: &str| place.run(&format!("shamir combine --force --out {output} {shares}"));
    combine("again", "directory shares/share-001.sss nothing")
        .failed(1, &["`directory`: is a directory", "`nothing`: "]);
    assert_eq!(place.names("."), ["directory", "secret", "shares"]);
}

/// A file that appears while the program works is kept, and there are no shares then.
#[test]
fn files_that_appear_are_kept() {
    let place = Place::new();
    fs::create_dir(place.path("shares")).unwrap();
    let mut split = place.reading("shamir split -n 3 -t 2 --in - --out-dir shares");
    place.write("shares/share-002.sss", "another one");
    drop(split.stdin.take());
    let output = split.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = "error: `shares`: it has been made by somebody else meanwhile\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    assert_eq!(
        (place.names("."), place.names("shares")),
        (vec!["shares".to_owned()], vec!["share-002.sss".to_owned()])
    );
    assert_eq!(place.read("shares/share-002.sss"), b"another one");
}

/// An input that fails in the middle, a program that is interrupted: nothing is left.
#[cfg(unix)]
#[test]
fn nothing_is_left_of_an_interrupted_split() {
    let place = Place::new();
    for signal in super::stopped::heard(&["INT", "TERM", "HUP", "QUIT"]) {
        let mut split = place.reading("shamir split -n 3 -t 2 --in - --out-dir shares");
        // Kept open: at its end the program might be done before it hears of the signal.
        let _input = split.stdin.take();
        let names = place.names(".");
        assert!(names.len() == 1 && names[0].starts_with(".simd-crypto-"), "{names:?}");
        super::stopped::signal(&split, signal);
        assert_eq!(split.wait().unwrap().code(), Some(130));
        assert_eq!(place.names("."), [""; 0], "{signal}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_a_full_disk() {
    let place = Place::new();
    place.write("secret", bytes(1_000_000));
    // In blocks of 512 bytes; a file that grows further is an error, and a signal that the program does not die of.
    let limited = |arguments: &str| place.shell(&format!("ulimit -f 1000; exec \"$@\" {arguments}"));
    limited("shamir split -n 3 -t 2 --in secret --out-dir shares")
        .failed(1, &["`shares/share-001.sss`: File too large (os error 27)\n"]);
    assert_eq!(place.names("."), ["secret"]);
    place.run("shamir split -n 3 -t 2 --in secret --out-dir shares").done();
    limited("shamir combine --out again shares/share-001.sss shares/share-002.sss")
        .failed(1, &["`again`: File too large (os error 27)\n"]);
    assert_eq!(place.names("."), ["secret", "shares"]);
}
