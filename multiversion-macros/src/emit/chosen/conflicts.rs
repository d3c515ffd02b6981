//! Where clones cannot each have a definition of their own, and would silently share that of the build.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

use super::{asked, choice, names, parsed, stands_in};
use crate::check;
use crate::error::Errors;
use crate::item::{Choice, Node};
use crate::plan::Plan;

/// Reports types and statics in `node` of which clones want different definitions, and signatures that name what
/// differs between clones. A layout that is not the clone's is undefined behaviour where the code relies on it.
pub(crate) fn conflicts(node: &Node, plan: usize, plans: &[Plan], errors: &mut Errors) {
    let plan = match choice(node) {
        Choice::Inherit => plan,
        Choice::Own(own) => own,
        Choice::Skip => return,
    };
    let Node::Mod(module) = node else { return };
    let Some(content) = &module.content else { return };
    let nodes = &content.items;
    let (mut reported, mut differing): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (at, node) in nodes.iter().enumerate() {
        if !matches!(node, Node::Other { .. }) || asked(node).is_empty() {
            continue;
        }
        let Some(item) = parsed(node) else { continue };
        let mine = names(&item);
        if reported.iter().chain(&differing).any(|name| mine.contains(name))
            || !stands_in(nodes, at, &mine, &plans[plan])
        {
            continue;
        }
        match &item {
            Item::Const(_) | Item::Type(_) => differing.extend(mine),
            Item::Enum(syn::ItemEnum { ident, .. })
            | Item::Static(syn::ItemStatic { ident, .. })
            | Item::Struct(syn::ItemStruct { ident, .. })
            | Item::Union(syn::ItemUnion { ident, .. }) => {
                errors.push_help(
                    ident.span(),
                    format_args!(
                        "`cfg(target_feature)` chooses between definitions of `{ident}`, but all clones share one"
                    ),
                    "write one that serves all clones, or move them out of the annotated module, where the build chooses",
                );
                reported.extend(mine);
            }
            _ => {}
        }
    }
    if !differing.is_empty() {
        signatures(nodes, &differing, errors);
    }
    for node in nodes {
        conflicts(node, plan, plans, errors);
    }
}

/// Reports the first of `differing` in each signature of a function that has clones.
fn signatures(nodes: &[Node], differing: &[String], errors: &mut Errors) {
    for node in nodes.iter().filter(|node| choice(node) != Choice::Skip) {
        match node {
            Node::Fn(function) if !check::stays(function) => {
                if let Some(name) = first(function.sig.to_token_stream(), differing) {
                    errors.push_help(
                        name.span(),
                        format_args!("`{name}` differs between clones, which share the signature"),
                        format_args!("use `{name}` in bodies, and a type that is the same everywhere here"),
                    );
                }
            }
            Node::Impl(item) => signatures(&item.items, differing, errors),
            Node::Trait(item) => signatures(&item.items, differing, errors),
            _ => {}
        }
    }
}

fn first(tokens: TokenStream, names: &[String]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name).then_some(ident),
        TokenTree::Group(group) => first(group.stream(), names),
        _ => None,
    })
}
