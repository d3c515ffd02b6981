//! Items, and the modules, impls and traits around them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Visibility};

use super::chosen::{self, Copies, Macro};
use super::lacking::{Lacking, Missing};
use super::{Unit, dispatcher, traits};
use crate::attrs;
use crate::check::{self, definition};
use crate::item::{Choice, Function, Node};
use crate::plan::Plan;
use crate::sig::Names;
use crate::tokens::{called, mentions_feature};
use crate::transform::{Features, leaves_code_out};

/// The context of a function's code that depends on the clone: macros, constants and functions around it.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    /// The `macro_rules!` whose meaning depends on the clone that uses them.
    ///
    /// `cfg(target_feature)` in such a macro is evaluated where the macro is defined, outside of all clones. A clone that
    /// uses the macro gets a copy of its own.
    deciding: Vec<Macro<'a>>,
    /// All macros of the module.
    macros: Vec<Macro<'a>>,
    /// The items of the current module that clones have copies of.
    copies: Copies,
    /// The functions of the current module and impl that some clone has no definition of.
    pub(super) lacking: Lacking<'a>,
    /// The generics of the current impl or trait.
    generics: Option<&'a Generics>,
}

impl<'a> Scope<'a> {
    fn define(&mut self, name: &'a Ident, tokens: &'a TokenStream) {
        self.macros.push((name, tokens));
        if mentions_feature(tokens) || !self.deciding(tokens).is_empty() {
            self.deciding.retain(|(other, _)| *other != name);
            self.deciding.push((name, tokens));
        }
    }

