use super::occurs;

#[test]
fn occurrences() {
    let occurs = |text: &str| occurs(&text.parse().unwrap(), "W");
    assert!(
        occurs("f(W)") && occurs("format!(\"{W}\")") && occurs("println!(\"{W:?} {W}\")") && occurs("f::<W>(a::b)")
    );
    assert!(!occurs("S::W") && !occurs("format!(\"W {}\", w)") && !occurs("WW") && !occurs("format!(\"{WW}\")"));
}
