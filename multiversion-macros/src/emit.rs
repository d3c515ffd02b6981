//! The emitted code.

mod chosen;
mod clones;
mod dispatcher;
mod lacking;
pub(crate) mod list;
mod module;
mod record;
pub(crate) mod select;
mod traits;

use std::path::Path;
use std::sync::LazyLock;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

pub(crate) use chosen::settle;
pub(crate) use module::{Scope, node};

use crate::attrs;
use crate::item::Function;
use crate::plan::{Plan, PlannedClone};

/// A function as the user sees it: one definition, or several from which `cfg(target_feature)` selects one.
pub(crate) struct Unit<'a> {
    /// The definition that gives the dispatcher its signature.
    pub(crate) main: &'a Function,
    /// All definitions, where there are several.
    pub(crate) variants: Vec<&'a Function>,
}

/// The place of the clones.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Inside the dispatcher's body.
    Nested,
    /// The same, called through a pointer.
    BehindPointer,
    /// Beside the dispatcher, in its inherent impl.
    Sibling,
    /// In a trait of ours inside the dispatcher's body, as methods; those for targets are `unsafe`.
    Method,
}

impl Unit<'_> {
    /// All definitions.
    fn definitions(&self) -> impl Iterator<Item = &Function> {
        let main = self.variants.is_empty().then_some(self.main);
        main.into_iter().chain(self.variants.iter().copied())
    }

    /// For each of several definitions, the `cfg` predicate under which it is the one for `clone`.
    fn predicates(&self, clone: &PlannedClone) -> Vec<TokenStream> {
        let predicate = |variant: &&Function| {
            let asked = variant.attrs.iter().filter(|attr| attrs::asks_feature(attr)).filter_map(attrs::predicate);
            let asked = asked.map(|asked| clone.features.rewrite_predicate(asked.clone()));
            quote!(all(#(#asked),*))
        };
        self.variants.iter().map(predicate).collect()
    }

    /// `cfg` predicate: some clone has a definition. Otherwise there is no function, and another item may have its
    /// name.
    fn exists(&self, plan: &Plan) -> TokenStream {
        let clones = plan.clones.iter().map(|clone| {
            let (exists, predicates) = (&clone.exists, self.predicates(clone));
            quote!(all(#exists, any(#(#predicates),*)))
        });
        quote!(any(#(#clones),*))
    }

    /// `cfg` predicate: `clone` exists and has no definition.
    fn missing(&self, clone: &PlannedClone) -> TokenStream {
        let (exists, predicates) = (&clone.exists, self.predicates(clone));
        quote!(all(#exists, not(any(#(#predicates),*))))
    }
}

/// The lints of rustc and Clippy about code that all copies share, so that one copy suffices for them.
///
/// rustc prints repeated messages once, but only in builds that are not incremental. A crate cannot `forbid` a lint in
/// this list, so the list contains only lints that crates do not forbid by name.
pub(crate) fn silenced() -> TokenStream {
    let clippy = clippy().then(|| quote!(, clippy::all, clippy::pedantic, clippy::nursery));
    quote! {
        deprecated, let_underscore_drop, non_camel_case_types, non_snake_case, non_upper_case_globals, path_statements,
        trivial_casts, trivial_numeric_casts, unit_bindings, unreachable_code, unreachable_patterns, unused_assignments,
        unused_imports, unused_mut, unused_unsafe, unused_variables #clippy
    }
}

/// `#[allow]` of Clippy's `lints` where Clippy compiles the crate. No other compiler has to read their names.
pub(crate) fn allow_for_clippy(lints: impl FnOnce() -> TokenStream) -> TokenStream {
    if !clippy() {
        return TokenStream::new();
    }
    let lints = lints();
    quote_spanned!(Span::mixed_site()=> #[allow(#lints)])
}

/// Whether the compiler that runs this macro is Clippy's.
fn clippy() -> bool {
    static CLIPPY: LazyLock<bool> = LazyLock::new(|| {
        let compiler = std::env::args_os().next().unwrap_or_default();
        Path::new(&compiler).file_stem().is_some_and(|name| name == "clippy-driver")
    });
    *CLIPPY
}
