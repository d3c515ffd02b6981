//! Other programs' files: formats, and the places where names can be.

use std::path::{Path, PathBuf};

use super::says;
use simd_core_asm::{Architecture, Binary, Callee, CalleeKind, Error, Format, NameSource};

/// One of the programs that `tests/formats/build.sh` makes.
fn program(path: &str) -> Binary {
    Binary::open(formats().join(path)).unwrap()
}

fn formats() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

/// Checks of each of those programs. `target` is a clone's.
#[track_caller]
fn check(binary: &Binary, format: Format, architecture: Architecture, source: NameSource, target: &str) {
    assert_eq!((binary.format(), binary.architecture()), (format, architecture));
    assert!(binary.symbols().iter().all(|symbol| symbol.source() == source), "{:?}", binary.symbols());
    // The extents are right: everything decodes, and each function ends where control flow does.
    for symbol in binary.symbols() {
        let function = binary.decode(symbol);
        assert!(function.instructions().iter().all(simd_core_asm::Instruction::is_known), "{}", function.listing());
        assert!(binary.bytes(symbol.address()..symbol.address() + symbol.size()).is_some(), "{symbol:?}");
        assert!(
            !matches!(function.instructions().last().unwrap().flow(), simd_core_asm::Flow::Next),
            "{}",
            function.listing()
        );
    }
    let sum = binary.clones("kernels::sum").unwrap();
    let sum = if target == "baseline" { sum.baseline() } else { sum.target(target) }.unwrap();
    sum.assert().vectorized(128).within_target().no_dispatch();
    let mix = binary.function("formats::mix").unwrap();
    let multiply = if architecture == Architecture::Aarch64 { "mul" } else { "imul" };
    mix.assert().count(multiply, 1).count("ret", 1).at_most(7).no_calls();
    let through_table = binary.function("formats::through_table").unwrap().calls();
    assert!(matches!(&through_table[..], [call] if call.callee.name() == Some("formats::mix")), "{through_table:?}");
    // The call of another library goes through a pointer that the loader writes.
    let leave = binary.function("formats::leave").unwrap().calls_left();
    let exit = if format == Format::Pe { "ExitProcess" } else { "exit" };
    assert!(leave.iter().any(|call| call.callee == Callee::Import(exit.to_owned())), "{leave:?}");
    assert_eq!(binary.feature_words().map(|words| words.end - words.start), Some(8));
}

#[test]
fn windows_programs_of_msvc_have_their_names_in_a_pdb_file() {
    let binary = program("windows-x86_64/formats.exe");
    check(&binary, Format::Pe, Architecture::X86_64, NameSource::Pdb, "avx2");
    assert_eq!(binary.names_file(), Some(formats().join("windows-x86_64/formats.pdb").as_path()));
    let mixed = binary.clones("kernels::mixed").unwrap();
    let left = mixed.target("avx2").unwrap().calls_left();
    assert!(matches!(&left[..], [call] if call.kind == CalleeKind::NotDispatched), "{left:?}");
    says(&left[0].callee.to_string(), &["formats::mix"]);
    // Of a private method in the impl of a trait, the type is not there; the number of the impl is.
    assert_eq!(binary.clones("formats::impl$0::mul").unwrap().len(), 1);
    assert_eq!(
        binary.clones("mul").unwrap().target("avx2").unwrap().path(),
        "formats::impl$0::mul::impl$0::__mul__avx2"
    );
    // A function that other units can see has its own mangled name.
    binary.function("<usize as Display>::fmt").unwrap();
    assert!(!binary.function("main").unwrap().dispatches().is_empty());
}

#[test]
fn windows_programs_of_gnu_have_a_symbol_table() {
    let binary = program("windows-gnu-x86_64/formats.exe");
    assert_eq!((binary.format(), binary.architecture()), (Format::Pe, Architecture::X86_64));
    assert_eq!((binary.names_file(), binary.symbols()[0].source()), (None, NameSource::SymbolTable));
    let sum = binary.clones("kernels::sum").unwrap();
    sum.target("avx2").unwrap().assert().vectorized(256).within_target().no_dispatch();
    let leave = binary.function("formats::leave").unwrap().calls_left();
    assert!(leave.iter().any(|call| call.callee == Callee::Import("ExitProcess".to_owned())), "{leave:?}");
    // The function before the stubs for imports ends where they begin, with its padding.
    let last = binary.function("xsave::_xgetbv").unwrap();
    assert!(last.bytes() <= 16, "{}", last.listing());
}

#[test]
fn windows_programs_on_arm_with_a_symbol_table() {
    let binary = program("windows-aarch64/formats.exe");
    check(&binary, Format::Pe, Architecture::Aarch64, NameSource::SymbolTable, "baseline");
    assert_eq!(binary.names_file(), None);
}

