//! The annotated items as they are for clones, whatever their targets: several definitions are one function, one that is inlined as it
//! is stays, and each function has the constants and aliases that differ between its clones.

mod constants;

use std::rc::Rc;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Attribute, Generics, ItemMod, Visibility};

pub(crate) use constants::{Constant, Constants, Definition, occurs};

use crate::attrs;
use crate::item::definitions::{definition, first_definition};
use crate::item::{Choice, Context, Function, Kind, Node, OtherItem};
use crate::tokens::tests_feature;

pub(crate) enum Resolved<'a> {
    /// An item that stays as it is.
    Unchanged(&'a Node),
    Function(Unit<'a>),
    /// A module, with what differs between the clones in it, an impl or a trait.
    OtherItem {
        item: &'a OtherItem,
        items: Vec<Resolved<'a>>,
        constants: Constants<'a>,
    },
    /// A definition of a constant or alias that differs between clones.
    Constant {
        constant: Rc<Constant<'a>>,
        index: usize,
    },
}

/// A function as the user sees it: one definition, or several from which `cfg(target_feature)` selects one.
pub(crate) struct Unit<'a> {
    /// Of its targets, the list's place among [`Lists`](crate::item::Lists).
    pub(crate) list: usize,
    pub(crate) place: Place,
    /// The first one gives the dispatcher its signature.
    pub(crate) definitions: Vec<&'a Function>,
    /// `cfg(target_feature)` selects the definition.
    pub(crate) selected: bool,
    /// Those that each clone has its own of.
    pub(crate) constants: Vec<Rc<Constant<'a>>>,
}

/// The place of a function's clones.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    /// Inside the dispatcher's body.
    Nested,
    /// Next to the dispatcher, in its inherent impl.
    Sibling,
    /// In the method itself, as closures that functions with the features call.
    Closure,
}

impl<'a> Unit<'a> {
    pub(crate) fn main(&self) -> &'a Function {
        self.definitions[0]
    }

    /// Whether a parameter with this name, around the constants, would hide one or an item that one names.
    pub(crate) fn hides(&self, name: &Ident) -> bool {
        let named = |one: &Definition<'_>| occurs(&one.value, &name.to_string());
        self.constants.iter().any(|constant| constant.is(name) || constant.definitions.iter().any(named))
    }

    /// Whether the definitions are for every clone, by their form.
    pub(crate) fn is_complete(&self) -> bool {
        cover_all_clones(self.definitions.iter().map(|one| &one.attrs))
    }
}

/// Whether there is a definition for every clone, by the form of their `cfg`s: one without, or two that are opposite.
pub(crate) fn cover_all_clones<'a>(definitions: impl Iterator<Item = &'a Vec<Attribute>>) -> bool {
    match &definitions.map(|attrs| attrs::cfg_predicate_of(attrs)).collect::<Vec<_>>()[..] {
        [one] => one.to_string() == quote::quote!(all()).to_string(),
        [one, other] => other.to_string() == quote::quote!(not(#one)).to_string(),
        _ => false,
    }
}

/// The annotated item.
pub(crate) fn annotated(node: &Node) -> Resolved<'_> {
    Resolver::default().node(node, Context::Annotated)
}

/// Whether `function` needs no clones, outside of an annotated module, because of `inline(always)`.
pub(crate) fn is_inlined_as_it_is(function: &Function) -> bool {
    Resolver::default().inlines_as_it_is(function)
}

/// The surroundings of an item.
#[derive(Default)]
struct Resolver<'a> {
    /// Those of the current module.
    constants: Constants<'a>,
    /// The generics of the current impl or trait.
    generics: Option<&'a Generics>,
}

impl<'a> Resolver<'a> {
    fn node(&mut self, node: &'a Node, context: Context) -> Resolved<'a> {
        let item = match node {
            Node::Fn(function) => {
                let Some(list) = function.choice.list().filter(|_| !function.stays()) else {
                    return Resolved::Unchanged(node);
                };
                let (place, definitions) = (place(function, context), vec![&**function]);
                return Resolved::Function(Unit { list, place, definitions, selected: false, constants: Vec::new() });
            }
            Node::Item(item) if item.choice.list().is_none() => return Resolved::Unchanged(node),
            Node::Item(item) => item,
        };
        match &item.kind {
            Kind::Impl(_) | Kind::Trait(_) => {
                self.generics = item.generics();
                let items = self.items(item);
                self.generics = None;
                Resolved::OtherItem { item, items, constants: Constants::default() }
            }
            Kind::Mod(ItemMod { content: Some(_), .. }) => {
                let constants = Constants::of(item, &self.constants);
                let outer = core::mem::replace(&mut self.constants, constants);
                let items = self.items(item);
                let mut constants = core::mem::replace(&mut self.constants, outer);
                constants.refuse_copies(&item.items);
                Resolved::OtherItem { item, items, constants }
            }
            Kind::Mod(_) | Kind::Other => Resolved::Unchanged(node),
        }
    }

    fn items(&mut self, container: &'a OtherItem) -> Vec<Resolved<'a>> {
        let (nodes, context) = (&container.items, container.context());
        let (mut items, in_module) = (Vec::new(), context == Context::Module);
        for (at, node) in nodes.iter().enumerate() {
            if first_definition(nodes, at).is_some() {
                continue;
            }
            match self.node(node, context) {
                Resolved::Function(mut unit) => {
                    let function = unit.main();
                    if definition(node).is_some() {
                        let same = nodes.iter().filter_map(definition);
                        unit.definitions = same.filter(|other| other.sig.ident == function.sig.ident).collect();
                        unit.selected = true;
                    }
                    // Callers of one outside of a trait can be in its module only.
                    let inherits = unit.place != Place::Closure && matches!(function.choice, Choice::Inherit(_));
                    items.push(if inherits && self.inlines_as_it_is(function) {
                        Resolved::Unchanged(node)
                    } else {
                        unit.constants = self.constants.used_by_function(&unit.definitions, self.generics);
                        Resolved::Function(unit)
                    });
                }
                Resolved::Unchanged(_) if in_module && self.constants.unnamed.iter().any(|(place, _)| *place == at) => {
                }
                item => items.push(match self.constants.definition(at).filter(|_| in_module) {
                    Some((constant, index)) => Resolved::Constant { constant, index },
                    None => item,
                }),
            }
        }
        items
    }

    /// Whether `function` needs no clones because of `inline(always)`: it is inlined into the clones of its callers, where
    /// its own calls fold, and it tests no features. rustc refuses `inline(always)` on a clone, and a plain `inline`
    /// leaves more calls.
    fn inlines_as_it_is(&self, function: &'a Function) -> bool {
        attrs::inlines_always(&function.attrs).is_some()
            && matches!(function.vis, Visibility::Inherited)
            && function.body.is_some()
            && !tests_feature(&function.to_token_stream())
            && self.constants.used_by_function(&[function], self.generics).is_empty()
    }
}

fn place(function: &Function, context: Context) -> Place {
    match context {
        Context::Trait => Place::Closure,
        Context::InherentImpl => Place::Sibling,
        Context::Annotated if function.is_method() => Place::Closure,
        Context::Annotated | Context::Module => Place::Nested,
    }
}
