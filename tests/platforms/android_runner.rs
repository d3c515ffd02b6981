//! The runner for Android devices, against a stand-in for `adb`.
#![cfg(all(unix, not(target_os = "android")))]
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use integration_tests::build::{copy_program, scratch_directory};

/// What `adb` does, as far as the runner can tell: `shell` joins its arguments with spaces and gives them to a shell, and `push`
/// copies a file without its executable bit. The device has an environment of its own. `FAKE_FAIL` names a command that fails, `FAKE_OLD` is a device before Android 7, which
/// returns no exit status and ends its lines in CR LF.
const ADB: &str = r#"#!/bin/sh
command=$1
shift
if [ "$command" = "$FAKE_FAIL" ]; then echo "adb: no devices/emulators found" >&2; exit 1; fi
case $command in
  push) cp "$1" "$2" && chmod 644 "$2" && echo "1 file pushed" ;;
  shell)
    if [ -n "$FAKE_OLD" ]; then env -i PATH="$PATH" sh -c "$*" | sed 's/$/\r/'; exit 0; fi
    cat >/dev/null # the real one reads its input to the end
    exec env -i PATH="$PATH" sh -c "$*" ;;
  *) exit 64 ;;
esac
"#;

/// A device (a directory with an awkward name), an `adb` that reaches it, and a program to run there.
struct Device {
    root: PathBuf,
}

impl Device {
    fn new(test: &str, program: &str) -> Self {
        let root = scratch_directory(&format!("android runner's {test}"));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("storage $HOME")).unwrap();
        let device = Self { root };
        device.script("adb", ADB);
        device.script("the program", program);
        device
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        let source = path.with_extension("text");
        fs::write(&source, text).unwrap();
        copy_program(&source, &path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn storage(&self) -> PathBuf {
        self.root.join("storage $HOME")
    }

    fn runner(&self) -> Command {
        let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("platforms/android-runner.sh");
        let mut command = Command::new(runner);
        command
            .env("ADB", self.root.join("adb"))
            .env("SIMD_CORE_ANDROID_DIR", self.storage())
            .env_remove("FAKE_FAIL")
            .env_remove("FAKE_OLD");
        command
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        self.runner().arg(self.root.join("the program")).args(arguments).output().unwrap()
    }

    #[track_caller]
    fn assert_clean(&self) {
        let left: Vec<_> = fs::read_dir(self.storage()).unwrap().map(|e| e.unwrap().path()).collect();
        assert!(left.is_empty(), "left on the device: {left:?}");
    }
}

fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

/// Prints each argument on a line of its own, in brackets.
const ECHO: &str = "#!/bin/sh\nfor a; do printf '[%s]\\n' \"$a\"; done\n";

#[test]
fn arguments_arrive_as_they_were() {
    let device = Device::new("arguments", ECHO);
    let arguments = [
        "--bench",
        "--exact",
        "module::test",
        "two words",
        "  ",
        "",
        "it's",
        "''",
        "\"quoted\"",
        "$HOME",
        "`id`",
        "$(id)",
        "*",
        "~",
        "back\\slash",
        "\\",
        "a;exit 9",
        "a&b|c>d",
        "#no comment",
        "!x",
        "line\nbreak",
        "tab\t",
        "-n",
        "é",
        "{a,b}",
        "%s",
    ];
    let output = device.run(&arguments);
    let expected: String = arguments.iter().map(|a| format!("[{a}]\n")).collect();
    assert_eq!(stdout(&output), expected);
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
    device.assert_clean();
}

#[test]
fn the_exit_status_and_both_outputs_are_the_programs() {
    for (test, program, status, said) in [
        ("none", "#!/bin/sh\necho $#\n", 0, ("0\n", "")),
        ("status", "#!/bin/sh\necho out\necho err >&2\nexit 101\n", 101, ("out\n", "err\n")),
    ] {
        let device = Device::new(test, program);
        let output = device.run::<&str>(&[]);
        assert_eq!((output.status.code(), (stdout(&output), stderr(&output))), (Some(status), said));
        device.assert_clean();
    }
}

#[test]
fn a_killed_program_is_a_failure() {
    let device = Device::new("signal", "#!/bin/sh\nkill -ILL $$\n");
    assert_eq!(device.run::<&str>(&[]).status.code(), Some(128 + 4));
    device.assert_clean();
}

#[test]
fn a_device_that_returns_no_status_still_fails() {
    let device = Device::new("old", "#!/bin/sh\nexit 7\n");
    let output = device.runner().env("FAKE_OLD", "1").arg(device.root.join("the program")).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    device.assert_clean();
}

/// The runner fails by itself, and says this.
#[track_caller]
fn refuses(command: &mut Command, messages: &[&str]) {
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(125), ""));
    assert!(messages.iter().all(|message| stderr(&output).contains(message)), "{}", stderr(&output));
}

#[test]
fn a_failure_of_the_device_is_told() {
    for (command, messages) in
        [("push", &["no devices/emulators found", "could not push"][..]), ("shell", &["could not make"])]
    {
        let device = Device::new(command, "#!/bin/sh\necho ran\n");
        refuses(device.runner().env("FAKE_FAIL", command).arg(device.root.join("the program")), messages);
        device.assert_clean();
    }
    let device = Device::new("vanish", "#!/bin/sh\nrm -rf \"$PWD\"\n");
    refuses(device.runner().arg(device.root.join("the program")), &["did not run to its end"]);
}

#[test]
fn what_the_tests_read_from_the_environment_is_handed_on() {
    let device =
        Device::new("environment", "#!/bin/sh\nprintf '%s|' \"$SIMD_CORE_EXPECT\" \"$RUST_TEST_THREADS\" \"$ADB\"\n");
    let mut command = device.runner();
    command.env("SIMD_CORE_EXPECT", "it's hardware").env("RUST_TEST_THREADS", "1");
    let output = command.arg(device.root.join("the program")).output().unwrap();
    assert_eq!(stdout(&output), "it's hardware|1||");
}

#[test]
fn wrong_use_is_told() {
    let device = Device::new("use", ECHO);
    refuses(&mut device.runner(), &["usage: android-runner.sh PROGRAM"]);
    refuses(device.runner().arg("no such program"), &["there is no program `no such program`"]);
    let program = device.root.join("the program");
    refuses(device.runner().env("ADB", "/no/adb").arg(program), &["`/no/adb` is not there"]);
}
