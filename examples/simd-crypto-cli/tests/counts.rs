//! How many instructions the whole program runs does not depend on secrets: valgrind counts them for several secrets of one length, for
//! each command that decides something by a secret, and for each clone that it can run.
//!
//! It takes minutes, and needs optimised programs: `SIMD_CORE_TESTS=all cargo test --release -p simd-crypto-cli --test counts`.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const CLONES: [(&str, &str, &str); 3] = [
    ("the best clones that valgrind can run", "OTHER", ""),
    ("clones without AVX2", "SIMD_CORE_WITHOUT", "avx2"),
    ("the baseline", "SIMD_CORE_ONLY", ""),
];

const COMMANDS: [(&str, i32); 9] = [
    ("shamir combine --out - b/share-001.sss b/share-003.sss b/share-004.sss", 0),
    ("shamir combine --out - t/share-001.txt t/share-003.txt", 0),
    ("shamir inspect t/share-002.txt", 0),
    ("seal --key key --in secret", 0),
    ("open --key key --in sealed", 0),
    ("open --key digits --in sealed", 0),
    ("open --key key --in wrong", 3),
    ("haraka 512 --in message", 0),
    ("haraka 512 --in-format hex --in message-digits", 0),
];

const LENGTH: usize = 333;

/// Secrets and keys: all bits, none, one, and some that look like text at their ends.
fn secrets() -> [(Vec<u8>, [u8; 32]); 5] {
    let bytes = |seed: usize| (0..LENGTH).map(|i| (((i + seed) * (i + 7) * 157) >> 3) as u8).collect::<Vec<u8>>();
    let key = |seed: usize| core::array::from_fn(|i| (bytes(seed)[i] & 0x7f) | 0x80);
    let mut spaces = key(3);
    spaces[..12].fill(b' ');
    spaces[31] = b'\n';
    let mut last = vec![0; LENGTH];
    last[LENGTH - 1] = 1;
    [
        (vec![0; LENGTH], [0; 32]),
        (vec![0xff; LENGTH], [0xff; 32]),
        (bytes(1), spaces),
        (bytes(2), key(1)),
        (last, key(9)),
    ]
}

fn run(program: &Path, arguments: &str, place: &Path) -> Vec<u8> {
    let output = Command::new(program).args(arguments.split(' ')).current_dir(place).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn prepare(program: &Path, place: &Path, i: usize, (secret, key): &(Vec<u8>, [u8; 32])) {
    fs::create_dir(place).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(place.join(name), bytes).unwrap();
    let digits = |bytes: &[u8]| format!("{:x}", base16ct::HexDisplay(bytes));
    write("secret", secret);
    write("key", key);
    write("digits", digits(key).as_bytes());
    write("message", &secret[..64]);
    write("message-digits", digits(&secret[..64]).as_bytes());
    for (folder, format) in [("b", "binary"), ("t", "text")] {
        run(program, &format!("shamir split -n 4 -t 2 --in secret --out-dir {folder} --format {format}"), place);
    }
    let mut sealed = run(program, "seal --key key --in secret", place);
    write("sealed", &sealed);
    let tag = sealed.len() - 16;
    sealed[tag + i * 3] ^= 1 << i;
    write("wrong", &sealed);
}

fn count(program: &Path, place: &Path, arguments: &str, code: i32, environment: &[(&str, &str)]) -> u64 {
    let counts = place.join(format!("counts-{}", environment[0].0));
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", counts.display())).arg(program);
    valgrind.args(arguments.split(' ')).envs(environment.iter().copied()).current_dir(place);
    let output = valgrind.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&counts).unwrap();
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).expect(&text);
    total.trim().parse().unwrap()
}

/// The commands, with a clone each, whose counts differ from secret to secret.
fn differing(program: &Path, planted: &str, commands: &[(&str, i32)]) -> Vec<String> {
    let place = TempDir::new().unwrap();
    let places: Vec<PathBuf> = (0..secrets().len()).map(|i| place.path().join(i.to_string())).collect();
    for (i, (secret, place)) in secrets().iter().zip(&places).enumerate() {
        prepare(program, place, i, secret);
    }
    let mut counts = BTreeMap::new();
    std::thread::scope(|scope| {
        let runs = CLONES.map(|(clones, variable, features)| {
            let places = &places;
            scope.spawn(move || {
                let environment = [(variable, features), ("PLANTED", planted)];
                let of = |(command, code): &(&str, i32)| {
                    let all = places.iter().map(|place| count(program, place, command, *code, &environment));
                    (format!("{command}, {clones}"), all.collect::<BTreeSet<u64>>())
                };
                commands.iter().map(of).collect::<Vec<_>>()
            })
        });
        counts.extend(runs.into_iter().flat_map(|run| run.join().unwrap()));
    });
    assert!(counts.len() == CLONES.len() * commands.len() && counts.values().flatten().all(|count| *count > 100_000));
    counts.into_iter().filter(|(_, all)| all.len() > 1).map(|(what, all)| format!("{what}: {all:?}")).collect()
}

