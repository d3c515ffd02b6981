//! `check_cpu!`: a program says what it was built for on a CPU that lacks it, before any instruction that the CPU lacks.

use std::collections::BTreeSet;

use integration_tests::build::features;
use simd_core::asm::{Binary, Features, Trust};

use super::*;

/// The program with the macro, built for these features as well.
#[track_caller]
fn checked(build: Build) -> PathBuf {
    build.path(&[Crate::program("checked", source!("checked.rs"))])
}

/// A build for this CPU.
fn cpu(build: Build, cpu: &str) -> Build {
    build.more(&[format!("-Ctarget-cpu={cpu}").leak()])
}

/// `program` on an emulated CPU.
fn on(emulator: &str, cpu: &str, program: &Path) -> Output {
    output(Command::new(emulator).args(["-cpu", cpu]).arg(program))
}

/// The features that a program without flags finds, on an emulated CPU.
fn found(emulator: &str, cpu: &str, program: &Path) -> BTreeSet<String> {
    let output = on(emulator, cpu, program);
    let said = shown(&output);
    let names = said.strip_prefix("Ok(()) ").unwrap_or_else(|| panic!("{said}"));
    names.trim().split(", ").map(str::to_owned).collect()
}

/// The program has ended with the line `checked: built for …; this CPU lacks …`; returns both lists.
#[track_caller]
fn ended(output: &Output) -> [BTreeSet<String>; 2] {
    let said = shown(output);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{said}");
    let line = said.strip_prefix("checked: built for ").and_then(|line| line.strip_suffix('\n'));
    let (built, lacks) = line.and_then(|line| line.split_once("; this CPU lacks ")).unwrap_or_else(|| panic!("{said}"));
    assert_eq!(said.lines().count(), 1, "{said}");
    [built, lacks].map(|list| list.split(", ").map(str::to_owned).collect())
}

/// The program ends with a message that names just what `cpu` lacks of the build's features, or runs if that is nothing.
#[track_caller]
fn check(emulator: &str, cpu: &str, build: Build, without_flags: &Path, unchecked: &[&str]) {
    let output = on(emulator, cpu, &checked(build));
    let flags: Vec<String> = build.flags.iter().map(|&flag| flag.to_owned()).collect();
    let mut lacking = &features(build.target, &flags) - &found(emulator, cpu, without_flags);
    lacking.retain(|feature| !unchecked.contains(&&**feature));
    if lacking.is_empty() {
        assert!(output.status.success() && shown(&output).starts_with("Ok(()) "), "{build}: {}", shown(&output));
    } else {
        assert_eq!(ended(&output)[1], lacking, "{build} on {cpu}");
    }
}

const X86_64: &str = "qemu-x86_64";
const MUSL: &str = "x86_64-unknown-linux-musl";
/// What the macro's page says is not checked.
const UNCHECKED: [&str; 2] = ["kl", "widekl"];

#[test]
fn a_lesser_cpu_of_x86_64() {
    if !has(X86_64, &["--version"]) {
        return;
    }
    let v3 = cpu(OPTIMISED, "x86-64-v3");
    let builds = [
        Build { lto: "fat", ..cpu(OPTIMISED, "native") },
        Build { codegen_units: 256, ..v3 },
        cpu(OPTIMISED, "x86-64-v2"),
        cpu(UNOPTIMISED, "x86-64-v3"),
        Build { lto: "fat", ..v3 },
        Build { lto: "thin", codegen_units: 256, ..v3 },
        Build { lto: "fat", ..v3.more(&["-Ctarget-feature=+crt-static"]) },
        v3.more(&["-Ctarget-feature=+crt-static", "-Crelocation-model=static"]),
        v3.more(&["-Clink-arg=-Wl,--gc-sections", "-Clink-arg=-fuse-ld=bfd"]),
        cpu(OPTIMISED, "x86-64-v4"),
        cpu(OPTIMISED, "znver5"),
        cpu(OPTIMISED, "sapphirerapids"),
    ];
    let plain = checked(OPTIMISED);
    // An audit takes the test before `xgetbv` for one.
    let binary = Binary::open(&plain).unwrap();
    let audit = binary.audit(&Features::architectural(binary.architecture()), &Trust::default()).unwrap();
    let found = audit.findings.iter().find(|finding| finding.path.contains("simd_core::check"));
    assert!(found.is_none(), "{found:?}");
    for_each(some_of(&builds, 2), |build| {
        for cpu in ["Nehalem", "qemu64"] {
            check(X86_64, cpu, **build, &plain, &UNCHECKED);
        }
        only_the_base(**build);
    });
    let [built, lacks] = ended(&on(X86_64, "Nehalem", &checked(builds[1])));
    assert_eq!(built, ["x86-64-v3".to_owned()].into());
    assert!(lacks.contains("avx2") && !lacks.contains("sse4.2"), "{lacks:?}");
    if platforms::has_std(MUSL) {
        check(X86_64, "Nehalem", Build { target: MUSL, lto: "fat", ..v3 }, &plain, &UNCHECKED);
    }
}

