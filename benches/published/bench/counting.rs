//! Counts instructions under valgrind's callgrind, by requests to it.

use std::ffi::CString;

#[path = "valgrind.rs"]
mod valgrind;

/// Callgrind's requests begin with the letters C and T. The numbers are those of `callgrind.h`.
const ZERO_STATS: usize = 0x4354_0001;
const DUMP_STATS_AT: usize = 0x4354_0003;

fn ask(request: usize, argument: usize) {
    // SAFETY: callgrind reads the string that an argument is, and writes nothing.
    unsafe { valgrind::ask(request, [argument, 0, 0]) };
}

/// Has callgrind write a file that names the row, a number of calls, and the instructions of all of them.
pub fn count(name: &str, calls: u64, mut run: impl FnMut(u64)) {
    run(1);
    let name = CString::new(format!("{calls}\t{name}")).expect("a name has no zero");
    ask(ZERO_STATS, 0);
    run(calls);
    ask(DUMP_STATS_AT, name.as_ptr() as usize);
}
