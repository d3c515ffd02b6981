use super::*;

const ONE: &str = "simd-core ledger 1\nfeatures\tavx2\nclone\ta::f:3\tavx2\nclone\ta::f:3\tbaseline\nclone\ta::g:9\tavx2\n\
    ran\ta::f:3\tavx2\n";
const OTHER: &str =
    "simd-core ledger 1\nfeatures\tnone\nclone\ta::f:3\tavx2\nclone\ta::f:3\tbaseline\nran\ta::f:3\tbaseline\n";

fn merged(ledgers: &[&str]) -> Merged {
    let mut merged = Merged::default();
    for text in ledgers {
        merged.ledger(text).unwrap();
        merged.files += 1;
    }
    merged
}

#[test]
fn machines_together() {
    let nothing = Allowed::parse("").unwrap();
    assert_eq!(merged(&[ONE]).never(&nothing).collect::<Vec<_>>(), [("a::f:3", "baseline"), ("a::g:9", "avx2")]);
    for ledgers in [[ONE, OTHER], [OTHER, ONE]] {
        let merged = merged(&ledgers);
        assert_eq!(merged.never(&nothing).collect::<Vec<_>>(), [("a::g:9", "avx2")]);
        assert_eq!(
            merged.report(&nothing),
            "2 of 3 clones of 2 functions ran, in 2 processes\nnever ran:\n    a::g:9  avx2\n"
        );
    }
}

#[test]
fn what_is_no_ledger() {
    for (text, fault) in [
        ("", "does not begin"),
        ("simd-core ledger 2\n", "does not begin"),
        ("simd-core ledger 1\nran\ta::f:3\n", "line 2 is no line of a ledger"),
        ("simd-core ledger 1\nfeatures\t\nclone\ta\tb\tc\n", "line 3 is no line of a ledger"),
        ("simd-core ledger 1\n\n", "line 2 is no line of a ledger"),
    ] {
        assert!(Merged::default().ledger(text).unwrap_err().contains(fault), "{text:?}");
    }
}

/// The lines of a file that excuse `ONE` and those that excuse nothing, and what is left.
fn allowing(text: &str) -> (Vec<usize>, String) {
    let allowed = Allowed::parse(text).unwrap();
    let merged = merged(&[ONE]);
    let report = merged.report(&allowed);
    (allowed.stale(merged.idle(), &merged.features), report.lines().skip(1).collect::<Vec<_>>().join("|"))
}

#[test]
fn clones_that_may_never_run() {
    let both = "never ran:|    a::f:3  baseline|    a::g:9  avx2";
    assert_eq!(allowing("# nothing\n\n"), (Vec::new(), both.to_owned()));
    let one = "1 that never ran may do so|never ran:|    a::f:3  baseline".to_owned();
    assert_eq!(allowing("a::g avx2 - no test calls it"), (Vec::new(), one.clone()));
    assert_eq!(allowing("*::g * avx512f here is no such CPU"), (Vec::new(), one));
    assert_eq!(allowing("* * - all"), (Vec::new(), "2 that never ran may do so".to_owned()));
    // One of the machines has the feature.
    assert_eq!(allowing("a::g avx2 avx2 no CPU\n"), (Vec::new(), both.to_owned()));
    // The first has run, the second is no function, and the third is part of a name.
    assert_eq!(allowing("a::f avx2 - x\na::h * - x\na::g avx - x"), (vec![1, 2, 3], both.to_owned()));
    for text in ["a::f avx2 -", "a::f", "[ * - x"] {
        assert!(Allowed::parse(&format!("\n{text}")).err().unwrap().to_string().starts_with("line 2: "), "{text}");
    }
}
