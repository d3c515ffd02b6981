//! Libraries that programs load, that C and C++ programs are linked with, and that the compiler loads.

use integration_tests::build::library_directory;
use simd_core::asm::{Binary, Features, Trust};

use super::*;

/// The library of the fixture as a `kind`.
fn library(build: Build, kind: &str) -> PathBuf {
    build.path(&[LIBRARY.kind(kind)])
}

/// A program in C or C++ from `source`, linked by `compiler` with `arguments`.
fn program(compiler: &str, source: (&str, &str), arguments: &[&str], library: Option<&Path>) -> PathBuf {
    let file = scratch().join(source.0);
    let program = file.with_extension("");
    fs::write(&file, source.1).expect("as the directory");
    let mut command = Command::new(compiler);
    command.args(["-O1", "-o"]).arg(&program).arg(file).args(library).args(arguments);
    run(command.args(["-lpthread", "-ldl", "-lm"]));
    program
}

/// What the program says that loads `libraries`, a line for each.
pub(super) fn load(name: &str, libraries: &[PathBuf], variables: &[(&str, &str)]) -> Vec<String> {
    let host = program("cc", (&format!("{name}.c"), source!("host.c")), &[], None);
    let mut command = Command::new(host);
    let said = run(command.args(libraries).envs(variables.iter().copied()));
    said.lines().map(str::to_owned).collect()
}

/// The number of the clone that runs after detection.
pub(super) fn best_clone() -> u8 {
    let aes = is_x86_feature_detected!("aes");
    u8::from(aes) + 2 * u8::from(aes && is_x86_feature_detected!("avx2"))
}

/// The end of a line that says that this one runs.
pub(super) fn best() -> String {
    let best = best_clone();
    format!(" runs {best} and {best} of {best}, detected: 1")
}

/// Two copies of one file are two libraries, each with words and with an initialiser of its own.
#[test]
fn loaded_twice() {
    for &(name, build) in some_of(&[("loaded", UNOPTIMISED), ("loaded-lto", Build { lto: "fat", ..OPTIMISED })], 1) {
        let one = library(build, "cdylib");
        // Loading it runs nothing above the architecture's base without a test.
        let binary = Binary::open(&one).unwrap();
        let audit = binary.audit(&Features::architectural(binary.architecture()), &Trust::default()).unwrap();
        assert!(audit.findings.is_empty(), "{:?}", audit.findings);
        let other = scratch().join(format!("{name}-copy.so"));
        copy_program(&one, &other);
        let lines = load(&format!("host-{name}"), &[one, other], &[]);
        let [first, second] = &lines[..] else { panic!("{lines:?}") };
        assert_ne!(first, second, "the addresses differ");
        assert!(lines.iter().all(|line| line.ends_with(&best())), "{lines:?}");
    }
}

/// Python loads an extension module as any program does.
#[test]
fn in_python() {
    if !has("python3", &["--version"]) {
        return;
    }
    const CODE: &str = "
import ctypes, sys
of = ctypes.CDLL(sys.argv[1])
print(of.startup_which(), of.startup_seen(), of.startup_best(), of.startup_detected() & 1)";
    let library = library(UNOPTIMISED, "cdylib");
    let best = best_clone();
    assert_eq!(run(Command::new("python3").args(["-c", CODE]).arg(library)), format!("{best} {best} {best} 1\n"));
}

/// As on Alpine, whose Python is linked with this C library as well.
#[test]
fn in_a_program_with_musl() {
    const MUSL: &str = "x86_64-unknown-linux-musl";
    if !platforms::has_std(MUSL) || !has("musl-gcc", &["--version"]) {
        return;
    }
    // The library that unwinds is the compiler's own, as there is none for musl on other systems.
    let unwinding = library_directory(MUSL).join("self-contained/libunwind.a");
    let directory = scratch().join("unwinding");
    fs::create_dir_all(&directory).expect("as the directory");
    for name in ["libgcc_s.so", "libgcc_s.so.1"] {
        fs::write(directory.join(name), format!("INPUT({})", unwinding.display())).expect("as the directory");
    }
    let flags =
        ["-Ctarget-feature=-crt-static", "-Clinker=musl-gcc", format!("-Lnative={}", directory.display()).leak()];
    let library = library(Build { target: MUSL, ..UNOPTIMISED }.more(&flags), "cdylib");
    let host = program("musl-gcc", ("host-musl.c", source!("host.c")), &[], None);
    let said = run(Command::new(host).arg(library));
    assert!(said.ends_with(&format!("{}\n", best())) && said.lines().count() == 1, "{said}");
}

/// Of an archive, linkers take the members that something refers to.
#[test]
fn in_a_program_in_c() {
    let ways = [
        ("linked", UNOPTIMISED),
        ("linked-thin", Build { lto: "thin", codegen_units: 256, ..OPTIMISED }),
        ("linked-fat", Build { lto: "fat", ..OPTIMISED }),
    ];
    for &(way, build) in some_of(&ways, 1) {
        let archive = library(build, "staticlib");
        for arguments in [&["-Wl,--gc-sections"][..], &["-static", "-Wl,--gc-sections"]] {
            let name = format!("{way}{}.c", arguments.len());
            let program = program("cc", (&name, source!("linked.c")), arguments, Some(&archive));
            run(&mut Command::new(program));
        }
    }
}

#[test]
fn in_a_program_in_cpp_that_calls_too_early() {
    if !has("g++", &["--version"]) {
        return;
    }
    for &(way, build) in some_of(&[("early-checked", CHECKED), ("early", OPTIMISED)], 1) {
        let archive = library(build, "staticlib");
        let name = format!("{way}.cpp");
        let program = program("g++", (&name, source!("early.cpp")), &["-w"], Some(&archive));
        assert_eq!(run(&mut Command::new(program)), "right\n");
    }
}

/// The compiler loads procedural macros; what this one expands to is what it saw.
#[test]
fn in_a_procedural_macro() {
    const MACRO: &str = "
        extern crate proc_macro;
        #[proc_macro]
        pub fn seen(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
            let detected = simd_core::features().are_detected();
            format!(\"({}, {}, {detected})\", which(), simd_core::targets!(\"avx2,aes | aes\").chosen() == \"baseline\")
                .parse()
                .unwrap()
        }

        #[simd_core::dispatch(targets = \"avx2,aes | aes\")]
        fn which() -> u32 {
            u32::from(cfg!(target_feature = \"avx2\")) * 2 + u32::from(cfg!(target_feature = \"aes\"))
        }";
    const USER: &str = "
        fn main() {
            let (clone, baseline, detected): (u32, bool, bool) = startup_expanding::seen!();
            assert_eq!((clone, baseline), (startup::startup_best(), startup::startup_best() == 0));
            println!(\"detected: {detected}\");
        }";
    let expanding = Crate::library("startup_expanding", MACRO).kind("proc-macro").flags(&["-Cprefer-dynamic"]);
    let program = UNOPTIMISED.path(&[expanding, LIBRARY, Crate::program("expanded", USER)]);
    let said = run(&mut Command::new(program));
    assert_eq!(said, "detected: true\n");
}
