//! Items of a module, other than functions, that `cfg(target_feature)` decides on.
//!
//! Such an item exists once, and where clones differ on it there are two ways. One that no other stands in for is there
//! as soon as one clone has it: an import, a type or a whole implementation for some features. Of several under one
//! name, and of constants that ask `cfg!`, each clone gets its own inside the bodies that name them.

mod clashes;
mod conflicts;
mod copies;
mod differs;
mod mentions;
mod predicate;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Item, UseTree};

use crate::attrs;
use crate::check;
use crate::features::Arch;
use crate::item::{Choice, Node};
use crate::plan::Plan;
use crate::transform::mentions_feature;

pub(crate) use conflicts::conflicts;
pub(super) use copies::{Copies, Macro};
pub(super) use mentions::is_of_std;

/// Gives the items of every module in `node` the `cfg` under which some clone has them, and passes what an impl's or a
/// module's `cfg` asks on to the functions in it.
pub(crate) fn settle(node: &mut Node, plan: usize, plans: &[Plan]) {
    let plan = match choice(node) {
        Choice::Inherit => plan,
        Choice::Own(own) => own,
        Choice::Skip => return,
    };
    let Node::Mod(module) = node else { return };
    let Some(content) = &mut module.content else { return };
    let used = used(&content.items, plan, plans);
    let copied: Vec<bool> = (0..content.items.len()).map(|at| is_copied(&content.items, at, &used)).collect();
    for (node, copied) in content.items.iter_mut().zip(copied) {
        let asked = asked(node);
        if !asked.is_empty() && !copied {
            pass_on(node, &asked);
            let exists = exists(&asked, choice(node), plan, plans);
            if let Some(attrs) = node.attrs_mut() {
                attrs.retain(|attr| !asks(attr));
                attrs.push(syn::parse_quote!(#[cfg(#exists)]));
            }
        }
        settle(node, plan, plans);
    }
}

/// What clones have copies of among `nodes`, the items of a module under `plans[plan]`; `outer` are the macros from
/// outside of it.
pub(super) fn copies(nodes: &[Node], plan: usize, plans: &[Plan], outer: &[Macro<'_>]) -> Copies {
    let own = nodes.iter().filter_map(|node| match node {
        Node::MacroRules { name, tokens } => Some((name, tokens)),
        _ => None,
    });
    let macros: Vec<Macro<'_>> = outer.iter().copied().chain(own).collect();
    let plans = used(nodes, plan, plans);
    Copies::new(nodes, |at| is_copied(nodes, at, &plans), &plans, &macros)
}

/// The plans that the functions among `nodes` are under.
fn used<'a>(nodes: &[Node], plan: usize, plans: &'a [Plan]) -> Vec<&'a Plan> {
    fn collect(nodes: &[Node], used: &mut Vec<usize>) {
        for node in nodes {
            match (node, choice(node)) {
                (Node::Mod(_), _) => {}
                (_, Choice::Own(own)) if !used.contains(&own) => used.push(own),
                _ => {}
            }
            match node {
                Node::Impl(item) => collect(&item.items, used),
                Node::Trait(item) => collect(&item.items, used),
                _ => {}
            }
        }
    }
    let mut used = vec![plan];
    collect(nodes, &mut used);
    used.into_iter().map(|plan| &plans[plan]).collect()
}

fn choice(node: &Node) -> Choice {
    match node {
        Node::Fn(item) => item.choice,
        Node::Impl(item) => item.choice,
        Node::Mod(item) => item.choice,
        Node::Trait(item) => item.choice,
        Node::MacroRules { .. } | Node::Other { .. } => Choice::Inherit,
    }
}

fn asks(attr: &Attribute) -> bool {
    attrs::cfg_asks_feature(core::slice::from_ref(attr))
}

/// The `cfg`s of `node` that ask for a CPU feature, where it is an item that may exist for some clones alone.
fn asked(node: &Node) -> Vec<Attribute> {
    let attrs = match node {
        Node::Impl(item) if item.choice != Choice::Skip => &item.attrs,
        Node::Mod(item) if item.choice != Choice::Skip => &item.attrs,
        Node::Trait(item) if item.choice != Choice::Skip => &item.attrs,
        // To parse is dear, and items that ask for nothing are many.
        Node::Other { attrs, .. } if attrs.iter().any(asks) && parsed(node).is_some() => attrs,
        _ => return Vec::new(),
    };
    attrs.iter().filter(|attr| asks(attr)).cloned().collect()
}

/// The item that `node` is, where it is of a kind that has a name, or is an import.
fn parsed(node: &Node) -> Option<Item> {
    let Node::Other { tokens, .. } = node else { return None };
    let item: Item = syn::parse2(tokens.clone()).ok()?;
    match &item {
        Item::Const(item) => (item.ident != "_").then_some(()),
        Item::Enum(_) | Item::Static(_) | Item::Struct(_) | Item::Type(_) | Item::Union(_) | Item::Use(_) => Some(()),
        _ => None,
    }?;
    Some(item)
}

fn names(item: &Item) -> Vec<String> {
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
        Item::Const(item) => names.push(item.ident.to_string()),
        Item::Enum(item) => names.push(item.ident.to_string()),
        Item::Static(item) => names.push(item.ident.to_string()),
        Item::Struct(item) => names.push(item.ident.to_string()),
        Item::Type(item) => names.push(item.ident.to_string()),
        Item::Union(item) => names.push(item.ident.to_string()),
        Item::Use(item) => of_tree(&item.tree, &mut names),
        _ => {}
    }
    names.retain(|name| name != "_");
    names
}

