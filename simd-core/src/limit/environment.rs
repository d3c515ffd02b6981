//! The environment of the process, read without allocation, and whether the process may use it.
//!
//! The standard library guarantees little before `main`, so on Unix and Windows the system is called directly.

use core::fmt::{self, Write};

pub(super) use system::{each_variable, exit, is_privileged, is_program};

/// Writes to standard error, without buffers or locks.
struct StandardError;

impl Write for StandardError {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        system::write(text.as_bytes());
        Ok(())
    }
}

/// Writes a message.
pub(super) fn complain(message: fmt::Arguments<'_>) {
    let _ = StandardError.write_fmt(message);
}

/// The process's exit code after a mistake.
const MISTAKE: i32 = 2;

/// A static in the same program or library as this code.
#[cfg(unix)]
static HERE: u8 = 0;

#[cfg(unix)]
mod system {
    use core::ffi::{CStr, c_char};

    /// Calls `take` with the name and the value of each variable.
    pub(in super::super) fn each_variable(mut take: impl FnMut(&[u8], &[u8])) {
        let mut entry = environment();
        // SAFETY: the C library keeps the environment as an array of strings that ends with a null pointer. Nothing
        // else runs yet that could change it.
        while let Some(text) = unsafe { entry.as_ref() }.filter(|text| !text.is_null()) {
            // SAFETY: as above.
            let text = unsafe { CStr::from_ptr(*text) }.to_bytes();
            if let Some(equals) = text.iter().position(|byte| *byte == b'=') {
                take(&text[..equals], &text[equals + 1..]);
            }
            // SAFETY: this was not the last entry.
            entry = unsafe { entry.add(1) };
        }
    }

    #[cfg(target_vendor = "apple")]
    fn environment() -> *const *const c_char {
        // SAFETY: the function returns the address of a variable of the C library.
        unsafe { (*libc::_NSGetEnviron()).cast() }
    }

    #[cfg(not(target_vendor = "apple"))]
    fn environment() -> *const *const c_char {
        unsafe extern "C" {
            static environ: *const *const c_char;
        }
        // SAFETY: the C library defines the variable.
        unsafe { environ }
    }

    /// Whether this code is part of the program, and not of a library that it has loaded.
    #[cfg(target_vendor = "apple")]
    pub(in super::super) fn is_program() -> bool {
        unsafe extern "C" {
            // The first image is the program.
            fn _dyld_get_image_header(index: u32) -> *const core::ffi::c_void;
        }
        // SAFETY: the structure is plain data; both functions only look addresses up.
        unsafe {
            let mut info: libc::Dl_info = core::mem::zeroed();
            libc::dladdr((&raw const super::HERE).cast(), &raw mut info) != 0
                && info.dli_fbase.cast_const() == _dyld_get_image_header(0)
        }
    }

    /// Whether this code is part of the program, and not of a library that it has loaded.
    #[cfg(not(target_vendor = "apple"))]
    pub(in super::super) fn is_program() -> bool {
        use core::ffi::{c_int, c_void};

        /// Returns 2 for the program if it holds this code, 1 for the program if not, and 0, to go on, for libraries.
        unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
            // SAFETY: the caller passes a valid object.
            let info = unsafe { &*info };
            // The program comes first. On Android the linker does; there the kernel gives the address of the program's
            // headers.
            #[cfg(any(target_os = "linux", target_os = "android"))]
            // SAFETY: the function reads a table that the process was given at its start.
            if unsafe { libc::getauxval(libc::AT_PHDR) } as usize != info.dlpi_phdr.addr() {
                return 0;
            }
            // SAFETY: the object's headers are in memory for as long as it is.
            let headers = unsafe { core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
            let own = (&raw const super::HERE).addr();
            let holds = headers.iter().filter(|header| header.p_type == libc::PT_LOAD).any(|header| {
                let start = (info.dlpi_addr as usize).wrapping_add(header.p_vaddr as usize);
                own.wrapping_sub(start) < header.p_memsz as usize
            });
            1 + c_int::from(holds)
        }
        // SAFETY: the callback reads only its arguments.
        unsafe { libc::dl_iterate_phdr(Some(visit), core::ptr::null_mut()) == 2 }
    }

