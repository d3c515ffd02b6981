//! `strsim`: each distance of two words and of two sentences.

use super::subject as strsim;
use crate::harness::{Row, bytes};

pub fn rows() -> Vec<Row> {
    let words = ("Friedrich Nietzsche".to_owned(), "Jean-Paul Sartre, ed".to_owned());
    let row = |name: &str, distance: fn(&str, &str) -> f64| {
        Row::new(name, words.0.len(), words.clone(), move |(one, other)| distance(one, other))
    };
    let text = |len| bytes(len).iter().map(|byte| char::from(b'a' + byte % 8)).collect::<String>();
    let long = (text(200), text(210));
    let long = |name: &str, distance: fn(&str, &str) -> f64| {
        Row::new(name, long.0.len(), long.clone(), move |(one, other)| distance(one, other))
    };
    vec![
        row("levenshtein, words", |a, b| strsim::levenshtein(a, b) as f64),
        row("osa_distance, words", |a, b| strsim::osa_distance(a, b) as f64),
        row("damerau_levenshtein, words", |a, b| strsim::damerau_levenshtein(a, b) as f64),
        row("jaro, words", strsim::jaro),
        row("jaro_winkler, words", strsim::jaro_winkler),
        row("sorensen_dice, words", strsim::sorensen_dice),
        long("levenshtein, 200 characters", |a, b| strsim::levenshtein(a, b) as f64),
        long("damerau_levenshtein, 200 characters", |a, b| strsim::damerau_levenshtein(a, b) as f64),
        long("jaro, 200 characters", strsim::jaro),
    ]
}
