//! The words of a list of targets.
//!
//! Each has the place of the whole list: on stable Rust a literal has a single span.
use proc_macro2::Span;
use syn::LitStr;

use crate::error::Errors;

/// One target as listed.
pub(super) struct Element {
    pub(super) text: String,
    pub(super) span: Span,
    /// The architectures before the `:`; none without it.
    pub(super) prefix: Vec<String>,
    pub(super) words: Vec<String>,
}

/// The targets in `list`. Those with a missing name are reported and left out.
pub(super) fn elements(list: &LitStr, errors: &mut Errors) -> Vec<Element> {
    list.value().split('|').filter_map(|text| element(text.trim(), list.span(), errors)).collect()
}

fn element(text: &str, span: Span, errors: &mut Errors) -> Option<Element> {
    if text.is_empty() {
        errors.push_help(span, "empty target", "write features on both sides of each `|`");
        return None;
    }
    let words = |list: &str| -> Vec<String> { list.split(',').map(|word| word.trim().to_owned()).collect() };
    let (prefix, words) = match text.split_once(':') {
        Some((prefix, rest)) => (words(prefix), words(rest)),
        None => (Vec::new(), words(text)),
    };
    if prefix.iter().any(String::is_empty) {
        errors.push_help(
            span,
            format_args!("no architecture before the `:` of `{text}`"),
            if prefix.len() == 1 {
                "write an architecture before the `:`, or remove the `:`"
            } else {
                "write an architecture on both sides of each `,`"
            },
        );
        return None;
    }
    if words.iter().any(String::is_empty) {
        let help =
            if words.len() == 1 { "name a feature after the `:`" } else { "write a feature on both sides of each `,`" };
        errors.push_help(span, format_args!("empty feature name in target `{text}`"), help);
        return None;
    }
    Some(Element { text: text.to_owned(), span, prefix, words })
}
