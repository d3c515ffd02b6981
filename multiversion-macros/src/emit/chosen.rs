//! Items of a module, other than functions, that `cfg(target_feature)` selects.
//!
//! Such an item exists once, so items on which clones differ are handled in two ways. An item without alternatives (an
//! import, a type, a whole implementation for some features) exists if at least one clone has it. Of several constants,
//! aliases or imports with one name, and of constants that use `cfg!`, each clone gets its own copy inside the bodies
//! that name them. Two items of any other kind would exist together, which is an error if the build has clones for
//! both.

mod copies;
mod differs;
mod predicates;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Item, UseTree};

use crate::attrs::{self, asks_feature, predicate};
use crate::check;
use crate::features::Arch;
use crate::item::{Choice, Node};
use crate::plan::{Plan, PlannedClone, all, any};
use crate::tokens::mentions_feature;

pub(super) use copies::{Copies, Macro};
use predicates::value;

/// Gives the items of every module in `node` the `cfg` under which some clone has them, and passes the `cfg`s of an
/// impl or a module on to its functions.
pub(crate) fn settle(node: &mut Node, plan: usize, plans: &[Plan]) {
    let Some(plan) = node.choice().plan(plan) else { return };
    let Node::Mod(module) = node else { return };
    let used = used(&module.items, plan, plans);
    let all_copied: Vec<bool> = (0..module.items.len()).map(|at| is_copied(&module.items, at, &used)).collect();
    let mut claims: Vec<Claim> = Vec::new();
    let mut errors = Vec::new();
    for (node, is_copied) in module.items.iter_mut().zip(all_copied) {
        if let Node::Other { copied, .. } = node {
            *copied = is_copied;
        }
        let asked = asked(node);
        if let (false, false, Some(plan)) = (asked.is_empty(), is_copied, node.choice().plan(plan)) {
            pass_on(node, &asked);
            let mut exists = exists(&asked, &plans[plan]);
            for claim in Claim::of(node, &exists) {
                if let Some(first) = claims.iter().find(|first| first.key == claim.key) {
                    errors.push(claim.error(first));
                    let taken = &first.exists;
                    exists = quote!(all(#exists, not(#taken)));
                }
                claims.push(claim);
            }
            if let Some(attrs) = node.attrs_mut() {
                attrs.retain(|attr| !asks_feature(attr));
                attrs.push(syn::parse_quote!(#[cfg(#exists)]));
            }
        }
        settle(node, plan, plans);
    }
    module.items.append(&mut errors);
}

/// A name or an implementation that can exist once.
struct Claim {
    key: String,
    span: Span,
    /// The help for two of them.
    help: String,
    /// `cfg` predicate: some clone has it.
    exists: TokenStream,
}

impl Claim {
    /// The names and implementations of `node`, which exists under `exists`.
    fn of(node: &Node, exists: &TokenStream) -> Vec<Claim> {
        let claim = |key: String, span, help| vec![Claim { key, span, help, exists: exists.clone() }];
        let inside = |header: &str| format!("put the `cfg`s on the functions, inside one `{header}`");
        match node {
            Node::Mod(item) => {
                let header = format!("mod {}", item.header.ident);
                claim(header.clone(), item.header.ident.span(), inside(&header))
            }
            Node::Trait(item) => claim(
                format!("trait {}", item.header.ident),
                item.header.ident.span(),
                "write one trait, and put the `cfg`s on the functions of its impls".to_owned(),
            ),
            Node::Impl(item) => {
                let header = &item.header;
                let (generics, ty) = (text(&header.generics), text(&header.self_ty));
                match &header.trait_ {
                    Some((path, _)) => {
                        let name = format!("impl {} for {ty}", text(path));
                        claim(format!("{name}{generics}"), header.impl_token.span, inside(&name))
                    }
                    None => {
                        let members = item.items.iter().filter_map(|member| match member {
                            Node::Fn(member) => Some(&member.sig.ident),
                            _ => None,
                        });
                        let help = inside(&format!("impl {ty}"));
                        members.flat_map(|name| claim(format!("fn {ty}::{name}"), name.span(), help.clone())).collect()
                    }
                }
            }
            _ => match parsed(node) {
                Some(
                    Item::Enum(syn::ItemEnum { ident, .. })
                    | Item::Static(syn::ItemStatic { ident, .. })
                    | Item::Struct(syn::ItemStruct { ident, .. })
                    | Item::Union(syn::ItemUnion { ident, .. }),
                ) => {
                    let help = "write one that serves all clones, or move them out of the annotated module, where `cfg` is evaluated for the build";
                    claim(ident.to_string(), ident.span(), help.to_owned())
                }
                _ => Vec::new(),
            },
        }
    }

    /// The error if the build has both.
    fn error(&self, first: &Claim) -> Node {
        let (one, other) = (&first.exists, &self.exists);
        let message = format!(
            "`cfg(target_feature)` selects between two definitions of `{}`, but all clones share one\nhelp: {}",
            self.key, self.help
        );
        let tokens = quote_spanned!(self.span=> #[cfg(all(#one, #other))] ::core::compile_error! { #message });
        Node::Other { attrs: Vec::new(), tokens, copied: false }
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
}

/// The plans of the functions among `nodes`.
pub(super) fn used<'a>(nodes: &[Node], plan: usize, plans: &'a [Plan]) -> Vec<&'a Plan> {
    fn collect(nodes: &[Node], used: &mut Vec<usize>) {
        for node in nodes.iter().filter(|node| !matches!(node, Node::Mod(_))) {
            match node.choice() {
                Choice::Own(own) if !used.contains(&own) => used.push(own),
                _ => {}
            }
            collect(node.items(), used);
        }
    }
    let mut used = vec![plan];
    collect(nodes, &mut used);
    used.into_iter().map(|plan| &plans[plan]).collect()
}

/// The `cfg`s of `node` that test a CPU feature, if it is an item that may exist for some clones alone.
fn asked(node: &Node) -> Vec<Attribute> {
    let attrs: Vec<Attribute> = node.attrs().iter().filter(|attr| asks_feature(attr)).cloned().collect();
    let decided = match node {
        Node::Impl(_) | Node::Mod(_) | Node::Trait(_) => node.choice() != Choice::Skip,
        // Parsing takes time, and most items have no such `cfg`.
        Node::Other { .. } => !attrs.is_empty() && parsed(node).is_some(),
        Node::Fn(_) | Node::MacroRules { .. } => false,
    };
    if decided { attrs } else { Vec::new() }
}

/// The item that `node` is, if it is of a kind that has a name, or is an import.
fn parsed(node: &Node) -> Option<Item> {
    let Node::Other { tokens, .. } = node else { return None };
    let item: Item = syn::parse2(tokens.clone()).ok()?;
    let named = match &item {
        Item::Const(item) => item.ident != "_",
        Item::Enum(_) | Item::Static(_) | Item::Struct(_) | Item::Type(_) | Item::Union(_) | Item::Use(_) => true,
        _ => false,
    };
    named.then_some(item)
}

pub(super) fn names(item: &Item) -> Vec<String> {
    fn of_tree(tree: &UseTree, names: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => of_tree(&path.tree, names),
            UseTree::Name(name) => names.push(name.ident.to_string()),
            UseTree::Rename(rename) => names.push(rename.rename.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| of_tree(tree, names)),
            UseTree::Glob(_) => {}
        }
    }
    let mut names = Vec::new();
    match item {
        Item::Use(item) => of_tree(&item.tree, &mut names),
        Item::Const(syn::ItemConst { ident, .. })
        | Item::Enum(syn::ItemEnum { ident, .. })
        | Item::Static(syn::ItemStatic { ident, .. })
        | Item::Struct(syn::ItemStruct { ident, .. })
        | Item::Type(syn::ItemType { ident, .. })
        | Item::Union(syn::ItemUnion { ident, .. }) => names.push(ident.to_string()),
        _ => {}
    }
    names.retain(|name| name != "_");
    names
}

/// Whether clones get copies of `nodes[at]`. Only constants, aliases and imports can exist more than once.
fn is_copied(nodes: &[Node], at: usize, plans: &[&Plan]) -> bool {
    let Node::Other { attrs, tokens, .. } = &nodes[at] else { return false };
    if !attrs.iter().any(asks_feature) && !mentions_feature(tokens) {
        return false;
    }
    match parsed(&nodes[at]) {
        Some(Item::Const(item)) if mentions_feature(&item.expr.to_token_stream()) => true,
        Some(item @ (Item::Const(_) | Item::Type(_) | Item::Use(_))) => stands_in(nodes, at, &names(&item), plans),
        _ => false,
    }
}

/// Whether one of `mine`, the names of `nodes[at]`, is also that of another item which some clone has, on an
/// architecture where some clone has this one.
fn stands_in(nodes: &[Node], at: usize, mine: &[String], plans: &[&Plan]) -> bool {
    let here = asked(&nodes[at]);
    nodes.iter().enumerate().filter(|(other, _)| *other != at).any(|(_, node)| {
        let there = asked(node);
        let named = || parsed(node).is_some_and(|item| names(&item).iter().any(|name| mine.contains(name)));
        !here.is_empty()
            && !there.is_empty()
            && named()
            && Arch::all().into_iter().any(|arch| may_exist(&here, arch, plans) && may_exist(&there, arch, plans))
    })
}

/// Whether a clone on `arch` may have an item under `asked`.
fn may_exist(asked: &[Attribute], arch: Arch, plans: &[&Plan]) -> bool {
    let may =
        |features: &[&str]| asked.iter().filter_map(predicate).all(|asked| value(asked, arch, features) != Some(false));
    let on_arch =
        |plan: &Plan, at: usize| plan.targets[at].target.arches.contains(&arch) && may(&plan.clones[at].features.names);
    may(&[]) || plans.iter().any(|plan| (0..plan.targets.len()).any(|at| on_arch(plan, at)))
}

/// `cfg` predicate: there is a clone for which all of `asked` are true.
fn exists(asked: &[Attribute], plan: &Plan) -> TokenStream {
    let exists = |clone: &PlannedClone| all(vec![clone.exists.clone(), attrs::asked(asked, clone)]);
    any(plan.clones.iter().map(exists).collect())
}

/// Applies `asked` to the functions inside `node`: a clone for which it is false has none of them.
fn pass_on(node: &mut Node, asked: &[Attribute]) {
    for node in node.items_mut() {
        match node {
            node if node.choice() == Choice::Skip => {}
            Node::Fn(function) if !check::stays(function) => function.attrs.extend(asked.iter().cloned()),
            node => pass_on(node, asked),
        }
    }
}