    /// Whether the program has more privileges than its user: it is set-user-ID or set-group-ID, or its file has
    /// capabilities.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(in super::super) fn is_privileged() -> bool {
        // SAFETY: the function reads a table that the process was given at its start.
        unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
    }

    /// Whether the program has more privileges than its user: it is set-user-ID or set-group-ID.
    #[cfg(any(
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly",
        target_os = "illumos",
        target_os = "solaris",
    ))]
    pub(in super::super) fn is_privileged() -> bool {
        unsafe extern "C" {
            fn issetugid() -> core::ffi::c_int;
        }
        // SAFETY: the function has no conditions.
        unsafe { issetugid() != 0 }
    }

    /// Whether the program has more privileges than its user, as far as can be seen: it may have given up some.
    #[cfg(not(any(
        target_os = "linux",
        target_os = "android",
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "netbsd",
        target_os = "openbsd",
        target_os = "dragonfly",
        target_os = "illumos",
        target_os = "solaris",
    )))]
    pub(in super::super) fn is_privileged() -> bool {
        // SAFETY: the functions have no conditions.
        unsafe { libc::getuid() != libc::geteuid() || libc::getgid() != libc::getegid() }
    }

    pub(super) fn write(mut text: &[u8]) {
        while !text.is_empty() {
            // SAFETY: the pointer and the length are those of `text`.
            let written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
            match usize::try_from(written) {
                Ok(written) if written > 0 => text = &text[written..],
                _ => return,
            }
        }
    }

    /// Ends the process at once.
    pub(in super::super) fn exit() -> ! {
        // SAFETY: there is nothing to clean up before `main`.
        unsafe { libc::_exit(super::MISTAKE) }
    }
}

#[cfg(windows)]
mod system {
    use core::ffi::c_void;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetEnvironmentStringsW() -> *const u16;
        fn FreeEnvironmentStringsW(strings: *const u16) -> i32;
        fn GetModuleHandleW(name: *const u16) -> *const c_void;
        fn GetStdHandle(which: u32) -> *mut c_void;
        fn WriteFile(
            file: *mut c_void,
            text: *const u8,
            length: u32,
            written: *mut u32,
            overlapped: *mut c_void,
        ) -> i32;
        fn GetCurrentProcess() -> *mut c_void;
        fn TerminateProcess(process: *mut c_void, code: u32) -> i32;
    }

    /// Calls `take` with the name and the value of each variable that may be ours; longer names are skipped.
    pub(in super::super) fn each_variable(mut take: impl FnMut(&[u8], &[u8])) {
        // SAFETY: the function has no conditions.
        let strings = unsafe { GetEnvironmentStringsW() };
        let mut at = strings;
        let mut text = [0; 4096];
        // SAFETY: the block is a sequence of strings that end with zero, and ends with an empty one.
        while !at.is_null() && unsafe { *at } != 0 {
            let mut length = 0;
            loop {
                // SAFETY: as above.
                let unit = unsafe { *at };
                // SAFETY: as above; another string or the end follows.
                at = unsafe { at.add(1) };
                if unit == 0 {
                    break;
                }
                if let Some(byte) = text.get_mut(length) {
                    *byte = u8::try_from(unit).ok().filter(u8::is_ascii).unwrap_or(b'?');
                }
                length += 1;
            }
            // The names of hidden variables begin with `=`.
            if let Some(text) = text.get(..length)
                && let Some(equals) = text.iter().skip(1).position(|byte| *byte == b'=')
            {
                take(&text[..=equals], &text[equals + 2..]);
            }
        }
        // SAFETY: the strings are not used any more.
        unsafe { FreeEnvironmentStringsW(strings) };
    }

    /// Whether this code is part of the program, and not of a library that it has loaded.
    pub(in super::super) fn is_program() -> bool {
        unsafe extern "C" {
            // The start of the image that contains this code; the linker defines it.
            static __ImageBase: u8;
        }
        // SAFETY: the function has no conditions.
        unsafe { GetModuleHandleW(core::ptr::null()) == (&raw const __ImageBase).cast() }
    }

    /// On this system, files give programs no privileges.
    pub(in super::super) fn is_privileged() -> bool {
        false
    }

    pub(super) fn write(text: &[u8]) {
        const STANDARD_ERROR: u32 = -12_i32 as u32;
        let mut written = 0;
        // SAFETY: the pointer and the length are those of `text`.
        unsafe {
            let error = GetStdHandle(STANDARD_ERROR);
            WriteFile(error, text.as_ptr(), text.len() as u32, &raw mut written, core::ptr::null_mut());
        }
    }

    /// Ends the process at once.
    pub(in super::super) fn exit() -> ! {
        // SAFETY: there is nothing to clean up before `main`.
        unsafe { TerminateProcess(GetCurrentProcess(), super::MISTAKE as u32) };
        loop {}
    }
}

/// Elsewhere detection runs on first use, when the standard library is ready.
#[cfg(not(any(unix, windows)))]
mod system {
    use std::io::Write;

    pub(in super::super) fn each_variable(mut take: impl FnMut(&[u8], &[u8])) {
        for (name, value) in std::env::vars_os() {
            take(name.as_encoded_bytes(), value.as_encoded_bytes());
        }
    }

    pub(in super::super) fn is_program() -> bool {
        true
    }

    /// On these systems, files give programs no privileges.
    pub(in super::super) fn is_privileged() -> bool {
        false
    }

    pub(super) fn write(text: &[u8]) {
        let _ = std::io::stderr().write_all(text);
    }

    pub(in super::super) fn exit() -> ! {
        std::process::exit(super::MISTAKE)
    }
}
