//! Folders that somebody else has made, in an archive or on a stick: whatever is in them, a split touches nothing but its own folder,
//! and does not hang.
use super::{Place, bytes, finish};
use core::time::Duration;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::time::Instant;

/// No split of these small files takes as long, on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Puts something where a path leads, and says whether it could: devices and other owners take an administrator.
type Thing = fn(&Path) -> bool;

/// A file so long that nobody reads it to the end.
fn huge(path: &Path, start: &[u8]) -> bool {
    fs::write(path, start).unwrap();
    File::options().write(true).open(path).unwrap().set_len(1 << 42).is_ok()
}

/// A set of shares of each format, which are made once in this process.
fn sets() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trees-{}", process::id()))
}

fn share(extension: &str) -> Vec<u8> {
    let folder = if extension == "sss" { "binary" } else { "text" };
    fs::read(sets().join(folder).join(format!("share-001.{extension}"))).unwrap()
}

fn mknod(path: &Path, arguments: &str) -> bool {
    Command::new("mknod").arg(path).args(arguments.split(' ')).stderr(Stdio::null()).status().unwrap().success()
}

const THINGS: [(&str, Thing); 22] = [
    ("a link to a file", |path| symlink("../../victim/config", path).is_ok()),
    ("a link to a file, from the root", |path| symlink(root(path).join("victim/config"), path).is_ok()),
    ("a link to a share", |path| symlink(root(path).join("victim/share-001.sss"), path).is_ok()),
    ("a link to a folder", |path| symlink(root(path).join("victim"), path).is_ok()),
    ("a link to a set of shares", |path| symlink(root(path).join("victim/shares"), path).is_ok()),
    ("a link to the folder above", |path| symlink("..", path).is_ok()),
    ("a link to all", |path| symlink("/", path).is_ok()),
    ("a link to itself", |path| symlink(path.file_name().unwrap(), path).is_ok()),
    ("a link to nothing", |path| symlink("nowhere", path).is_ok()),
    ("a link to zeros", |path| symlink("/dev/zero", path).is_ok()),
    ("a pipe", |path| Command::new("mkfifo").arg(path).status().unwrap().success()),
    ("a link to a pipe", |path| symlink(root(path).join("victim/pipe"), path).is_ok()),
    ("a device", |path| mknod(path, "c 1 5")),
    ("a socket", |path| std::os::unix::net::UnixListener::bind(path).is_ok()),
    ("a long file", |path| huge(path, b"")),
    ("a long binary share", |path| huge(path, &share("sss")[..64])),
    ("a long text share", |path| huge(path, &share("txt")[..60])),
    ("a second name of a share", |path| fs::hard_link(root(path).join("victim/share-001.sss"), path).is_ok()),
    ("somebody else's share", |path| {
        fs::write(path, share("sss")).unwrap();
        std::os::unix::fs::chown(path, Some(12345), None).is_ok()
    }),
    ("somebody else's folder", |path| {
        fs::create_dir(path).unwrap();
        std::os::unix::fs::chown(path, Some(12345), None).is_ok()
    }),
    ("a folder with a link", |path| {
        fs::create_dir(path).unwrap();
        symlink("../../../victim", path.join("new")).is_ok()
    }),
    ("a letter", |path| fs::write(path, "Dear Anna,\n").is_ok()),
];

/// Where they are put. The first is the destination, and the last are next to it.
const PLACES: [&str; 10] = [
    "shares",
    "shares/share-001.sss",
    "shares/share-002.txt",
    "shares/other",
    "shares/.hidden",
    "shares/.simd-crypto-split",
    "shares/.simd-crypto-abcdef",
    "shares/share-001.sss/share-001.sss",
    ".simd-crypto-abcdef",
    ".simd-crypto-abcdef/share-001.sss",
];

/// The folder with all of a tree, of which `path` is in.
fn root(path: &Path) -> &Path {
    path.ancestors().find(|path| path.ends_with("tree")).unwrap()
}

/// The entries of a folder, links not followed: names, kinds, owners, and the bytes of short files. Without `except`.
fn seen(folder: &Path, except: Option<&Path>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if except == Some(&path) {
            continue;
        }
        let content = if metadata.is_file() && metadata.len() < 10_000 {
            fs::read(&path).unwrap()
        } else {
            fs::read_link(&path).unwrap_or_default().into_os_string().into_encoded_bytes()
        };
        let (mode, owner, length) = (metadata.mode(), metadata.uid(), metadata.len());
        // A folder's length and time tell of names that come and go in it: some do next to the destination.
        let about = if metadata.is_dir() {
            format!("{mode:o} {owner}")
        } else {
            format!("{mode:o} {owner} {length} {:?} {content:?}", metadata.modified().unwrap())
        };
        found.insert(path.to_str().unwrap().to_owned(), about);
        if metadata.is_dir() {
            found.extend(seen(&path, except));
        }
    }
    found
}

