//! What keeps the clones of safe trait methods safe: rustc checks the baseline, which has the same code.

use std::process::Output;

use integration_tests::package::Package;
use integration_tests::scratch::TARGET;
use integration_tests::{has_compiler, shown};

/// Compiles `program` with `flags` for rustc; `name` is that of its package, and the test's own.
fn compiled(name: &str, program: &str, flags: &[&str]) -> Output {
    compiled_in("2024", name, program, flags)
}

fn compiled_in(edition: &'static str, name: &str, program: &str, flags: &[&str]) -> Output {
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), name, edition, program);
    package
        .command(&["rustc", "--lib", "--target", TARGET])
        .arg("--")
        .args(flags)
        .output()
        .expect("cargo runs these tests")
}

/// Bodies of safe methods that would do what is unsafe in the clone for `wide` alone.
const DIFFERENT: &[&str] = &[
    "#[cfg(wide)] return danger(); #[cfg(not(wide))] 0",
    "match () { #[cfg(wide)] _ => danger(), #[cfg(not(wide))] _ => 0 }",
    "#[cfg_attr(not(wide), cfg(any()))] let x = danger(); 0",
    "Chosen::<{ cfg!(wide) }>::danger()",
    "<[(); cfg!(wide) as usize]>::danger()",
    "const { if cfg!(wide) { danger() } else { 0 } }",
    "Chosen::<{ const { cfg!(wide) } }>::danger()",
    "const W: bool = cfg!(wide); Chosen::<W>::danger()",
    "(|| Chosen::<{ cfg!(wide) }>::danger())()",
    "drop(async { Chosen::<{ cfg!(wide) }>::danger() }); 0",
    "format!(\"{}\", Chosen::<{ cfg!(wide) }>::danger()).len() as u32",
    "fn f<const N: bool>(_: [u8; N as usize]) -> Chosen<N> { Chosen } f([0; cfg!(wide) as usize]); 0",
    "[#[cfg(wide)] cfg!(unix), true].len() as u32",
    "[#[cfg_attr(wide, cfg(all()))] #[cfg_attr(not(wide), cfg(any()))] cfg!(wide), true].len() as u32",
    "Chosen::<WIDE>::danger()",
    "Wide::danger()",
    "by_macro!()",
    "macro_rules! go { (cfg, $($cfg:tt)*) => { #[$($cfg)*] { danger() } } } go!(cfg, cfg(wide)); 0",
    "simd_core::match_target! { \"avx2\" => danger(), \"neon\" => danger(), _ => 0 }",
];

/// Clones differ in nothing that rustc does not check in the baseline. No lint is needed for it, not even in a build that has
/// none, as of a dependency.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn code_of_some_clones_alone_is_refused() {
    if has_compiler() {
        let mut program = String::from(
            "pub struct Chosen<const WIDE: bool>;
            impl Chosen<false> { pub fn danger() -> u32 { 0 } }
            impl Chosen<true> { pub unsafe fn danger() -> u32 { 0 } }
            pub trait Length { fn danger() -> u32; }
            pub unsafe fn danger() -> u32 { 0 }
            #[simd_core::dispatch(targets = \"avx2 | neon\")]
            pub mod kernels {
            use super::*;
            const WIDE: bool = cfg!(wide);
            type Wide = Chosen<{ cfg!(wide) }>;
            macro_rules! by_macro { () => { Chosen::<{ cfg!(wide) }>::danger() } }
            pub struct Reader;\n",
        );
        let mut lines = Vec::new();
        for (number, body) in DIFFERENT.iter().enumerate() {
            program += &format!(
                "pub trait Tr{number} {{ fn f(&self) -> u32; }}
                impl Tr{number} for Reader {{ fn f(&self) -> u32 {{\n{body}\n}} }}\n",
            );
            lines.push(program.lines().count() - 1);
        }
        let wide = "any(target_feature = \"avx2\", target_feature = \"neon\")";
        let program =
            (program + "}").replace("(wide)", &format!("({wide})")).replace("not(wide)", &format!("not({wide})"));
        let text = shown(&compiled("different", &program, &["--cap-lints=allow"]));
        for (body, line) in DIFFERENT.iter().zip(lines) {
            let place = format!("lib.rs:{line}:");
            let refused = text.split("\nerror").any(|error| {
                error.contains(&place) && error.contains("all clones of a trait's method have the same code")
            });
            assert!(refused, "line {line}, {body}: {text}");
        }
    }
}

