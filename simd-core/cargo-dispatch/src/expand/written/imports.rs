//! Imports of the macros, which a written file has no use for.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::{ItemUse, UseTree};

/// The macros of simd-core.
pub(super) const MACROS: [&str; 5] = ["detected", "dispatch", "match_target", "target_list", "targets"];

/// What is left of an import from `krate`, and the macros that it imported: each name in the file, and its own.
pub(super) struct Pruned {
    pub(super) left: Option<ItemUse>,
    pub(super) macros: Vec<(String, String)>,
}

/// `item` without the macros of simd-core, if it imports any.
pub(super) fn pruned(item: &ItemUse, krate: &str) -> Option<Pruned> {
    let UseTree::Path(path) = &item.tree else { return None };
    if path.ident != krate {
        return None;
    }
    let mut macros = Vec::new();
    let left = tree(&path.tree, &mut macros);
    if macros.is_empty() {
        return None;
    }
    let left = left.map(|left| {
        let mut item = item.clone();
        if let UseTree::Path(path) = &mut item.tree {
            *path.tree = left;
        }
        item
    });
    Some(Pruned { left, macros })
}

fn tree(tree: &UseTree, macros: &mut Vec<(String, String)>) -> Option<UseTree> {
    let mut is_macro = |name: &syn::Ident, own: &syn::Ident| {
        let own = own.to_string();
        let found = MACROS.contains(&own.as_str());
        if found {
            macros.push((name.to_string(), own));
        }
        found
    };
    match tree {
        UseTree::Name(name) if is_macro(&name.ident, &name.ident) => None,
        UseTree::Rename(name) if MACROS.iter().any(|known| name.ident == known) => {
            let renamed = &name.rename;
            let renamed: syn::Ident = syn::parse2(quote!(#renamed)).ok()?;
            is_macro(&renamed, &name.ident);
            None
        }
        UseTree::Group(group) => {
            let items: Punctuated<UseTree, syn::Token![,]> =
                group.items.iter().filter_map(|one| self::tree(one, macros)).collect();
            (!items.is_empty()).then(|| UseTree::Group(syn::UseGroup { items, ..group.clone() }))
        }
        tree => Some(tree.clone()),
    }
}
