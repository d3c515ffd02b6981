//! Requests to valgrind's memcheck.
//!
//! Source: `valgrind.h` and `memcheck.h` of valgrind, which keep these numbers from version to version.

#[path = "../../../../benches/published/bench/valgrind.rs"]
mod request;

const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
/// Memcheck's requests begin with the letters M and C.
const MEMCHECK: usize = 0x4d43_0000;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;

fn ask(request: usize, arguments: [usize; 3]) -> usize {
    // SAFETY: what memcheck does by these requests is to its own notes, and to the bits that `GET_VBITS` writes to its argument, of
    // which the one caller owns as many.
    unsafe { request::ask(request, arguments) }
}

pub(crate) fn is_running() -> bool {
    ask(RUNNING_ON_VALGRIND, [0; 3]) != 0
}

pub(crate) fn reports() -> usize {
    ask(COUNT_ERRORS, [0; 3])
}

/// Makes `bytes` secret: from here on, memcheck takes them for uninitialised.
pub(crate) fn forget(bytes: &mut [u8]) {
    ask(MAKE_MEM_UNDEFINED, [bytes.as_mut_ptr() as usize, bytes.len(), 0]);
}

pub(crate) fn learn(bytes: &mut [u8]) {
    learn_at(bytes.as_mut_ptr() as usize, bytes.len());
}

/// Makes public what is at an address. The bytes stay as they are, whoever they belong to.
pub(crate) fn learn_at(address: usize, length: usize) {
    ask(MAKE_MEM_DEFINED, [address, length, 0]);
}

/// Whether every byte of `bytes` has a bit that was computed from forgotten ones.
pub(crate) fn depends_on_forgotten(bytes: &[u8]) -> bool {
    let mut undefined = vec![0_u8; bytes.len()];
    let answer = ask(GET_VBITS, [bytes.as_ptr() as usize, undefined.as_mut_ptr() as usize, bytes.len()]);
    assert_eq!(answer, 1, "memcheck does not know these bytes");
    undefined.iter().all(|bits| *bits != 0)
}
