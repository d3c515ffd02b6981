//! The state of the checks.

use proc_macro2::{Span, TokenStream};
use syn::Path;

use crate::error::Errors;
use crate::item::Lists;
use crate::match_target;
use crate::tokens::Words;

/// The checks of everything under one attribute.
pub(crate) struct Checker<'a> {
    pub(super) errors: &'a mut Errors,
    /// The path of `simd-core`.
    pub(super) krate: &'a Path,
    /// Those of the annotated item.
    words: &'a Words,
    /// The `macro_rules!` of the modules around.
    pub(super) macros: Vec<(String, TokenStream)>,
    /// The leaves among the functions of the item around.
    pub(super) leaves: Vec<String>,
    pub(crate) found: Found,
}

/// What the checks find out about a correct item.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) lists: Lists,
    /// A function has no clones since it is a leaf, or with a warning.
    pub(super) explained: bool,
    /// The first warning about a list.
    pub(crate) of_list: Option<(Span, String)>,
    /// Errors about items under a `cfg`, as items.
    pub(crate) conditional: TokenStream,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(errors: &'a mut Errors, krate: &'a Path, words: &'a Words) -> Self {
        Checker { errors, krate, words, macros: Vec::new(), leaves: Vec::new(), found: Found::default() }
    }

    /// Whether a `cfg` or `match_target!` in the annotated item may test features.
    pub(super) fn may_test_features(&self) -> bool {
        self.words.have_any(&["target_feature", match_target::NAME])
    }
}