/// Runs a command that has to end in time.
fn ends(command: &mut Command, what: &str) -> Option<i32> {
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what}: hangs");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn nothing_outside_is_touched() {
    let place = Place::new();
    place.write("secret", bytes(100));
    fs::create_dir(sets()).unwrap();
    for format in ["binary", "text"] {
        let mut split = place.command(&format!("shamir split -n 2 -t 2 --in secret --format {format} --out-dir"));
        finish(split.arg(sets().join(format)), &[]).done();
    }
    // The program waits for the disk.
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..PLACES.len()).map(|spot| scope.spawn(move || things_at(spot))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    fs::remove_dir_all(sets()).unwrap();
    let [trees, replaced, kept] = [0, 1, 2].map(|count| counts.iter().map(|counts| counts[count]).sum::<u32>());
    println!("{trees} trees: {replaced} folders were made or replaced, {kept} were kept");
    assert!(trees >= 300 && replaced >= 100 && kept >= 400, "{trees}: {replaced}, {kept}");
}

/// Puts each thing to one of [`PLACES`], and counts trees, folders that were made or replaced, and those that were kept.
fn things_at(spot: usize) -> [u32; 3] {
    let place = Place::new();
    place.write("secret", bytes(100));
    let mut counts = [0; 3];
    for (what, thing) in THINGS {
        for base in ["nothing", "a set"] {
            if build(&place, PLACES[spot], thing, base) {
                let (replaced, kept) = run(&place, &format!("{what} as {}, in {base}", PLACES[spot]));
                counts = [counts[0] + 1, counts[1] + replaced, counts[2] + kept];
            }
            // Folders of other owners, and of other modes, can be removed by whoever made them.
            fs::remove_dir_all(place.path("tree")).unwrap();
        }
    }
    counts
}

/// Makes a tree, if that can be made.
fn build(place: &Place, spot: &str, thing: Thing, base: &str) -> bool {
    let tree = place.path("tree");
    for folder in ["", "victim", "work", "victim/shares"] {
        fs::create_dir(tree.join(folder)).unwrap();
    }
    fs::write(tree.join("victim/config"), "precious").unwrap();
    Command::new("mkfifo").arg(tree.join("victim/pipe")).status().unwrap();
    for name in ["share-001.sss", "shares/share-001.sss"] {
        fs::copy(sets().join("binary/share-001.sss"), tree.join("victim").join(name)).unwrap();
    }
    let shares = tree.join("work/shares");
    if base == "a set" {
        fs::create_dir(&shares).unwrap();
        for name in ["share-001.sss", "share-002.sss"] {
            fs::copy(sets().join("binary").join(name), shares.join(name)).unwrap();
        }
    }
    let path = tree.join("work").join(spot);
    // Files in the way go, and folders above are made.
    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    let above = path.parent().unwrap();
    if above.is_file() {
        fs::remove_file(above).unwrap();
    }
    fs::create_dir_all(above).unwrap();
    thing(&path)
}

/// Splits into the tree in several ways, and counts how often the folder has been made or replaced, and how often kept.
fn run(place: &Place, what: &str) -> (u32, u32) {
    let shares = place.path("tree/work/shares");
    let (mut replaced, mut kept) = (0, 0);
    for arguments in ["-n 3", "-n 3 --force", "-n 3 --force --format text"] {
        let what = format!("{what}: {arguments}");
        let before = (seen(&place.path("tree"), Some(&shares)), seen(&place.path("tree"), None));
        let command = format!("shamir split -t 2 --in secret --out-dir tree/work/shares {arguments}");
        let code = ends(&mut place.command(&command), &what);
        let after = (seen(&place.path("tree"), Some(&shares)), seen(&place.path("tree"), None));
        assert_eq!(before.0, after.0, "{what}: something outside has changed");
        match code {
            Some(0) => {
                replaced += 1;
                let extension = if arguments.ends_with("text") { "txt" } else { "sss" };
                let names = [1, 2, 3].map(|x| format!("share-{x:03}.{extension}"));
                assert!(!shares.is_symlink() && place.names("tree/work/shares") == names, "{what}");
            }
            Some(1) => {
                kept += 1;
                assert_eq!(before.1, after.1, "{what}: something has changed");
            }
            code => panic!("{what}: {code:?}"),
        }
    }
    (replaced, kept)
}
