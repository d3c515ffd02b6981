//! The words of a list of targets, and their places.
use crate::error::Errors;
use core::ops::Range;
use proc_macro2::Span;
use syn::LitStr;

/// One target as listed.
pub(super) struct Element {
    pub(super) text: String,
    pub(super) span: Span,
    /// The architectures before the `:`; none without it.
    pub(super) prefix: Vec<Word>,
    pub(super) words: Vec<Word>,
}

/// A name in a list.
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Span,
}

/// The targets in `list`. Those with a missing name are reported and left out.
pub(super) fn elements(list: &LitStr, errors: &mut Errors) -> Vec<Element> {
    let source = Source::new(list);
    let ranges = source.split(0..source.text.len(), '|');
    ranges.into_iter().filter_map(|range| element(&source, range, errors)).collect()
}

fn element(source: &Source<'_>, range: Range<usize>, errors: &mut Errors) -> Option<Element> {
    let Word { text, span } = source.word(range.clone());
    if text.is_empty() {
        errors.push_help(span, "empty target", "write features on both sides of each `|`");
        return None;
    }
    let colon = source.text[range.clone()].find(':').map(|at| range.start + at);
    let prefix = colon.map_or_else(Vec::new, |colon| source.words(range.start..colon));
    let words = source.words(colon.map_or(range.start, |colon| colon + 1)..range.end);
    if prefix.iter().any(|arch| arch.text.is_empty()) {
        errors.push_help(
            span,
            format_args!("no architecture before the `:` of `{text}`"),
            if prefix.len() == 1 { "write it, or remove the `:`" } else { "write one on both sides of each `,`" },
        );
        return None;
    }
    if words.iter().any(|word| word.text.is_empty()) {
        let help =
            if words.len() == 1 { "name a feature after the `:`" } else { "write a feature on both sides of each `,`" };
        errors.push_help(span, format_args!("empty feature name in target `{text}`"), help);
        return None;
    }
    Some(Element { text, span, prefix, words })
}

/// A literal's value, and where it begins in the source.
struct Source<'a> {
    list: &'a LitStr,
    text: String,
    /// `None` if the source spells the value with escapes.
    start: Option<usize>,
}

impl<'a> Source<'a> {
    fn new(list: &'a LitStr) -> Self {
        let text = list.value();
        let written = list.token().to_string();
        let start = written.find('"').map(|quote| quote + 1);
        let start = start.filter(|start| written.get(*start..*start + text.len()) == Some(&text));
        Self { list, text, start }
    }

    fn split(&self, range: Range<usize>, separator: char) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for part in self.text[range].split(separator) {
            parts.push(start..start + part.len());
            start += part.len() + separator.len_utf8();
        }
        parts
    }

    fn words(&self, range: Range<usize>) -> Vec<Word> {
        self.split(range, ',').into_iter().map(|range| self.word(range)).collect()
    }

    /// The text of `range` without the white space around it. On stable Rust a literal has a single span.
    fn word(&self, range: Range<usize>) -> Word {
        let text = &self.text[range.clone()];
        let trimmed = text.trim();
        let start = range.start + (text.len() - text.trim_start().len());
        let within = self.start.map(|offset| start + offset..start + offset + trimmed.len());
        let within = within.filter(|within| !within.is_empty());
        let span = within.and_then(|within| self.list.token().subspan(within)).unwrap_or_else(|| self.list.span());
        Word { text: trimmed.to_owned(), span }
    }
}
