//! Refusals: each holds for each command.
use super::{Place, bytes, finish};
use std::fs;
use std::process::Stdio;

fn place() -> Place {
    let place = Place::new();
    place.write("32", bytes(32));
    place.run("shamir split -n 3 -t 2 --in 32 --out-dir shares").done();
    place.run("seal --key 32 --in 32 --out sealed").done();
    place
}

/// The commands that write a file, with their inputs, but for the output.
const WRITERS: [(&str, &[&str]); 5] = [
    ("shamir combine shares/share-001.sss shares/share-002.sss", &["shares/share-001.sss", "shares/share-002.sss"]),
    ("seal --key 32 --in sealed", &["32", "sealed"]),
    ("open --key 32 --in sealed", &["32", "sealed"]),
    ("haraka 256 --in 32", &["32"]),
    ("haraka 256 --in 32 --out-format raw", &["32"]),
];

#[test]
fn inputs_are_no_outputs() {
    let place = place();
    for (command, inputs) in WRITERS {
        for input in inputs {
            let before = place.read(input);
            let words = format!("is the same file as the input `{input}`");
            place.run(&format!("{command} --force --out {input}")).failed(2, &[&words]);
            // By another name.
            fs::hard_link(place.path(input), place.path("other")).unwrap();
            place.run(&format!("{command} --force --out other")).failed(2, &[&words]);
            fs::remove_file(place.path("other")).unwrap();
            assert_eq!(place.read(input), before);
        }
    }
    let split = "shamir split -n 2 -t 2 --force --out-dir shares --in shares/share-001.sss";
    place.run(split).failed(2, &["is the same file as the input `shares/share-001.sss`"]);
    assert_eq!(place.names("shares").len(), 3);
}

/// Files that are standard input and standard output.
#[cfg(unix)]
#[test]
fn standard_streams_may_be_one_file() {
    let place = place();
    let file = |append: bool| fs::File::options().read(!append).append(append).open(place.path("32")).unwrap();
    let mut seal = place.command("seal --key sealed --in 32");
    finish(seal.stdout(file(true)), &[]).failed(2, &["`standard output` is the same file as the input `32`"]);
    let mut haraka = place.command("haraka 256 --force --out 32");
    finish(haraka.stdin(file(false)), &[]).failed(2, &["`32` is the same file as the input `standard input`"]);
    assert_eq!(place.read("32"), bytes(32));
}

#[test]
fn standard_input_is_given_once() {
    let place = place();
    for command in ["seal --key - --in -", "open --key -", "shamir combine --out - - -", "shamir inspect - -"] {
        place.run_with(command, &bytes(32)).failed(2, &["standard input can be given only once"]);
    }
}

#[cfg(unix)]
#[test]
fn destinations_are_regular_files() {
    use std::os::unix::fs::symlink;
    let place = place();
    let _socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    fs::create_dir(place.path("folder")).unwrap();
    for (i, target) in ["32", "nowhere", "folder", "/dev/null"].into_iter().enumerate() {
        symlink(target, place.path(&format!("link{i}"))).unwrap();
    }
    place.write("old", "old");
    for (command, _) in WRITERS {
        for force in ["", "--force"] {
            let refused = |out: &str, words: &str| {
                let ran = place.run(&format!("{command} {force} --out {out}"));
                ran.failed(1, &[&format!("`{out}`: {words}")]);
            };
            for i in 0..4 {
                refused(&format!("link{i}"), "it is a symbolic link, which is neither followed nor replaced");
            }
            refused("socket", "it is no regular file");
            refused("folder", "it is a directory");
            refused("/dev/null", "it is no regular file");
            refused("no/such", "No such file or directory (os error 2)");
            refused("32/file", "Not a directory (os error 20)");
            if force.is_empty() {
                refused("old", "it exists; --force replaces it");
            }
        }
    }
    let split = |folder: &str| place.run(&format!("shamir split -n 2 -t 2 --force --in 32 --out-dir {folder}"));
    for i in 0..4 {
        split(&format!("link{i}")).failed(1, &[&format!("`link{i}`: it is a symbolic link")]);
    }
    for (folder, words) in [
        ("socket", "`socket`: it is no directory"),
        ("old", "`old`: it is no directory"),
        ("no/such", "`no/such`: No such file or directory (os error 2)"),
        (".", "`.`: it has no name of its own"),
        ("folder/..", "`folder/..`: it has no name of its own"),
        ("/", "`/`: it has no name of its own"),
    ] {
        split(folder).failed(1, &[words]);
    }
    assert_eq!(place.read("old"), b"old");
    // The folders that an output is in may be links.
    place.run("key --force --out link2/../old").done();
    assert_eq!(place.read("old").len(), 65);
    let names = ["32", "folder", "link0", "link1", "link2", "link3", "old", "sealed", "shares", "socket"];
    assert_eq!(place.names("."), names);
}

/// A terminal gets text, and no binary.
#[cfg(target_os = "linux")]
#[test]
fn terminals_get_no_binary() {
    let place = place();
    place.write("text", "ein Käse\n");
    place.run("seal --key 32 --in text --out text.sealed").done();
    let terminal = |arguments: &str| {
        let mut script = std::process::Command::new("script");
        let program = super::program().join(" ");
        script.args(["-qec", &format!("{program} {arguments} 2>message"), "/dev/null"]);
        let mut script = script.current_dir(place.path("."));
        script = script.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let ran = finish(script, &[]);
        (ran.code, ran.out, String::from_utf8(place.read("message")).unwrap())
    };
    if std::process::Command::new("script").arg("--version").output().is_err() {
        return;
    }
    for (arguments, code) in [
        ("seal --key 32 --in text", 2),
        ("haraka 256 --in 32 --out-format raw", 2),
        ("open --key 32 --in sealed", 1),
        ("shamir combine --out - shares/share-001.sss shares/share-002.sss", 1),
    ] {
        let (found, out, message) = terminal(arguments);
        assert_eq!((found, out.len()), (Some(code), 0), "{arguments}: {message}");
        assert!(message.starts_with("error: standard output is a terminal, and "), "{message}");
    }
    // Nothing goes out of a long text whose end is none, from files and from pipes.
    place.write("long", [&b"a".repeat(200_000)[..], b"\x1b[2J"].concat());
    place.run("seal --key 32 --in long --out long.sealed").done();
    place.run("shamir split -n 2 -t 2 --in long --out-dir long.shares").done();
    for arguments in [
        "open --key 32 --in long.sealed",
        "open --key 32 <long.sealed",
        "shamir combine --out - long.shares/share-001.sss long.shares/share-002.sss",
        "shamir combine --out - long.shares/share-001.sss - <long.shares/share-002.sss",
    ] {
        let (code, out, message) = terminal(arguments);
        assert_eq!((code, out.len()), (Some(1), 0), "{arguments}: {message}");
        assert!(message.contains("this is no text that it can show"), "{message}");
    }
    let (code, out, message) = terminal("open --key 32 --in text.sealed");
    assert_eq!((code, out, message), (Some(0), "ein Käse\r\n".into(), String::new()));
}
