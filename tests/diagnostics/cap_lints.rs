//! What keeps the clones of safe trait methods safe: rustc's check in the author's own build.

use std::process::Output;

use integration_tests::package::Package;
use integration_tests::scratch::TARGET;
use integration_tests::{has_compiler, shown};

/// A safe method that reads through a pointer, in the clones for one target alone.
const UNSAFE_WITHOUT_SAYING_SO: &str = "
pub struct Reader;
pub trait Read { fn read(&self, from: *const u32) -> u32; }
#[simd_core::dispatch(targets = \"avx2 | neon\")]
impl Read for Reader {
    fn read(&self, from: *const u32) -> u32 {
        #[cfg(any(target_feature = \"avx2\", target_feature = \"neon\"))]
        { *from }
        #[cfg(not(any(target_feature = \"avx2\", target_feature = \"neon\")))]
        { let _ = from; 0 }
    }
}
";

/// Compiles `program` with `flags` for rustc; `name` is that of its package, and the test's own.
fn compiled(name: &str, program: &str, flags: &[&str]) -> Output {
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), name, "2024", program);
    package
        .command(&["rustc", "--lib", "--target", TARGET])
        .arg("--")
        .args(flags)
        .output()
        .expect("cargo runs these tests")
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn a_safe_method_cannot_do_what_is_unsafe() {
    if has_compiler() {
        for flags in [&[][..], &["--cap-lints=warn"]] {
            let output = compiled("lint-on", UNSAFE_WITHOUT_SAYING_SO, flags);
            let capped = flags != [""; 0];
            assert_eq!(output.status.success(), capped, "{flags:?}: {}", shown(&output));
            assert!(shown(&output).contains("dereference of raw pointer is unsafe"), "{flags:?}: {}", shown(&output));
        }
    }
}

/// A limit that `docs/design.md` gives the reason of. When this fails, the limit is gone.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn whoever_turns_lints_off_loses_the_check() {
    if has_compiler() {
        let output = compiled("lint-off", UNSAFE_WITHOUT_SAYING_SO, &["--cap-lints=allow"]);
        assert!(output.status.success(), "rustc refuses it: {}", shown(&output));
    }
}

/// Bodies of safe methods, the same in all clones, that do what is unsafe.
const SAME_IN_ALL_CLONES: &[&str] = &[
    "danger()",
    "Self::method_danger()",
    "let f = || danger(); f()",
    "(0..1).map(|_| danger()).sum()",
    "fn inner() -> u32 { danger() } inner()",
    "drop(async { danger() }); 0",
    "if cfg!(debug_assertions) { danger() } else { 0 }",
    "macro_rules! call { () => { danger() } } call!()",
    "let _ = format!(\"{}\", danger()); 0",
    "unsafe fn danger() -> u32 { 0 } danger()",
    "struct Inner; impl Inner { fn f() -> u32 { danger() } } Inner::f()",
];

/// No lint is needed there: the baseline, a safe method, has the same code.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn code_that_all_clones_have_needs_no_lint() {
    if has_compiler() {
        for default in [false, true] {
            let mut program = String::from("pub struct Reader;\n");
            for (number, body) in SAME_IN_ALL_CLONES.iter().enumerate() {
                let implementation = if default {
                    format!("pub trait Tr{number}: Dangerous{number}")
                } else {
                    program += &format!("pub trait Tr{number} {{ fn f(&self) -> u32; }}\n");
                    format!("impl Tr{number} for Reader")
                };
                program += &format!(
                    "unsafe fn danger{number}() -> u32 {{ 0 }}
                    pub trait Dangerous{number} {{ unsafe fn method_danger{number}() -> u32 {{ 0 }} }}
                    impl Dangerous{number} for Reader {{}}
                    #[simd_core::dispatch(targets = \"avx2 | neon\")]
                    {implementation} {{ fn f(&self) -> u32 {{ {} }} }}\n",
                    body.replace("danger", &format!("danger{number}")),
                );
            }
            let text = shown(&compiled("same", &program, &["--cap-lints=allow"]));
            for number in 0..SAME_IN_ALL_CLONES.len() {
                let error = text
                    .split("error[E0133]")
                    .skip(1)
                    .any(|error| error.contains(&format!("danger{number}` is unsafe")));
                assert!(error, "default methods: {default}, body {number}: {text}");
            }
        }
    }
}
