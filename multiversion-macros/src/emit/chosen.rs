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

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Attribute, Ident, Item, ItemConst, ItemEnum, ItemMod, ItemStatic, ItemStruct, ItemTrait, ItemType, ItemUnion,
    UseTree,
};

use crate::attrs::{self, asks_feature, predicate};
use crate::check;
use crate::features::Arch;
use crate::item::{Choice, Holder, Kind, Node};
use crate::plan::{Plan, PlannedClone, all, any};
use crate::tokens::mentions_feature;

pub(super) use copies::{Copies, Macro};
use predicates::value;

/// Gives the items of every module in `node` the `cfg` under which some clone has them, and passes the `cfg`s of an
/// impl or a module on to its functions.
pub(crate) fn settle(node: &mut Node) {
    let Node::Item(module) = node else { return };
    if !module.is_mod() || module.choice.plan().is_none() {
        return;
    }
    let used = used(module);
    let all_copied: Vec<bool> = (0..module.items.len()).map(|at| is_copied(&module.items, at, &used)).collect();
    let mut claims: Vec<Claim> = Vec::new();
    let mut errors = Vec::new();
    for (node, is_copied) in module.items.iter_mut().zip(all_copied) {
        if let Node::Item(item) = node
            && let Kind::Other { copied, .. } = &mut item.kind
        {
            *copied = is_copied;
        }
        let asked = asked(node);
        if let (false, false, Some(plan)) = (asked.is_empty(), is_copied, node.choice().plan()) {
            let mut exists = exists(&asked, plan);
            pass_on(node, &asked);
            for claim in Claim::of(node, &exists) {
                if let Some(first) = claims.iter().find(|first| first.key == claim.key) {
                    errors.push(claim.error(first));
                    let taken = &first.exists;
                    exists = quote!(all(#exists, not(#taken)));
                }
                claims.push(claim);
            }
            let attrs = node.attrs_mut();
            attrs.retain(|attr| !asks_feature(attr));
            attrs.push(syn::parse_quote!(#[cfg(#exists)]));
        }
        settle(node);
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
        let Node::Item(item) = node else { return Vec::new() };
        match &item.kind {
            Kind::Mod(ItemMod { ident, .. }) => {
                let header = format!("mod {ident}");
                claim(header.clone(), ident.span(), inside(&header))
            }
            Kind::Trait(ItemTrait { ident, .. }) => claim(
                format!("trait {ident}"),
                ident.span(),
                "write one trait, and put the `cfg`s on the functions of its impls".to_owned(),
            ),
            Kind::Impl(header) => {
                let (generics, ty) = (text(&header.generics), text(&header.self_ty));
                if let Some((path, _)) = &header.trait_ {
                    let name = format!("impl {} for {ty}", text(path));
                    return claim(format!("{name}{generics}"), header.impl_token.span, inside(&name));
                }
                let mut claims = Vec::new();
                for member in &item.items {
                    if let Node::Fn(member) = member {
                        let ident = &member.sig.ident;
                        let help = inside(&format!("impl {ty}"));
                        claims.extend(claim(format!("fn {ty}::{ident}"), ident.span(), help));
                    }
                }
                claims
            }
            Kind::MacroRules { .. } | Kind::Other { .. } => match parsed(item) {
                Some(Item::Const(_) | Item::Type(_) | Item::Use(_)) | None => Vec::new(),
                Some(item) => {
                    let help = "write one that serves all clones, or move them out of the annotated module, where `cfg` is evaluated for the build";
                    let named = |ident: &Ident| claim(ident.to_string(), ident.span(), help.to_owned());
                    ident(&item).map(named).unwrap_or_default()
                }
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
        Node::item(Vec::new(), Kind::Other { tokens, copied: false })
    }
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
}

/// The plans of `module` and of the functions in it, less those in modules of their own.
pub(super) fn used(module: &Holder) -> Vec<Rc<Plan>> {
    fn collect(choice: &Choice, nodes: &[Node], used: &mut Vec<Rc<Plan>>) {
        if let Some(plan) = choice.plan()
            && !used.iter().any(|known| Rc::ptr_eq(known, plan))
        {
            used.push(plan.clone());
        }
        for node in nodes {
            if !matches!(node, Node::Item(item) if item.is_mod()) {
                collect(node.choice(), node.items(), used);
            }
        }
    }
    let mut used = Vec::new();
    collect(&module.choice, &module.items, &mut used);
    used
}

/// The `cfg`s of `node` that test a CPU feature, if it is an item that may exist for some clones alone.
fn asked(node: &Node) -> Vec<Attribute> {
    let attrs: Vec<Attribute> = node.attrs().iter().filter(|attr| asks_feature(attr)).cloned().collect();
    let Node::Item(item) = node else { return Vec::new() };
    let decided = match &item.kind {
        Kind::Impl(_) | Kind::Mod(_) | Kind::Trait(_) => item.choice.plan().is_some(),
        // Parsing takes time, and most items have no such `cfg`.
        Kind::Other { .. } => !attrs.is_empty() && parsed(item).is_some(),
        Kind::MacroRules { .. } => false,
    };
    if decided { attrs } else { Vec::new() }
}

/// The item that `item` is, if it has a name, or is an import.
fn parsed(item: &Holder) -> Option<Item> {
    let Kind::Other { tokens, .. } = &item.kind else { return None };
    let item: Item = syn::parse2(tokens.clone()).ok()?;
    let named = matches!(item, Item::Use(_)) || ident(&item).is_some_and(|name| name != "_");
    named.then_some(item)
}

/// The name of `item`, if it is one that `cfg(target_feature)` may select and no function.
pub(super) fn ident(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(ItemConst { ident, .. })
        | Item::Enum(ItemEnum { ident, .. })
        | Item::Static(ItemStatic { ident, .. })
        | Item::Struct(ItemStruct { ident, .. })
        | Item::Type(ItemType { ident, .. })
        | Item::Union(ItemUnion { ident, .. }) => Some(ident),
        _ => None,
    }
}

/// The names that `item` declares.
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
    let mut names: Vec<String> = ident(item).map(Ident::to_string).into_iter().collect();
    if let Item::Use(item) = item {
        of_tree(&item.tree, &mut names);
    }
    names.retain(|name| name != "_");
    names
}

/// Whether clones get copies of `nodes[at]`. Only constants, aliases and imports can exist more than once.
fn is_copied(nodes: &[Node], at: usize, plans: &[Rc<Plan>]) -> bool {
    let Node::Item(item) = &nodes[at] else { return false };
    let Kind::Other { tokens, .. } = &item.kind else { return false };
    if !item.attrs.iter().any(asks_feature) && !mentions_feature(tokens) {
        return false;
    }
    match parsed(item) {
        Some(Item::Const(item)) if mentions_feature(&item.expr.to_token_stream()) => true,
        Some(item @ (Item::Const(_) | Item::Type(_) | Item::Use(_))) => stands_in(nodes, at, &names(&item), plans),
        _ => false,
    }
}

/// Whether one of `mine`, the names of `nodes[at]`, is also that of another item which some clone has, on an
/// architecture where some clone has this one.
fn stands_in(nodes: &[Node], at: usize, mine: &[String], plans: &[Rc<Plan>]) -> bool {
    let here = asked(&nodes[at]);
    nodes.iter().enumerate().filter(|(other, _)| *other != at).any(|(_, node)| {
        let Node::Item(item) = node else { return false };
        let there = asked(node);
        let named = || parsed(item).is_some_and(|item| names(&item).iter().any(|name| mine.contains(name)));
        !here.is_empty()
            && !there.is_empty()
            && named()
            && Arch::all().into_iter().any(|arch| may_exist(&here, arch, plans) && may_exist(&there, arch, plans))
    })
}

/// Whether a clone on `arch` may have an item under `asked`.
fn may_exist(asked: &[Attribute], arch: Arch, plans: &[Rc<Plan>]) -> bool {
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
            Node::Fn(function) if !check::stays(function) => function.attrs.extend(asked.iter().cloned()),
            node if node.choice().plan().is_some() => pass_on(node, asked),
            _ => {}
        }
    }
}
