//! The promise of every type that holds a secret: it shows nothing, and keeps nothing.
use core::fmt::Debug;
use core::mem::MaybeUninit;
use core::slice;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rand_core::SeedableRng;
use simd_crypto::aead::{Aes128Gcm, ChaCha20Poly1305, XChaCha20Poly1305};
use simd_crypto::aes::{Aes128, Aes128Enc, Block, Quad};
use simd_crypto::chacha20::{ChaCha20, ChaCha20Legacy, XChaCha20};
use simd_crypto::ctr::Aes128Ctr;
use simd_crypto::gf::{Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
use simd_crypto::ghash::{GHash, Polyval};
use simd_crypto::poly1305::Poly1305;
use simd_crypto::shamir::{ByteShare, SeededRng, Set, Share};
use simd_crypto::share_files::{Header, Reader, TextReader, TextWriter, Writer, scan};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A byte of a secret, as it is printed in no other place: 0xab, and 171.
const SECRET: u8 = 0xab;

/// Checks what is shown of a value made from [`SECRET`], and returns the name of its type.
#[track_caller]
fn shows_nothing<T: Debug>(value: &T) -> String {
    let shown = format!("{value:?}");
    let digits = shown.to_lowercase();
    assert!(!digits.contains("ab") && !digits.contains("171"), "{shown}");
    let path = core::any::type_name::<T>();
    let path = path.split('<').next().unwrap();
    path.rsplit("::").next().unwrap().to_owned()
}

/// The bytes of a value before and after it is dropped, without `padding` bytes at its end.
fn dropped<T>(value: T, padding: usize) -> [Vec<u8>; 2] {
    let mut place = MaybeUninit::new(value);
    let bytes = place.as_mut_ptr().cast::<u8>();
    let length = size_of::<T>() - padding;
    // SAFETY: the value is dropped once. The types that come here have integers only, and no other padding.
    unsafe {
        let before = slice::from_raw_parts(bytes, length).to_vec();
        place.assume_init_drop();
        [before, slice::from_raw_parts(bytes, length).to_vec()]
    }
}

/// Checks a type that `new` makes from a key: what is left of values with different keys is the same.
#[track_caller]
fn keeps_nothing<T: Debug + ZeroizeOnDrop + Send + Sync>(new: impl Fn(u8) -> T) -> String {
    keeps_nothing_before(0, new)
}

/// The same for a type with padding at its end, which holds whatever the stack held.
#[track_caller]
fn keeps_nothing_before<T: Debug + ZeroizeOnDrop + Send + Sync>(padding: usize, new: impl Fn(u8) -> T) -> String {
    let name = shows_nothing(&new(SECRET));
    let ([before, after], [other_before, other_after]) =
        (dropped(new(SECRET), padding), dropped(new(!SECRET), padding));
    assert_ne!(before, other_before, "{name}");
    assert_eq!(after, other_after, "{name}");
    name
}

/// The same for a type whose bytes cannot be compared.
#[track_caller]
fn promises_to_keep_nothing<T: Debug + ZeroizeOnDrop>(value: &T) -> String {
    shows_nothing(value)
}

/// Checks a type that its user wipes, since it is copied freely.
#[track_caller]
fn can_be_wiped<T: Debug + Zeroize + ConstantTimeEq + Copy>(value: T) -> String {
    let mut wiped = value;
    wiped.zeroize();
    assert!(bool::from(value.ct_eq(&value)) && !bool::from(value.ct_eq(&wiped)));
    shows_nothing(&value)
}

fn block(byte: u8) -> [u8; 16] {
    [byte; 16]
}

/// A value of which some is used up, so that it holds a part of a block.
fn begun<T>(mut value: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut value);
    value
}

