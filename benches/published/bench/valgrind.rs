//! Requests to valgrind: a sequence of instructions that does nothing on a CPU, and that valgrind recognises.
//!
//! Source: `valgrind.h`, which keeps the sequence from version to version.

use core::arch::asm;

/// The answer to `request`; 0 where valgrind does not run.
///
/// # Safety
///
/// The memory that valgrind reads and writes for the request, at the addresses among its arguments, belongs to the caller.
pub(crate) unsafe fn ask(request: usize, arguments: [usize; 3]) -> usize {
    let request = [request, arguments[0], arguments[1], arguments[2], 0, 0];
    let mut answer = 0;
    // SAFETY: on a CPU, the rotations of rdi add up to 128 bits and the exchange changes nothing. Valgrind reads the six words at
    // rax; the caller answers for the rest.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}
