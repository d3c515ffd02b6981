//! The other commands.
use super::{Place, finish, is_emulated};
use std::process::Stdio;

/// `README.md` of haraka-rs, and the appendix of the paper.
#[test]
fn haraka() {
    let place = Place::new();
    let message: Vec<u8> = (0..64).collect();
    place.write("32", &message[..32]);
    place.write("64", &message);
    let digits: Vec<_> = message.iter().map(|byte| format!("{byte:02X}")).collect();
    let of_32 = "8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c\n";
    let of_64 = "be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa\n";
    assert_eq!(place.run("haraka 256 --in 32").done(), of_32.as_bytes());
    assert_eq!(place.run("haraka 512 --rounds 5 --in 64").done(), of_64.as_bytes());
    assert_eq!(place.run_with("haraka 512", &message).done(), of_64.as_bytes());
    assert_eq!(place.run_with("haraka 512 --in-format hex", digits.join(" ").as_bytes()).done(), of_64.as_bytes());
    let of_6_rounds = "dd90045b92993274fff8ccf46903d1c8184b404cc83735551c80a72b5fb32045\n";
    assert_eq!(place.run("haraka 256 --rounds 6 --in 32").done(), of_6_rounds.as_bytes());
    place.run("haraka 256 --in 32 --out-format raw --out hash").done();
    assert_eq!(place.read("hash")[..4], [0x80, 0x27, 0xcc, 0xb8]);
    place.run("haraka 256 --in 32 --out hash").failed(1, &["`hash`: it exists"]);

    place.run("haraka 256 --in 64").failed(1, &["`64` has more than 32 bytes, and Haraka-256 takes exactly 32"]);
    place.run("haraka 512 --in 32").failed(1, &["`32` has 32 bytes, and Haraka-512 takes exactly 64"]);
    place.run("haraka 512").failed(1, &["`standard input` has 0 bytes"]);
    place.run("haraka 512 --in nothing").failed(1, &["`nothing`: "]);
    place.run("haraka 512 --in .").failed(1, &["`.`: is a directory"]);
    let hex = |digits: &str| place.run_with("haraka 256 --in-format hex", digits.as_bytes());
    hex("00112").failed(1, &["`standard input` has 5 hexadecimal digits, and Haraka-256 takes exactly 64"]);
    hex(&"0".repeat(5000)).failed(1, &["has 5000 hexadecimal digits"]);
    hex(&"x".repeat(64)).failed(1, &["`standard input` has characters that are no hexadecimal digits"]);
    place.run("haraka 384 --in 32").failed(2, &["384"]);
    place.run("haraka 256 --rounds 7 --in 32").failed(2, &["7"]);
}

#[test]
fn demo() {
    let place = Place::new();
    let mut demo = place.command("demo");
    if is_emulated() && cfg!(feature = "baseline") {
        // An emulated program cannot start itself for the baseline; with no features there is no need to.
        demo.env("SIMD_CORE_ONLY", "");
    }
    let text = String::from_utf8(finish(&mut demo, &[]).done()).unwrap();
    assert!(text.ends_with("\nall results match\n"), "{text}");
    for name in ["AES-128", "Haraka-512", "carry-less product", "GF(2^2048) invert", "Shamir combine", "ChaCha20"] {
        assert!(text.lines().any(|line| line.starts_with(name) && line.contains(" matches ")), "{name}: {text}");
    }
}

#[test]
fn explain() {
    let place = Place::new();
    let all = String::from_utf8(place.run("--explain").done()).unwrap();
    assert!(all.starts_with("CPU: ") && all.contains("\nChaCha20: "), "{all}");
    let ran = place.run_with("haraka 256 --explain", &[0; 32]);
    assert_eq!((ran.code, ran.out.len()), (Some(0), 65));
    assert!(ran.err.contains("Haraka-256 of one message: ") && !ran.err.contains("ChaCha20"), "{}", ran.err);

    // The program says which features are taken away, and what is chosen then.
    let with = |variable: &str, features: &str| {
        let output = finish(place.command("--explain").env(variable, features), &[]).done();
        String::from_utf8(output).unwrap()
    };
    let none = with("SIMD_CORE_ONLY", "");
    if cfg!(all(target_arch = "x86_64", not(target_feature = "ssse3"))) {
        assert_eq!(none.matches("chosen, since no target can be used").count(), 6, "{none}");
        if all.contains("\nChaCha20: avx512vl\n") {
            assert!(none.contains("SIMD_CORE_WITHOUT: ssse3, avx2, "), "{none}");
            let without = with("SIMD_CORE_WITHOUT", "avx512f,gfni");
            assert!(without.contains(": avx512f, avx512bw, avx512vl, avx512vbmi2, gfni\n"), "{without}");
            assert!(without.contains("\nChaCha20: avx2\n"), "{without}");
            assert!(
                without
                    .contains(&format!("{:<42}not here, lacks avx512bw, avx512vl, gfni\n", "avx512bw,avx512vl,gfni")),
                "{without}"
            );
            assert!(without.contains("\nGF(2^8), Shamir of bytes: avx2\n"), "{without}");
        }
    }
}

#[test]
fn usage() {
    let place = Place::new();
    let ran = place.run("");
    assert_eq!((ran.code, ran.out.len()), (Some(2), 0));
    let help = String::from_utf8(place.run("--help").done()).unwrap();
    assert!(help.contains("Exit codes:"), "{help}");
    for command in ["haraka", "shamir split", "shamir combine", "shamir inspect", "seal", "open"] {
        let help = String::from_utf8(place.run(&format!("{command} --help")).done()).unwrap();
        assert!(help.contains("\nExamples:\n"), "{help}");
    }
    let version = String::from_utf8(place.run("--version").done()).unwrap();
    assert_eq!(version, format!("simd-crypto {}\n", env!("CARGO_PKG_VERSION")));
    place.run("sing").failed(2, &["sing"]);
    place.run("haraka 256 --loud").failed(2, &["--loud"]);
}

/// Whoever reads only the start of the output gets no message about it.
#[cfg(unix)]
#[test]
fn broken_pipe() {
    use std::io::Read;
    let place = Place::new();
    place.write("key", [7; 32]);
    let mut command = place.command("seal --key key --in /dev/zero");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(141), &b""[..]));
}
