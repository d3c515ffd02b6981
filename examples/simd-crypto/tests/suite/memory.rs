//! Whether memory that a thread gave back still held a secret.
use core::alloc::{GlobalAlloc, Layout};
use core::cell::{Cell, RefCell};
use core::slice;
use std::alloc::System;

thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(0) };
    static NEEDLE: RefCell<Option<[u8; 8]>> = const { RefCell::new(None) };
}

struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

// SAFETY: all memory comes from and goes to the system's allocator, with the layouts that were asked for.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that are needed here. Zeroed, because it will be read.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let needle = NEEDLE.try_with(|needle| *needle.borrow()).ok().flatten();
        if let Some(needle) = needle {
            // SAFETY: the block is that long, it was initialised, and nobody else has it any more.
            let bytes = unsafe { slice::from_raw_parts(block, layout.size()) };
            if bytes.windows(needle.len()).any(|window| window == needle) {
                let _ = LEFT.try_with(|left| left.set(left.get() + 1));
            }
        }
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// How many blocks this thread gave back with these bytes in them while it did something.
pub(super) fn left_behind(secret: [u8; 8], work: impl FnOnce()) -> usize {
    LEFT.set(0);
    NEEDLE.set(Some(secret));
    work();
    NEEDLE.set(None);
    LEFT.get()
}

mod once {
    use super::left_behind;
    use core::hint::black_box;

    #[test]
    fn the_watch_works() {
        let secret = *b"a secret";
        assert_eq!(left_behind(secret, || drop(black_box([[0; 3].as_slice(), &secret].concat()))), 1);
        assert_eq!(left_behind(secret, || drop(black_box(vec![0; 11]))), 0);
    }
}
