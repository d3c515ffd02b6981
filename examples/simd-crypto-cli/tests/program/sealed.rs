//! Sealed files: what comes out of `open` is what went into `seal`, or nothing.
use super::{Place, bytes};

const HEADER: usize = 28;
const CHUNK: usize = 65_536 + 16;

fn place() -> Place {
    let place = Place::new();
    place.write("key", bytes(32));
    place
}

#[test]
fn every_length_comes_back() {
    let place = place();
    place.write("key.hex", format!("{:X}\n", base16ct::HexDisplay(&bytes(32))));
    for length in [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000] {
        place.write("message", bytes(length));
        place.run("seal --key key --in message --out sealed --force").done();
        let sealed = place.read("sealed");
        assert_eq!(sealed.len(), HEADER + length + 16 * length.div_ceil(65_536).max(1));
        place.run("open --key key.hex --in sealed --out opened --force").done();
        assert!(place.read("opened") == bytes(length), "{length}");
        // Through pipes.
        let sealed_again = place.run_with("seal --key key.hex", &bytes(length)).done();
        assert!(sealed_again[9..] != sealed[9..] && sealed_again.len() == sealed.len(), "{length}");
        assert!(place.run_with("open --key key", &sealed_again).done() == bytes(length), "{length}");
    }
    assert_eq!(place.run_with("open --key - --in sealed --out -", &bytes(32)).done(), bytes(200_000));
    #[cfg(unix)]
    assert_eq!(super::mode(&place.path("sealed")), 0o600);
}

/// The description of the format, with the ciphers of other crates: the nonce has the chunk's number and whether it is the last.
#[test]
fn bytes_of_the_format() {
    use chacha20poly1305::aead::{Aead, KeyInit, Payload};
    let place = place();
    let message = bytes(140_000);
    let sealed = place.run_with("seal --key key", &message).done();
    let (header, rest) = sealed.split_at(HEADER);
    assert_eq!(header[..9], *b"\x89SCE\r\n\x1a\n\x01");
    let cipher = chacha20poly1305::XChaCha20Poly1305::new_from_slice(&bytes(32)).unwrap();
    let mut opened = Vec::new();
    for (i, msg) in rest.chunks(CHUNK).enumerate() {
        let mut nonce = [0; 24];
        nonce[..19].copy_from_slice(&header[9..]);
        nonce[22] = 0;
        nonce[19..23].copy_from_slice(&(i as u32).to_be_bytes());
        nonce[23] = u8::from(i == 2);
        opened.extend(cipher.decrypt(&nonce.into(), Payload { msg, aad: header }).unwrap());
    }
    assert!(opened == message);
}

/// Opens what cannot be, from a file and a pipe, to a file and to standard output: nothing comes out.
#[track_caller]
fn refused(place: &Place, sealed: &[u8], words: &str) {
    place.write("changed", sealed);
    let names = place.names(".");
    for arguments in ["--in changed --out out", "--in changed", "--out out", ""] {
        let ran = place.run_with(&format!("open --key key {arguments}"), sealed);
        ran.failed(3, &[words]);
        assert_eq!((ran.out.len(), place.names(".")), (0, names.clone()), "{arguments}");
    }
}