/// No function that runs before the answer needs more than the base of the architecture.
#[track_caller]
fn only_the_base(build: Build) {
    let binary = Binary::open(checked(build)).unwrap();
    let base = Features::architectural(binary.architecture());
    let is_ours = |path: &str| {
        let in_library = path.starts_with("simd_core::check::machine::") || path == "simd_core::check::checked";
        in_library || path == "checked::_::check"
    };
    let ours: Vec<_> = binary.symbols().iter().filter(|symbol| is_ours(&symbol.path())).collect();
    let mut names: Vec<String> = Vec::new();
    for symbol in ours {
        let function = binary.functions(&symbol.path()).unwrap().remove(0);
        // It stands behind a test of the system's bit for it.
        let by_hand = function.count("xgetbv");
        let mut needs: Vec<&str> = function.needs().names().filter(|name| !base.contains(name)).collect();
        needs.retain(|name| *name != "xsave" || by_hand == 0);
        assert!(needs.is_empty(), "{build}: {needs:?}\n{}", function.listing());
        names.push(symbol.path());
    }
    for name in ["checked::_::check", "::end_if_lacking", "::lacking", "::end", "::write_and_exit"] {
        let expected = name != "::write_and_exit" || build.target.starts_with("x86_64");
        assert_eq!(
            names.iter().any(|path| path.trim_end_matches("::<true>").ends_with(name)),
            expected,
            "{name} of {names:?}"
        );
    }
}

const AARCH64: &str = "qemu-aarch64";

/// Linked with the compiler's own linker and C library, so that nothing has to be installed but the emulator.
#[test]
fn a_lesser_cpu_of_aarch64() {
    const TARGET: &str = "aarch64-unknown-linux-musl";
    const LINKED: [&str; 2] = ["-Clink-self-contained=yes", "-Clinker=rust-lld"];
    if !has(AARCH64, &["--version"]) || !platforms::has_std(TARGET) {
        return;
    }
    let build = |name: &str, base: Build| cpu(Build { target: TARGET, flags: &LINKED, ..base }, name);
    let plain = checked(build("generic", OPTIMISED));
    // What is not checked are features of the system, which programs do not use.
    let system = ["lor", "pan", "pmuv3", "ras", "spe", "vh"];
    let builds = [Build { lto: "fat", ..build("neoverse-n1", OPTIMISED) }, build("neoverse-n1", UNOPTIMISED)];
    for_each(some_of(&builds, 1), |way| {
        check(AARCH64, "cortex-a53", **way, &plain, &system);
        only_the_base(**way);
        no_atomics_of_lse(&checked(**way));
    });
    no_atomics_of_lse(&plain);
    // `cortex-a53` implies AES, which the Raspberry Pi's has not. The emulator takes AES away with the rest of the vectors, as it says.
    let pi = checked(build("cortex-a53", OPTIMISED));
    assert_eq!(ended(&on(AARCH64, "cortex-a72,neon=off,vfp=off", &pi))[1], ["aes", "sha2"].map(str::to_owned).into());
    assert!(shown(&on(AARCH64, "cortex-a53", &pi)).starts_with("Ok(()) "));
    let own = checked(build("cortex-a53", OPTIMISED).more(&["-Ctarget-feature=-aes,-sha2"]));
    assert!(shown(&on(AARCH64, "cortex-a72,neon=off,vfp=off", &own)).starts_with("Ok(()) "));
}

/// What runs before `main` uses no atomic instruction of LSE, whatever the build enables.
#[track_caller]
fn no_atomics_of_lse(program: &Path) {
    let binary = Binary::open(program).unwrap();
    let is_ours = |path: &str| {
        ["simd_core::known::", "simd_core::check::", "checked::_::check"].iter().any(|start| path.starts_with(start))
    };
    let ours: Vec<String> =
        binary.symbols().iter().map(simd_core::asm::Symbol::path).filter(|path| is_ours(path)).collect();
    assert!(ours.iter().any(|path| path.ends_with("::publish")), "{ours:?}");
    for path in ours {
        for function in binary.functions(&path).unwrap() {
            let needs = function.needs();
            assert!(!needs.contains("lse"), "{}: {}", program.display(), function.listing());
        }
    }
}

/// A feature that this CPU lacks, and that LLVM uses nowhere by itself.
fn lacking() -> Option<&'static str> {
    let has = simd_core::features();
    let found = ["sha512", "sm4", "avx512vp2intersect", "sha"].into_iter().find(|name| !has.contains(name));
    if found.is_none() {
        skip("builds for more than this CPU, which has everything");
    }
    found
}

/// Programs on this CPU that are built for more: the line of the macro, and the function's value.
#[test]
fn this_cpu() {
    let Some(feature) = lacking() else { return };
    let build = OPTIMISED.more(&[format!("-Ctarget-feature=+{feature}").leak()]);
    let message = format!("this CPU lacks {feature}\n");
    for_each(some_of(&[build, build.more(&["-Cprefer-dynamic", "-Crpath"])], 1), |build| {
        let output = output(&mut Command::new(checked(**build)));
        assert!(shown(&output).ends_with(&message), "{}", shown(&output));
        ended(&output);
    });
    // Nobody reads what is said.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" 2>&-"]).arg(checked(build));
    assert_eq!(output(&mut shell).status.code(), Some(2));

    let asked = build.path(&[Crate::program("asked", source!("asked.rs"))]);
    let said = run(&mut Command::new(asked));
    assert!(said.starts_with("built for ") && said.contains(&message), "{said}");
    assert!(said.ends_with(&format!("\nUnsupportedCpu({feature}) {feature}\n")), "{said}");
}

#[test]
fn windows() {
    let Some(feature) = lacking() else { return };
    let Some(wine) = platforms::Wine::start() else { return };
    for base in [UNOPTIMISED, Build { lto: "fat", ..OPTIMISED }] {
        for (feature, code, start) in [(feature, 2, "checked: built for "), ("sse3", 0, "Ok(()) ")] {
            let build = Build { target: platforms::WINDOWS, ..base };
            let program = checked(build.more(&[format!("-Ctarget-feature=+{feature}").leak()]));
            let output = wine.output(&program, &[], |line| line.starts_with(start));
            assert_eq!(output.status.code(), Some(code), "{build} +{feature}: {}", shown(&output));
        }
    }
}
