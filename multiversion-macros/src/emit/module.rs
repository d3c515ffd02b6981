//! Items, and the modules, impls and traits around them.

use core::cell::RefCell;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Generics, ItemImpl, ItemMod, ItemTrait, Visibility};

use super::constants::{Constants, Named};
use super::{Unit, allow_for_clippy, closures, dispatcher};
use crate::attrs;
use crate::check::is_method;
use crate::item::{Body, Choice, Function, Holder, Kind, Node, earlier_definition};
use crate::plan::Plan;
use crate::tokens::{called, is_standard_macro, mentions_feature};
use crate::transform::leaves_code_out;

/// What is around a function.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    /// The constants and aliases of the current module that differ between clones.
    constants: Constants<'a>,
    /// The current impl.
    pub(super) header: Option<&'a Holder>,
    /// The generics of the current impl or trait.
    pub(super) generics: Option<&'a Generics>,
    /// Items that belong beside the current impl.
    pub(super) beside: RefCell<TokenStream>,
}

/// Emits a function with its clones.
type Emit<'e> = &'e dyn Fn(&Unit<'_>, &Scope<'_>) -> TokenStream;

impl<'a> Scope<'a> {
    /// The constants that each clone of `unit` has its own of.
    pub(super) fn constants_of(&self, unit: &Unit<'_>) -> Vec<&Named<'a>> {
        self.constants.around(&unit.definitions, self.generics)
    }

    /// Whether `function` needs no clones if it is `inline(always)`: it is inlined into the clones of its callers, where
    /// its own calls fold, and it tests no features. rustc refuses `inline(always)` on a clone, and a plain `inline`
    /// leaves more calls.
    fn may_stay(&self, function: &Function) -> bool {
        matches!(function.vis, Visibility::Inherited)
            && function.body.is_some()
            && !mentions_feature(&function.to_token_stream())
            && self.constants.around(&[function], self.generics).is_empty()
    }

    /// Whether `function` needs no clones.
    pub(crate) fn inlined_as_it_is(&self, function: &Function) -> bool {
        attrs::inlines_always(&function.attrs).is_some() && self.may_stay(function)
    }

    /// An impl or a trait, with the results of `emit` for its functions, and what belongs beside it.
    fn members(&mut self, item: &'a Holder, generics: &'a Generics, emit: Emit<'_>) -> TokenStream {
        (self.generics, self.header) = (Some(generics), Some(item));
        let members = item.with_items(self.nodes(&item.items, emit));
        (self.generics, self.header) = (None, None);
        let beside = self.beside.take();
        quote!(#members #beside)
    }

    /// The items of a module.
    fn module(&mut self, module: &'a Holder) -> TokenStream {
        let constants = Constants::of(module, &self.constants);
        let outer = core::mem::replace(&mut self.constants, constants);
        let mut tokens =
            self.nodes(&module.items, &|unit, scope| scope.emit_private(unit, &|unit| dispatcher::free(unit, scope)));
        tokens.extend(module.choice.plan().map(|plan| self.constants.checked(plan)));
        self.constants = outer;
        tokens
    }

    fn nodes(&mut self, nodes: &'a [Node], emit: Emit<'_>) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (at, item) in nodes.iter().enumerate() {
            if earlier_definition(nodes, at).is_some() {
                continue;
            }
            tokens.extend([match Unit::at(nodes, at) {
                Some(unit) => emit(&unit, self),
                None => {
                    let placeholder = item.as_item().and_then(|item| self.constants.in_module(item, nodes));
                    placeholder.unwrap_or_else(|| node(item, self))
                }
            }]);
        }
        tokens
    }

    /// A function whose callers can be in its module alone may need no clones.
    fn emit_private(&self, unit: &Unit<'_>, emit: &dyn Fn(&Unit<'_>) -> TokenStream) -> TokenStream {
        let function = unit.main();
        if !matches!(function.choice, Choice::Inherit(_)) {
            return emit(unit);
        }
        if self.inlined_as_it_is(function) {
            return function.to_token_stream();
        }
        match attrs::split_always(&function.attrs).filter(|_| self.may_stay(function)) {
            Some(halves) => halves
                .map(|attrs| {
                    let half = Function { attrs, ..function.clone() };
                    self.emit_private(&Unit { definitions: vec![&half], ..*unit }, emit)
                })
                .into_iter()
                .collect(),
            None => emit(unit),
        }
    }
}

/// Whether `cfg(target_feature)` may decide about the code of `body`, in it or in a macro from elsewhere.
pub(super) fn may_test_features(body: &Body) -> bool {
    body.words.have("target_feature")
        || (body.words.bangs && called(body.stream()).iter().any(|name| !is_standard_macro(name)))
}

/// Whether clones may compile different parts of `function`.
pub(super) fn leave_code_out(function: &Function) -> bool {
    let leaves = |body: &Body| body.words.have("target_feature") && leaves_code_out(&body.stream());
    function.body.as_ref().is_some_and(leaves)
}

/// The code for `node`.
pub(crate) fn node<'a>(node: &'a Node, scope: &mut Scope<'a>) -> TokenStream {
    let item = match node {
        Node::Fn(function) => {
            let unit = Unit::single(function);
            return match unit {
                Some(unit) if is_method(function) => closures::method(&unit, scope),
                Some(unit) => dispatcher::free(&unit, scope),
                None => node.to_token_stream(),
            };
        }
        Node::Item(item) => item,
    };
    let Some(plan) = item.choice.plan() else { return node.to_token_stream() };
    match &item.kind {
        Kind::Impl(ItemImpl { generics, .. }) | Kind::Trait(ItemTrait { generics, .. }) => {
            let members = if item.has_methods_of_a_trait() {
                scope.members(item, generics, &closures::method)
            } else {
                let emit = |unit: &Unit<'_>, scope: &Scope<'_>| {
                    scope.emit_private(unit, &|unit| dispatcher::inherent(unit, scope))
                };
                scope.members(item, generics, &emit)
            };
            if matches!(item.kind, Kind::Trait(_)) {
                // Each method has a page of its own.
                return members;
            }
            // A dispatcher has another body than Clippy knows.
            let lints =
                allow_for_clippy(|| quote!(clippy::non_canonical_clone_impl, clippy::non_canonical_partial_ord_impl));
            let docs = &plan.docs;
            quote!(#docs #lints #members)
        }
        Kind::Mod(ItemMod { content: Some(_), .. }) => {
            let content = scope.module(item);
            item.with_items(content)
        }
        Kind::Mod(_) | Kind::Other(_) => node.to_token_stream(),
    }
}

/// The plans of the functions in a module with the items `nodes`, less those in modules of their own.
pub(super) fn plans(nodes: &[Node]) -> Vec<&Plan> {
    let mut plans: Vec<&Plan> = Vec::new();
    let mut todo: Vec<&Node> = nodes.iter().collect();
    while let Some(node) = todo.pop() {
        let choice = match node {
            Node::Fn(function) => &function.choice,
            Node::Item(item) => {
                if !item.is_mod() {
                    todo.extend(&item.items);
                }
                &item.choice
            }
        };
        if let Some(plan) = choice.plan()
            && !plans.iter().any(|known| core::ptr::eq(*known, &raw const **plan))
        {
            plans.push(plan);
        }
    }
    plans
}
