use super::*;

#[test]
fn the_files_of_a_bench_are_those_that_it_was_compiled_from() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().to_owned();
    let path = root.join("bench-1");
    let list = "out/bench-1.d: bench/src/main.rs\n\nbench/src/main.rs:\nbench/src/../a\\ file.rs:\n/elsewhere/x.rs:\n\
                # env-dep:CARGO_PKG_NAME=bench\n";
    fs::write(path.with_extension("d"), list).unwrap();
    let timed = |framework| Timed {
        program: Program { path: path.clone(), name: "bench".to_owned(), package: root.clone() },
        framework,
    };
    let flags = Flags::new(&root).unwrap();
    let (build, what) = (root.clone(), What::Benches(Vec::new()));
    let benches = Benches { root: root.clone(), build, options: Vec::new(), what, named: false, flags };
    let files = benches.harness(&[timed(Some(Framework::Criterion))]);
    assert_eq!(files, ["bench/a file.rs", "bench/src/main.rs"].map(PathBuf::from).into());
    assert!(benches.harness(&[timed(None)]).is_empty(), "a program's own files are what it is about");
}
