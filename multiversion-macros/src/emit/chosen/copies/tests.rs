use super::*;

#[test]
fn occurrences() {
    let loosely = |text: &str| occurs(&text.parse().unwrap(), "W", false);
    assert!(loosely("f(W)") && loosely("format!(\"{W}\")") && loosely("println!(\"{W:?} {W}\")") && loosely("S::W"));
    assert!(!loosely("format!(\"W {}\", w)") && !loosely("WW") && !loosely("format!(\"{WW}\")"));
    let alone = |text: &str| occurs(&text.parse().unwrap(), "W", true);
    assert!(alone("f(W)") && alone("(0..W)") && alone("self::W") && alone("format!(\"{W:?}\")"));
    assert!(!alone("S::W") && !alone("a.W") && !alone("<T>::W") && !alone("{ self.W() }"));
}
