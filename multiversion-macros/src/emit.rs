//! The emitted code.

mod clones;
mod closures;
mod constants;
mod dispatcher;
pub(crate) mod list;
mod module;
mod record;
pub(crate) mod select;
mod values;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

pub(crate) use module::{Scope, node};

use crate::attrs;
use crate::compiler::COMPILER;
use crate::item::{Function, Node, definition};
use crate::plan::{Plan, PlannedClone, any, code};

/// A function as the user sees it: one definition, or several from which `cfg(target_feature)` selects one.
pub(crate) struct Unit<'a> {
    plan: &'a Plan,
    /// The first one gives the dispatcher its signature.
    definitions: Vec<&'a Function>,
    /// `cfg(target_feature)` selects the definition.
    selected: bool,
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
    /// In the method itself, as closures that functions with the features call.
    Closure,
}

impl<'a> Unit<'a> {
    /// `None` if the function stays as it is.
    fn single(function: &'a Function) -> Option<Unit<'a>> {
        let plan = function.choice.plan().filter(|_| !function.stays())?;
        Some(Unit { plan, definitions: vec![function], selected: false })
    }

    /// The function whose first definition is `nodes[at]`.
    fn at(nodes: &'a [Node], at: usize) -> Option<Unit<'a>> {
        let Node::Fn(function) = &nodes[at] else { return None };
        let single = Unit::single(function)?;
        if definition(&nodes[at]).is_none() {
            return Some(single);
        }
        let same = |other: &&Function| other.sig.ident == function.sig.ident;
        Some(Unit { definitions: nodes.iter().filter_map(definition).filter(same).collect(), selected: true, ..single })
    }

    fn main(&self) -> &'a Function {
        self.definitions[0]
    }

    /// For each definition, the `cfg` predicate under which it is the one for `clone`.
    fn predicates(&self, clone: &PlannedClone) -> Vec<TokenStream> {
        self.definitions.iter().map(|definition| attrs::select(&definition.attrs, &clone.features)).collect()
    }

    /// Whether the definitions are for every clone, by their form.
    fn is_complete(&self) -> bool {
        cover_all(self.definitions.iter().map(|one| &one.attrs))
    }

    /// `cfg` predicate: some clone has a definition. Otherwise there is no function, and another item may have its
    /// name.
    fn exists(&self) -> TokenStream {
        self.plan.some_clone(|clone| any(self.predicates(clone)))
    }

    /// `cfg` predicate: `clone` exists and has no definition.
    fn missing(&self, clone: &PlannedClone) -> TokenStream {
        let defined = any(self.predicates(clone));
        clone.exists_and(quote!(not(#defined)))
    }
}

/// Whether there is a definition for every clone, by the form of their `cfg`s: one without, or two that are opposite.
fn cover_all<'a>(definitions: impl Iterator<Item = &'a Vec<Attribute>>) -> bool {
    match &definitions.map(|attrs| attrs::predicates(attrs)).collect::<Vec<_>>()[..] {
        [one] => one.to_string() == quote!(all()).to_string(),
        [one, other] => other.to_string() == quote!(not(#one)).to_string(),
        _ => false,
    }
}

/// The error that `clone` has no definition of `name`, and others have.
fn without_definition(name: &Ident, clone: &PlannedClone) -> TokenStream {
    let message = format!(
        "`{name}` has no definition for {clone}: the `cfg` of each is false there\n\
         help: add one, for example under `#[cfg(not(…))]`"
    );
    quote_spanned!(name.span()=> compile_error! { #message })
}

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
