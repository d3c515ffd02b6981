//! Programs, linked in every way, and the order of their initialisers.

use super::*;

/// Every program of the package.
const PROGRAMS: [&str; 2] = ["plain", "order"];

/// Builds all programs in one way after another, and runs them. A plain run takes the first `plain` ways.
fn check(plain: usize, builds: &[Build]) {
    for_each(some_of(builds, plain), |build| {
        for name in PROGRAMS {
            let program = program(**build, name);
            let output = output(&mut Command::new(&program));
            assert!(output.status.success(), "{}: {}\n{}", program.display(), output.status, shown(&output));
            assert_eq!(shown(&output), "detected: true\n", "{}", program.display());
        }
    });
}

/// What assertions say is checked in those that say so and in the first, and believed in the others.
#[test]
fn every_level_of_optimisation() {
    let ways = [
        UNOPTIMISED,
        OPTIMISED,
        Build { opt_level: "1", ..CHECKED },
        Build { opt_level: "2", codegen_units: 16, ..CHECKED },
        CHECKED,
        Build { opt_level: "1", codegen_units: 256, ..OPTIMISED },
        Build { opt_level: "2", ..OPTIMISED },
    ];
    check(2, &ways);
}

/// What could leave the initialiser out, or put it elsewhere.
#[test]
fn every_way_to_link() {
    const GC: &[&str] = &["-Clink-arg=-Wl,--gc-sections"];
    let ways = [
        Build { lto: "fat", flags: GC, ..OPTIMISED },
        Build { flags: GC, ..UNOPTIMISED },
        Build { lto: "thin", codegen_units: 256, flags: GC, ..OPTIMISED },
        Build { flags: &["-Cprefer-dynamic", "-Crpath"], ..OPTIMISED },
        Build { flags: &["-Crelocation-model=static", "-Clink-arg=-no-pie"], ..OPTIMISED },
        Build { flags: &["-Ctarget-feature=+crt-static"], ..OPTIMISED },
        Build { flags: &["-Clink-arg=-fuse-ld=bfd"], codegen_units: 256, ..OPTIMISED },
    ];
    check(1, &ways);
}

#[test]
fn another_c_library() {
    const MUSL: &str = "x86_64-unknown-linux-musl";
    if platforms::has_std(MUSL) {
        check(1, &[Build { target: MUSL, ..OPTIMISED }]);
    }
}

/// Tests run on threads of the harness.
#[test]
fn a_package_s_own_tests() {
    let tests = run(&mut Command::new(UNOPTIMISED.path(&[LIBRARY.kind("bin").flags(&["--test"])])));
    assert!(tests.contains("1 passed"), "{tests}");
}

/// A library without `std` detects as well: with `cpuid`, in the program's initialiser.
#[test]
fn a_library_without_std() {
    const LIBRARY: &str = "#![no_std]
        #[simd_core::dispatch(targets = \"avx2,aes | aes\")]
        pub fn which() -> u8 {
            u8::from(cfg!(target_feature = \"avx2\")) * 2 + u8::from(cfg!(target_feature = \"aes\"))
        }";
    const WITH_STD: &str = "fn main() { std::process::exit(startup_no_std::which().into()) }";
    const WITHOUT_MAIN: &str = "#![no_std]
        #![no_main]
        #[unsafe(no_mangle)]
        extern \"C\" fn main() -> i32 { startup_no_std::which().into() }
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! { loop {} }
        // The compiled `core` refers to it, though nothing unwinds here.
        #[unsafe(no_mangle)]
        extern \"C\" fn rust_eh_personality() {}
        #[link(name = \"c\")]
        unsafe extern \"C\" {}";
    let build = Build { features: &[], ..OPTIMISED }.more(&["-Cpanic=abort"]);
    for main in [WITH_STD, WITHOUT_MAIN] {
        let program = build.path(&[Crate::library("startup_no_std", LIBRARY), Crate::program("main", main)]);
        let output = output(&mut Command::new(program));
        assert_eq!(output.status.code(), Some(libraries::best_clone().into()), "{main}: {}", shown(&output));
    }
}

/// The program's code is what its dispatched function took inside of `start`: the best clone. It was the baseline before.
#[test]
fn a_program_without_a_c_runtime() {
    const FLAGS: &[&str] = &[
        "-Cpanic=abort",
        "-Crelocation-model=static",
        "-Clink-arg=-no-pie",
        "-Clink-arg=-nostartfiles",
        "-Clink-arg=-nostdlib",
        "-Clink-arg=-static",
    ];
    // The first level inlines everything into everything that it can.
    let build = Build { flags: FLAGS, features: &[], ..OPTIMISED };
    for_each(some_of(&[build, Build { opt_level: "1", ..build }], 1), |build| {
        let output = output(&mut Command::new(build.path(&[Crate::program("bare", source!("bare.rs"))])));
        let best = i32::from(libraries::best_clone());
        assert_eq!(output.status.code(), Some(best + 4 + best * 8), "{}", shown(&output));
    });
}
