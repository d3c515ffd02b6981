//! Items that all clones share must not test a CPU feature: it would have the build's value in each.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Attribute;

use super::checker::Checker;
use crate::attrs;
use crate::cfg::unread_test;
use crate::error::Errors;
use crate::item::definitions::{for_tests, is_test};
use crate::item::{Context, Function, OtherItem};
use crate::match_target::feature_test_in_source;
use crate::tokens::is_word;

/// An error about a test that the rewriting does not reach.
pub(super) const UNREAD_TEST: &str =
    "the attribute cannot read this test of a feature, which would have the build's value in every clone";
pub(super) const UNREAD_TEST_HELP: &str =
    "write `cfg!(target_feature = \"…\")` with a literal, not a part of it in a macro's arguments";

impl Checker<'_> {
    /// Refuses a test of a feature in or on `item`, unless the item is a constant or an alias of a module.
    pub(super) fn reject_shared_test(&mut self, item: &OtherItem, context: Context) {
        let attrs = &item.attrs;
        let header = &item.header;
        let Some(span) = feature_test_in_source(&quote::quote!(#(#attrs)* #header)) else { return };
        let (_, kind) = kind(header);
        if context == Context::Module && matches!(kind, "a constant" | "a type") {
            if let Some(span) = unread_test(header.clone(), false) {
                self.reject(attrs, span, UNREAD_TEST, UNREAD_TEST_HELP);
            }
            return;
        }
        let (noun, help) = match (context, kind) {
            (_, "a constant") => {
                ("associated constant", "move the constant into the module, where each clone has its own value")
            }
            (_, "a type") => ("associated type", "put what differs into functions"),
            (_, "a static") => ("`static`", "declare a constant, of which each clone has its own value"),
            (_, "a struct" | "an enum" | "a union") => {
                ("type", "declare both under names of their own, and select one with a type alias")
            }
            (_, "an import") => (
                "import",
                "import both under names of their own, and select one in a constant, a type alias or a function",
            ),
            (_, "a macro definition") => {
                ("macro", "test the feature in a function or a constant, and name that in the macro")
            }
            (_, "an impl") => ("impl", "put the `cfg` on the functions in it"),
            (_, "a trait") => ("trait", "put the `cfg` on the functions of its impls"),
            (_, "a module") => ("module", "put the `cfg` on the functions, constants and type aliases in it"),
            _ => ("item", "move the item out of the annotated item"),
        };
        self.reject_shared(attrs, span, noun, help);
    }

    /// Refuses a test of a feature in a function without clones, and in the signature of any other.
    pub(super) fn reject_test_in_function(&mut self, function: &Function) {
        let Function { attrs, sig, body, .. } = function;
        if for_tests(attrs) || attrs.iter().any(is_test) {
            return;
        }
        let stays = function.stays();
        if let Some(span) = feature_test_in_source(&sig.to_token_stream()) {
            return self.reject_shared(attrs, span, "signature", "put what differs into the body");
        }
        let body = body.as_ref().map(|body| &body.braces);
        if stays && let Some(span) = feature_test_in_source(&quote::quote!(#(#attrs)* #body)) {
            let (noun, help) = if sig.constness.is_some() {
                ("`const fn`", "remove `const`")
            } else if body.is_none() {
                ("function without a body", "put the `cfg` on the functions of impls")
            } else {
                ("function, which has no clones", "move what differs into a function that has clones")
            };
            self.reject_shared(attrs, span, noun, help);
        }
    }

    fn reject_shared(&mut self, attrs: &[Attribute], span: Span, noun: &str, help: &str) {
        let message = format!("all clones share this {noun}, so it has the build's value of `cfg(target_feature)`");
        let help = format!("{help}; or write `#[dispatch(skip)]` on the item to keep the build's value");
        self.reject(attrs, span, &message, &help);
    }

    /// An error at an item with `attrs`. If it is under a `cfg` that tests no feature, rustc decides whether there is the item.
    fn reject(&mut self, attrs: &[Attribute], span: Span, message: &str, help: &str) {
        let conditions: Vec<_> =
            attrs.iter().filter(|attr| !attrs::tests_feature(attr)).filter_map(attrs::cfg_predicate).collect();
        if conditions.is_empty() {
            return self.errors.push_help(span, message, help);
        }
        let mut error = Errors::new();
        error.push_help(span, message, help);
        self.found.conditional.extend(quote_spanned!(Span::mixed_site()=> #[cfg(all(#(#conditions),*))] #error));
    }
}

/// The kind of item that `tokens` are, in words, and the keyword of that kind.
pub(super) fn kind(tokens: &TokenStream) -> (Span, &'static str) {
    const KINDS: [(&str, &str); 12] = [
        ("struct", "a struct"),
        ("enum", "an enum"),
        ("union", "a union"),
        ("const", "a constant"),
        ("static", "a static"),
        ("type", "a type"),
        ("use", "an import"),
        ("extern", "an `extern` item"),
        ("macro_rules", "a macro definition"),
        ("impl", "an impl"),
        ("trait", "a trait"),
        ("mod", "a module"),
    ];
    let mut words = tokens.clone().into_iter().peekable();
    let start = words.peek().map_or_else(Span::call_site, TokenTree::span);
    let named = words.find_map(|word| {
        let (_, kind) = KINDS.iter().find(|(name, _)| is_word(Some(&word), name))?;
        Some((word.span(), *kind))
    });
    named.unwrap_or((start, "this item"))
}
