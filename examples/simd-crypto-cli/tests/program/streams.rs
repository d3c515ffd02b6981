//! Standard output and standard error that take nothing, and names that not everything can print.
use super::{Place, program};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// Runs the program in a shell, and gives its exit code, standard output and standard error.
fn shell(place: &Place, script: &str) -> (Option<i32>, String, String) {
    let ran = place.shell(script);
    (ran.code, String::from_utf8_lossy(&ran.out).into_owned(), ran.err)
}

const SPLIT: &str = "shamir split -n 3 -t 2 --in secret --out-dir shares";

/// The exit code does not depend on whether messages can be read.
#[cfg(target_os = "linux")]
#[test]
fn standard_error_that_takes_nothing() {
    let place = Place::new();
    place.write("secret", "s");
    place.write("text", "1|4b\n2|4c\n");
    let commands = [
        ("", 2),
        ("sing", 2),
        ("shamir split -n 2 -t 1 --in secret --out-dir new", 0),
        ("shamir split -n 2 -t 1 --in secret --out-dir new", 1),
        ("shamir split -n 2 -t 3 --in secret --out-dir other", 2),
        ("shamir combine -t 2 --out - text", 0),
        ("shamir combine -t 3 --out - text", 4),
        ("shamir combine --out - secret", 3),
        ("haraka 256 --explain --in secret", 1),
        ("--explain", 0),
        ("shamir inspect nothing", 1),
    ];
    // A pipe whose reader has gone: its end is read before the program starts.
    for to in ["2>&-", "2>/dev/full", "2>broken"] {
        for (arguments, code) in commands {
            let script = match to {
                "2>broken" => {
                    format!("{{ sleep 0.1; \"$@\" {arguments}; echo $? >code; }} 2>&1 >/dev/null | true")
                }
                to => format!("\"$@\" {arguments} {to}; echo $? >code"),
            };
            let (_, _, said) = shell(&place, &script);
            assert_eq!(said, "", "{arguments} {to}");
            assert_eq!(String::from_utf8(place.read("code")).unwrap(), format!("{code}\n"), "{arguments} {to}");
        }
        fs::remove_dir_all(place.path("new")).unwrap();
    }
}

/// The shares are what a split is for; their names are a service.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_takes_nothing() {
    let place = Place::new();
    place.write("secret", "s");
    let shares = || {
        let shares = place.names("shares");
        fs::remove_dir_all(place.path("shares")).unwrap();
        shares.len()
    };
    let full = "No space left on device (os error 28)";
    let (code, _, said) = shell(&place, &format!("\"$@\" {SPLIT} >/dev/full"));
    let warning = format!("warning: the shares are in `shares`, but their names cannot be printed: {full}\n");
    assert_eq!((code, said, shares()), (Some(0), warning, 3));
    let (code, _, said) = shell(&place, &format!("\"$@\" {SPLIT} >&-"));
    let warning = "warning: the shares are in `shares`, but their names cannot be printed: it is closed\n";
    assert_eq!((code, said, shares()), (Some(0), warning.to_owned(), 3));
    let (_, out, said) = shell(&place, &format!("{{ sleep 0.1; \"$@\" {SPLIT}; echo $? >&2; }} | true"));
    assert_eq!((out, said, shares()), (String::new(), "0\n".into(), 3));

    // Of the others, standard output is the result.
    let (code, _, said) = shell(
        &place,
        &format!(
            "\"$@\" {SPLIT} >list; \"$@\" shamir combine --out - shares/share-001.sss shares/share-002.sss >/dev/full"
        ),
    );
    assert_eq!((code, said), (Some(1), format!("error: `standard output`: {full}\n")));
    for command in ["--explain", "demo", "shamir inspect shares/share-001.sss"] {
        let (code, _, said) = shell(&place, &format!("\"$@\" {command} >/dev/full"));
        assert_eq!((code, said), (Some(1), format!("error: `standard output`: {full}\n")), "{command}");
    }
    let (_, _, said) = shell(&place, "{ sleep 0.1; \"$@\" --explain; echo $? >&2; } | true");
    assert_eq!(said, "141\n");
}

