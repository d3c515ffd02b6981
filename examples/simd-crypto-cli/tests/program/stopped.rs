//! Programs that are interrupted or killed at any moment, and what the next one says about it.
use super::{Place, bytes, program};
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

pub(crate) fn signal(child: &Child, signal: &str) {
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
        "QUIT" => 3,
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
    let names = place.names("shares").into_iter();
    names.map(|name| (name.clone(), place.read(&format!("shares/{name}"))[16..32].to_vec())).collect()
}

fn combined(place: &Place) -> Vec<u8> {
    let paths: Vec<_> = sets(place).keys().map(|name| format!("shares/{name}")).collect();
    place.run(&format!("shamir combine --out - {}", paths.join(" "))).done()
}

fn left(place: &Place) -> Vec<String> {
    place.names(".").into_iter().filter(|name| name.starts_with(".simd-crypto-")).collect()
}

/// Replaces shares by those of another secret, and stops that at many moments: after its start, and after the folder of the new
/// shares has appeared.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[test]
fn shares_are_of_one_set_whenever_a_split_is_stopped() {
    const SHARES: usize = 20;
    const ROUNDS: u32 = 80;
    let place = Place::new();
    place.write("old", "old");
    place.write("new", "new");
    let split =
        |secret: &str| place.command(&format!("shamir split -n {SHARES} -t 10 --in {secret} --out-dir shares --force"));
    let begun = Instant::now();
    assert!(split("old").status().unwrap().success());
    let (mut counts, mut seen) = (BTreeMap::new(), [0_u32; 2]);
    let signals = heard(&["INT", "KILL", "TERM", "HUP", "QUIT"]);
    // Twice the mean time until a split is stopped. It grows while they are stopped before they are done, and shrinks while
    // they are not: so the moments are around that of the change on any machine and under any load.
    let mut longest = [begun.elapsed(); 2];
    for i in 0_u32.. {
        if i >= ROUNDS && seen.iter().all(|&n| n >= ROUNDS / 8) {
            break;
        }
        assert!(i < 20 * ROUNDS, "{counts:?}");
        let name = signals[i as usize % signals.len()];
        let before = sets(&place);
        let mut child = split("new").spawn().unwrap();
        let after_the_folder = i / 4 % 2 == 1;
        while after_the_folder && left(&place).is_empty() && !has_ended(&mut child) {}
        let longest = &mut longest[usize::from(after_the_folder)];
        std::thread::sleep(*longest * (i * 7 % 16) / 15);
        if !has_ended(&mut child) {
            signal(&child, name);
        }
        let code = child.wait().unwrap().code();
        for folder in left(&place) {
            assert!(name == "KILL" || code.is_none(), "{name}: {folder}");
            fs::remove_dir_all(place.path(&folder)).unwrap();
            *counts.entry((name, "left something")).or_insert(0) += 1;
        }
        let after = sets(&place);
        assert_eq!(after.len(), SHARES, "{name}");
        let new = before != after;
        assert!(after.values().all(|set| set == after.values().next().unwrap()), "{name}: of two sets");
        assert!(!new || code != Some(130), "{name}: shares have changed, and the code is that of an interrupt");
        assert!(new || code != Some(0), "{name}: the code is 0, and shares have not changed");
        seen[usize::from(new)] += 1;
        *counts.entry((name, if new { "new" } else { "as before" })).or_insert(0) += 1;
        *longest = *longest * if new { 4 } else { 6 } / 5;
    }
    println!("{counts:?}");
    assert_eq!(combined(&place), b"new");
}

/// A folder of a split: the next run in the same place names it, and not those of runs that are at work. Of a file nothing is left
/// where it has no name until it is complete.
#[test]
fn what_a_killed_command_has_left_is_named() {
    let place = Place::new();
    place.write("key", bytes(32));
    for (killed, next) in [
        ("shamir split -n 3 -t 2 --in - --out-dir shares", "shamir split -n 3 -t 2 --in key --out-dir shares"),
        ("seal --key key --out out", "seal --key key --in key --out out"),
    ] {
        let mut child = place.reading(killed);
        // It is not left as long as it is written.
        place.run("seal --key key --in key --out one").done();
        fs::remove_file(place.path("one")).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let left = left(&place);
        if cfg!(target_os = "linux") && killed.starts_with("seal") {
            assert_eq!(left, [""; 0]);
            continue;
        }
        assert_eq!(left.len(), 1, "{left:?}");
        let note = format!("note: `{}` is left from a run that was killed; remove it\n", left[0]);
        for next in ["seal --key key --in key --out two", next] {
            let ran = place.run(next);
            assert_eq!((ran.code, &ran.err), (Some(0), &note), "{next}");
        }
        fs::remove_file(place.path("two")).unwrap();
        let left = place.path(&left[0]);
        fs::remove_file(&left).or_else(|_| fs::remove_dir_all(&left)).unwrap();
    }
}

