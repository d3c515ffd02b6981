//! The side of the process that was started for one target.

use core::any::Any;
use core::fmt::Debug;
use core::hash::{BuildHasher, BuildHasherDefault};
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::hash_map::DefaultHasher;
use std::io::Write;
use std::panic::{catch_unwind, resume_unwind};
use std::string::String;
use std::sync::{Mutex, PoisonError};
use std::{env, format, io};

use super::{CHILD, MARK};
use crate::targets::Targets;

/// Whether a test runs in its own process, since no others can be started.
static ALONE: AtomicBool = AtomicBool::new(false);

/// Records that no processes can be started.
pub(super) fn alone() {
    ALONE.store(true, Ordering::Relaxed);
}

/// Whether this process was started for one of `targets`. If so, reports that the test begins.
///
/// # Panics
///
/// If another target runs here.
#[track_caller]
pub(super) fn begins(targets: Targets) -> bool {
    let Some(wanted) = env::var_os(CHILD) else { return false };
    let chosen = targets.chosen();
    assert!(
        wanted == chosen,
        "this process was started for the target `{}`, but `{chosen}` runs, since its features are {}",
        wanted.display(),
        crate::features(),
    );
    say("begins");
    true
}

/// Writes a line for the parent process.
fn say(what: &str) {
    let mut out = io::stdout().lock();
    // The harness may have begun a line already.
    let _ = out.write_all(format!("\n{MARK}{what}\n").as_bytes());
    let _ = out.flush();
}

/// Compares the result of `f` with that in the baseline.
///
/// For tests with [`each_target`](macro@super::each_target). The baseline runs at the same time in a process of its
/// own, and both processes have to make the same calls with the same inputs. Two results agree if they print alike with
/// `{:?}`; if one call panics, the other has to panic with the same message. The result of `f` is returned.
///
/// Return the values to compare, also where the function changes its argument:
/// `agree(|| { let mut x = input; scale(&mut x); x })`.
///
/// The random seed for proptest (`PROPTEST_RNG_SEED`) is the same in all processes. If clones disagree, all processes
/// shrink the input in the same way:
///
/// ```
/// # use simd_core::testing::{agree, each_target};
/// # #[simd_core::dispatch(targets = "avx2 | sve2")] fn reversed(xs: &[u8]) -> Vec<u8> { xs.iter().rev().copied().collect() }
/// # const _: &str = stringify! {
/// proptest::proptest! {
///     #[test]
///     #[each_target("avx2 | sve2")]
///     fn every_clone_reverses(xs: Vec<u8>) {
///         agree(|| reversed(&xs));
///     }
/// }
/// # };
/// ```
///
/// Floating-point results of clones with and without FMA may differ by rounding, where the code calls `mul_add`. Return
/// only the part that has to be equal. All `NaN`s print alike.
///
/// # Panics
///
/// If the results differ; if `f` panics; if it returns `()`; outside of a test with `each_target`.
#[track_caller]
pub fn agree<T: Debug>(f: impl FnOnce() -> T) -> T {
    /// One comparison at a time.
    static ASKING: Mutex<()> = Mutex::new(());
    let empty = core::any::type_name::<T>() == core::any::type_name::<()>();
    assert!(!empty, "the closure returns `()`, so there is nothing to compare: return the result");
    let Some(target) = env::var_os(CHILD) else {
        assert!(ALONE.load(Ordering::Relaxed), "`agree` is for tests with `#[each_target]`");
        return f();
    };
    let _asking = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let result = catch_unwind(AssertUnwindSafe(f));
    let text = match &result {
        Ok(value) => format!("{value:?}"),
        Err(panic) => format!("panicked: {}", message(&**panic)),
    };
    let text = shortened(text);
    say(&format!("result {}", one_line(&text)));
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    let answer = answer.trim_end_matches('\n');
    let target = target.display();
    match answer.split_once(' ') {
        _ if answer == "same" => {}
        Some(("differs", rest)) => {
            let (other, theirs) = rest.split_once(' ').unwrap_or((rest, ""));
            let theirs = several_lines(theirs);
            panic!("`{target}` and `{other}` disagree\n`{target}`: {text}\n`{other}`: {theirs}");
        }
        _ => panic!("the parent process does not answer: {read:?}, {answer:?}"),
    }
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("with a value that is not text")
}

/// `text`, or its beginning with the length and a hash.
fn shortened(text: String) -> String {
    const LONG: usize = 1 << 14;
    if text.len() <= LONG {
        return text;
    }
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&text);
    let beginning: String = text.chars().take(LONG / 8).collect();
    format!("{beginning}… ({} bytes, hash {hash:016x})", text.len())
}

/// `text` without line breaks; [`several_lines`] undoes it.
fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

pub(super) fn several_lines(text: &str) -> String {
    let mut result = String::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        result.push(match char {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            char => char,
        });
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_fits_a_line() {
        for text in ["", "a", "\n", "\\n", "\r\n\\", "\\\\n\n\\r", "é\u{1}"] {
            let line = one_line(text);
            assert!(!line.contains(['\n', '\r']));
            assert_eq!(several_lines(&line), text);
        }
    }

    #[test]
    fn a_long_text_is_told_from_another() {
        let (one, other) = ("x".repeat(1 << 20), "x".repeat((1 << 20) - 1) + "y");
        assert_ne!(shortened(one.clone()), shortened(other));
        assert_eq!(shortened(one.clone()), shortened(one.clone()));
        assert!(shortened(one).len() < 1 << 14);
    }

    #[test]
    #[should_panic = "`agree` is for tests with `#[each_target]`"]
    fn there_is_nothing_to_agree_with() {
        agree(|| 1);
    }
}
