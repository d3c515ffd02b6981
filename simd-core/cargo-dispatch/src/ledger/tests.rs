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
    assert_eq!(merged(&[ONE]).never().collect::<Vec<_>>(), [("a::f:3", "baseline"), ("a::g:9", "avx2")]);
    for ledgers in [[ONE, OTHER], [OTHER, ONE]] {
        let merged = merged(&ledgers);
        assert_eq!(merged.never().collect::<Vec<_>>(), [("a::g:9", "avx2")]);
        assert_eq!(merged.report(), "2 of 3 clones of 2 functions ran, in 2 processes\nnever ran:\n    a::g:9  avx2\n");
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
