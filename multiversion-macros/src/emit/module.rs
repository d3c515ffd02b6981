//! Items, and the modules, impls and traits that hold them.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{GenericParam, Generics, Path};

use super::chosen::{self, Copies, Macro};
use super::lacking::Lacking;
use super::{Unit, docs, function, inherent, traits};
use crate::attrs;
use crate::check;
use crate::item::{Choice, Function, Node};
use crate::plan::Plan;
use crate::sig::Names;
use crate::transform::{Features, leaves_code_out, mentions_feature};

/// The `macro_rules!` of the module whose meaning depends on the clone they are used in.
///
/// `cfg(target_feature)` in such a macro is evaluated where the macro is defined, outside of all clones. A clone that
/// uses the macro gets a copy of its own.
pub(crate) struct Macros<'a> {
    pub(crate) krate: Path,
    defined: Vec<Macro<'a>>,
    /// All macros of the module.
    all: Vec<Macro<'a>>,
    /// The items of the module at hand that clones have copies of.
    copies: Copies,
    /// The functions of the module, and of the impl at hand, that some clone has no definition of.
    pub(super) lacking: Lacking<'a>,
    /// The generics of the impl or the trait at hand.
    generics: Option<&'a Generics>,
}

impl<'a> Macros<'a> {
    pub(crate) fn new(krate: Path) -> Self {
        Macros {
            krate,
            defined: Vec::new(),
            all: Vec::new(),
            copies: Copies::default(),
            lacking: Lacking::default(),
            generics: None,
        }
    }

    fn define(&mut self, name: &'a Ident, tokens: &'a TokenStream) {
        self.all.push((name, tokens));
        if mentions_feature(tokens) || self.defined.iter().any(|(other, _)| calls(tokens.clone(), other)) {
            self.defined.retain(|(other, _)| *other != name);
            self.defined.push((name, tokens));
        }
    }

    /// The macros and items that `body`, of `function`, uses, for a clone with `features`.
    pub(super) fn copied(&self, function: &Function, body: &TokenStream, features: &Features) -> TokenStream {
        let generics = || self.generics.into_iter().chain([&function.sig.generics]);
        let shadowed = |name: &str| generics().any(|generics| names_parameter(generics, name));
        let items = self.copies.of(body, features, &self.all, shadowed);
        let Some(target) = &features.target else { return items };
        // Where the build enables the target, the module's own macro says the same.
        let decides = &target.decides;
        let macros = self
            .used(body)
            .map(|tokens| features.rewrite_all(tokens.clone()))
            .map(|tokens| quote_spanned!(Span::mixed_site()=> #decides #tokens));
        macros.chain([items]).collect()
    }

    /// Whether `function` needs no clones: it is inlined into those of its callers, where its own calls fold, and nothing in
    /// it asks for features. rustc refuses `inline(always)` on a clone, and a plain `inline` leaves more calls.
    pub(crate) fn inlined_as_it_is(&self, function: &Function) -> bool {
        let Some(body) = &function.body else { return false };
        let body = body.stream();
        matches!(function.vis, syn::Visibility::Inherited)
            && attrs::inlines_always(&function.attrs).is_some()
            && !mentions_feature(&function.to_token_stream())
            && self.used(&body).next().is_none()
            && !self.copies.any_in(&body, &self.all)
    }

    /// Whether clones may compile different parts of `function`, itself or through a macro.
    pub(super) fn leave_code_out(&self, function: &Function) -> bool {
        function.body.as_ref().is_some_and(|body| {
            let body = body.stream();
            leaves_code_out(&body) || self.used(&body).any(leaves_code_out)
        })
    }

    /// The macros that `body` uses, in the order of their definitions.
    fn used(&self, body: &TokenStream) -> impl Iterator<Item = &'a TokenStream> {
        // A macro may use those that were defined before it.
        let mut used: Vec<(&Ident, &TokenStream)> = Vec::new();
        for &macro_ in self.defined.iter().rev() {
            let (name, _) = macro_;
            if calls(body.clone(), name) || used.iter().any(|(_, tokens)| calls(TokenStream::clone(tokens), name)) {
                used.push(macro_);
            }
        }
        used.into_iter().rev().map(|(_, tokens)| tokens)
    }
}

/// Whether a type or constant of `generics` has this name.
fn names_parameter(generics: &Generics, name: &str) -> bool {
    generics.params.iter().any(|param| match param {
        GenericParam::Type(param) => param.ident == name,
        GenericParam::Const(param) => param.ident == name,
        GenericParam::Lifetime(_) => false,
    })
}

/// Whether `tokens` hold a call of the macro `name`.
fn calls(tokens: TokenStream, name: &Ident) -> bool {
    let mut called = false;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '!' && called => return true,
            TokenTree::Ident(ident) => called = ident == *name,
            TokenTree::Group(group) => {
                if calls(group.stream(), name) {
                    return true;
                }
                called = false;
            }
            _ => called = false,
        }
    }
    false
}

