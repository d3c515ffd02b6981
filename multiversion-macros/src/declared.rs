//! The names that code declares.

use syn::visit_mut::VisitMut;
use syn::{
    Ident, Item, ItemConst, ItemEnum, ItemImpl, ItemStatic, ItemStruct, ItemType, ItemUnion, Pat, Stmt, UseTree,
};

use crate::walk::{Walk, Walker};

/// What the code of a body declares.
#[derive(Default)]
pub(crate) struct Declared {
    pub(crate) names: Vec<String>,
    pub(crate) impls: Vec<ItemImpl>,
}

impl Declared {
    pub(crate) fn by(statements: &mut [Stmt]) -> Declared {
        let mut declared = Declared::default();
        for statement in statements {
            Walker(&mut declared).visit_stmt_mut(statement);
        }
        declared
    }
}

impl Walk for Declared {
    fn pat(&mut self, pat: &mut Pat) -> bool {
        if let Pat::Ident(pat) = pat {
            self.names.push(pat.ident.to_string());
        }
        true
    }

    fn item(&mut self, item: &mut Item) -> bool {
        match item {
            Item::Fn(item) => self.names.push(item.sig.ident.to_string()),
            Item::Trait(item) => self.names.push(item.ident.to_string()),
            Item::Impl(item) => self.impls.push(item.clone()),
            item => self.names.append(&mut names(item)),
        }
        true
    }
}

/// The name of `item`, if it is no function, import or container.
pub(crate) fn ident(item: &Item) -> Option<&Ident> {
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
pub(crate) fn names(item: &Item) -> Vec<String> {
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
