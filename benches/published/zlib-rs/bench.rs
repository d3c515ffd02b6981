//! `zlib-rs`: deflate.

use super::subject::{DeflateConfig, compress_slice};
use crate::harness::{Row, bytes, zeros};

pub fn rows() -> Vec<Row> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../original/src");
    let read = |file: &str| std::fs::read(format!("{source}/{file}")).expect("a file of the crate");
    let text = [read("deflate.rs"), read("inflate.rs")].concat();
    let pdf = read("deflate/test-data/paper-100k.pdf");
    let mut rows = Vec::new();
    for level in [1, 4, 6, 9] {
        for (name, input) in [("text", &text[..]), ("a PDF", &pdf), ("noise", bytes(128 * 1024))] {
            let placed = zeros(input.len());
            placed.copy_from_slice(input);
            let state = (placed, zeros(input.len() + 1024));
            rows.push(Row::new(&format!("level {level}, {name}"), input.len(), state, move |(input, output)| {
                compress_slice(output, input, DeflateConfig::new(level)).0.len()
            }));
        }
    }
    rows
}
