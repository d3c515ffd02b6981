use super::*;

/// As divan 0.1.21 prints it.
const DIVAN: &str = "\
Timer precision: 18 ns
sums              fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ sixteen                      │               │               │               │         │
│  ├─ 64          30.12 ns      │ 31.62 ns      │ 30.62 ns      │ 30.6 ns       │ 100     │ 6400
│  │              2.124 GB/s    │ 2.023 GB/s    │ 2.089 GB/s    │ 2.091 GB/s    │         │
│  ╰─ 65536       33.26 µs      │ 8.913 ms      │ 34.04 µs      │ 165.4 µs      │ 100     │ 100
│                 1.969 GB/s    │ 7.352 MB/s    │ 1.925 GB/s    │ 396.2 MB/s    │         │
╰─ wide                         │               │               │               │         │
   ├─ sixty_four  4.7 µs        │ 4.085 ms      │ 4.769 µs      │ 9.948 µs      │ 1028    │ 1028
   ╰─ thirty two  9.624 ms      │ 4.853 ms      │ 9.805 µs      │ 19.48 µs      │ 511     │ 511

";

#[test]
fn tables_of_divan() {
    let times = divan(DIVAN);
    let names: Vec<&str> = times.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["sixteen/64", "sixteen/65536", "wide/sixty_four", "wide/thirty two"]);
    let expected = [30.62, 34_040.0, 4_769.0, 9_805.0];
    assert!(times.iter().zip(expected).all(|((_, time), expected)| (time / expected - 1.0).abs() < 1e-9), "{times:?}");
    assert_eq!(divan("no table\n├─ a  1 ns\n"), []);
}

#[test]
fn units_of_divan() {
    assert_eq!(
        ["1.5 ps", "2 ns", "1 s", "1 GB/s", "1.5", ""].map(duration),
        [Some(0.0015), Some(2.0), Some(1e9), None, None, None]
    );
}

#[test]
fn files_of_criterion() {
    let directory = tempfile::tempdir().unwrap();
    for (which, id, times) in [("new", "group/f", "[30.0, 15.0, 90.0]"), ("base", "group/f", "[1.0, 1.0, 1.0]")] {
        let path = directory.path().join("group").join("f").join(which);
        fs::create_dir_all(&path).unwrap();
        let benchmark = format!(r#"{{"group_id":"group","function_id":"f","full_id":"{id}"}}"#);
        fs::write(path.join("benchmark.json"), benchmark).unwrap();
        let sample = format!(r#"{{"sampling_mode":"Linear","iters":[10.0, 3.0, 20.0],"times":{times}}}"#);
        fs::write(path.join("sample.json"), sample).unwrap();
    }
    let times = Framework::Criterion.times("", directory.path()).unwrap();
    assert_eq!(times, [("group/f".to_owned(), 4.5)]);
}

#[test]
fn a_criterion_that_takes_whole_seconds() {
    // As criterion 0.3.6 says it.
    let said = "Gnuplot not found\nerror: Invalid value: The argument '0.1' isn't a valid value\n";
    assert!(Framework::Criterion.advice(said, 0.3).contains("`bench --time 3`"));
    assert_eq!(Framework::Criterion.advice(said, 3.0), "");
    assert_eq!(Framework::Criterion.advice("thread 'main' panicked", 0.3), "");
    assert_eq!(Framework::Divan.advice(said, 0.3), "");
}

#[test]
fn a_filter_lets_a_row_run_and_no_longer_name() {
    assert_eq!(Framework::Criterion.filter(&["a.b/1", "c"]), r"^(a\.b/1|c)$");
    assert_eq!(Framework::Divan.filter(&["sums/64"]), "(^|::)(sums)($|::)");
}
