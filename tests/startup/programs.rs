//! Programs, linked in every way, and the order of their initialisers.

use super::*;

/// Every program of the package.
const PROGRAMS: [&str; 2] = ["plain", "order"];

/// Builds all programs in one way after another, and runs them. A plain run takes the first `plain` ways.
fn check(plain: usize, builds: &[(&str, Build)]) {
    if !has_compiler() {
        return;
    }
    for (way, build) in some_of(builds, plain) {
        for program in PROGRAMS.map(|name| build.build(&["rustc", "--bin", name], &[name], way).remove(0)) {
            let output = output(&mut Command::new(&program));
            assert!(output.status.success(), "{}: {}\n{}", program.display(), output.status, shown(&output));
            assert_eq!(shown(&output), "detected: true\n", "{}", program.display());
        }
    }
}

/// What assertions say is checked in those that say so and in the first, and believed in the others.
#[test]
fn every_level_of_optimisation() {
    const CHECKED: Build = Build { debug_assertions: true, ..OPTIMISED };
    let ways = [
        ("a codegen unit for each module", UNOPTIMISED),
        ("level 3", OPTIMISED),
        ("level 1, checked", Build { opt_level: "1", ..CHECKED }),
        ("level 2, checked", Build { opt_level: "2", codegen_units: 16, ..CHECKED }),
        ("level 3, checked", CHECKED),
        ("level 1", Build { opt_level: "1", codegen_units: 256, ..OPTIMISED }),
        ("level 2", Build { opt_level: "2", ..OPTIMISED }),
    ];
    check(2, &ways);
}

/// What could leave the initialiser out, or put it elsewhere.
#[test]
fn every_way_to_link() {
    const GC: &[&str] = &["-Clink-arg=-Wl,--gc-sections"];
    let ways = [
        ("fat LTO", Build { lto: "fat", flags: GC, ..OPTIMISED }),
        ("sections without references go", Build { flags: GC, ..UNOPTIMISED }),
        ("thin LTO", Build { lto: "thin", codegen_units: 256, flags: GC, ..OPTIMISED }),
        ("std as a shared library", Build { flags: &["-Cprefer-dynamic", "-Crpath"], ..OPTIMISED }),
        (
            "not position-independent",
            Build { flags: &["-Crelocation-model=static", "-Clink-arg=-no-pie"], ..OPTIMISED },
        ),
        ("statically linked", Build { flags: &["-Ctarget-feature=+crt-static"], ..OPTIMISED }),
        ("the linker of binutils", Build { flags: &["-Clink-arg=-fuse-ld=bfd"], codegen_units: 256, ..OPTIMISED }),
    ];
    check(1, &ways);
}

#[test]
fn another_c_library() {
    const MUSL: &str = "x86_64-unknown-linux-musl";
    if platforms::has_std(MUSL) {
        check(1, &[("musl", Build { target: MUSL, ..OPTIMISED })]);
    }
}

/// Tests run on threads of the harness.
#[test]
fn a_package_s_own_tests() {
    if has_compiler() {
        let tests = run(&mut UNOPTIMISED.cargo(package(), &["test", "--lib"]));
        assert!(tests.contains("1 passed"), "{tests}");
    }
}