#[test]
fn macos_programs_on_arm_have_their_names_in_a_bundle() {
    let binary = program("macos-aarch64/formats");
    check(&binary, Format::MachO, Architecture::Aarch64, NameSource::SymbolTable, "sha3");
    let names = formats().join("macos-aarch64/formats.dSYM/Contents/Resources/DWARF/formats");
    assert_eq!(binary.names_file(), Some(names.as_path()));
    // The names by themselves are no program.
    let error = Binary::open(&names).unwrap_err();
    says(&error.to_string(), &["it holds no code", "open the program"]);
}

#[test]
fn macos_programs_with_a_symbol_table() {
    let binary = program("macos-x86_64/formats");
    check(&binary, Format::MachO, Architecture::X86_64, NameSource::SymbolTable, "avx2");
    assert_eq!(binary.names_file(), None);
    assert_eq!(binary.clones("<Gf as Mul>::mul").unwrap().len(), 1);
    assert!(!binary.function("main").unwrap().dispatches().is_empty());
}

/// A folder for one test's files.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("simd-core-asm-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Self(directory)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Puts a file of `tests/formats` here.
    fn copy(&self, from: &str, name: &str) -> PathBuf {
        std::fs::copy(formats().join(from), self.path(name)).unwrap();
        self.path(name)
    }

    #[cfg(target_os = "linux")]
    fn run(&self, program: &str, arguments: &[&str]) {
        let output = std::process::Command::new(program).args(arguments).current_dir(&self.0).output();
        let output = output.unwrap_or_else(|reason| panic!("{program}: {reason}"));
        assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn names_that_are_missing_or_of_another_build_are_refused() {
    let scratch = Scratch::new("builds");
    let alone = scratch.copy("windows-x86_64/formats.exe", "formats.exe");
    let error = Binary::open(&alone).unwrap_err();
    assert!(matches!(&error, Error::Stripped { tried, .. } if !tried.is_empty()));
    says(
        &error.to_string(),
        &["has no symbol table", "looked for its debug file:\n", "formats.pdb: not there\n", "help: "],
    );

    // The number of the build is in the PDB file's stream 1, after version, time and age: found here by its bytes.
    let program = std::fs::read(&alone).unwrap();
    let at = program.windows(4).position(|bytes| bytes == b"RSDS").unwrap() + 4;
    let id = &program[at..at + 16];
    let mut pdb = std::fs::read(formats().join("windows-x86_64/formats.pdb")).unwrap();
    let at = pdb.windows(16).position(|bytes| bytes == id).unwrap();
    pdb[at] ^= 1;
    std::fs::write(scratch.path("formats.pdb"), &pdb).unwrap();
    says(&Binary::open(&alone).unwrap_err().to_string(), &["formats.pdb: of another build than the program\n"]);
    pdb[at] ^= 1;
    std::fs::write(scratch.path("formats.pdb"), &pdb).unwrap();
    assert_eq!(Binary::open(&alone).unwrap().names_file(), Some(scratch.path("formats.pdb").as_path()));
    // As cargo names the two for a package with a dash.
    let renamed = scratch.copy("windows-x86_64/formats.exe", "other.exe");
    assert_eq!(Binary::open(&renamed).unwrap().names_file(), Some(scratch.path("formats.pdb").as_path()));
    says(&Binary::open(scratch.path("formats.pdb")).unwrap_err().to_string(), &["a PDB file holds names and no code"]);

    // A bundle with another program's names.
    let program = scratch.copy("macos-aarch64/formats", "app");
    let bundle = scratch.path("app.dSYM/Contents/Resources/DWARF");
    std::fs::create_dir_all(&bundle).unwrap();
    std::fs::copy(formats().join("macos-x86_64/formats"), bundle.join("app")).unwrap();
    says(&Binary::open(&program).unwrap_err().to_string(), &["app: of another build than the program\n"]);
    let names = formats().join("macos-aarch64/formats.dSYM/Contents/Resources/DWARF/formats");
    std::fs::copy(names, bundle.join("app-0123456789abcdef")).unwrap();
    assert_eq!(Binary::open(&program).unwrap().names_file(), Some(bundle.join("app-0123456789abcdef").as_path()));
}

/// One file for several architectures: the header and its entries are big-endian, and the programs lie at whole pages.
#[test]
fn universal_files_hold_a_program_for_each_architecture() {
    let scratch = Scratch::new("universal");
    let parts = [(0x0100_0007_u32, "macos-x86_64"), (0x0100_000c, "macos-aarch64")];
    let mut file = [0xcafe_babe_u32, 2].map(u32::to_be_bytes).concat();
    let programs = parts.map(|(_, path)| std::fs::read(formats().join(path).join("formats")).unwrap());
    let mut offset = 0x4000;
    for ((cpu, _), program) in parts.iter().zip(&programs) {
        let size = u32::try_from(program.len()).unwrap();
        file.extend([*cpu, 0, offset, size, 14].map(u32::to_be_bytes).concat());
        offset += size.next_multiple_of(0x4000);
    }
    for program in &programs {
        file.resize(file.len().next_multiple_of(0x4000), 0);
        file.extend(program);
    }
    std::fs::write(scratch.path("universal"), &file).unwrap();
    let bundle = scratch.path("universal.dSYM/Contents/Resources/DWARF");
    std::fs::create_dir_all(&bundle).unwrap();
    std::fs::copy(
        formats().join("macos-aarch64/formats.dSYM/Contents/Resources/DWARF/formats"),
        bundle.join("universal"),
    )
    .unwrap();
    let binary = Binary::open(scratch.path("universal")).unwrap();
    let here = if cfg!(target_arch = "aarch64") { Architecture::Aarch64 } else { Architecture::X86_64 };
    assert_eq!(binary.architecture(), here);
    binary.function("formats::mix").unwrap();
}

#[test]
fn what_is_no_program_says_what_to_open() {
    let scratch = Scratch::new("others");
    std::fs::write(scratch.path("lib.rlib"), b"!<arch>\n").unwrap();
    says(&Binary::open(scratch.path("lib.rlib")).unwrap_err().to_string(), &["it is not linked", "not in its .rlib"]);
    // The machine of an ELF file's header, 0x28 for 32-bit Arm.
    let mut elf = [0_u8; 64];
    elf[..20].copy_from_slice(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0");
    elf[20] = 1;
    elf[40] = 52;
    std::fs::write(scratch.path("arm"), elf).unwrap();
    let error = Binary::open(scratch.path("arm")).unwrap_err();
    assert!(matches!(error, Error::Architecture { .. }), "{error}");
    says(&error.to_string(), &["holds Arm code; x86, x86_64 and aarch64 can be decoded"]);
}

/// A small program of this system with debug information.
#[cfg(target_os = "linux")]
fn compiled(scratch: &Scratch) -> PathBuf {
    let source = "#[inline(never)] fn twist(x: usize) -> usize { x.rotate_left(3) ^ 5 }\n\
                  fn main() { std::process::exit((twist(std::env::args().count()) & 63) as i32) }\n";
    std::fs::write(scratch.path("twist.rs"), source).unwrap();
    scratch.run("rustc", &["-g", "-Copt-level=1", "twist.rs"]);
    scratch.path("twist")
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn stripped_elf_programs_have_their_names_in_a_debug_file() {
    let scratch = Scratch::new("elf");
    let program = compiled(&scratch);
    let listing = |binary: &Binary| binary.function("twist::twist").unwrap().listing();
    let whole = Binary::open(&program).unwrap();
    let expected = listing(&whole);
    assert_eq!((whole.names_file(), whole.symbols()[0].source()), (None, NameSource::SymbolTable));
    scratch.run("objcopy", &["--only-keep-debug", "twist", "names"]);
    says(&Binary::open(scratch.path("names")).unwrap_err().to_string(), &["it holds no code", "open the program"]);

    scratch.run("strip", &["--strip-all", "twist"]);
    let error = Binary::open(&program).unwrap_err();
    assert!(matches!(error, Error::Stripped { .. }), "{error}");
    says(&error.to_string(), &["has no symbol table", "twist.debug: not there\n", "help: remove `strip"]);

    // Next to the program, under its name.
    std::fs::copy(scratch.path("names"), scratch.path("twist.debug")).unwrap();
    let stripped = Binary::open(&program).unwrap();
    assert_eq!(stripped.names_file(), Some(scratch.path("twist.debug").as_path()));
    assert_eq!((listing(&stripped), stripped.symbols()[0].source()), (expected.clone(), NameSource::SymbolTable));

    // Another build: no code is where it was.
    std::fs::copy(std::env::current_exe().unwrap(), scratch.path("twist.debug")).unwrap();
    says(&Binary::open(&program).unwrap_err().to_string(), &["twist.debug: of another build than the program\n"]);
    std::fs::remove_file(scratch.path("twist.debug")).unwrap();

    // Under the name that the program holds, here and in `.debug`.
    scratch.run("objcopy", &["--add-gnu-debuglink=names", "twist"]);
    assert_eq!(Binary::open(&program).unwrap().names_file(), Some(scratch.path("names").as_path()));
    std::fs::create_dir(scratch.path(".debug")).unwrap();
    std::fs::rename(scratch.path("names"), scratch.path(".debug/names")).unwrap();
    let stripped = Binary::open(&program).unwrap();
    assert_eq!(stripped.names_file(), Some(scratch.path(".debug/names").as_path()));
    assert_eq!(listing(&stripped), expected);
}

#[test]
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn dwarf_names_functions_where_there_is_no_symbol_table() {
    let scratch = Scratch::new("dwarf");
    let program = compiled(&scratch);
    let expected = Binary::open(&program).unwrap().function("twist::twist").unwrap().listing();
    scratch.run("strip", &["--strip-all", "--keep-section=.debug_*", "twist"]);
    let binary = Binary::open(&program).unwrap();
    assert!(binary.symbols().iter().all(|symbol| symbol.source() == NameSource::Dwarf));
    assert_eq!(binary.function("twist::twist").unwrap().listing(), expected);
}
