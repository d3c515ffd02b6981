//! The functions of the standard library in which panics start, and those that get memory.

/// Whether this is one of the functions in which every panic starts.
pub(crate) fn is_panic(path: &str) -> bool {
    const STARTS: &[&str] = &[
        "core::panicking::",
        "std::panicking::begin_panic",
        "std::panicking::panic",
        "std::panicking::rust_panic",
        "std::rt::begin_panic",
        "std::panic::panic_any",
        "std::panic::resume_unwind",
    ];
    STARTS.iter().any(|prefix| path.starts_with(prefix)) || path.contains("rust_begin_unwind")
}

/// Whether this function panics and does nothing else: those in which panics start, and the standard library's own for
/// a slice, an `unwrap` or a capacity that is wrong.
pub(crate) fn only_panics(path: &str) -> bool {
    const ENDS: &[&str] =
        &["_fail", "_fail_rt", "_failed", "::capacity_overflow", "::handle_alloc_error", "::handle_error"];
    let of_std = ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library));
    is_panic(path) || of_std && ENDS.iter().any(|end| path.ends_with(end))
}

/// Whether this function of the standard library allocates, frees or moves memory on the heap.
pub(crate) fn manages_memory(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "__rust_alloc",
        "__rust_alloc_zeroed",
        "__rust_dealloc",
        "__rust_no_alloc_shim_is_unstable_v2",
        "__rust_realloc",
    ];
    path.starts_with("alloc::raw_vec::") || NAMES.contains(&path.rsplit("::").next().unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_only_panic() {
        for path in [
            "core::panicking::panic_bounds_check",
            "core::slice::index::slice_index_fail",
            "core::slice::copy_from_slice_impl::len_mismatch_fail",
            "core::str::slice_error_fail_rt",
            "core::option::unwrap_failed",
            "alloc::raw_vec::capacity_overflow",
            "alloc::raw_vec::handle_error",
        ] {
            assert!(only_panics(path), "{path}");
        }
        for path in ["app::may_fail", "app::core::slice_fail", "core::slice::sort::stable::drift::sort"] {
            assert!(!only_panics(path), "{path}");
        }
    }

    #[test]
    fn functions_that_manage_memory() {
        for path in [
            "__rustc::__rust_alloc",
            "__rust_dealloc",
            "__rustc::__rust_no_alloc_shim_is_unstable_v2",
            "alloc::raw_vec::RawVec<T,A>::grow_one",
        ] {
            assert!(manages_memory(path), "{path}");
        }
        for path in ["app::alloc::raw_vec::grow", "alloc::slice::stable_sort", "app::__rust_allocate"] {
            assert!(!manages_memory(path), "{path}");
        }
    }
}