/// What is in the parentheses of a `cfg!` differs between clones, so that it is the standard library's in each.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn a_macro_named_cfg_is_not_called() {
    if has_compiler() {
        // Of the other macro the type would be wrong.
        let macro_ = "macro_rules! cfg { ($($cfg:tt)*) => { 1_u32 } }";
        let program = format!(
            "{macro_}
            pub struct Reader;
            #[simd_core::dispatch(targets = \"avx2 | neon\")]
            impl From<Reader> for bool {{
                fn from(_: Reader) -> bool {{
                    {macro_}
                    (|| cfg!(target_feature = \"avx2\") || cfg! {{ target_feature = \"neon\" }})()
                }}
            }}"
        );
        let output = compiled("own-cfg", &program, &["--cap-lints=allow"]);
        assert!(output.status.success(), "{}", shown(&output));
    }
}

/// The name of a macro may be in an invisible group, through which `syn` sees and the compiler does not.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn a_macro_in_a_group_named_cfg_is_no_test() {
    if has_compiler() {
        let program = "
            unsafe fn danger() {}
            macro_rules! cfg { ($($code:tt)*) => {{ $($code)* }} }
            macro_rules! make { ($cfg:path) => {
                #[simd_core::dispatch(targets = \"avx2 | neon\")]
                impl Drop for Reader {
                    fn drop(&mut self) {
                        $cfg!(#[cfg(any(target_feature = \"avx2\", target_feature = \"neon\"))] danger();)
                    }
                }
            } }
            pub struct Reader;
            make!(cfg);";
        let text = shown(&compiled("cfg-in-a-group", program, &["--cap-lints=allow"]));
        assert!(text.contains("all clones of a trait's method have the same code"), "{text}");
    }
}

/// In the edition 2015 a path of ours may be one of the user's. What is written in a body does not count as ours.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn the_path_of_the_standard_macro_cannot_be_written_by_hand() {
    if has_compiler() {
        let program = "
            extern crate simd_core as sc;
            pub mod simd_core { pub mod __private { pub mod core {
                #[macro_export] macro_rules! evil { (any(all(), $($t:tt)*)) => { danger() }; ($($t:tt)*) => { () } }
                pub use evil as cfg;
            } } }
            unsafe fn danger() {}
            pub struct Reader;
            #[sc::dispatch(targets = \"avx2 | neon\")]
            impl Drop for Reader {
                fn drop(&mut self) {
                    let _x = ::simd_core::__private::core::cfg!(any(target_feature = \"avx2\", target_feature = \"neon\"));
                }
            }";
        let text = shown(&compiled_in("2015", "own-path", program, &["--cap-lints=allow"]));
        assert!(text.contains("all clones of a trait's method have the same code"), "{text}");
    }
}

/// Our code stands in the user's bodies, where an import can give the name of a crate another meaning.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn the_path_of_the_crate_begins_at_its_root() {
    if has_compiler() {
        let program = "
            use simd_core as sc;
            pub struct Reader;
            mod evil {}
            #[sc::dispatch(targets = \"avx2 | neon\", crate = sc)]
            impl Drop for Reader {
                fn drop(&mut self) { use crate::evil as sc; (|| ())() }
            }";
        let text = shown(&compiled("own-crate", program, &["--cap-lints=allow"]));
        assert!(text.contains("cannot find `sc` in the crate root") || text.contains("E0433"), "{text}");
    }
}

/// An impl may be the proof of a feature. So in a module under a `cfg` it exists where the build has what is asked, too.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn promises_in_modules_are_the_builds() {
    if has_compiler() {
        let program = "
            pub unsafe trait Has { fn f(&self) {} }
            pub struct Reader;
            #[simd_core::dispatch(targets = \"avx2 | sve\")]
            mod kernels {
                #[cfg(any(target_feature = \"avx2\", target_feature = \"sve\"))]
                mod inner { unsafe impl crate::Has for crate::Reader {} }
            }
            pub fn go() { Reader.f() }";
        let text = shown(&compiled("promise", program, &["--cap-lints=allow"]));
        assert!(text.contains("E0599"), "{text}");
    }
}

/// rustc gives a type that functions with features have in common by the features of the function around. So a clone can call
/// another method than the baseline.
const OTHER_TYPE: &str = "
    unsafe fn danger() {}
    #[cfg_attr(target_arch = \"x86_64\", target_feature(enable = \"avx2\"))]
    #[cfg_attr(target_arch = \"aarch64\", target_feature(enable = \"aes\"))]
    fn f() {}
    #[cfg_attr(target_arch = \"x86_64\", target_feature(enable = \"avx2\"))]
    #[cfg_attr(target_arch = \"aarch64\", target_feature(enable = \"aes\"))]
    fn g() {}
    trait A { fn go(&self) {} }
    impl A for unsafe fn() {}
    trait B { unsafe fn go(&self); }
    impl B for fn() { unsafe fn go(&self) { unsafe { danger() } } }
    pub struct Reader;
    #[simd_core::dispatch(targets = \"avx2 | aarch64: aes\")]
    impl Drop for Reader { fn drop(&mut self) { [f, g][0].go() } }";

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn types_that_depend_on_features_are_checked_by_a_lint() {
    if has_compiler() {
        let text = shown(&compiled("other-type", OTHER_TYPE, &[]));
        assert!(text.contains("call to unsafe function") && text.contains("could not compile"), "{text}");
    }
}

/// A limit that `docs/design.md` gives the reason of. When this fails, the limit is gone.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn whoever_turns_lints_off_loses_that_check() {
    if has_compiler() {
        let output = compiled("other-type-capped", OTHER_TYPE, &["--cap-lints=allow"]);
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

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn code_that_all_clones_have_is_checked_in_the_baseline() {
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