/// Whether clones get copies of `nodes[at]`; what is no constant, alias or import can exist only once.
fn is_copied(nodes: &[Node], at: usize, plans: &[&Plan]) -> bool {
    let Node::Other { attrs, tokens } = &nodes[at] else { return false };
    if !attrs.iter().any(asks) && !mentions_feature(tokens) {
        return false;
    }
    match parsed(&nodes[at]) {
        Some(Item::Const(item)) if mentions_feature(&item.expr.to_token_stream()) => true,
        Some(item) => stands_in(nodes, at, &names(&item), plans),
        None => false,
    }
}

/// Whether one of `mine`, the names of `nodes[at]`, belongs to another item too that some clone has on an architecture
/// where some clone has this one.
fn stands_in(nodes: &[Node], at: usize, mine: &[String], plans: &[&Plan]) -> bool {
    let here = asked(&nodes[at]);
    if here.is_empty() {
        return false;
    }
    nodes.iter().enumerate().any(|(other, node)| {
        let there = asked(node);
        if other == at || there.is_empty() {
            return false;
        }
        let named = parsed(node).is_some_and(|item| names(&item).iter().any(|name| mine.contains(name)));
        named && Arch::ALL.iter().any(|arch| may_exist(&here, *arch, plans) && may_exist(&there, *arch, plans))
    })
}

/// Whether a clone on `arch` may have what is under `asked`.
fn may_exist(asked: &[Attribute], arch: Arch, plans: &[&Plan]) -> bool {
    let clones = plans.iter().flat_map(|plan| plan.targets.iter().zip(&plan.clones));
    let features = clones.filter(|(target, _)| target.target.arches.contains(&arch));
    let features = features.map(|(_, clone)| &clone.features.names[..]).chain([&[][..]]);
    features.into_iter().any(|features| {
        asked
            .iter()
            .filter_map(|attr| attr.meta.require_list().ok())
            .all(|list| predicate::value(list.tokens.clone(), arch, features) != Some(false))
    })
}

/// `cfg` predicate: there is a clone under `choice`, or else `plan`, for which all of `asked` hold.
fn exists(asked: &[Attribute], choice: Choice, plan: usize, plans: &[Plan]) -> TokenStream {
    let plan = if let Choice::Own(own) = choice { own } else { plan };
    let clones = plans[plan].clones.iter().map(|clone| {
        let exists = &clone.exists;
        let predicates = asked
            .iter()
            .filter_map(|attr| attr.meta.require_list().ok())
            .map(|list| clone.features.rewrite_predicate(list.tokens.clone()));
        quote!(all(#exists, #(#predicates),*))
    });
    quote!(any(#(#clones),*))
}

/// Makes `asked` decide on the functions inside of `node`, of which a clone that it does not hold for has none.
fn pass_on(node: &mut Node, asked: &[Attribute]) {
    let nodes = match node {
        Node::Impl(item) => &mut item.items,
        Node::Trait(item) => &mut item.items,
        Node::Mod(item) => match &mut item.content {
            Some(content) => &mut content.items,
            None => return,
        },
        _ => return,
    };
    for node in nodes {
        if choice(node) == Choice::Skip {
            continue;
        }
        match node {
            Node::Fn(function) if !check::stays(function) => function.attrs.extend(asked.iter().cloned()),
            node => pass_on(node, asked),
        }
    }
}
