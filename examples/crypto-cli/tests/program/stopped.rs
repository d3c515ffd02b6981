//! Programs that are interrupted or killed at any moment, and what the next one does about it.
use super::{Place, bytes, program};
use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
}

/// Those of `signals` that programs started from here hear. A program that is started in the background of a script may be
/// told to ignore some, and so are its children.
pub(crate) fn heard(signals: &[&'static str]) -> Vec<&'static str> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let number = |signal: &str| match signal {
        "HUP" => 1,
        "INT" => 2,
        "KILL" => 9,
        "TERM" => 15,
        _ => panic!("the number of {signal}"),
    };
    signals.iter().copied().filter(|signal| ignored >> (number(signal) - 1) & 1 == 0).collect()
}

fn has_ended(child: &mut Child) -> bool {
    child.try_wait().unwrap().is_some()
}

/// The shares in `shares`, with the number of the set in each.
fn sets(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let names = place.names("shares").into_iter().filter(|name| name.starts_with("share-"));
    names.map(|name| (name.clone(), place.read(&format!("shares/{name}"))[16..32].to_vec())).collect()
}

/// The secret, by the first shares that there are.
fn combined(place: &Place) -> Vec<u8> {
    let paths: Vec<_> = sets(place).keys().map(|name| format!("shares/{name}")).collect();
    place.run(&format!("shamir combine --out - {}", paths.join(" "))).done()
}

/// A split that has been killed while it read; the end of its input has not come.
fn killed_while_reading(place: &Place, arguments: &str) {
    let mut split = place.command(&format!("shamir split -n 3 -t 2 --in - --out-dir shares {arguments}"));
    let mut split = split.stdin(Stdio::piped()).spawn().unwrap();
    // More than a pipe holds, so that some of it has been read when this returns.
    split.stdin.as_mut().unwrap().write_all(&bytes(2_000_000)).unwrap();
    split.kill().unwrap();
    split.wait().unwrap();
}

/// Replaces shares by those of another secret, and stops that at many moments: in the whole of its time, and around the
/// one at which the new shares take their places.
#[test]
fn shares_are_of_one_set_whenever_a_split_is_stopped() {
    const TIME: Duration = Duration::from_secs(4);
    /// For machines on which few are stopped before they have begun, or after.
    const LONGEST: Duration = Duration::from_secs(60);
    const SHARES: usize = 20;
    let place = Place::new();
    place.write("old", "old");
    place.write("new", "new");
    let split =
        |secret: &str| place.command(&format!("shamir split -n {SHARES} -t 10 --in {secret} --out-dir shares --force"));
    // The first is slow: nothing is cached.
    let times = [(); 5].map(|()| {
        let begun = Instant::now();
        assert!(split("old").status().unwrap().success());
        begun.elapsed()
    });
    let whole = *times.iter().min().unwrap();
    let begun = Instant::now();
    let (mut counts, mut seen) = (BTreeMap::new(), [0_u32; 2]);
    let signals = heard(&["INT", "KILL", "TERM", "HUP"]);
    for i in 0_u32.. {
        let enough = i >= 40 && seen.iter().all(|&n| n > 5);
        if begun.elapsed() > if enough { TIME } else { LONGEST } {
            break;
        }
        let name = signals[i as usize % signals.len()];
        let before = sets(&place);
        let mut child = split("new").spawn().unwrap();
        if i / 4 % 2 == 0 {
            std::thread::sleep(whole * (i % 37) / 30);
        } else {
            // The record comes first.
            let ready = place.path("shares/.simd-crypto-split/ready");
            while !ready.exists() && !has_ended(&mut child) {}
            let moment = Instant::now();
            while moment.elapsed() < Duration::from_micros(u64::from(i * 7 % 400)) {}
        }
        if !has_ended(&mut child) {
            signal(&child, name);
        }
        let code = child.wait().unwrap().code();
        let journal = place.path("shares/.simd-crypto-split").exists();
        if name == "KILL" && journal {
            let said = place.run("recover shares");
            assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
            *counts.entry((name, "recovered")).or_insert(0) += 1;
        } else if code != Some(130) && code != Some(0) {
            // The signal came before anything was watched, or begun.
            assert!(code.is_none() && !journal, "{name}: {code:?}");
        }
        let after = sets(&place);
        assert_eq!(place.names("shares").len(), SHARES, "{name}");
        let new = before != after;
        assert!(after.values().all(|set| set == after.values().next().unwrap()), "{name}: of two sets");
        assert!(!new || code != Some(130), "{name}: shares have changed, and the code is that of an interrupt");
        assert!(new || code != Some(0), "{name}: the code is 0, and shares have not changed");
        seen[usize::from(new)] += 1;
        *counts.entry((name, if new { "new" } else { "as before" })).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert_eq!(combined(&place), b"new");
    assert!(seen[0] > 5 && seen[1] > 5, "{counts:?}");
}

#[test]
fn what_a_killed_split_has_left_is_named_and_removed() {
    let place = Place::new();
    place.write("secret", "secret");
    place.run("shamir split -n 3 -t 2 --in secret --out-dir shares").done();
    killed_while_reading(&place, "--force");
    assert_eq!(place.names("shares").len(), 4);
    let left = "`shares`: an interrupted split has left its work there; run: simd-crypto recover shares";
    place.run("shamir split -n 3 -t 2 --in secret --out-dir shares --force").failed(1, &[left]);
    // It has not come so far that it matters to these.
    assert_eq!(combined(&place), b"secret");
    place.run("shamir combine --out - shares/share-001.sss").failed(4, &["2 shares are needed", left]);
    let removed = "shares: removed a split that was not finished; other shares are as they were\n";
    assert_eq!(String::from_utf8(place.run("recover shares").done()).unwrap(), removed);
    assert_eq!(place.run("recover shares").done(), b"shares: nothing is left behind\n");
    assert_eq!(combined(&place), b"secret");
    place.run("recover secret").failed(1, &["`secret` is no directory"]);
    place.run("recover nothing").failed(1, &["`nothing` is no directory"]);
}

/// As a split is stopped between two shares: the journal is made by hand.
#[test]
fn a_split_that_was_ready_is_finished() {
    let place = Place::new();
    place.write("secret", "secret");
    place.write("other", "another secret");
    place.run("shamir split -n 3 -t 3 --in secret --out-dir shares").done();
    place.run("shamir split -n 3 -t 3 --in other --out-dir other-shares").done();
    let journal = place.path("shares/.simd-crypto-split");
    for directory in ["", "new", "old"] {
        fs::create_dir(journal.join(directory)).unwrap();
    }
    let other = place.path("other-shares");
    fs::rename(place.path("shares/share-001.sss"), journal.join("old/share-001.sss")).unwrap();
    fs::rename(other.join("share-001.sss"), place.path("shares/share-001.sss")).unwrap();
    for name in ["share-002.sss", "share-003.sss"] {
        fs::rename(other.join(name), journal.join("new").join(name)).unwrap();
    }
    fs::write(journal.join("ready"), "replace\n").unwrap();
    let all = "shares/share-001.sss shares/share-002.sss shares/share-003.sss";
    place.run(&format!("shamir combine --out - {all}")).failed(3, &["of another set", "simd-crypto recover shares"]);
    let finished = "shares: finished a split: all new shares are in their places\n";
    assert_eq!(String::from_utf8(place.run("recover shares").done()).unwrap(), finished);
    assert_eq!(place.names("shares"), ["share-001.sss", "share-002.sss", "share-003.sss"]);
    assert_eq!(combined(&place), b"another secret");
}

#[test]
fn what_a_killed_command_has_left_is_named_and_removed() {
    let place = Place::new();
    place.write("key", [7; 32]);
    place.write("message", "message");
    let chacha20 = "chacha20 --key key --nonce 000000000000000000000000";
    let mut child = place.command(&format!("{chacha20} --out out"));
    let mut child = child.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&bytes(2_000_000)).unwrap();
    // It is not left as long as it is written.
    place.run(&format!("{chacha20} --in message --out one")).done();
    assert_eq!(place.run("recover .").done(), b".: nothing is left behind\n");
    assert_eq!(place.names(".").len(), 4);
    child.kill().unwrap();
    child.wait().unwrap();
    let names = place.names(".");
    let left = names.iter().find(|name| name.starts_with(".simd-crypto-")).unwrap();
    let ran = place.run(&format!("{chacha20} --in message --out two"));
    let note = format!("note: `{left}` is left from a run that was killed; to remove it, run: simd-crypto recover .\n");
    assert_eq!((ran.code, ran.err), (Some(0), note));
    assert_eq!(place.run("recover .").done(), format!("{left}: removed\n").as_bytes());
    assert_eq!(place.names("."), ["key", "message", "one", "two"]);
}

/// Of several at a time, one writes; sets are never mixed.
#[test]
fn one_split_at_a_time() {
    let place = Place::new();
    place.write("secret", "secret");
    let mut first = place.command("shamir split -n 3 -t 2 --in - --out-dir shares");
    let mut first = first.stdin(Stdio::piped()).spawn().unwrap();
    first.stdin.as_mut().unwrap().write_all(&bytes(2_000_000)).unwrap();
    let busy = "`shares`: another simd-crypto writes shares there; try again when it is done";
    place.run("shamir split -n 3 -t 2 --in secret --out-dir shares --force").failed(1, &[busy]);
    place.run("recover shares").failed(1, &[busy]);
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    assert_eq!(sets(&place).len(), 3);

    for _ in 0..10 {
        let split = || {
            let mut split = Command::new(&program()[0]);
            split.args(&program()[1..]).args("shamir split -n 20 -t 3 --in secret --out-dir shares --force".split(' '));
            split.current_dir(place.path(".")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children = [(); 4].map(|()| split());
        let mut done = 0;
        for child in children {
            let output = child.wait_with_output().unwrap();
            done += i32::from(output.status.success());
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success() || said.contains(busy), "{said}");
        }
        let sets = sets(&place);
        assert!(done >= 1 && sets.len() == 20 && place.names("shares").len() == 20);
        assert!(sets.values().all(|set| set == &sets["share-001.sss"]), "of several sets");
    }
}
