//! What is said where a function cannot be found.

use super::{binary, says};
use simd_core_asm::{Binary, Error};

#[test]
fn a_missing_function_has_suggestions() {
    let error = binary().function("fixtures::indexed").unwrap_err();
    assert!(matches!(&error, Error::NotFound { path, .. } if path == "fixtures::indexed"));
    says(
        &error.to_string(),
        &[
            "no function `fixtures::indexed` in this binary\n",
            "did you mean:\n    asm::fixtures::indexes\n",
            "help: code is there only if this binary uses it",
        ],
    );
    assert_eq!(format!("{error:?}"), error.to_string());
    let error = binary().clones("kernels::rooot").unwrap_err().to_string();
    says(&error, &["no function `kernels::rooot`"]);
}

#[test]
fn an_ambiguous_path_lists_what_it_can_mean() {
    let error = binary().function("twin").unwrap_err();
    assert!(matches!(&error, Error::Ambiguous { candidates, .. } if candidates.len() == 2));
    says(&error.to_string(), &["`twin` can mean 2 functions", "asm::fixtures::one::twin", "asm::fixtures::two::twin"]);
    assert_eq!(binary().functions("twin").unwrap().len(), 2);
    assert!(binary().function("one::twin").is_ok());
}

#[test]
fn instances_of_a_generic_function_are_ambiguous() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::generic").unwrap();
    says(&clones.baseline().unwrap_err().to_string(), &["`kernels::generic for baseline` can mean 2 functions"]);
}

#[test]
fn a_target_that_is_not_there_lists_those_that_are() {
    if !super::all_clones() {
        return;
    }
    let clones = binary().clones("kernels::root").unwrap();
    let other = if cfg!(target_arch = "aarch64") { "sve2" } else { "avx512f" };
    let error = clones.target(other).unwrap_err();
    assert!(matches!(error, Error::NoSuchTarget { .. }));
    let expected = format!("`kernels::root` has no clone for `{other}` in this binary\nits clones are for:\n");
    says(&error.to_string(), &[&expected, "    baseline\n", "    aes\n"]);
    says(&clones.target("aess").unwrap_err().to_string(), &["`aess` is no CPU feature", "did you mean:\n    aes\n"]);
}

#[test]
fn files_that_are_no_binaries() {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(matches!(Binary::open(here), Err(Error::Format { .. })));
    let missing = concat!(env!("CARGO_MANIFEST_DIR"), "/missing");
    let error = Binary::open(missing).unwrap_err();
    assert!(matches!(error, Error::Read { .. }));
    says(&error.to_string(), &["cannot read `", "/missing`: "]);
}

/// The section headers of a 64-bit ELF file, in the words of the System V ABI: where they are, how many and how long.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn a_stripped_binary_is_refused() {
    const SHT_SYMTAB: u32 = 2;
    let mut bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let offset = usize::try_from(u64::from_le_bytes(bytes[0x28..0x30].try_into().unwrap())).unwrap();
    let size = usize::from(u16::from_le_bytes(bytes[0x3a..0x3c].try_into().unwrap()));
    let count = usize::from(u16::from_le_bytes(bytes[0x3c..0x3e].try_into().unwrap()));
    for kind in (0..count).map(|i| offset + i * size + 4) {
        if bytes[kind..kind + 4] == SHT_SYMTAB.to_le_bytes() {
            bytes[kind..kind + 4].fill(0);
        }
    }
    let file = std::env::temp_dir().join(format!("simd-core-stripped-{}", std::process::id()));
    std::fs::write(&file, bytes).unwrap();
    let error = Binary::open(&file).unwrap_err();
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(error, Error::Stripped { .. }), "{error}");
    says(&error.to_string(), &["has no symbol table", "help: remove `strip"]);
}
