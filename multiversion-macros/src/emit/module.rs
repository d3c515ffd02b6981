//! Items, and the modules, impls and traits that hold them.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Path;

use super::chosen::{self, Copied};
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
    defined: Vec<(&'a Ident, &'a TokenStream)>,
    /// The items of the module at hand that clones have copies of.
    copied: Vec<Copied>,
}

impl<'a> Macros<'a> {
    pub(crate) fn new(krate: Path) -> Self {
        Macros { krate, defined: Vec::new(), copied: Vec::new() }
    }

    fn define(&mut self, name: &'a Ident, tokens: &'a TokenStream) {
        if mentions_feature(tokens) || self.defined.iter().any(|(other, _)| calls(tokens.clone(), other)) {
            self.defined.retain(|(other, _)| *other != name);
            self.defined.push((name, tokens));
        }
    }

    /// The macros and items that `body` uses, for a clone with `features`.
    pub(super) fn copied(&self, body: &TokenStream, features: &Features) -> TokenStream {
        let Some(target) = &features.target else { return TokenStream::new() };
        let items = chosen::copies(&self.copied, body, features);
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
    fn inlined_as_it_is(&self, function: &Function) -> bool {
        let Some(body) = &function.body else { return false };
        let body = body.stream();
        function.choice == Choice::Inherit
            && matches!(function.vis, syn::Visibility::Inherited)
            && attrs::inlines_always(&function.attrs)
            && !mentions_feature(&function.to_token_stream())
            && self.used(&body).next().is_none()
            && !chosen::names_any(&self.copied, &body)
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
pub(crate) fn node<'a>(node: &'a Node, plan: usize, plans: &[Plan], macros: &mut Macros<'a>) -> TokenStream {
    let inner = |choice: Choice| match choice {
        Choice::Own(own) => Some(own),
        Choice::Inherit => Some(plan),
        Choice::Skip => None,
    };
    match node {
        Node::Fn(item) if !check::stays(item) && !macros.inlined_as_it_is(item) => {
            let unit = Unit { main: item, variants: Vec::new() };
            inner(item.choice).map(|plan| function::emit(&unit, &plans[plan], macros))
        }
        Node::Impl(item) => inner(item.choice).map(|plan| {
            let mut tokens = TokenStream::new();
            let names = Names::new([node.to_token_stream()]);
            let header = traits::Header::of_impl(item);
            let header_tokens = item.self_ty.to_token_stream();
            let as_it_is = |function: &Function| header.is_none() && macros.inlined_as_it_is(function);
            let members = members(&item.items, plan, as_it_is, |unit, plan| match &header {
                Some(header) => traits::emit(unit, header, &plans[plan], macros, &header_tokens),
                None => inherent::emit(unit, &plans[plan], macros, &names),
            });
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
            let members = members(
                &item.items,
                plan,
                |_| false,
                |unit, plan| traits::emit(unit, &header, &plans[plan], macros, &header_tokens),
            );
            item.with_items(members, &mut tokens);
            tokens
        }),
        Node::Mod(item) => inner(item.choice).and_then(|plan| {
            let content = item.content.as_ref()?;
            let mut tokens = TokenStream::new();
            let visible = macros.defined.len();
            let items = items(&content.items, plan, plans, macros);
            if !attrs::has(&item.attrs, "macro_use") {
                macros.defined.truncate(visible);
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
fn items<'a>(nodes: &'a [Node], plan: usize, plans: &[Plan], macros: &mut Macros<'a>) -> TokenStream {
    let mut tokens = TokenStream::new();
    let outer = core::mem::replace(&mut macros.copied, chosen::copied(nodes, &plans[plan]));
    for (at, item) in nodes.iter().enumerate() {
        match variants(nodes, at) {
            Variants::None => tokens.extend(node(item, plan, plans, macros)),
            Variants::First(unit) => {
                let plan = if let Choice::Own(own) = unit.main.choice { own } else { plan };
                tokens.extend(function::emit(&unit, &plans[plan], macros));
            }
            Variants::Later => {}
        }
    }
    macros.copied = outer;
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

fn variants(nodes: &[Node], at: usize) -> Variants<'_> {
    let Some(this) = definition(&nodes[at]) else { return Variants::None };
    let same = |other: &&Function| other.sig.ident == this.sig.ident;
    if nodes[..at].iter().filter_map(definition).any(|other| same(&other)) {
        return Variants::Later;
    }
    Variants::First(Unit { main: this, variants: nodes[at..].iter().filter_map(definition).filter(same).collect() })
}
