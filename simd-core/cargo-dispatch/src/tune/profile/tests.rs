use std::fs;

use super::*;

/// Three functions that take about two, one and no parts of the time, of which the first is inlined.
const PROGRAM: &str = "\
fn mixed(rounds: u64, seed: u64) -> u64 {
    (0..rounds).fold(seed, |sum, at| (sum ^ at).rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[inline(never)]
fn outer(seed: u64) -> u64 {
    mixed(80_000_000, seed)
}

macro_rules! make {
    ($name:ident) => {
        #[inline(never)]
        fn $name(seed: u64) -> u64 {
            let mut sum = seed;
            for at in 0..40_000_000 {
                sum = (sum ^ at).rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
            sum
        }
    };
}
make!(made);

fn main() {
    let thread = std::thread::spawn(|| outer(1));
    let sum = made(2) + thread.join().unwrap();
    std::process::exit(i32::from(sum == 0));
}
";

fn profiled(source: &str) -> Heat {
    let directory = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(directory.path()).unwrap();
    fs::write(root.join("main.rs"), source).unwrap();
    let program = root.join("program");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2024", "-Copt-level=2", "-Cdebuginfo=line-tables-only", "main.rs", "-o"]).arg(&program);
    assert!(rustc.current_dir(&root).status().unwrap().success());
    let source = Source::new("main.rs".into(), source.to_owned()).unwrap();
    Profiled::new(&program, &root, &[&source]).unwrap().heat(Command::new(&program), u32::MAX).unwrap()
}

#[test]
fn samples_are_those_of_the_functions_that_are_inlined() {
    let heat = profiled(PROGRAM);
    // The shares depend on other programs, and no more on them than this.
    let shares = ["main.rs:1", "main.rs:6"].map(|key| heat.share(key));
    assert!(shares[0].own > 0.2 && shares[0].outermost == 0.0, "{shares:?}");
    assert!(shares[1].own < 0.05 && shares[1].all >= shares[0].own && shares[1].outermost > 0.2, "{shares:?}");
    let made = heat.share("main.rs:13");
    assert!(made.own > 0.1 && made.outermost > 0.1, "{made:?}");
}

#[test]
fn what_runs_before_a_row_is_none_of_it() {
    let counts = |own, all, outermost| Counts { own, all, outermost };
    let heat = |samples, functions: &[(&str, Counts)], elsewhere: &[(&str, u32)]| Heat {
        samples,
        nanoseconds: 1.0,
        functions: functions.iter().map(|(key, counts)| ((*key).to_owned(), *counts)).collect(),
        macros: BTreeMap::new(),
        elsewhere: elsewhere.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
    };
    let before = heat(30, &[("setup", counts(20, 25, 25))], &[("memcpy", 5), ("other", 1)]);
    let row = heat(130, &[("row", counts(60, 90, 90)), ("setup", counts(19, 51, 26))], &[("memcpy", 15)]);
    let row = row.without(&before);
    assert_eq!((row.samples, row.share("row").own), (100, 0.6));
    let setup = row.share("setup");
    assert_eq!((setup.own, setup.all, row.outside_share("memcpy")), (0.0, 0.01, 0.05));
}

/// Two threads on one CPU, of which the second runs when the first does not.
const WAITING: &str = "\
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

unsafe extern \"C\" {
    fn sched_getcpu() -> i32;
    fn sched_setaffinity(thread: i32, size: usize, mask: *const u64) -> i32;
    fn sched_setscheduler(thread: i32, policy: i32, parameters: *const i32) -> i32;
}

static IS_DONE: AtomicBool = AtomicBool::new(false);

#[inline(never)]
fn runs() {
    (0..100_000_000_u64).for_each(|at| _ = std::hint::black_box(at));
    IS_DONE.store(true, Relaxed);
}

#[inline(never)]
fn waits() {
    unsafe { sched_setscheduler(0, 5, &0) };
    while !IS_DONE.load(Relaxed) {}
}

fn main() {
    let mut mask = [0; 16];
    let cpu = unsafe { sched_getcpu() } as usize;
    mask[cpu / 64] = 1 << cpu % 64;
    unsafe { sched_setaffinity(0, 128, mask.as_ptr()) };
    let thread = std::thread::spawn(waits);
    runs();
    thread.join().unwrap();
}
";

#[test]
fn a_thread_that_waits_for_a_cpu_makes_no_samples() {
    // The second runs for the time of each stop, which is long if the machine is busy.
    let is_right = |_| {
        let heat = profiled(WAITING);
        let shares = ["main.rs:12", "main.rs:18"].map(|key| heat.share(key).own);
        shares[0] > 1.4 * shares[1]
    };
    assert!((0..30).any(is_right));
}