/// Several runs at a time in one folder say nothing of each other's files and folders.
#[test]
fn runs_at_work_are_not_called_left() {
    const RUNS: usize = 25;
    let place = Place::new();
    place.write("key", [0xff; 32]);
    let work = |n: usize| {
        for i in 0..RUNS {
            place.run(&format!("seal --key key --in key --out file-{n}-{i}")).done();
            place.run(&format!("seal --key key --in key --out file-{n}-{i} --force")).done();
            place.run(&format!("shamir split -n 3 -t 2 --in key --out-dir folder-{n}-{i}")).done();
            fs::remove_file(place.path(&format!("file-{n}-{i}"))).unwrap();
            fs::remove_dir_all(place.path(&format!("folder-{n}-{i}"))).unwrap();
        }
    };
    std::thread::scope(|scope| (0..8).for_each(|n| _ = scope.spawn(move || work(n))));
    assert_eq!(place.names("."), ["key"]);
}

/// Of several at a time, one replaces the shares; sets are never mixed, and nobody waits for a lock.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
#[test]
fn one_split_at_a_time() {
    let place = Place::new();
    place.write("secret", "secret");
    let split = "shamir split -n 20 -t 3 --in secret --out-dir shares --force";
    place.run(split).done();
    let busy = "`shares`: another program has locked it; try again when that is done";
    let stranger = fs::File::open(place.path("shares")).unwrap();
    stranger.lock().unwrap();
    place.run(split).failed(1, &[busy]);
    drop(stranger);
    let mut first = place.reading("shamir split -n 20 -t 2 --in - --out-dir shares --force");
    place.run(split).failed(1, &[busy]);
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());

    for _ in 0..10 {
        let split = || {
            let mut child = Command::new(&program()[0]);
            child.args(&program()[1..]).args(split.split(' '));
            child.current_dir(place.path(".")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
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
        assert!(done >= 1 && sets.len() == 20 && place.names(".") == ["secret", "shares"]);
        assert!(sets.values().all(|set| set == &sets["share-001.sss"]), "of several sets");
    }
}

/// No core is dumped, even where the limits allow it, and secrets are locked.
#[cfg(target_os = "linux")]
#[test]
fn secrets_stay_in_memory() {
    if super::is_emulated() {
        return; // The memory is that of the emulator.
    }
    let place = Place::new();
    place.write("key", bytes(32));
    for arguments in ["shamir split -n 3 -t 2 --in - --out-dir shares", "seal --key key --out out"] {
        let mut child = place.reading(arguments);
        let read = |file: &str| fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap();
        let limits = read("limits");
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"]);
        let status = read("status");
        let locked = status.lines().find_map(|line| line.strip_prefix("VmLck:")).unwrap();
        let locked: u64 = locked.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(locked >= 16, "{locked}");
        signal(&child, "KILL");
        child.wait().unwrap();
    }
}

/// Nothing of keys, messages and shares is in the memory of a program that ends, as far as an administrator can look.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn memory_is_wiped_at_the_end() {
    /// `exit_group`, at whose start the program is held.
    const EXIT: &str = "231 ";
    let place = Place::new();
    let secret: Vec<u8> = (0..96_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect();
    place.write("secret", &secret);
    place.write("key", &secret[..32]);
    place.write("digits", format!("{:x}\n", base16ct::HexDisplay(&secret[..32])));
    place.write("message", &secret[32..]);
    for format in ["binary", "text"] {
        place.run(&format!("shamir split -n 3 -t 2 --in secret --out-dir {format} --format {format}")).done();
    }
    place.run("seal --key key --in secret --out sealed").done();
    let looked = [
        "shamir split -n 3 -t 2 --in secret --out-dir new --format binary",
        "shamir split -n 3 -t 2 --in secret --out-dir new --format text --force",
        "shamir combine --out a binary/share-001.sss binary/share-002.sss",
        "shamir combine --out - text/share-001.txt text/share-003.txt",
        "shamir inspect text/share-001.txt",
        "seal --key key --in secret --out b",
        "open --key digits --in sealed --out c",
        "haraka 512 --in message",
    ]
    .map(|arguments| {
        let mut strace = Command::new("strace");
        strace.args([
            "-qq",
            "-f",
            "-o",
            "trace",
            "-e",
            "trace=exit_group",
            "-e",
            "inject=exit_group:delay_enter=60000000",
        ]);
        strace.args(program()).args(arguments.split(' ')).current_dir(place.path("."));
        let Ok(mut strace) = strace.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
            return false;
        };
        let children = format!("/proc/{0}/task/{0}/children", strace.id());
        let child = loop {
            let child = fs::read_to_string(&children).unwrap_or_default();
            let is_at_its_end = |child: &str| fs::read_to_string(format!("/proc/{child}/syscall")).ok();
            match is_at_its_end(child.trim()) {
                Some(call) if call.starts_with(EXIT) => break child.trim().to_owned(),
                _ if has_ended(&mut strace) => return false,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let memory = memory_of(&child);
        let _ = Command::new("kill").args(["-KILL", &child]).status();
        // Which would wait until the delay ends.
        strace.kill().unwrap();
        strace.wait().unwrap();
        let mut needles = vec![("secret", secret.clone())];
        for folder in ["new", "binary", "text"].into_iter().filter(|folder| place.path(folder).exists()) {
            let shares = place.names(folder).into_iter().map(|name| place.read(&format!("{folder}/{name}")));
            needles.extend(shares.map(|share| ("share", values_of(&share, secret.len()))));
        }
        let windows: BTreeMap<&[u8], &str> =
            needles.iter().flat_map(|(name, bytes)| bytes.windows(8).map(move |window| (window, *name))).collect();
        let starts: BTreeSet<&[u8]> = windows.keys().map(|window| &window[..2]).collect();
        let mut is_start = vec![false; 1 << 16];
        for start in starts {
            is_start[usize::from(u16::from_le_bytes([start[0], start[1]]))] = true;
        }
        for (region, bytes) in &memory {
            for i in 0..bytes.len().saturating_sub(8) {
                if is_start[usize::from(u16::from_le_bytes([bytes[i], bytes[i + 1]]))] {
                    let found = windows.get(&bytes[i..i + 8]);
                    assert_eq!(found, None, "{arguments}: bytes of this are in {region}");
                }
            }
        }
        memory.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > 100_000
    });
    if looked.contains(&false) {
        println!("memory is not looked at: that takes strace and an administrator, {looked:?}");
    }
}

/// The values of a share of either format.
#[cfg(target_os = "linux")]
fn values_of(share: &[u8], length: usize) -> Vec<u8> {
    let Ok(text) = str::from_utf8(share) else { return share[68..68 + length].to_vec() };
    let digits: String = text.split('|').nth(4).unwrap().split(' ').collect();
    let mut values = vec![0; length];
    base16ct::mixed::decode(digits, &mut values).unwrap();
    values
}

/// The memory that a process can write to: names of regions, and their bytes. Nothing if nobody may look.
#[cfg(target_os = "linux")]
fn memory_of(process: &str) -> Vec<(String, Vec<u8>)> {
    use std::os::unix::fs::FileExt;
    let Ok(memory) = fs::File::open(format!("/proc/{process}/mem")) else { return Vec::new() };
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    let regions = maps.lines().filter(|line| line.contains(" rw-")).filter_map(|line| {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        let [start, end] = [start, end].map(|place| u64::from_str_radix(place, 16).unwrap());
        let mut bytes = vec![0; (end - start) as usize];
        memory.read_exact_at(&mut bytes, start).ok()?;
        Some((line.split_whitespace().nth(5).unwrap_or("a region without a name").to_owned(), bytes))
    });
    regions.collect()
}
