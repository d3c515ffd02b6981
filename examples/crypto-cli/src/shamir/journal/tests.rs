//! The journal is stopped before each of its changes, and before each change of what recovers it.
use super::{Journal, Problem};
use core::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use tempfile::TempDir;

thread_local! {
    /// How many changes are made before one fails, and whether all behind it fail too.
    static LEFT: Cell<(usize, bool)> = const { Cell::new((usize::MAX, false)) };
}

thread_local! {
    /// The changes that have been made, with the last names of their paths.
    static CHANGES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn before_change(change: &str, paths: &[&Path]) -> io::Result<()> {
    let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
    CHANGES.with_borrow_mut(|changes| changes.push(format!("{change} {}", names.join(" "))));
    let (left, for_good) = LEFT.get();
    if left == 0 {
        if !for_good {
            LEFT.set((usize::MAX, false));
        }
        return Err(io::Error::other("stopped here"));
    }
    LEFT.set((left - 1, for_good));
    Ok(())
}

/// Runs something whose next change after so many fails, and with `for_good` all behind it too, as if the program had been killed.
/// Says whether there was one.
fn stopped<T>(after: usize, for_good: bool, run: impl FnOnce() -> T) -> (T, bool) {
    LEFT.set((after, for_good));
    let result = run();
    let (left, _) = LEFT.replace((usize::MAX, false));
    (result, left == 0 || left > usize::MAX / 2)
}

/// Shares of before, of which some are replaced, and new ones.
const OLD: [&str; 3] = ["share-001", "share-002", "share-009"];
const NEW: [&str; 3] = ["share-001", "share-002", "share-003"];

struct Place {
    directory: TempDir,
    replace: bool,
}

impl Place {
    fn new(replace: bool) -> Self {
        let directory = TempDir::new().unwrap();
        if replace {
            for name in OLD {
                fs::write(directory.path().join(name), "old").unwrap();
            }
        }
        let journal = Journal::of(directory.path());
        for path in [&journal.root, &journal.new, &journal.old] {
            fs::create_dir(path).unwrap();
        }
        for name in NEW {
            fs::write(journal.new.join(name), "new").unwrap();
        }
        Self { directory, replace }
    }

    fn journal(&self) -> Journal {
        Journal::of(self.directory.path())
    }

    fn split(&self) -> Result<(), Problem> {
        let journal = self.journal();
        journal.make_ready(self.replace)?;
        journal.forward()?;
        journal.clear()
    }

    fn recover(&self) -> Result<(), Problem> {
        let journal = self.journal();
        if !journal.exists() {
            return Ok(());
        }
        if journal.is_ready()? { journal.forward().and_then(|()| journal.clear()) } else { journal.discard() }
    }

    /// All names in the directory, with what is in them.
    fn shares(&self) -> Vec<(String, String)> {
        let mut shares: Vec<_> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (name(&path), fs::read_to_string(&path).unwrap_or_else(|_| "a directory".into())))
            .collect();
        shares.sort();
        shares
    }

    fn of_before(&self) -> Vec<(String, String)> {
        if self.replace { OLD.map(|name| (name.into(), "old".into())).to_vec() } else { Vec::new() }
    }

    fn of_after(&self) -> Vec<(String, String)> {
        let mut shares = NEW.map(|name| (name.into(), "new".into())).to_vec();
        shares.extend(self.replace.then(|| ("share-009".into(), "old".into())));
        shares
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().into()
}

/// Whatever the moment at which it is killed, and that at which its recovery is killed, all shares are of one set.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there is no directory for temporary files")]
fn killed_at_every_change() {
    for replace in [false, true] {
        let (mut before, mut after) = (0, 0);
        for changes in 0.. {
            let mut done = false;
            for recovered in 0.. {
                let place = Place::new(replace);
                done = stopped(changes, true, || place.split()).0.is_ok();
                let whole = stopped(recovered, true, || place.recover()).0.is_ok();
                place.recover().unwrap();
                let shares = place.shares();
                if shares == place.of_before() {
                    before += 1;
                } else {
                    assert_eq!(shares, place.of_after(), "{changes} changes, {recovered} changes of the recovery");
                    after += 1;
                }
                assert!(!done || shares == place.of_after());
                if whole {
                    break;
                }
            }
            if done {
                break;
            }
        }
        assert!(before > 10 && after > 50, "{before} {after}");
    }
}

/// A change that fails is taken back with all others.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there is no directory for temporary files")]
fn failed_at_every_change() {
    for replace in [false, true] {
        let names: Vec<OsString> = NEW.map(OsString::from).to_vec();
        for changes in 0.. {
            let place = Place::new(replace);
            let journal = place.journal();
            let (made, failed) =
                stopped(changes, false, || journal.make_ready(replace).and_then(|()| journal.forward()));
            if !failed {
                made.unwrap();
                assert!(changes > 8);
                break;
            }
            // A link may have failed, and another way have been found.
            if made.is_ok() {
                journal.clear().unwrap();
                assert_eq!(place.shares(), place.of_after(), "{changes}");
                continue;
            }
            journal.back(&names).unwrap();
            assert!(!journal.is_ready().unwrap());
            assert_eq!(super::names(&journal.new).unwrap(), names, "{changes}");
            journal.discard().unwrap();
            assert_eq!(place.shares(), place.of_before(), "{changes}");
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there is no directory for temporary files")]
fn files_of_others_are_in_the_way() {
    let place = Place::new(false);
    fs::write(place.directory.path().join("share-002"), "mine").unwrap();
    let journal = place.journal();
    let problem = place.split().unwrap_err();
    assert!(problem.is_existing_file() && name(problem.path()) == "share-002", "{problem}");
    assert!(place.recover().unwrap_err().is_existing_file());
    fs::remove_file(place.directory.path().join("share-002")).unwrap();
    place.recover().unwrap();
    assert_eq!(place.shares(), place.of_after());
    assert!(!journal.exists());
}

/// Nothing is removed that nobody can have left there.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there is no directory for temporary files")]
fn replaced_shares_without_a_record_stay() {
    let place = Place::new(true);
    fs::write(place.journal().old.join("share-001"), "older").unwrap();
    place.recover().unwrap_err();
    assert!(place.journal().old.join("share-001").exists() && place.journal().new.join("share-001").exists());
}

/// When the power goes, the disk has what has been synced, and any part of what came later. So each step begins when what
/// it needs is on the disk.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there is no directory for temporary files")]
fn steps_wait_for_the_disk() {
    let place = Place::new(true);
    place.split().unwrap();
    let changes = CHANGES.take();
    let shares = name(place.directory.path());
    let at = |change: &str| changes.iter().position(|made| made == change).expect(change);
    let last = |start: &str| changes.iter().rposition(|made| made.starts_with(start)).expect(start);
    let synced = |directory: &str, after: usize, before: usize| {
        let sync = format!("sync_directory {directory}");
        assert!(changes[after..before].contains(&sync), "{sync} from {after} to {before}: {changes:#?}");
    };
    for directory in ["new", ".simd-crypto-split", &shares] {
        synced(directory, 0, at("create ready"));
    }
    synced(".simd-crypto-split", at("write ready"), at("hard_link share-001 share-001"));
    for directory in [&shares, "new"] {
        synced(directory, last("rename "), at("remove_file share-001"));
    }
    synced("old", at("remove_file share-002"), at("remove_file ready"));
}
