//! Profile-guided optimisation, which turns calls through pointers into comparisons with the functions that were called.

use integration_tests::build::library_directory;

use super::*;

/// The program that merges the profiles of this compiler's LLVM; says so if there is none.
fn merger() -> Option<PathBuf> {
    let own = library_directory(TARGET).with_file_name("bin").join("llvm-profdata");
    let version = run(Command::new("rustc").arg("-vV"));
    let version = version.split("LLVM version: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap_or_default();
    let found = [own, format!("llvm-profdata-{version}").into(), "llvm-profdata".into()].into_iter().find(|program| {
        let output = Command::new(program).args(["merge", "--version"]).output();
        output.is_ok_and(|output| shown(&output).contains(&format!("LLVM version {version}.")))
    });
    if found.is_none() {
        skip(format_args!("there is no llvm-profdata for LLVM {version}"));
    }
    found
}

#[test]
fn no_pointer_is_compared_with_a_clone() {
    if !is_x86_feature_detected!("avx2") {
        return skip("profiles are of a CPU with AVX2");
    }
    let Some(merger) = merger() else { return };
    let (profiles, merged) = (scratch().join("profiles"), scratch().join("merged.profdata"));
    let _ = fs::remove_dir_all(&profiles);
    let flag = |option: &str, path: &Path| -> &'static str { format!("-C{option}={}", path.display()).leak() };
    let of = |build: Build, more: &[&str]| {
        build.path(&[LIBRARY, Crate::file("profiled", "startup/profiled.rs").kind("bin").flags(more)])
    };
    let said = run(&mut Command::new(of(OPTIMISED.more(&[flag("profile-generate", &profiles)]), &[])));
    run(Command::new(merger).args(["merge", "-o"]).arg(&merged).arg(&profiles));

    let ir = scratch().join("profiled.ll");
    let emit = format!("--emit=link,llvm-ir={}", ir.display());
    let program = of(OPTIMISED.more(&[flag("profile-use", &merged)]), &[&emit]);
    assert_eq!(run(&mut Command::new(program)), said);
    let [hot, warm] = said.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{said}") };
    assert_eq!(hot, warm);

    let ir = fs::read_to_string(ir).expect("the compiler has written it");
    assert!(ir.contains("function_entry_count"), "the profile is not used");
    // `icmp eq ptr %call, @_ZN…5small…`, or `ne`.
    let compared = |line: &&str| line.contains(" = icmp ") && line.contains(" ptr ") && line.contains("small");
    assert_eq!(ir.lines().find(compared), None);
}
