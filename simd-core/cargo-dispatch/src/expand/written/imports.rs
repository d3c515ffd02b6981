//! Imports of the macros, which a written file has no use for.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, ItemMod, ItemUse, Stmt, UseTree};

pub(super) const MACROS: [&str; 5] = ["detected", "dispatch", "match_target", "target_list", "targets"];

/// What is left of an import from `krate`, and the macros that it imported: each name in the file, and its own.
pub(super) struct Pruned {
    pub(super) left: Option<ItemUse>,
    pub(super) macros: Vec<(String, String)>,
}

/// `item` without the macros of simd-core, if it imports any: from `krate`, or from a module of the user's those that are `known`.
pub(super) fn pruned(item: &ItemUse, krate: &str, known: &[(String, String)]) -> Option<Pruned> {
    let UseTree::Path(path) = &item.tree else { return None };
    let mut macros = Vec::new();
    let left = if path.ident == krate {
        tree(&path.tree, &mut macros)
    } else if ["crate", "self", "super"].iter().any(|start| path.ident == start) {
        let left = tree(&path.tree, &mut macros);
        if !macros.iter().all(|(_, own)| known.iter().any(|(name, _)| name == own)) {
            return None;
        }
        left
    } else {
        return None;
    };
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

/// Takes the macros out of the imports in an item.
pub(super) struct Prune<'a> {
    pub(super) krate: &'a str,
    pub(super) known: &'a [(String, String)],
}

impl Prune<'_> {
    fn keeps(&self, item: &mut Item) -> bool {
        let Item::Use(import) = item else { return true };
        let Some(pruned) = pruned(import, self.krate, self.known) else { return true };
        let keeps = pruned.left.is_some();
        if let Some(left) = pruned.left {
            *import = left;
        }
        keeps
    }
}

impl VisitMut for Prune<'_> {
    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain_mut(|item| self.keeps(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| if let Stmt::Item(item) = stmt { self.keeps(item) } else { true });
        visit_mut::visit_block_mut(self, block);
    }
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
