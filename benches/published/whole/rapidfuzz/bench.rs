//! `rapidfuzz`: distances of words and of longer texts.

use super::subject::distance::{damerau_levenshtein, indel, jaro, jaro_winkler, lcs_seq, levenshtein, osa};
use super::subject::fuzz;
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let texts = |len: usize| {
        let text = |len| bytes(len).iter().map(|byte| b'a' + byte % 8).collect::<Vec<u8>>();
        (text(len), text(len + len / 8))
    };
    let row = |name: &str, len: usize, distance: fn(&[u8], &[u8]) -> f64| {
        Row::new(name, len, texts(len), move |(one, other)| distance(one, other))
    };
    vec![
        row("levenshtein, 16", 16, |a, b| levenshtein::distance(a.iter().copied(), b.iter().copied()) as f64),
        row("levenshtein, 200", 200, |a, b| levenshtein::distance(a.iter().copied(), b.iter().copied()) as f64),
        row("osa, 200", 200, |a, b| osa::distance(a.iter().copied(), b.iter().copied()) as f64),
        row("damerau_levenshtein, 200", 200, |a, b| {
            damerau_levenshtein::distance(a.iter().copied(), b.iter().copied()) as f64
        }),
        row("jaro, 200", 200, |a, b| jaro::similarity(a.iter().copied(), b.iter().copied())),
        row("jaro_winkler, 16", 16, |a, b| jaro_winkler::similarity(a.iter().copied(), b.iter().copied())),
        row("lcs_seq, 200", 200, |a, b| lcs_seq::distance(a.iter().copied(), b.iter().copied()) as f64),
        row("indel, 16", 16, |a, b| indel::distance(a.iter().copied(), b.iter().copied()) as f64),
        row("ratio, 200", 200, |a, b| fuzz::ratio(a.iter().copied(), b.iter().copied())),
    ]
}