/// Whether there is time for this, and valgrind.
fn can_run() -> bool {
    let has_valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok();
    let can_run = has_valgrind && std::env::var("SIMD_CORE_TESTS").as_deref() == Ok("all");
    if !can_run {
        println!("instructions are not counted: that takes valgrind and SIMD_CORE_TESTS=all");
    }
    can_run
}

#[test]
fn counts_do_not_depend_on_secrets() {
    if can_run() {
        let differing = differing(Path::new(env!("CARGO_BIN_EXE_simd-crypto")), "", &COMMANDS);
        assert!(differing.is_empty(), "{differing:#?}");
    }
}

/// A fault to be found: the name of a plant, the command that runs it, the file, and what is replaced in it by what.
const PLANTS: [(&str, usize, &str, &str, &str); 4] = [
    (
        "decryption",
        4,
        "simd-crypto/src/aead/chacha20poly1305.rs",
        "            return Err(Error::NotAuthentic);\n        }\n        self.apply(data);\n",
        "            return Err(Error::NotAuthentic);\n        }\n        self.apply(data);\n
         if PLANTED { data.iter().filter(|byte| **byte & 1 == 1).for_each(|byte| _ = core::hint::black_box(byte)); }",
    ),
    (
        "tag",
        6,
        "simd-crypto/src/aead/chacha20poly1305.rs",
        "        if !bool::from(self.tag(associated, data).matches(&tag.0)) {",
        "        let right = self.tag(associated, data).finish();
         let early = right.iter().zip(&tag.0).all(|(a, b)| core::hint::black_box(a) == core::hint::black_box(b));
         if !(if PLANTED { early } else { right == tag.0 }) {",
    ),
    (
        "text",
        1,
        "simd-crypto/src/share_files/text.rs",
        "            read += decoded.len();",
        "            read += decoded.len();
         if PLANTED { digits[..count].iter().filter(|digit| **digit > b'9').for_each(|one| _ = core::hint::black_box(one)); }",
    ),
    (
        "key",
        4,
        "simd-crypto-cli/src/exact.rs",
        "            key.copy_from_slice(&buffer[..KEY]);",
        "            key.copy_from_slice(&buffer[..KEY]); if PLANTED { core::hint::black_box(buffer[..KEY].trim_ascii()); }",
    ),
];

/// A copy of the repository with all plants, each of which works if the environment names it.
fn planted_program() -> PathBuf {
    let (root, copy) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), Path::new(env!("CARGO_TARGET_TMPDIR")));
    let copy = copy.join("planted");
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir_all(copy.join("examples")).unwrap();
    for (from, to, except) in [
        (root.clone(), copy.clone(), "examples target .git"),
        (root.join("examples"), copy.join("examples"), "simd-crypto simd-crypto-cli"),
    ] {
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            if !except.split(' ').any(|except| entry.file_name() == except) {
                symlink(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }
    for example in ["simd-crypto", "simd-crypto-cli"] {
        let (from, to) = (root.join("examples").join(example), copy.join("examples"));
        assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
    }
    for (name, _, file, from, to) in PLANTS {
        let path = copy.join("examples").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{name}: there is nothing to replace in {file}");
        let planted = format!("std::env::var_os(\"PLANTED\").is_some_and(|name| name == \"{name}\")");
        fs::write(&path, text.replace(from, &to.replace("PLANTED", &planted))).unwrap();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted-target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--locked", "--release", "-p", "simd-crypto-cli", "--target-dir"])
        .arg(&target)
        .current_dir(&copy);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("release/simd-crypto")
}

/// If these were not found, nothing would be.
#[test]
fn planted_leaks_are_counted() {
    if !can_run() {
        return;
    }
    let program = planted_program();
    for (name, command, ..) in PLANTS {
        let found = differing(&program, name, &COMMANDS[command..=command]);
        assert_eq!(found.len(), CLONES.len(), "{name}: {found:#?}");
    }
}
