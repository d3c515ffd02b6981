//! The cargo feature `environment`: a shipped program can be told to do without features.

use std::os::unix::fs::{PermissionsExt, chown};

use super::*;

/// A program with the feature and without the test kit.
fn program() -> PathBuf {
    super::program(BUILD, "limited")
}

const BUILD: Build = Build { features: &["std", "environment"], ..OPTIMISED };

#[track_caller]
fn takes(variables: &[(&str, &str)], clone: u8) {
    let output = output(Command::new(program()).env_clear().envs(variables.iter().copied()));
    let said = shown(&output);
    assert!(output.status.success() && said.starts_with(&format!("clone {clone}, detected: true")), "{said}");
}

#[test]
fn features_are_taken_away() {
    if !has_compiler() {
        return;
    }
    let best = libraries::best_clone();
    takes(&[], best);
    takes(&[("SIMD_CORE_WITHOUT", "avx2")], best & 1);
    takes(&[("SIMD_CORE_ONLY", "")], 0);
    takes(&[("SIMD_CORE_WITHOUT", "fast-gather")], best);
    // Those of the test kit's only are nothing to it.
    takes(&[("SIMD_CORE_REQUIRE", "nothing"), ("SIMD_CORE_RUNNER", "x")], best);
}

#[test]
fn a_mistake_is_a_message_and_an_exit() {
    if !has_compiler() {
        return;
    }
    for (name, value, message) in [
        (
            "SIMD_CORE_WITHOUT",
            "avx3",
            "simd-core: SIMD_CORE_WITHOUT names `avx3`, which is not a feature of x86_64: the names are those of",
        ),
        (
            "SIMD_CORE_WIHTOUT",
            "avx2",
            "simd-core: there is no variable SIMD_CORE_WIHTOUT: did you mean SIMD_CORE_WITHOUT?",
        ),
    ] {
        let output = output(Command::new(program()).env_clear().env(name, value));
        let said = shown(&output);
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{said}");
        assert!(said.contains(message) && !said.contains("panicked"), "{said}");
    }
}

/// Without the feature, and without the test kit, nobody reads the variables.
#[test]
fn it_is_off() {
    if !has_compiler() {
        return;
    }
    let program = super::program(OPTIMISED, "limited");
    for value in ["", "avx3"] {
        let output = output(Command::new(&program).env_clear().env("SIMD_CORE_ONLY", value));
        assert!(shown(&output).starts_with(&format!("clone {}, ", libraries::best_clone())), "{}", shown(&output));
    }
}

#[test]
fn a_library_ignores_it() {
    if !has_compiler() {
        return;
    }
    let library = [BUILD.path(&[LIBRARY.kind("cdylib")])];
    for variable in [("SIMD_CORE_ONLY", ""), ("SIMD_CORE_WITHOUT", "avx3")] {
        let lines = libraries::load("host-environment", &library, &[variable]);
        assert!(lines.iter().all(|line| line.ends_with(&libraries::best())) && lines.len() == 1, "{lines:?}");
    }
}

/// A program with the rights of somebody else is not told what to do by whoever starts it.
#[test]
fn a_set_user_id_program_ignores_it() {
    if !has_compiler() {
        return;
    }
    // Where the build lies, the file system may not know such programs.
    let tried = [scratch(), std::env::temp_dir()].into_iter().find_map(|directory| {
        let copy = directory.join(format!("set-user-id-{}", std::process::id()));
        copy_program(&program(), &copy);
        let set = chown(&copy, Some(65534), Some(65534))
            .and_then(|()| fs::set_permissions(&copy, fs::Permissions::from_mode(0o6755)));
        let probe = Command::new(&copy).env_clear().env("SIMD_CORE_TEST_PRIVILEGED", "1").output();
        let privileged = set.is_ok() && probe.is_ok_and(|output| shown(&output).contains("privileged: true"));
        if privileged {
            return Some(copy);
        }
        let _ = fs::remove_file(&copy);
        None
    });
    let Some(copy) = tried else {
        skip("set-user-ID programs, which this user or file system cannot have");
        return;
    };
    for (name, value) in
        [("SIMD_CORE_ONLY", ""), ("SIMD_CORE_ONLY", "avx3"), ("SIMD_CORE_WITHOUT", "aes"), ("SIMD_CORE_ONYL", "")]
    {
        let output = output(Command::new(&copy).env_clear().env(name, value));
        let said = shown(&output);
        assert!(said.starts_with(&format!("clone {}, ", libraries::best_clone())), "{name}={value}: {said}");
    }
    fs::remove_file(copy).expect("it is there");
}
