//! Messages where a function cannot be found.

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

/// Every suggestion finds something where the misspelt name found nothing.
#[test]
fn suggestions_can_be_used_as_they_are() {
    let similar = |error: Error| match error {
        Error::NotFound { similar, .. } => similar,
        other => panic!("{other}"),
    };
    let binary = binary();
    for misspelt in ["fixtures::indexed", "one::twim", "twyn", "kernels::generics", "Gf::sqare"] {
        let names = similar(binary.function(misspelt).unwrap_err());
        assert!(!names.is_empty(), "{misspelt}");
        for name in names {
            binary.function(&name).unwrap();
        }
    }
    if !super::all_clones() {
        return;
    }
    for (misspelt, best) in [
        ("kernels::rooot", "fixtures::kernels::root"),
        ("kernel::sum", "fixtures::kernels::sum"),
        ("<Gf as Mul>::mil", "Mul>::mul"),
        ("Gf::sqare", "Gf>::square"),
    ] {
        let names = similar(binary.clones(misspelt).unwrap_err());
        assert!(names[0].ends_with(best) || names[0].ends_with(&best.replace('>', "")), "{misspelt}: {names:?}");
        for name in names {
            binary.clones(&name).unwrap();
        }
    }
    for (misspelt, best) in
        [("fixtures::kernel", "asm::fixtures::kernels"), ("kernels::hott", "asm::fixtures::kernels::hot")]
    {
        let names = similar(binary.report(misspelt).unwrap_err());
        assert!(names.iter().any(|name| name == best), "{misspelt}: {names:?}");
        for name in names {
            binary.report(&name).unwrap();
        }
    }
}

#[test]
fn an_ambiguous_path_lists_what_it_can_mean() {
    let error = binary().function("twin").unwrap_err();
    assert!(matches!(&error, Error::Ambiguous { candidates, .. } if candidates.len() == 2));
    says(&error.to_string(), &["`twin` can mean 2 functions", "asm::fixtures::one::twin", "asm::fixtures::two::twin"]);
    let Error::Ambiguous { candidates, .. } = error else { unreachable!() };
    for candidate in candidates {
        let (path, symbol) = candidate.strip_suffix(')').unwrap().split_once(" (").unwrap();
        assert_eq!(binary().function(symbol).unwrap().path(), path);
    }
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
