//! What the macro says of each mistake: one file a topic, in `tests/diagnostics/ui`, and what rustc prints for it.
//!
//! What rustc writes around a message changes between its releases, so the files are for one of them. `UPDATE_EXPECT=1` writes them anew.

use std::path::Path;
use std::{env, fs};

use integration_tests::build::{DEBUG, scratch_directory, workspace};
use integration_tests::shown;

use crate::codegen::outcome::Outcome;

/// What rustc says, without what is about this machine, where other files have their lines, and how it ends.
fn normalised(text: &str) -> String {
    let text = text.replace(workspace().to_str().expect("cargo has read its name"), "$WORKSPACE");
    let mut lines = Vec::new();
    let mut elsewhere = false;
    for line in text.lines() {
        let place = line.trim_start().starts_with("--> ").then(|| line.contains("$WORKSPACE"));
        elsewhere = !line.is_empty() && place.unwrap_or(elsewhere);
        lines.push(match place {
            None if line.trim_start().starts_with("and ") && line.ends_with(" others") => {
                "          and $N others".to_owned()
            }
            Some(true) => line.split(".rs:").next().unwrap_or_default().trim_start().to_owned() + ".rs",
            None if elsewhere => line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).to_owned(),
            _ => line.to_owned(),
        });
    }
    let ends = ["error: aborting due to ", "For more information about this error", "Some errors have detailed"];
    lines.retain(|line| !ends.iter().any(|end| line.starts_with(end)) && !line.starts_with("For more info"));
    // Cargo shows a text once.
    let lines = lines.join("\n");
    let mut texts: Vec<&str> = Vec::new();
    for text in lines.split("\n\n").map(|text| text.trim_matches('\n')) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("\n\n").trim_end().to_owned() + "\n"
}

/// The number of messages of a file.
fn check(directory: &Path, name: &str) -> Result<usize, String> {
    let out = scratch_directory("messages").join(name).with_extension("rmeta");
    let mut rustc = DEBUG.command("2024");
    rustc.current_dir(directory).arg(format!("ui/{name}.rs")).args([
        "--crate-name=mistake",
        "-Adead_code",
        "--emit=metadata",
        "-o",
    ]);
    let output = rustc.arg(out).output().expect("the compiler starts");
    let (said, file) = (normalised(&shown(&output)), directory.join(format!("ui/{name}.stderr")));
    if output.status.success() {
        return Err(format!("{name} is accepted"));
    }
    let messages = said.lines().filter(|line| line.starts_with("error")).count();
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(file, &said).expect("the repository can be written to");
        return Ok(messages);
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    if said == expected { Ok(messages) } else { Err(format!("{name}, expected:\n{expected}\nbut rustc says:\n{said}")) }
}

#[rustversion::attr(not(stable(1.95)), ignore = "the expected messages are those of Rust 1.95")]
#[test]
fn messages() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics");
    let files = fs::read_dir(directory.join("ui")).expect("it is there").map(|entry| entry.expect("a file").path());
    let mut names: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    let outcome =
        Outcome::of(names.len() as u64, u64::MAX, |outcome, at| match check(&directory, &names[at as usize]) {
            Ok(messages) => outcome.add("messages", messages),
            Err(error) => outcome.fail(error),
        });
    assert!(outcome.get("messages") > 150);
    outcome.finish();
}
