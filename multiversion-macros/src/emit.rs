//! The emitted code.

mod clones;
mod closures;
mod constants;
mod dispatcher;
pub(crate) mod list;
mod record;
pub(crate) mod select;
mod values;

use core::cell::RefCell;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::item::{Container, Kind};
use crate::lints::allow_for_clippy;
use crate::plan::{Plan, PlannedClone};
use crate::resolve::{Constants, Place, Resolved};

/// What is around an item.
pub(crate) struct Scope<'a> {
    /// One for each list of targets.
    plans: &'a [Plan],
    /// The current module, impl or trait.
    container: Option<&'a Container>,
    /// Items that belong beside it.
    beside: RefCell<TokenStream>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(plans: &'a [Plan]) -> Scope<'a> {
        Scope { plans, container: None, beside: RefCell::default() }
    }

    pub(crate) fn item(&self, item: &Resolved<'_>) -> TokenStream {
        match item {
            Resolved::Unchanged(tokens) => tokens.clone(),
            Resolved::Function(unit) => match unit.place {
                Place::Closure => closures::method(unit, self),
                Place::Sibling => dispatcher::inherent(unit, self),
                Place::Nested | Place::BehindPointer => dispatcher::free(unit, self),
            },
            Resolved::Constant { constant, index, redefined } => {
                constants::in_module(constant, *index, redefined.as_deref(), self)
            }
            Resolved::Container { item, items, constants } => self.container(item, items, constants),
        }
    }

    fn container(&self, item: &Container, items: &[Resolved<'_>], constants: &Constants<'_>) -> TokenStream {
        let inside = Scope { container: Some(item), ..Scope::new(self.plans) };
        let mut content: TokenStream = items.iter().map(|item| inside.item(item)).collect();
        let plan = item.choice.list().map(|list| &self.plans[list]);
        content.extend(plan.map(|plan| constants::checked(constants, plan)));
        let before = plan.filter(|_| matches!(item.kind, Kind::Impl(_))).map(|Plan { docs, .. }| {
            // A dispatcher has another body than Clippy knows.
            let lints =
                allow_for_clippy(|| quote!(clippy::non_canonical_clone_impl, clippy::non_canonical_partial_ord_impl));
            quote!(#docs #lints)
        });
        let (item, beside) = (item.with_items(content), inside.beside.take());
        quote!(#before #item #beside)
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