/// The standard library takes what is closed for `/dev/null`, and what can only be read for something that has been written.
#[cfg(target_os = "linux")]
#[test]
fn standard_streams_that_are_closed() {
    let place = Place::new();
    place.write("secret", [b'\xff'; 32]);
    place.write("other", "o");
    place.run(SPLIT).done();
    place.run("seal --key secret --in secret --out sealed").done();
    for command in [
        "--explain",
        "--help",
        "shamir split --help",
        "--version",
        "demo",
        "haraka 256 --in secret",
        "seal --key secret --in secret",
        "open --key secret --in sealed",
        "shamir combine --out - shares/share-001.sss shares/share-002.sss",
        "shamir inspect shares/share-001.sss",
    ] {
        let (code, _, said) = shell(&place, &format!("\"$@\" {command} >&-"));
        assert_eq!((code, said.as_str()), (Some(1), "error: `standard output`: it is closed\n"), "{command}");
        if command != "demo" {
            let (code, _, said) = shell(&place, &format!("\"$@\" {command} 1<other"));
            assert!(code == Some(1) && said.contains("Bad file descriptor"), "{command}: {code:?} {said}");
        }
        // A stream that is given is none that is closed, however it is opened.
        if command != "demo" {
            assert_eq!(shell(&place, &format!("\"$@\" {command} 1<>/dev/null")).0, Some(0), "{command}");
        }
    }
    for command in [
        "shamir split -n 3 -t 2 --in - --out-dir new",
        "shamir split -n 3 -t 2 --in - --out-dir new --allow-empty",
        "seal --key secret --out new",
        "seal --key - --in secret --out new",
        "haraka 256",
        "shamir inspect -",
    ] {
        let (code, _, said) = shell(&place, &format!("\"$@\" {command} <&-"));
        assert_eq!((code, said.as_str()), (Some(1), "error: `standard input`: it is closed\n"), "{command}");
        assert!(!place.path("new").exists());
    }
    let empty = "\"$@\" shamir split -n 3 -t 2 --in - --out-dir new --allow-empty 0<>/dev/null";
    assert_eq!(shell(&place, empty).0, Some(0));
}

#[test]
fn a_folder_that_has_been_deleted() {
    let place = Place::new();
    place.write("key", [0xff; 32]);
    let deleted = |command: &str| shell(&place, &format!("mkdir gone; cd gone; rmdir ../gone; \"$@\" {command}"));
    let inputs = format!("--in {}", place.path("key").display());
    let split = format!("shamir split -n 2 -t 2 {inputs} --out-dir out");
    for command in ["key --out out".to_owned(), split] {
        let message = "error: `out`: the folder that the program runs in has been deleted\n";
        assert_eq!(deleted(&command), (Some(1), String::new(), message.to_owned()), "{command}");
    }
    // A line without a name is no matter.
    assert_eq!(deleted(&format!("haraka 256 {inputs}")).0, Some(0));
    assert_eq!(deleted(&format!("key --out {}", place.path("new").display())).0, Some(0));
}

/// Names are printed so that a shell reads them back, and no terminal obeys them.
#[test]
fn names_that_cannot_be_printed() {
    let place = Place::new();
    place.write("secret", "s");
    let names: [&[u8]; 4] =
        [b"caf\xe9", b"\x1b]0;title\x07 \x1b[2J", b"line\nbreak\t'quoted'", "k\u{e4}se \u{202e}txt".as_bytes()];
    for name in names {
        let name = OsStr::from_bytes(name);
        let mut split = place.command("shamir split -n 2 -t 2 --in secret --out-dir");
        let ran = super::finish(split.arg(name), &[]);
        // File systems may take only names in UTF-8.
        if ran.code == Some(1) && cfg!(not(target_os = "linux")) {
            continue;
        }
        let printed = String::from_utf8(ran.done()).unwrap();
        assert!(!printed.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{printed:?}");
        assert_eq!(printed.lines().count(), 2, "{printed}");
        let shares: Vec<_> = printed.lines().collect();
        // The quotes are those of bash and other shells; dash does not know all of them yet.
        if Command::new("bash").arg("--version").output().is_ok() {
            let script = format!("\"$@\" shamir combine --out - {}", shares.join(" "));
            let mut bash = Command::new("bash");
            bash.args(["-c", &script, "bash"]).args(program()).current_dir(place.path("."));
            assert_eq!(bash.output().unwrap().stdout, b"s", "{script}");
        }
        // Errors, and commands that help.
        for arguments in ["shamir split -n 2 -t 2 --in secret --out-dir", "shamir combine --out", "shamir inspect"] {
            let mut command = place.command(arguments);
            command.arg(name).args((arguments == "shamir combine --out").then_some("secret"));
            let ran = super::finish(&mut command, &[]);
            assert!(!ran.err.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{:?}", ran.err);
            assert!(ran.err.contains("$'"), "{}", ran.err);
        }
        fs::remove_dir_all(place.0.path().join(name)).unwrap();
    }
}

/// Files need not fit into memory: this one is larger than all that the program may map.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    if super::is_emulated() {
        return; // The emulator maps more than that.
    }
    let place = Place::new();
    let secret = super::bytes(21 << 20);
    place.write("secret", &secret);
    let limited = |command: &str| shell(&place, &format!("ulimit -v 20480; export RUST_BACKTRACE=0; \"$@\" {command}"));
    let (code, _, err) = limited("shamir split -n 2 -t 2 --in secret --out-dir shares");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (code, _, err) = limited("shamir combine --out back shares/share-001.sss shares/share-002.sss");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(place.read("back") == secret);
}