    /// The macros and items that the `body` of `function` uses, for a clone with `features`.
    pub(super) fn copied(&self, function: &Function, body: &TokenStream, features: &Features) -> TokenStream {
        let shadowed = |name: &str| {
            names_parameter(&function.sig.generics, name)
                || self.generics.is_some_and(|generics| names_parameter(generics, name))
        };
        let items = self.copies.of(body, features, &self.macros, &shadowed);
        let Some(target) = &features.target else { return items };
        // If the build enables the target, the module's own macro has the same meaning.
        let decides = &target.decides;
        let mut copied = TokenStream::new();
        for tokens in self.deciding(body) {
            let tokens = features.rewrite_all(tokens.clone());
            copied.extend([quote_spanned!(Span::mixed_site()=> #decides #tokens)]);
        }
        copied.extend(items);
        copied
    }

    /// Whether `function` needs no clones: it is inlined into the clones of its callers, where its own calls fold, and
    /// it tests no features. rustc refuses `inline(always)` on a clone, and a plain `inline` leaves more calls.
    pub(crate) fn inlined_as_it_is(&self, function: &Function) -> bool {
        let Some(body) = &function.body else { return false };
        matches!(function.vis, Visibility::Inherited)
            && attrs::inlines_always(&function.attrs).is_some()
            && !mentions_feature(&function.to_token_stream())
            && self.deciding(&body.stream()).is_empty()
            && !self.copies.any_in(&body.stream(), &self.macros)
    }

    /// Whether `function`, in a module or an inherent impl, is left as it is.
    fn stays(&self, function: &Function) -> bool {
        check::stays(function) || (function.choice == Choice::Inherit && self.inlined_as_it_is(function))
    }

    /// Whether clones may compile different parts of `function`, itself or through a macro.
    pub(super) fn leave_code_out(&self, function: &Function) -> bool {
        function.body.as_ref().is_some_and(|body| {
            (body.words.have("target_feature") && leaves_code_out(&body.stream()))
                || self.deciding(&body.stream()).into_iter().any(leaves_code_out)
        })
    }

    /// The macros that `body` uses and that depend on the clone, in the order of their definitions.
    fn deciding(&self, body: &TokenStream) -> Vec<&'a TokenStream> {
        let mut calls = Vec::new();
        if !self.deciding.is_empty() {
            called(body.clone(), &mut calls);
        }
        let mut used = Vec::new();
        // A macro may use those that were defined before it.
        for &(name, tokens) in self.deciding.iter().rev() {
            if calls.contains(&name.to_string()) {
                called(tokens.clone(), &mut calls);
                used.push(tokens);
            }
        }
        used.reverse();
        used
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

/// The code for `node` under `plans[plan]`.
pub(crate) fn node<'a>(node: &'a Node, plan: usize, plans: &'a [Plan], scope: &mut Scope<'a>) -> TokenStream {
    let Some(plan) = node.choice().plan(plan) else { return node.to_token_stream() };
    match node {
        Node::Fn(item) if !scope.stays(item) => dispatcher::free(&Unit::single(item), &plans[plan], scope),
        Node::Impl(item) => {
            let (docs, generics) = (&plans[plan].docs, &item.header.generics);
            let item = match traits::Header::of_impl(&item.header) {
                Some(header) => implemented(node, generics, &header, plan, plans, scope),
                None => {
                    let names = Names::new(node.to_token_stream());
                    members(node, generics, plan, plans, scope, &|unit, plan, scope| {
                        (!scope.stays(unit.main())).then(|| dispatcher::inherent(unit, plan, scope, &names))
                    })
                }
            };
            quote!(#docs #item)
        }
        Node::Trait(item) => {
            let header = traits::Header::of_trait(&item.header);
            implemented(node, &item.header.generics, &header, plan, plans, scope)
        }
        Node::Mod(item) if item.header.content.is_some() => {
            let visible = (scope.deciding.len(), scope.macros.len());
            let items = items(&item.items, plan, plans, scope);
            if !attrs::has(&item.header.attrs, "macro_use") {
                scope.deciding.truncate(visible.0);
                scope.macros.truncate(visible.1);
            }
            node.with_items(items)
        }
        Node::MacroRules { name, tokens } => {
            scope.define(name, tokens);
            tokens.clone()
        }
        node => node.to_token_stream(),
    }
}

/// The items of a module.
fn items<'a>(nodes: &'a [Node], plan: usize, plans: &'a [Plan], scope: &mut Scope<'a>) -> TokenStream {
    let mut tokens = TokenStream::new();
    let copies =
        Copies::new(nodes, &chosen::used(nodes, plan, plans), &macros_with(nodes, &scope.macros), &plans[plan].private);
    let outer = core::mem::replace(&mut scope.copies, copies);
    let outer_lacking = core::mem::take(&mut scope.lacking);
    scope.lacking.functions = missing(nodes, plan, plans);
    for (at, item) in nodes.iter().enumerate() {
        if let Some(item) = scope.copies.in_module(at, item) {
            tokens.extend(item);
            continue;
        }
        match variants(nodes, at) {
            Variants::None => tokens.extend([node(item, plan, plans, scope)]),
            Variants::First(unit) => {
                let plan = unit.main().choice.plan(plan).unwrap_or(plan);
                tokens.extend([dispatcher::free(&unit, &plans[plan], scope)]);
            }
            Variants::Later => {}
        }
    }
    tokens.extend(scope.copies.aside(nodes));
    scope.copies = outer;
    scope.lacking = outer_lacking;
    tokens
}

/// `macros`, and those that are defined among `nodes`.
fn macros_with<'a>(nodes: &'a [Node], macros: &[Macro<'a>]) -> Vec<Macro<'a>> {
    let mut macros = macros.to_vec();
    for node in nodes {
        if let Node::MacroRules { name, tokens } = node {
            macros.push((name, tokens));
        }
    }
    macros
}

/// An impl of a trait, or a trait.
fn implemented<'a>(
    node: &'a Node,
    generics: &'a Generics,
    header: &traits::Header,
    plan: usize,
    plans: &'a [Plan],
    scope: &mut Scope<'a>,
) -> TokenStream {
    let names = Names::new(node.to_token_stream());
    members(node, generics, plan, plans, scope, &|unit, plan, scope| {
        (!check::stays(unit.main())).then(|| traits::emit(unit, header, plan, scope, &names))
    })
}

/// `node`, an impl or a trait, with the results of `emit` in place of its functions.
fn members<'a>(
    node: &'a Node,
    generics: &'a Generics,
    plan: usize,
    plans: &'a [Plan],
    scope: &mut Scope<'a>,
    emit: &dyn Fn(&Unit<'_>, &Plan, &Scope<'_>) -> Option<TokenStream>,
) -> TokenStream {
    let mut tokens = TokenStream::new();
    let nodes = node.items();
    scope.generics = Some(generics);
    scope.lacking.members = missing(nodes, plan, plans);
    for (at, node) in nodes.iter().enumerate() {
        let unit = match (node, variants(nodes, at)) {
            (_, Variants::First(unit)) => Some(unit),
            (_, Variants::Later) => continue,
            (Node::Fn(item), Variants::None) => Some(Unit::single(item)),
            _ => None,
        };
        let emitted = unit.and_then(|unit| {
            let plan = unit.main().choice.plan(plan).unwrap_or(plan);
            emit(&unit, &plans[plan], scope)
        });
        tokens.extend(emitted.unwrap_or_else(|| node.to_token_stream()));
    }
    scope.generics = None;
    scope.lacking.members.clear();
    node.with_items(tokens)
}

/// Whether a function is one of several definitions from which `cfg(target_feature)` selects one.
enum Variants<'a> {
    None,
    /// The first of them, which represents all.
    First(Unit<'a>),
    Later,
}

/// The functions of several definitions among `nodes`.
fn missing<'a>(nodes: &'a [Node], plan: usize, plans: &'a [Plan]) -> Vec<Missing<'a>> {
    let mut all = Vec::new();
    for at in 0..nodes.len() {
        if let Variants::First(unit) = variants(nodes, at) {
            let plan = unit.main().choice.plan(plan).unwrap_or(plan);
            all.push(Missing::new(&unit, &plans[plan]));
        }
    }
    all
}

fn variants(nodes: &[Node], at: usize) -> Variants<'_> {
    let Some(this) = definition(&nodes[at]) else { return Variants::None };
    let same = |other: &&Function| other.sig.ident == this.sig.ident;
    if nodes[..at].iter().filter_map(definition).any(|other| same(&other)) {
        return Variants::Later;
    }
    let definitions = nodes[at..].iter().filter_map(definition).filter(same).collect();
    Variants::First(Unit { definitions, selected: true })
}
