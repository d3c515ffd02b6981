//! Lints that are silenced in code that the user has written once and that stands in several places.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::compiler::COMPILER;
use crate::tokens::code;

/// The lints of rustc and Clippy about code that all copies share, so that one copy suffices for them.
///
/// rustc prints repeated messages once, but only in builds that are not incremental. A crate cannot `forbid` a lint in
/// this list, so the list contains only lints that crates do not forbid by name.
pub(crate) fn silenced() -> TokenStream {
    let clippy = COMPILER.clippy.then(|| quote!(, clippy::all, clippy::pedantic, clippy::nursery));
    let rustc = code(
        "deprecated, let_underscore_drop, non_camel_case_types, non_snake_case, non_upper_case_globals, path_statements, \
        trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_code, unreachable_patterns, unused_assignments, \
        unused_imports, unused_mut, unused_unsafe, unused_variables",
    );
    quote!(#rustc #clippy)
}

/// `#[allow]` of Clippy's `lints` where Clippy compiles the crate. No other compiler has to read their names.
pub(crate) fn allow_for_clippy(lints: impl FnOnce() -> TokenStream) -> TokenStream {
    if !COMPILER.clippy {
        return TokenStream::new();
    }
    let lints = lints();
    quote_spanned!(Span::mixed_site()=> #[allow(#lints)])
}
