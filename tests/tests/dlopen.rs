//! The first use in a library that is loaded while the program runs: by its constructor, and from many threads at once.
//!
//! The library has feature words of its own, which nobody has read before.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::{fs, thread};

use integration_tests::package::Package;
use integration_tests::{has_compiler, shown};

const LIBRARY: &str = r#"
    use std::sync::atomic::{AtomicU32, Ordering};

    #[simd_core::dispatch(targets = "avx2,aes | aes")]
    fn seen() -> u32 {
        u32::from(cfg!(target_feature = "avx2")) * 2 + u32::from(cfg!(target_feature = "aes"))
    }

    /// What the clone that runs is compiled for, and what ordinary code is told.
    #[unsafe(no_mangle)]
    pub extern "C" fn clone_and_detected() -> u32 {
        let avx2_aes = u32::from(simd_core::detected!("avx2,aes")) * 2;
        seen() * 16 + (avx2_aes | u32::from(simd_core::detected!("aes")))
    }

    static AT_LOADING: AtomicU32 = AtomicU32::new(u32::MAX);

    #[unsafe(no_mangle)]
    pub extern "C" fn at_loading() -> u32 {
        AT_LOADING.load(Ordering::Relaxed)
    }

    #[cfg(feature = "dispatched")]
    extern "C" fn constructor() {
        AT_LOADING.store(clone_and_detected(), Ordering::Relaxed);
    }

    #[cfg(feature = "dispatched")]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static CONSTRUCTOR: extern "C" fn() = constructor;
"#;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;

/// A function of the library in `file`, which is loaded if it is not yet.
fn function(file: &Path, name: &CStr) -> extern "C" fn() -> u32 {
    let path = CString::new(file.as_os_str().as_bytes()).unwrap();
    // SAFETY: both arguments are C strings; the library's constructors may run at any time.
    let symbol = unsafe { dlsym(dlopen(path.as_ptr(), RTLD_NOW), name.as_ptr()) };
    assert!(!symbol.is_null(), "{} has no {name:?}", file.display());
    // SAFETY: the functions of `LIBRARY` that the tests name have this signature, and it is never unloaded.
    unsafe { core::mem::transmute::<*mut c_void, extern "C" fn() -> u32>(symbol) }
}

/// Builds the library, with the constructor or without.
fn library(constructor: bool) -> PathBuf {
    let name = if constructor { "first-use-constructed" } else { "first-use-library" };
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), name, "2024", LIBRARY);
    let mut arguments = vec!["rustc", "--release", "--crate-type", "cdylib"];
    if constructor {
        arguments.extend(["--features", "dispatched"]);
    }
    let output = package.cargo(&arguments, false);
    assert!(output.status.success(), "{}", shown(&output));
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages/build-2024/release");
    built.join(format!("lib{}.so", name.replace('-', "_")))
}

/// What both functions return where the CPU's best clone runs: nothing limits the library.
fn expected() -> u32 {
    let aes = is_x86_feature_detected!("aes");
    let both = u32::from(is_x86_feature_detected!("avx2") && aes);
    let detected = both * 2 | u32::from(aes);
    // `RUSTFLAGS` are not for the library: what the clone sees is what it has been chosen for.
    detected * 16 + detected
}

#[test]
fn from_a_constructor() {
    if has_compiler() {
        let file = library(true);
        assert_eq!(function(&file, c"at_loading")(), expected());
        assert_eq!(function(&file, c"clone_and_detected")(), expected());
    }
}

/// Many times, because races are rare: each copy of the file is a library with words of its own.
#[test]
fn from_many_threads() {
    if !has_compiler() {
        return;
    }
    let file = library(false);
    let expected = expected();
    for round in 0..50 {
        let copy = file.with_file_name(format!("first-use-copy-{round}.so"));
        fs::copy(&file, &copy).unwrap();
        let start = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let call = function(&copy, c"clone_and_detected");
                    start.wait();
                    assert_eq!([call(), call()], [expected; 2]);
                });
            }
        });
        assert_eq!(function(&copy, c"at_loading")(), u32::MAX);
        fs::remove_file(&copy).unwrap();
    }
}
