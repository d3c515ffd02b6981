//! Interrupts: what has been begun goes away again, and what is being completed is completed.
#[cfg(any(unix, windows))]
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An interrupt waits for this lock. Who holds it is not interrupted.
static STATE: Mutex<State> = Mutex::new(State { begun: Vec::new(), complete: false });

struct State {
    /// Temporary files and directories, those first in which the others are.
    begun: Vec<PathBuf>,
    /// Whether the output is there, so that nothing is left to be undone.
    complete: bool,
}

#[cfg(any(unix, windows))]
/// How long a program whose output is there may take to end after an interrupt. Standard output may take nothing.
const END: Duration = Duration::from_secs(1);

fn locked<T>(change: impl FnOnce(&mut State) -> T) -> T {
    change(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Begins a file or a directory, which has to be added to the list: an interrupt removes what is listed.
pub(crate) fn begin<T>(begin: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    watch();
    locked(|state| begin(&mut state.begun))
}

/// Takes a path that exists no longer, or that is to stay, off the list.
pub(crate) fn forget(path: &Path) {
    locked(|state| state.begun.retain(|begun| begun != path));
}

pub(crate) fn undo() {
    locked(|state| remove(&mut state.begun));
}

/// Completes the output. Interrupts wait until that is done, and if it succeeds they come too late.
///
/// The step has the list, and takes off it what must not be removed.
pub(crate) fn complete<T, E>(step: impl FnOnce(&mut Vec<PathBuf>) -> Result<T, E>) -> Result<T, E> {
    locked(|state| {
        let completed = step(&mut state.begun);
        state.complete = completed.is_ok();
        completed
    })
}

fn remove(begun: &mut Vec<PathBuf>) {
    // A directory goes when its files have gone, and stays if something else is in it.
    for path in begun.drain(..).rev() {
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
    }
}

/// Watches for interrupts from here on. A thread that is started later gets copies of registers, which may have secrets.
pub(crate) fn watch() {
    #[cfg(any(unix, windows))]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            #[cfg(windows)]
            let _ = ctrlc::try_set_handler(interrupted);
            #[cfg(unix)]
            watch_signals();
        });
    }
}

/// Watches each signal that is not ignored: `nohup` and shells in the background ignore some for a reason.
#[cfg(unix)]
fn watch_signals() {
    // A file that grows above a limit is an error of writing.
    let _ = signal_hook::flag::register(libc::SIGXFSZ, std::sync::Arc::default());
    let heard =
        [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(heard) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            interrupted();
        }
    });
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "no crate asks the system for this in safe code")]
fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = core::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call changes nothing, and it writes the old one to memory of that type.
    let status = unsafe { libc::sigaction(signal, core::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all bits zero are a value of that type, and so is what the system writes.
    status == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

#[cfg(any(unix, windows))]
fn interrupted() {
    locked(|state| {
        if !state.complete {
            remove(&mut state.begun);
            // Still under the lock, so that nothing else is begun.
            std::process::exit(130);
        }
    });
    std::thread::sleep(END);
    std::process::exit(0);
}
