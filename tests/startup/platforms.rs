//! Platforms that are not this one: programs under an emulator, and the initialiser's section in object files.

use std::env;
use std::process::Stdio;

use object::read::{File, Object, ObjectSection, ObjectSymbol, RelocationTarget};
use object::{SectionFlags, macho};

use integration_tests::build::{library_directory, workspace};

use super::*;

/// Set where the compiler may build the core library from its source, for targets that it has none for.
const BUILD_STD: &str = "INTEGRATION_TESTS_BUILD_STD";

/// Whether the compiler has a standard library for `target`; says so if not.
pub(super) fn has_std(target: &str) -> bool {
    let found = library_directory(target).exists();
    if !found {
        skip(format_args!("this toolchain has no standard library for {target}"));
    }
    found
}

/// The object file of simd-core for `target`; `None` where no core library can be had.
fn object_file(target: &'static str) -> Option<Vec<u8>> {
    let from_source = !library_directory(target).exists();
    if from_source && env::var_os(BUILD_STD).is_none() && !has_std(target) {
        return None;
    }
    let file = scratch().join(format!("{target}.o"));
    let emit = format!("--emit=obj={}", file.display());
    // Not optimised, as the core library may have to be built as well.
    let build = Build { target, codegen_units: 1, ..UNOPTIMISED };
    let mut command = build.cargo(&workspace(), &["rustc", "--package", "simd-core", "--lib", "--no-default-features"]);
    if from_source {
        // The compiler's own version of the sources needs the compiler's own permission.
        command.arg("-Zbuild-std=core").env("RUSTC_BOOTSTRAP", "1");
    }
    run(command.args(["--", &emit]));
    Some(fs::read(file).expect("the compiler has written it"))
}

/// The object file has one section of this name, which holds one pointer, to the function that detects; `right` says
/// whether its segment and its flags are.
fn check_section(target: &'static str, name: &str, right: impl Fn(Option<&str>, SectionFlags) -> bool) {
    let Some(data) = object_file(target) else { return };
    let file = File::parse(&*data).expect("an object file");
    let names: Vec<&str> = file.sections().filter_map(|section| section.name().ok()).collect();
    let sections: Vec<_> = file.sections().filter(|section| section.name() == Ok(name)).collect();
    let [section] = &sections[..] else { panic!("{target}: {name} is not, or more than once, in {names:?}") };
    let width = file.architecture().address_size().map_or(0, |size| u64::from(size.bytes()));
    assert_eq!((section.size(), section.align()), (width, width), "{target}");
    assert!(right(section.segment_name().unwrap(), section.flags()), "{target}: {section:?}");
    let relocations: Vec<_> = section.relocations().map(|(_, relocation)| relocation.target()).collect();
    let [RelocationTarget::Symbol(symbol)] = relocations[..] else { panic!("{target}: {relocations:?}") };
    let symbol = file.symbol_by_index(symbol).unwrap();
    let symbol = symbol.name().unwrap();
    assert!(symbol.contains("initialise"), "{target}: the pointer is to `{symbol}`");
}

/// The linker gathers what is in sections of this type, and the loader calls it.
#[test]
fn the_section_of_apple_s_systems() {
    check_section("aarch64-apple-darwin", "__mod_init_func", |segment, flags| {
        let SectionFlags::MachO { flags, .. } = flags else { return false };
        segment == Some("__DATA") && flags.typ() == macho::S_MOD_INIT_FUNC_POINTERS
    });
}

/// The C runtime calls what lies between `.CRT$XCA` and `.CRT$XCZ`, in the order of the names.
#[test]
fn the_section_of_windows() {
    for target in ["x86_64-pc-windows-gnu", "x86_64-pc-windows-msvc"] {
        check_section(target, ".CRT$XCT", |_, _| true);
    }
}

pub(super) const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// The library that the standard library imports and Wine lacks.
const RANDOM: &str = "
    #include <stddef.h>
    __declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
    __declspec(dllexport) int __stdcall ProcessPrng(void *to, size_t size) { return SystemFunction036(to, size); }";

