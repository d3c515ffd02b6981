//! Programs, linked in every way, and the order of their initialisers.

use super::*;

/// Every program of the package.
const PROGRAMS: [&str; 2] = ["plain", "order"];

/// Builds all programs in one way after another, and runs them.
fn check(builds: &[(&str, Build)]) {
    if !has_compiler() {
        return;
    }
    for (way, build) in builds {
        for program in build.build(&["build", "--bin", "plain", "--bin", "order"], &PROGRAMS, way) {
            let output = output(&mut Command::new(&program));
            assert!(output.status.success(), "{}: {}\n{}", program.display(), output.status, shown(&output));
            assert_eq!(shown(&output), "detected: true\n", "{}", program.display());
        }
    }
}

/// What assertions say is checked in the first three, and believed in the others.
#[test]
fn every_level_of_optimisation() {
    const CHECKED: Build = Build { debug_assertions: true, ..OPTIMISED };
    check(&[
        ("a codegen unit for each module", UNOPTIMISED),
        ("level 1, checked", Build { opt_level: "1", ..CHECKED }),
        ("level 2, checked", Build { opt_level: "2", codegen_units: 16, ..CHECKED }),
        ("level 3, checked", CHECKED),
        ("level 1", Build { opt_level: "1", codegen_units: 256, ..OPTIMISED }),
        ("level 2", Build { opt_level: "2", ..OPTIMISED }),
        ("level 3", OPTIMISED),
    ]);
}

/// What could leave the initialiser out, or put it elsewhere.
#[test]
fn every_way_to_link() {
    const GC: &[&str] = &["-Clink-arg=-Wl,--gc-sections"];
    check(&[
        ("sections without references go", Build { flags: GC, ..UNOPTIMISED }),
        ("thin LTO", Build { lto: "thin", codegen_units: 256, flags: GC, ..OPTIMISED }),
        ("fat LTO", Build { lto: "fat", flags: GC, ..OPTIMISED }),
        ("std as a shared library", Build { flags: &["-Cprefer-dynamic", "-Crpath"], ..OPTIMISED }),
        (
            "not position-independent",
            Build { flags: &["-Crelocation-model=static", "-Clink-arg=-no-pie"], ..OPTIMISED },
        ),
        ("statically linked", Build { flags: &["-Ctarget-feature=+crt-static"], ..OPTIMISED }),
        ("the linker of binutils", Build { flags: &["-Clink-arg=-fuse-ld=bfd"], codegen_units: 256, ..OPTIMISED }),
    ]);
}

#[test]
fn another_c_library() {
    const MUSL: &str = "x86_64-unknown-linux-musl";
    if platforms::has_std(MUSL) {
        check(&[("musl", Build { target: MUSL, ..OPTIMISED })]);
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
