//! Lints in code that the user has written once and that stands in several places.
//!
//! rustc's own are silenced only in code that clones leave out or that is ours: a crate that forbids one does not compile with
//! `allow`. rustc or cargo prints equal messages once, or twice in an incremental build with all clones. A name that is declared in
//! several places is [`hygienic`](crate::tokens::hygienic).

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::compiler::COMPILER;

/// `#[allow]` of Clippy's `lints` where Clippy compiles the crate. No other compiler has to read their names.
pub(crate) fn allow_for_clippy(lints: impl FnOnce() -> TokenStream) -> Option<TokenStream> {
    let lints = COMPILER.clippy.then(lints)?;
    Some(quote_spanned!(Span::mixed_site()=> #[allow(#lints)]))
}

/// The attribute for an item whose clones have code that others leave out, in an editor.
pub(crate) fn active() -> Option<TokenStream> {
    COMPILER.editor.then(|| quote_spanned!(Span::mixed_site()=> #[allow(rust_analyzer::inactive_code)]))
}

/// The attribute for items that stand for each clone, and that some clones do not use. In a macro, names are enough.
pub(crate) fn maybe_unused() -> Option<TokenStream> {
    COMPILER.writes.then(|| quote!(#[allow(dead_code, reason = "not all of them have a use")]))
}

/// The attribute for Clippy's `lint` in a file, where it `applies`. In a macro, Clippy knows that the code is none of the user's.
pub(crate) fn allow_in_file(applies: bool, lint: &str) -> Option<TokenStream> {
    let lint: TokenStream = (COMPILER.writes && applies).then(|| lint.parse().ok())??;
    Some(quote!(#[allow(#lint, reason = "of the form of clones")]))
}

/// The attribute for code about which another copy of it warns, where Clippy compiles the crate.
pub(crate) fn silenced() -> Option<TokenStream> {
    allow_for_clippy(|| quote!(clippy::all, clippy::pedantic, clippy::nursery))
}
