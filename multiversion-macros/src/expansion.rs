//! Readable expansions, which `cargo dispatch expand` prints.

use std::fs::OpenOptions;
use std::io::Write as _;

use proc_macro2::{Span, TokenStream};

/// The variable in which `cargo dispatch expand` passes the name of the file.
const FILE: &str = "SIMD_CORE_EXPANSIONS";

/// Whether there is such a file.
pub(crate) fn is_shown() -> bool {
    std::env::var_os(FILE).is_some()
}

/// Appends the expansion of the item at `place` to the file, if there is one: a line with the place and the length of
/// the text, and the text.
pub(crate) fn show(place: Span, expansion: &TokenStream) {
    let Some(file) = std::env::var_os(FILE) else { return };
    let place = place.unwrap();
    let text = expansion.to_string();
    let record = format!("{}\t{}\t{}\n{text}\n", place.file(), place.line(), text.len());
    let opened = OpenOptions::new().append(true).create(true).open(&file);
    if let Err(error) = opened.and_then(|mut file| file.write_all(record.as_bytes())) {
        eprintln!("{FILE}: {}: {error}", file.display());
    }
}
