use super::*;

const MEMBER: &str = "[package]\nname = \"a\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n";
const OTHER: &str =
    "[package]\nname = \"b\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies.a]\npath = \"../a\"\n";
const ROOT: &str =
    "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n\n[workspace.dependencies]\nc = { path = \"../c\" }\n";
const CODE: &str = "pub struct S;\nimpl S {\n    pub fn f(&self) {}\n}\n";

/// A workspace in a git repository, and the directory that it is copied to.
fn workspace() -> (tempfile::TempDir, Copy) {
    let directory = tempfile::tempdir().unwrap();
    let origin = fs::canonicalize(directory.path()).unwrap();
    for (path, text) in [
        ("Cargo.toml", ROOT),
        ("a/Cargo.toml", MEMBER),
        ("a/src/lib.rs", CODE),
        ("a/tests/t.rs", "fn in_a_test() {}\n"),
        ("b/Cargo.toml", OTHER),
        ("b/src/lib.rs", "pub fn g() {}\n"),
        (".gitignore", "/target\nCargo.lock\n"),
    ] {
        write(&origin.join(path), text.as_bytes()).unwrap();
    }
    git(&origin, &["init", "--quiet"]);
    git(&origin, &["add", "--all"]);
    commit(&origin);
    let mut cargo = crate::built::cargo();
    cargo
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(&origin)
        .env_remove("CARGO_TARGET_DIR");
    let metadata = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let copy = Copy::new(&metadata, origin.join("target/dispatch-tune/a/copy")).unwrap();
    (directory, copy)
}

fn git(directory: &Path, arguments: &[&str]) {
    assert!(Command::new("git").args(arguments).current_dir(directory).status().unwrap().success());
}

fn commit(directory: &Path) {
    git(directory, &["-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--all", "--message", "all"]);
}

fn lists() -> Lists {
    Lists::from([("a/src/lib.rs:3".to_owned(), "avx2".to_owned())])
}

#[test]
fn attributes_come_into_the_copy_and_go() {
    let (_directory, copy) = workspace();
    let read = |file: &str| fs::read_to_string(copy.root.join(file)).unwrap();
    let before = ["a/Cargo.toml", "a/src/lib.rs", "b/Cargo.toml"].map(read);
    assert_eq!(before[1], CODE);
    assert!(read("Cargo.toml").contains("c = { path = \"/"), "{}", read("Cargo.toml"));
    let (by, place) = location();
    let depends = |text: &String| text.contains(&format!("[dependencies]\nsimd-core = {{ {by} = {place:?}"));
    assert!(depends(&before[0]) && depends(&before[2]), "{before:?}");
    assert_eq!(copy.function("a/src/lib.rs:3").unwrap().1.path, "S::f");
    assert!(copy.function("a/tests/t.rs:1").is_none());
    copy.annotate(&lists()).unwrap();
    assert!(read("a/src/lib.rs").contains("    #[simd_core::dispatch(targets = \"avx2\")] pub fn f"));
    assert_eq!(["a/Cargo.toml", "b/Cargo.toml"].map(read), [&*before[0], &*before[2]]);
    assert_eq!(copy.packages(&lists()), [format!("path+file://{}/a#a@0.0.0", copy.root.display())]);
    copy.annotate(&Lists::new()).unwrap();
    assert_eq!(["a/Cargo.toml", "a/src/lib.rs", "b/Cargo.toml"].map(read), before);
    assert!(expect_clean(&copy.origin).is_ok(), "the user's files are as they were");
}

#[test]
fn changes_are_applied_to_what_git_can_bring_back() {
    let (_directory, copy) = workspace();
    let changes = copy.changes(&lists()).unwrap();
    let diff = diff(&changes);
    let expected = "--- a/a/src/lib.rs\n+++ b/a/src/lib.rs\n@@ -1,4 +1,5 @@\n pub struct S;\n impl S {\n+    #[simd_core::dispatch(targets \
                    = \"avx2\")]\n     pub fn f(&self) {}\n }\n";
    assert!(diff.contains(expected), "{diff}");
    assert!(!diff.contains("testing"), "{diff}");
    let source = copy.origin.join("a/src/lib.rs");
    fs::write(&source, "// another\n").unwrap();
    let error = copy.apply(&changes).unwrap_err().to_string();
    assert!(error.contains("the working tree has changes") && error.contains("a/src/lib.rs"), "{error}");
    commit(&copy.origin);
    let error = copy.apply(&changes).unwrap_err().to_string();
    assert!(error.contains("has changed meanwhile"), "{error}");
    fs::write(&source, CODE).unwrap();
    commit(&copy.origin);
    copy.apply(&changes).unwrap();
    assert_eq!(
        fs::read_to_string(&source).unwrap().lines().nth(2),
        Some("    #[simd_core::dispatch(targets = \"avx2\")]")
    );
    fs::remove_dir_all(copy.origin.join(".git")).unwrap();
    assert!(copy.apply(&changes).unwrap_err().to_string().contains("needs a git repository"));
}

#[test]
fn paths_out_of_the_workspace_lead_there_from_the_copy() {
    let (_directory, copy) = workspace();
    let manifest = "[lib]\npath = \"src/x.rs\"\n[dependencies]\nx = { path = \"../../x\", features = [] }\na = { path = \"../a\" }\n";
    let parent = copy.origin.parent().unwrap().join("x");
    let expected = manifest.replace("../../x", &parent.display().to_string());
    let mut manifest: DocumentMut = manifest.parse().unwrap();
    copy.absolute(manifest.as_table_mut(), &copy.origin.join("b"));
    assert_eq!(manifest.to_string(), expected);
}
