//! The clones of safe trait methods are safe code, and rustc checks each: no lint is needed for it, not even in a build that has none, as of
//! a dependency.

use integration_tests::build::{Crate, DEBUG};

/// Compiles `program` as cargo compiles dependencies.
fn compiled(program: &str) -> Result<(), String> {
    DEBUG.compile(&[Crate::library("methods", program).flags(&["--cap-lints=allow"])]).map(drop)
}

/// What rustc says of a program that it refuses.
fn refused(program: &str) -> String {
    compiled(program).expect_err("it is to be refused")
}

/// Bodies of safe methods that would do what is unsafe in the clone for `wide` only.
const DIFFERENT: &[&str] = &[
    "#[cfg(wide)] return danger(); #[cfg(not(wide))] 0",
    "match () { #[cfg(wide)] _ => danger(), #[cfg(not(wide))] _ => 0 }",
    "#[cfg_attr(not(wide), cfg(any()))] let x = danger(); 0",
    "Chosen::<{ cfg!(wide) }>::danger()",
    "const { if cfg!(wide) { constant_danger() } else { 0 } }",
    "Chosen::<{ const { cfg!(wide) } }>::danger()",
    "const W: bool = cfg!(wide); Chosen::<W>::danger()",
    "(|| Chosen::<{ cfg!(wide) }>::danger())()",
    "drop(async { Chosen::<{ cfg!(wide) }>::danger() }); 0",
    "format!(\"{}\", Chosen::<{ cfg!(wide) }>::danger()).len() as u32",
    "Chosen::<WIDE>::danger()",
    "Wide::danger()",
    "simd_core::match_target! { \"avx2\" => danger(), \"neon\" => danger(), _ => 0 }",
];

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn unsafe_code_of_some_clones_is_refused() {
    let mut program = String::from(
        "pub struct Chosen<const WIDE: bool>;
        impl Chosen<false> { pub fn danger() -> u32 { 0 } }
        impl Chosen<true> { pub unsafe fn danger() -> u32 { 0 } }
        pub unsafe fn danger() -> u32 { 0 }
        pub const unsafe fn constant_danger() -> u32 { 0 }
        #[simd_core::dispatch(targets = \"avx2 | sve2\")]
        pub mod kernels {
        use super::*;
        const WIDE: bool = cfg!(wide);
        type Wide = Chosen<{ cfg!(wide) }>;
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
    let program = (program + "}").replace("(wide)", &format!("({wide})")).replace("not(wide)", &format!("not({wide})"));
    let text = refused(&program);
    for (body, line) in DIFFERENT.iter().zip(lines) {
        let place = format!("methods.rs:{line}:");
        let refused = text.split("\nerror[E0133]").skip(1).any(|error| error.contains(&place));
        assert!(refused, "line {line}, {body}: {text}");
    }
}

/// The name of a macro may be in an invisible group, through which `syn` sees and the compiler does not.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn a_macro_in_a_group_named_cfg_is_no_test() {
    let program = "
        unsafe fn danger() {}
        macro_rules! cfg { ($($code:tt)*) => {{ $($code)* }} }
        macro_rules! make { ($cfg:path) => {
            #[simd_core::dispatch(targets = \"avx2 | sve2\")]
            impl Drop for Reader {
                fn drop(&mut self) {
                    $cfg!(#[cfg(any(target_feature = \"avx2\", target_feature = \"neon\"))] danger();)
                }
            }
        } }
        pub struct Reader;
        make!(cfg);";
    let text = refused(program);
    assert!(text.contains("E0133"), "{text}");
}

/// Our code stands in the user's bodies, where an import can give the name of a crate another meaning.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn the_path_of_the_crate_begins_at_its_root() {
    let program = "
        use simd_core as sc;
        pub struct Reader;
        mod evil {}
        #[sc::dispatch(targets = \"avx2 | sve2\", crate = sc)]
        impl Drop for Reader {
            fn drop(&mut self) { use crate::evil as sc; (|| ())() }
        }";
    let text = refused(program);
    assert!(text.contains("cannot find `sc` in the crate root") || text.contains("E0433"), "{text}");
}

/// rustc gives a type that functions with features have in common by the features of the function around. To it, a method and all its clones
/// have none. (With another type, the call in the clone would be one of an unsafe method.)
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
fn types_do_not_depend_on_features() {
    compiled(OTHER_TYPE).unwrap();
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
fn unsafe_code_in_all_clones_is_refused() {
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
                #[simd_core::dispatch(targets = \"avx2 | sve2\")]
                {implementation} {{ fn f(&self) -> u32 {{ {} }} }}\n",
                body.replace("danger", &format!("danger{number}")),
            );
        }
        let text = refused(&program);
        for number in 0..SAME_IN_ALL_CLONES.len() {
            let error =
                text.split("error[E0133]").skip(1).any(|error| error.contains(&format!("danger{number}` is unsafe")));
            assert!(error, "default methods: {default}, body {number}: {text}");
        }
    }
}