#[test]
fn every_change_is_noticed() {
    let place = place();
    let seal = |length: usize| place.run_with("seal --key key", &bytes(length)).done();
    let short = seal(20);
    for i in 0..short.len() {
        let mut changed = short.clone();
        changed[i] ^= 1 << (i % 8);
        place.run_with("open --key key", &changed).failed(3, &["`standard input`: "]);
        place.run_with("open --key key", &short[..i]).failed(3, &["`standard input`: "]);
    }
    refused(&place, b"", "not a sealed file");
    refused(&place, &short[..20], "cut off after 20 bytes");
    refused(&place, &[&short[..], b"\n"].concat(), "sealed with another key, or its start has been changed");

    let long = seal(200_000);
    let chunk = |i: usize| &long[HEADER + i * CHUNK..(HEADER + (i + 1) * CHUNK).min(long.len())];
    let with = |chunks: &[&[u8]]| [&[&long[..HEADER]], chunks].concat().concat();
    assert!(with(&[chunk(0), chunk(1), chunk(2), chunk(3)]) == long);
    let later = "changed, reordered or cut off: what is at byte";
    refused(&place, &with(&[chunk(0), chunk(1), chunk(2)]), later);
    refused(&place, &with(&[chunk(0), chunk(2), chunk(1), chunk(3)]), later);
    refused(&place, &with(&[chunk(0), chunk(1), chunk(3)]), later);
    refused(&place, &with(&[chunk(0), chunk(1), chunk(1), chunk(2), chunk(3)]), later);
    refused(&place, &with(&[chunk(0), chunk(1), chunk(2), chunk(3), chunk(3)]), later);
    refused(&place, &with(&[chunk(0), &chunk(1)[..CHUNK - 1]]), later);
    refused(&place, &with(&[chunk(0)]), "sealed with another key, or its start");
    let other = seal(200_000);
    refused(&place, &with(&[chunk(0), &other[HEADER + CHUNK..]]), later);
    place.write("key", [1; 32]);
    refused(&place, &long, "sealed with another key");
    let mut newer = long.clone();
    newer[8] = 2;
    refused(&place, &newer, "sealed in format version 2, and only version 1 is known");
}

/// Input from a pipe is kept back as far as it fits; behind that, what has come out is the start of the message.
#[test]
fn long_messages_through_pipes() {
    let place = place();
    let message = bytes(9 << 20);
    let mut sealed = place.run_with("seal --key key", &message).done();
    assert!(place.run_with("open --key key", &sealed).done() == message);
    let end = sealed.len() - 1;
    sealed[end] ^= 1;
    let ran = place.run_with("open --key key", &sealed);
    ran.failed(3, &["changed, reordered or cut off"]);
    assert!(!ran.out.is_empty() && ran.out.len() < message.len() && message.starts_with(&ran.out));
    place.write("sealed", sealed);
    let ran = place.run("open --key key --in sealed");
    ran.failed(3, &["changed, reordered or cut off"]);
    assert_eq!(ran.out.len(), 0);
}

#[test]
fn keys() {
    let place = place();
    for (i, key) in ["key1", "key2"].into_iter().enumerate() {
        place.run(&format!("key --out {key}")).done();
        let line = String::from_utf8(place.read(key)).unwrap();
        assert!(line.len() == 65 && line.trim_end().bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
        #[cfg(unix)]
        assert_eq!(super::mode(&place.path(key)), 0o600);
        place.write("m", "m");
        place.run(&format!("seal --key {key} --in m --out sealed{i}")).done();
    }
    place.run("key --out key1").failed(1, &["`key1`: it exists; --force replaces it"]);
    assert_eq!(place.run("open --key key1 --in sealed0").done(), b"m");
    place.run("open --key key1 --in sealed1").failed(3, &["`sealed1`: sealed with another key"]);
    assert_eq!(place.run("key --out -").done().len(), 65);
    place.run("key").failed(2, &["--out"]);

    // At a terminal the program asks.
    for text in ["correct horse battery staples !!", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef", &"0123456789abcdef".repeat(2)]
    {
        place.write("typed", text);
        let refused =
            "`typed` has 32 bytes of text, which others can guess; `simd-crypto key` makes a key, and --text-key";
        for command in ["seal --in m --key typed", "open --in sealed0 --key typed"] {
            place.run(command).failed(1, &[refused]);
        }
        place.run("seal --text-key --key typed --in m --out sealed --force").done();
        assert_eq!(place.run("open --text-key --key typed --in sealed").done(), b"m");
    }
    place.write("message", "m");
    place.write("short", [1; 31]);
    place.write("text", "x".repeat(64));
    place.run("seal --key short --in message").failed(1, &["`short` has 31 bytes, and a key has 32"]);
    place.run("seal --key text --in message").failed(1, &["`text` has characters that are no hexadecimal digits"]);
    place.run("open --key nothing --in message").failed(1, &["`nothing`: "]);
    place.run("seal --in message").failed(2, &["--key"]);
    place.run("open --key key --in message").failed(3, &["`message`: not a sealed file"]);
}
