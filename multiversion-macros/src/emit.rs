//! The emitted code.

mod clones;
mod closures;
mod constants;
mod dispatcher;
pub(crate) mod list;
mod record;
mod scope;
mod values;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

pub(crate) use scope::Scope;

use crate::attrs;
use crate::compiler::COMPILER;
use crate::item::definitions::for_tests;
use crate::item::{Kind, Node, OtherItem};
use crate::lints::{allow_for_clippy, allow_in_file};
use crate::plan::Plan;
use crate::resolve::{Constants, Place, Resolved};
use crate::tokens::is_word;

/// The code for `item` in `scope`.
pub(crate) fn item(item: &Resolved<'_>, scope: &Scope<'_>) -> TokenStream {
    match item {
        Resolved::Unchanged(node) => node.to_token_stream(),
        Resolved::Function(unit) => match unit.place {
            Place::Closure => closures::method(unit, scope),
            Place::Sibling => clones::inherent(unit, scope),
            Place::Nested => clones::free(unit, scope),
        },
        Resolved::Constant { constant, index } => constants::in_module(constant, *index, scope),
        Resolved::OtherItem { item, items, constants } => container(item, items, constants, scope),
    }
}

fn container(item: &OtherItem, items: &[Resolved<'_>], constants: &Constants<'_>, scope: &Scope<'_>) -> TokenStream {
    let inside = Scope { container: Some(item), ..Scope::new(scope.plans, scope.names) };
    let tests = items.iter().position(|item| COMPILER.writes && is_for_tests(item)).unwrap_or(items.len());
    let mut items: Vec<TokenStream> = items.iter().map(|item| self::item(item, &inside)).collect();
    let plan = item.choice.list().map(|list| &scope.plans[list]);
    // In a file, Clippy wants tests last.
    items.insert(tests, plan.map(|plan| constants::checked(constants, plan)).unwrap_or_default());
    let before = plan.filter(|_| matches!(item.kind, Kind::Impl(_))).map(|Plan { docs, .. }| {
        // A dispatcher has another body than Clippy knows.
        let lints =
            allow_for_clippy(|| quote!(clippy::non_canonical_clone_impl, clippy::non_canonical_partial_ord_impl));
        let docs = (!COMPILER.writes || attrs::have_named(&item.attrs, "doc")).then_some(docs);
        let is = |name: &str| item.header.clone().into_iter().any(|token| is_word(Some(&token), name));
        let clone = allow_in_file(is("Clone"), "clippy::non_canonical_clone_impl");
        let order = allow_in_file(is("PartialOrd"), "clippy::non_canonical_partial_ord_impl");
        quote!(#docs #lints #clone #order)
    });
    let errors = &constants.errors;
    let (item, beside) = (item.with_items(&item.attrs, &quote!(#(#items)* #errors)), inside.beside.take());
    quote!(#before #item #beside)
}

/// Whether `item` is a module of tests.
fn is_for_tests(item: &Resolved<'_>) -> bool {
    let item = match item {
        Resolved::OtherItem { item, .. } => item,
        Resolved::Unchanged(Node::Item(item)) => &**item,
        _ => return false,
    };
    item.is_mod() && for_tests(&item.attrs)
}
