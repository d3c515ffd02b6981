//! The variables of the test kit, and of the cargo feature `environment` with which a shipped program can be told to do without
//! features: they are read before `main`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, chown};

use super::*;

const ONLY: &str = "SIMD_CORE_ONLY";
const WITHOUT: &str = "SIMD_CORE_WITHOUT";

const KIT: Build = Build { features: &["std", "testing"], ..OPTIMISED };
const SHIPPED: Build = Build { features: &["std", "environment"], ..OPTIMISED };

/// A program that prints the clone that runs and the features, with `variables` and nothing else in its environment.
fn with<N: AsRef<OsStr>, V: AsRef<OsStr>>(build: Build, variables: impl IntoIterator<Item = (N, V)>) -> Output {
    output(Command::new(program(build, "limited")).env_clear().envs(variables))
}

/// `main` runs, and prints `clone`.
#[track_caller]
fn takes(build: Build, variables: &[(&str, &str)], clone: u8) {
    let output = with(build, variables.iter().copied());
    let said = shown(&output);
    assert!(output.status.success() && said.starts_with(&format!("clone {clone}, detected: true")), "{said}");
    assert!(output.stderr.is_empty(), "{said}");
}

#[test]
fn features_are_taken_away() {
    let best = libraries::best_clone();
    for build in [KIT, SHIPPED] {
        takes(build, &[], best);
        takes(build, &[(ONLY, "")], 0);
        takes(build, &[(WITHOUT, "")], best);
        takes(build, &[(WITHOUT, "aes")], 0);
        takes(build, &[(WITHOUT, "sse4.2,pclmulqdq")], best & 1);
        takes(build, &[(WITHOUT, "avx2")], best & 1);
        takes(build, &[(WITHOUT, "fast-gather")], best);
        takes(build, &[(ONLY, "aes")], best & 1);
        takes(build, &[(ONLY, "avx2,aes")], best);
        takes(build, &[(ONLY, "avx2,aes"), (WITHOUT, "aes")], 0);
        takes(build, &[("SIMD_CORE_RUNNER", "anything"), ("HOME", "avx2")], best);
    }
    // It is the test kit's only.
    takes(SHIPPED, &[("SIMD_CORE_REQUIRE", "nothing")], best);
    // Without both, nobody reads the variables.
    for value in ["", "avx3"] {
        takes(OPTIMISED, &[(ONLY, value)], best);
    }
}

/// The process ends before `main`, with a message of one line.
#[track_caller]
fn refused(output: &Output, message: &str) {
    let said = shown(output);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{said}");
    let errors = std::str::from_utf8(&output.stderr).expect("other bytes are escaped");
    assert!(errors.contains(message) && errors.starts_with("simd-core: "), "{said}");
    assert!(!errors.contains("panicked"), "{said}");
    assert!(errors.ends_with('\n') && errors.lines().count() == 1, "{said}");
    assert!(!errors.trim_end().contains(|c: char| c.is_control()), "{said}");
    assert!(errors.len() < 400, "{} bytes are no clear message", errors.len());
}

#[test]
fn mistakes_end_the_program() {
    for (name, value, message) in [
        ("SIMD_CORE_ONYL", "aes", "there is no variable SIMD_CORE_ONYL: did you mean SIMD_CORE_ONLY?"),
        ("simd_core_without", "", "there is no variable simd_core_without: did you mean SIMD_CORE_WITHOUT?"),
        (ONLY, "aes,avx3", "SIMD_CORE_ONLY names `avx3`, which is not a feature of x86_64: the names are those of"),
        (WITHOUT, "neon", "SIMD_CORE_WITHOUT names `neon`, which is not a feature of x86_64"),
        (WITHOUT, "x86-64-v3", "SIMD_CORE_WITHOUT names the level `x86-64-v3`: name the features to disable"),
    ] {
        for build in [KIT, SHIPPED] {
            refused(&with(build, [(name, value)]), message);
        }
    }
}

#[test]
fn hostile_values() {
    let long = "x".repeat(100_000);
    let list = "aes,".repeat(25_000);
    for (value, message) in [
        (&b"\xff\xfe"[..], r"names `\xff\xfe`"),
        (b"aes,\xc3\x28", r"names `\xc3(`"),
        (b"\x1b[2J\x07", r"names `\x1b[2J\x07`"),
        (b"aes\n", ""),
        (b"a\nb\r\n", r"names `a\nb`"),
        (b"{}%s%n\\", r"names `{}%s%n\\`"),
        ("a\u{202e}b\u{85}".as_bytes(), r"names `a\xe2\x80\xaeb\xc2\x85`"),
        (long.as_bytes(), "names `xxxx"),
        (list.as_bytes(), ""),
        (&[b','; 100_000], ""),
    ] {
        for name in [ONLY, WITHOUT] {
            let output = with(KIT, [(name, OsStr::from_bytes(value))]);
            if message.is_empty() {
                assert!(output.status.success(), "{name}={:.20}: {}", value.escape_ascii(), shown(&output));
            } else {
                refused(&output, message);
            }
        }
    }
    for (name, message) in [
        (&b"SIMD_CORE_O\xff\x1b"[..], r"there is no variable SIMD_CORE_O\xff\x1b: did you mean SIMD_CORE_ONLY?"),
        (&[b"SIMD_CORE_W".as_slice(), long.as_bytes()].concat(), "there is no variable SIMD_CORE_Wxxx"),
    ] {
        refused(&with(KIT, [(OsStr::from_bytes(name), "")]), message);
    }
}

#[test]
fn many_variables() {
    let others = (0..20_000).map(|n| (OsString::from(format!("VARIABLE_{n}")), OsString::from("value")));
    let ours = [(ONLY.into(), "aes".into())];
    let output = with(KIT, others.chain(ours));
    assert!(shown(&output).starts_with(&format!("clone {}, ", libraries::best_clone() & 1)), "{}", shown(&output));
}

/// Nobody reads what is said.
#[test]
fn without_a_standard_error() {
    for redirection in ["2>&-", "2>/dev/full"] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec \"$0\" {redirection}")]).arg(program(KIT, "limited")).env(ONLY, "avx3");
        assert_eq!(output(&mut shell).status.code(), Some(2), "{redirection}");
    }
}

/// The environment of a program is no affair of the libraries that it loads.
#[test]
fn a_library_ignores_them() {
    for build in [KIT, SHIPPED] {
        let library = [build.path(&[LIBRARY.kind("cdylib")])];
        for variable in [("SIMD_CORE_ONYL", "aes"), (ONLY, ""), (WITHOUT, "avx3")] {
            let lines = libraries::load("host-environment", &library, &[variable]);
            assert!(lines.iter().all(|line| line.ends_with(&libraries::best())) && lines.len() == 1, "{lines:?}");
        }
    }
}

/// A program with the rights of somebody else is not told what to do by whoever starts it.
#[test]
fn a_set_user_id_program_ignores_it() {
    // Where the build lies, the file system may not know such programs.
    let tried = [scratch(), std::env::temp_dir()].into_iter().find_map(|directory| {
        let copy = directory.join(format!("set-user-id-{}", std::process::id()));
        copy_program(&program(SHIPPED, "limited"), &copy);
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
        return skip("set-user-ID programs, which this user or file system cannot have");
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
