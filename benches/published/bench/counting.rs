//! Counts instructions under valgrind's callgrind, by requests to it.

use core::arch::asm;
use std::ffi::CString;

/// Callgrind's requests begin with the letters C and T. The numbers are those of `callgrind.h`.
const ZERO_STATS: usize = 0x4354_0001;
const DUMP_STATS_AT: usize = 0x4354_0003;

fn ask(request: usize, argument: usize) {
    let request = [request, argument, 0, 0, 0, 0];
    // SAFETY: on a CPU, the rotations of rdi add up to 128 bits and the exchange changes nothing. Valgrind reads the six words at rax,
    // and the string that an argument is.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0_usize => _,
            options(nostack),
        );
    }
}

/// Has callgrind write a file that names the row, a number of calls, and the instructions of all of them.
pub fn count(name: &str, calls: u64, mut run: impl FnMut(u64)) {
    run(1);
    let name = CString::new(format!("{calls}\t{name}")).expect("a name has no zero");
    ask(ZERO_STATS, 0);
    run(calls);
    ask(DUMP_STATS_AT, name.as_ptr() as usize);
}