/// The emulator of Windows.
pub(super) struct Wine(&'static str);

impl Wine {
    /// The emulator, started, if it and what it takes to build programs are there and all variants are asked for; says so if not.
    pub(super) fn start() -> Option<&'static Self> {
        static STARTED: LazyLock<Option<Wine>> = LazyLock::new(|| {
            if !asks_for_all() {
                skip("programs under Wine; SIMD_CORE_TESTS=all");
                return None;
            }
            // Debian's package for 64 bits only puts no link into the path.
            let names = ["wine64", "/usr/lib/wine/wine64", "wine"];
            let works = |name: &&str| {
                let mut command = Command::new(name);
                command.arg("--version").output().is_ok_and(|output| output.status.success())
            };
            let found = names.into_iter().find(works);
            if found.is_none() {
                skip("no Wine is here to run programs of Windows");
            }
            let found = found.filter(|_| has_std(WINDOWS) && has("x86_64-w64-mingw32-gcc", &["--version"]))?;
            let wine = Wine(found);
            wine.prepare();
            Some(wine)
        });
        STARTED.as_ref()
    }

    fn prepare(&self) {
        let (source, library) = (scratch().join("random.c"), scratch().join("bcryptprimitives.dll"));
        fs::write(&source, RANDOM).expect("as the directory");
        run(Command::new("x86_64-w64-mingw32-gcc").args(["-shared", "-o"]).arg(library).arg(source).arg("-ladvapi32"));
        // The first program starts servers, which stay for some seconds and would keep its pipes open. Now and then Wine fails
        // to start a program.
        let log = scratch().join("wine.txt");
        let starts = |_| {
            let [out, err] = [(); 2]
                .map(|()| fs::OpenOptions::new().create(true).append(true).open(&log).expect("as the directory"));
            let mut first = Command::new(self.0);
            first.args(["cmd", "/c", "exit"]).env("WINEPREFIX", scratch().join("wine")).env("WINEDEBUG", "-all");
            first.stdin(Stdio::null()).stdout(out).stderr(err).status().is_ok_and(|status| status.success())
        };
        assert!((0..3).any(starts), "no program runs under Wine: {}", fs::read_to_string(&log).unwrap_or_default());
    }

    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(self.0);
        command.arg(program).current_dir(scratch()).env("WINEPREFIX", scratch().join("wine")).env("WINEDEBUG", "-all");
        command
    }

    /// What `program` does, where one of its lines is `right`: Wine has lines of its own now and then.
    #[track_caller]
    pub(super) fn output(&self, program: &Path, variables: &[(&str, &str)], right: impl Fn(&str) -> bool) -> Output {
        let mut outputs = (0..3).map(|_| output(self.command(program).envs(variables.iter().copied())));
        let last = outputs.find(|output| shown(output).lines().any(&right));
        last.unwrap_or_else(|| {
            panic!("{}: not once in three runs: {}", program.display(), shown(&output(&mut self.command(program))))
        })
    }
}

#[test]
fn programs_of_windows() {
    let Some(wine) = Wine::start() else { return };
    let ways = [UNOPTIMISED, Build { lto: "fat", ..OPTIMISED }];
    let ways = ways.map(|build| Build { target: WINDOWS, features: &["std", "testing"], ..build });
    let programs = ways.map(|build| program(build, "limited"));
    let best = libraries::best_clone();
    for program in &programs {
        for (variable, value, code, message) in [
            ("SIMD_CORE", "", 0, format!("clone {best}, detected: true")),
            ("SIMD_CORE_ONLY", "aes", 0, format!("clone {}, detected: true", best & 1)),
            ("SIMD_CORE_ONLY", "avx3", 2, "simd-core: SIMD_CORE_ONLY names `avx3`, which is not a feature".into()),
            ("SIMD_CORE_ONYL", "aes", 2, "simd-core: there is no variable SIMD_CORE_ONYL: did you mean".into()),
        ] {
            let output = wine.output(program, &[(variable, value)], |line| line.starts_with(&message));
            assert_eq!(output.status.code(), Some(code), "{variable}={value}: {}", shown(&output));
        }
    }

    // A library detects when it is loaded, and leaves the environment as it is.
    let library = ways[1].path(&[LIBRARY.kind("cdylib")]);
    let (source, host) = (scratch().join("host-windows.c"), scratch().join("host-windows.exe"));
    fs::write(&source, source!("host.c")).expect("as the directory");
    run(Command::new("x86_64-w64-mingw32-gcc").arg("-o").arg(&host).arg(source));
    let said = run(wine.command(&host).arg(library).env("SIMD_CORE_ONLY", "").env("SIMD_CORE_ONYL", ""));
    assert!(said.lines().any(|line| line.ends_with(&libraries::best())), "{said}");
}