/// The code for `node` under `plans[plan]`.
pub(crate) fn node<'a>(node: &'a Node, plan: usize, plans: &'a [Plan], macros: &mut Macros<'a>) -> TokenStream {
    let inner = |choice: Choice| match choice {
        Choice::Own(own) => Some(own),
        Choice::Inherit => Some(plan),
        Choice::Skip => None,
    };
    match node {
        Node::Fn(item) if !(check::stays(item) || item.choice == Choice::Inherit && macros.inlined_as_it_is(item)) => {
            let unit = Unit { main: item, variants: Vec::new() };
            inner(item.choice).map(|plan| function::emit(&unit, &plans[plan], macros))
        }
        Node::Impl(item) => inner(item.choice).map(|plan| {
            let mut tokens = TokenStream::new();
            let names = Names::new([node.to_token_stream()]);
            let header = traits::Header::of_impl(item);
            let header_tokens = item.self_ty.to_token_stream();
            macros.generics = Some(&item.generics);
            macros.lacking.set_members(units(&item.items, plan, plans));
            let as_it_is = |function: &Function| {
                header.is_none() && function.choice == Choice::Inherit && macros.inlined_as_it_is(function)
            };
            let members = members(&item.items, plan, as_it_is, |unit, plan| match &header {
                Some(header) => traits::emit(unit, header, &plans[plan], macros, &header_tokens),
                None => inherent::emit(unit, &plans[plan], macros, &names),
            });
            macros.generics = None;
            macros.lacking.set_members([]);
            if item.trait_.is_some() {
                tokens.extend(docs::paragraph(&plans[plan]));
            }
            item.with_items(members, &mut tokens);
            tokens
        }),
        Node::Trait(item) => inner(item.choice).map(|plan| {
            let mut tokens = TokenStream::new();
            let header = traits::Header::of_trait(item);
            let header_tokens = item.ident.to_token_stream();
            macros.generics = Some(&item.generics);
            macros.lacking.set_members(units(&item.items, plan, plans));
            let members = members(
                &item.items,
                plan,
                |_| false,
                |unit, plan| traits::emit(unit, &header, &plans[plan], macros, &header_tokens),
            );
            macros.generics = None;
            macros.lacking.set_members([]);
            item.with_items(members, &mut tokens);
            tokens
        }),
        Node::Mod(item) => inner(item.choice).and_then(|plan| {
            let content = item.content.as_ref()?;
            let mut tokens = TokenStream::new();
            let (visible, all) = (macros.defined.len(), macros.all.len());
            let items = items(&content.items, plan, plans, macros);
            if !attrs::has(&item.attrs, "macro_use") {
                macros.defined.truncate(visible);
                macros.all.truncate(all);
            }
            item.with_items(items, &mut tokens);
            Some(tokens)
        }),
        Node::MacroRules { name, tokens } => {
            macros.define(name, tokens);
            None
        }
        Node::Fn(_) | Node::Other { .. } => None,
    }
    .unwrap_or_else(|| node.to_token_stream())
}

/// The items of a module.
fn items<'a>(nodes: &'a [Node], plan: usize, plans: &'a [Plan], macros: &mut Macros<'a>) -> TokenStream {
    let mut tokens = TokenStream::new();
    let copies = chosen::copies(nodes, plan, plans, &macros.all);
    let outer = core::mem::replace(&mut macros.copies, copies);
    let outer_lacking = core::mem::replace(&mut macros.lacking, Lacking::of_module(units(nodes, plan, plans)));
    for (at, item) in nodes.iter().enumerate() {
        if let Some(item) = macros.copies.in_module(at, item, &macros.krate) {
            tokens.extend(item);
            continue;
        }
        match variants(nodes, at) {
            Variants::None => tokens.extend(node(item, plan, plans, macros)),
            Variants::First(unit) => {
                let plan = if let Choice::Own(own) = unit.main.choice { own } else { plan };
                tokens.extend(function::emit(&unit, &plans[plan], macros));
            }
            Variants::Later => {}
        }
    }
    tokens.extend(macros.copies.aside(nodes));
    macros.copies = outer;
    macros.lacking = outer_lacking;
    tokens
}

/// The members of an impl or a trait.
fn members(
    nodes: &[Node],
    plan: usize,
    as_it_is: impl Fn(&Function) -> bool,
    mut emit: impl FnMut(&Unit<'_>, usize) -> TokenStream,
) -> TokenStream {
    let mut tokens = TokenStream::new();
    for (at, node) in nodes.iter().enumerate() {
        let unit = match (node, variants(nodes, at)) {
            (_, Variants::First(unit)) => unit,
            (_, Variants::Later) => continue,
            (Node::Fn(item), Variants::None) if !check::stays(item) && !as_it_is(item) => {
                Unit { main: item, variants: Vec::new() }
            }
            _ => {
                node.to_tokens(&mut tokens);
                continue;
            }
        };
        let plan = if let Choice::Own(own) = unit.main.choice { own } else { plan };
        tokens.extend(emit(&unit, plan));
    }
    tokens
}

/// Whether a function is one of several definitions of which `cfg(target_feature)` picks one.
enum Variants<'a> {
    None,
    /// The first of them, which stands for all.
    First(Unit<'a>),
    Later,
}

/// A function that `cfg(target_feature)` decides on.
fn definition(node: &Node) -> Option<&Function> {
    match node {
        Node::Fn(item) if attrs::cfg_asks_feature(&item.attrs) && !check::stays(item) => Some(item),
        _ => None,
    }
}

/// The functions of several definitions among `nodes`, with their plans.
fn units<'a>(nodes: &'a [Node], plan: usize, plans: &'a [Plan]) -> impl Iterator<Item = (Unit<'a>, &'a Plan)> {
    (0..nodes.len()).filter_map(move |at| match variants(nodes, at) {
        Variants::First(unit) => {
            let plan = if let Choice::Own(own) = unit.main.choice { own } else { plan };
            Some((unit, &plans[plan]))
        }
        Variants::None | Variants::Later => None,
    })
}

fn variants(nodes: &[Node], at: usize) -> Variants<'_> {
    let Some(this) = definition(&nodes[at]) else { return Variants::None };
    let same = |other: &&Function| other.sig.ident == this.sig.ident;
    if nodes[..at].iter().filter_map(definition).any(|other| same(&other)) {
        return Variants::Later;
    }
    Variants::First(Unit { main: this, variants: nodes[at..].iter().filter_map(definition).filter(same).collect() })
}
