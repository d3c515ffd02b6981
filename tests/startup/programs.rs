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

/// A library without `std` detects as well: with `cpuid`, in the program's initialiser.
#[test]
fn a_library_without_std() {
    if !has_compiler() {
        return;
    }
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
    let simd_core = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("simd-core");
    let manifest = format!(
        "[package]\nname = \"startup-no-std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nsimd-core = {{ path = {simd_core:?}, default-features = false }}\n\
         [profile.dev]\npanic = \"abort\"\n[lib]\npath = \"lib.rs\"\n"
    );
    let package = Package::new(env!("CARGO_TARGET_TMPDIR"), "startup-no-std", "2024", LIBRARY)
        .file("Cargo.toml", &manifest)
        .file("src/bin/with-std.rs", WITH_STD)
        .file("src/bin/without-main.rs", WITHOUT_MAIN);
    for name in ["with-std", "without-main"] {
        let program = OPTIMISED.build_of(&package, &["build", "--bin", name], &[name], "no-std").remove(0);
        let output = output(&mut Command::new(program));
        assert_eq!(output.status.code(), Some(libraries::best_clone().into()), "{name}: {}", shown(&output));
    }
}
