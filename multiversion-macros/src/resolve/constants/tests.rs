use super::occurs;

#[test]
fn occurrences() {
    let occurs = |text: &str| occurs(&text.parse().unwrap(), "W");
    assert!(occurs("f(W)") && occurs("format!(\"{W}\")") && occurs("println!(\"{W:?} {W}\")") && occurs("S::W"));
    assert!(!occurs("format!(\"W {}\", w)") && !occurs("WW") && !occurs("format!(\"{WW}\")"));
}
