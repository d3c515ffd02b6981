//! Text shares, of this program and of others.
use super::Place;

#[test]
fn text_as_people_paste_it() {
    let place = Place::new();
    place.write("secret", "correct horse");
    place.run("shamir split -n 4 -t 2 --in secret --out-dir shares --format text").done();
    let shares: Vec<_> =
        (1..5).map(|x| String::from_utf8(place.read(&format!("shares/share-{x:03}.txt"))).unwrap()).collect();
    // Digits in groups of four.
    let grouped = |digits: usize| digits + digits.div_ceil(4) - 1;
    let digits = grouped(32) + grouped(2 * "correct horse".len()) + grouped(16);
    assert_eq!(shares[0].len(), "sss1|2||1||".len() + digits + 1);
    assert!(shares[2].starts_with("sss1|2|") && shares[2].contains("|3|") && shares[2].ends_with('\n'));

    let pasted = format!("# Anna\r\n  {}\r\n\r\n{}", shares[0].trim().to_uppercase(), shares[3].trim());
    place.write("pasted", &pasted);
    assert_eq!(place.run("shamir combine --out - pasted").done(), b"correct horse");
    assert_eq!(place.run_with("shamir combine --out - -", pasted.as_bytes()).done(), b"correct horse");
    assert_eq!(place.run("shamir combine -t 2 --out - pasted shares/share-002.txt").done(), b"correct horse");
    // As mail programs and paper break lines.
    let wrap = |width: usize| {
        let pieces = shares[1].trim().as_bytes().chunks(width).map(|piece| String::from_utf8_lossy(piece).into_owned());
        pieces.collect::<Vec<_>>().join("\r\n")
    };
    for width in [7, 40, 76] {
        place.write("wrapped", format!("{}\n{}", wrap(width), shares[2]));
        assert_eq!(place.run("shamir combine --out - wrapped").done(), b"correct horse", "{width}");
    }
    place.run("shamir combine -t 3 --out - pasted").failed(2, &["--threshold is 3, and the shares say that 2"]);
}

#[test]
fn shares_are_inspected() {
    let place = Place::new();
    place.write("secret", "correct horse");
    for (folder, format) in [("binary", "binary"), ("text", "text")] {
        place.run(&format!("shamir split -n 3 -t 2 --in secret --out-dir {folder} --format {format}")).done();
    }
    place.write("other", "7|ab\n# Ben\n9|cd\n");
    let lines = |arguments: &str| {
        let ran = place.run(&format!("shamir inspect {arguments}"));
        (ran.code, String::from_utf8(ran.out).unwrap(), ran.err)
    };
    let (code, lines_of_all, err) = lines("binary/share-001.sss text/share-002.txt other");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let lines_of_all: Vec<_> = lines_of_all.lines().collect();
    assert!(lines_of_all[0].starts_with("binary/share-001.sss: a binary share at point 1, whole; 2 of set "));
    assert!(lines_of_all[1].starts_with("text/share-002.txt: a text share at point 2, whole; 2 of set "));
    assert!(lines_of_all[1].ends_with(" are needed; 13 bytes"));
    let unknown = "a line of another program at point 9, with nothing to check it by; 1 bytes";
    assert_eq!(lines_of_all[3], format!("other, line 3: {unknown}"));

    // Every byte of a share counts, and the whole ones are named all the same.
    let share = place.read("binary/share-003.sss");
    for i in (0..share.len()).step_by(7) {
        let mut changed = share.clone();
        changed[i] ^= 4;
        place.write("changed", changed);
        let (code, out, err) = lines("changed binary/share-002.sss");
        assert_eq!(code, Some(3));
        assert!(out.starts_with("binary/share-002.sss: ") && err.starts_with("error: `changed`: "), "{out}{err}");
    }
    assert_eq!(lines("nothing").0, Some(1));
}

/// Made with schoolbook arithmetic on Python's integers: the secret is 0, 1, 2, … 31, the field that of AES.
#[test]
fn shares_of_others() {
    let place = Place::new();
    place.write(
        "shares",
        "2|1f6481a2e36510d3aa914fcc0d4673bdf40f2a09d3b84d0e013a7fbcfd2d183b
         5|d11d1de6c836d0bee0275b003854b9f3ed37817a6e52a2daab6c2a9cb2e40981
         255|3117ee8bbcb95ede313c004a2b2ce0e670007d18d5bb0adc828f49380ff23e53",
    );
    assert_eq!(place.run("shamir combine -t 3 --out out shares").done(), b"");
    assert_eq!(place.read("out"), (0..32).collect::<Vec<u8>>());
    // Of vsss-rs 6.0.1.
    place
        .write("vsss-rs", "1|8da5cdc7542e40ee145b5bdabe\n2|a4e0170307f91ca79007203ac8\n3|4a2aa8b636b42869ec33099313\n");
    assert_eq!(place.run("shamir combine -t 2 --out - vsss-rs").done(), b"correct horse");
    // Of sharks 0.5.0, which has another field: with more shares than are needed that shows.
    let sharks = "1|edcddc3a92493d426d8de08dc8\n2|623633e29637e6e462b64b9222\n3|ec949daa611daf866754d96c8f\n";
    place.write("sharks", sharks);
    place.run("shamir combine -t 2 --out - sharks").failed(3, &["contradicts the 2 shares before"]);
    place.write("sharks", format!("# field: 0x11d\n{sharks}"));
    place.run("shamir combine -t 2 --out - sharks").failed(3, &["a share over a field that is not known (0x011d)"]);
}
