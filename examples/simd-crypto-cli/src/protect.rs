//! Secrets stay out of core dumps, of memory that has been freed and, where the system allows it, out of swap space.
use std::alloc::System;
use zeroizing_alloc::ZeroAlloc;

/// Wipes memory when it is freed. No value can do that itself for the vector that it was in before that had to grow, or for its
/// padding, which has whatever was on the stack when it was made.
#[global_allocator]
static HEAP: ZeroAlloc<System> = ZeroAlloc(System);

/// Turns core dumps off, and on Linux debuggers of the same user. Locks all memory in place where its amount is not limited.
pub(crate) fn harden() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        use rustix::mm::{MlockAllFlags, mlockall};
        use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
        // A limit of core dumps does not stop the programs that some systems hand them to.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        // Under a limit, memory that is needed later could not be had.
        if setrlimit(Resource::Memlock, Rlimit { current: None, maximum: None }).is_ok() {
            let _ = mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT);
        }
    }
}

/// Has the memory of a value stay out of swap space, unless the system refuses: it limits how much that can be.
pub(crate) fn lock<T: ?Sized>(value: &T) {
    #[cfg(unix)]
    #[allow(unsafe_code, reason = "the call takes a pointer")]
    {
        let start = core::ptr::from_ref(value).cast::<core::ffi::c_void>().cast_mut();
        // SAFETY: locking memory changes nothing that a program can see of it.
        let _ = unsafe { rustix::mm::mlock(start, size_of_val(value)) };
    }
    #[cfg(not(unix))]
    let _ = value;
}

/// Zeros for secrets, which are locked. They must not become more, since that would move them.
pub(crate) fn buffer(length: usize) -> Vec<u8> {
    let buffer = vec![0; length];
    lock(&buffer[..]);
    buffer
}

/// Wipes what functions have left on the stack that whoever calls this has called before. It is more than they take.
#[inline(never)]
pub(crate) fn wipe_stack() {
    #[allow(clippy::large_stack_arrays, reason = "it is the stack that has to be wiped")]
    let mut space = [0_u8; 1 << 18];
    core::hint::black_box(&mut space);
}