/// Values that hold [`SECRET`], by the names of their types.
fn secrets() -> BTreeSet<String> {
    let set = Set { id: [1; 16], threshold: 2 };
    let header = Header { set, x: 1 };
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    std::io::Write::write_all(&mut writer, &[SECRET; 5]).unwrap();
    let writer_name = shows_nothing(&writer);
    let file = writer.finish().unwrap();
    let text = b"1|ababab";
    let found = scan(&text[..]).unwrap();
    [
        keeps_nothing(|key| Aes128::from_key(&block(key))),
        keeps_nothing(|key| Aes128Enc::from_key(&block(key))),
        keeps_nothing(|key| Aes128Gcm::from_key(&block(key))),
        keeps_nothing(|key| ChaCha20Poly1305::from_key(&[key; 32])),
        keeps_nothing(|key| XChaCha20Poly1305::from_key(&[key; 32])),
        keeps_nothing(|key| {
            begun(ChaCha20::from_key_and_nonce(&[key; 32], &[1; 12]), |it| it.xor_keystream(&mut [0; 3]).unwrap())
        }),
        keeps_nothing(|key| {
            begun(XChaCha20::from_key_and_nonce(&[key; 32], &[1; 24]), |it| it.xor_keystream(&mut [0; 3]).unwrap())
        }),
        keeps_nothing(|key| {
            begun(ChaCha20Legacy::from_key_and_nonce(&[key; 32], &[1; 8]), |it| it.xor_keystream(&mut [0; 3]).unwrap())
        }),
        // A position of 8 bytes among blocks of 16.
        keeps_nothing_before(8, |key| {
            begun(Aes128Ctr::from_key_and_counter(&block(key), &[1; 16]), |it| it.xor_keystream(&mut [0; 3]).unwrap())
        }),
        keeps_nothing(|key| begun(GHash::from_key(&block(key)), |it| it.absorb(&[key; 19]))),
        keeps_nothing(|key| begun(Polyval::from_key(&block(key)), |it| it.absorb(&[key; 19]))),
        keeps_nothing(|key| begun(Poly1305::from_key(&[key; 32]), |it| it.absorb(&[key; 19]))),
        keeps_nothing(|seed| SeededRng::from_seed([seed; 32])),
        // A set that is not known is padding, which cannot be read.
        promises_to_keep_nothing(&Share::new(Gf64::from(1), Gf64::from(u64::from(SECRET)))),
        // The values of this one are in memory that it gives back: `suite/memory.rs` looks for them there.
        promises_to_keep_nothing(&ByteShare::new(1, vec![SECRET; 5])),
        can_be_wiped(Block::from(block(SECRET))),
        can_be_wiped(Quad::from([SECRET; 64])),
        can_be_wiped(Gf8::from(SECRET)),
        can_be_wiped(Gf16::from(0xabab)),
        can_be_wiped(Gf32::from(0xabab)),
        can_be_wiped(Gf64::from(0xabab)),
        can_be_wiped(Gf128::from([0xabab; 2])),
        can_be_wiped(Gf256::from([0xabab; 4])),
        can_be_wiped(Gf512::from([0xabab; 8])),
        can_be_wiped(Gf1024::from([0xabab; 16])),
        can_be_wiped(Gf2048::from([0xabab; 32])),
        writer_name,
        shows_nothing(&Reader::new(&file[..]).unwrap()),
        shows_nothing(&TextWriter::new(Vec::new(), &header).unwrap()),
        shows_nothing(&TextReader::new(&text[2..], &found[0])),
    ]
    .into()
}

/// The types that hold no secret.
const PUBLIC: [&str; 7] = ["Combiner", "Header", "KeystreamEnd", "Scheme", "Set", "Tag", "TextShare"];

fn structs(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            structs(&path, found);
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some(rest) = line.trim_start().strip_prefix("pub struct ") {
                found.insert(rest.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned());
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads the sources, and memory of values that are dropped")]
fn of_all_types() {
    let secrets = secrets();
    let mut found = BTreeSet::new();
    // Tests run in their package's folder, and a WebAssembly system may see no other.
    structs(Path::new("src"), &mut found);
    // The elements of fields are written by a macro, as `$element`.
    assert!(found.remove("") && secrets.contains("Gf2048"));
    let known = |name: &&String| secrets.contains(*name) || PUBLIC.contains(&name.as_str());
    let unknown: Vec<_> = found.iter().filter(|name| !known(name)).collect();
    assert!(unknown.is_empty(), "does {unknown:?} hold a secret?");
}

#[test]
fn shares_are_compared() {
    let share = |x, byte| ByteShare::new(x, vec![byte; 3]);
    let same = |a: &ByteShare, b: &ByteShare| bool::from(a.ct_eq(b));
    assert!(same(&share(1, 2), &share(1, 2)));
    assert!(!same(&share(1, 2), &share(1, 3)) && !same(&share(1, 2), &share(2, 2)));
    assert!(!same(&share(1, 2), &share(1, 2).of_set(Set { id: [0; 16], threshold: 1 })));
    assert!(!same(&share(1, 2), &ByteShare::new(1, vec![2; 4])));
    let element = |x, y| Share::new(Gf64::from(x), Gf64::from(y));
    assert!(bool::from(element(1, 2).ct_eq(&element(1, 2))));
    assert!(!bool::from(element(1, 2).ct_eq(&element(1, 3)) | element(1, 2).ct_eq(&element(2, 2))));
}
