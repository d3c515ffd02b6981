//! Impls in a dispatched body.
//!
//! An impl holds for all code, wherever it is written, and may be what somebody's `unsafe` code takes for a proof of a feature. So one
//! whose type code outside of its block can name, or find by inference, would exist on every CPU.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Ident, Item, ItemImpl, Path, Stmt, Type, TypePath};

use crate::depth;
use crate::tokens::find;
use crate::walk::{Walk, Walker};

/// The first impl in `body` of which neither the type nor the trait is declared around it, with its type. In a body that `tests` features,
/// around is in the same block, and an argument of the type or the trait does not count.
pub(super) fn outer_impl(body: TokenStream, tests: bool) -> Option<(Span, String)> {
    if depth::exceeded(&body) {
        return None;
    }
    let stmts = Block::parse_within.parse2(body).ok()?;
    let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
    let mut impls = OuterImpls { tests, declared: Vec::new(), found: None };
    Walker(&mut impls).visit_block_mut(&mut block);
    impls.found
}

struct OuterImpls {
    tests: bool,
    /// The types and traits that the blocks around declare.
    declared: Vec<Ident>,
    found: Option<(Span, String)>,
}

impl Walk for OuterImpls {
    fn block(&mut self, block: &mut Block) -> bool {
        let items =
            || block.stmts.iter().filter_map(|stmt| if let Stmt::Item(item) = stmt { Some(item) } else { None });
        let around = if self.tests { core::mem::take(&mut self.declared) } else { self.declared.clone() };
        self.declared.extend(items().filter_map(declared).cloned());
        for item in items() {
            if let Item::Impl(item) = item
                && self.found.is_none()
                && !self.is_local(item)
            {
                let ty = item.self_ty.to_token_stream().to_string().replace(" < ", "<").replace(" >", ">");
                self.found = Some((item.impl_token.span, ty));
            }
        }
        for statement in &mut block.stmts {
            Walker(self).visit_stmt_mut(statement);
        }
        self.declared = around;
        false
    }
}

impl OuterImpls {
    fn is_local(&self, item: &ItemImpl) -> bool {
        let is_declared = |name: &Ident| self.declared.contains(name);
        let trait_ = item.trait_.as_ref().map(|(path, _)| path);
        if !self.tests {
            let mut named =
                |token: &TokenTree| matches!(token, TokenTree::Ident(name) if is_declared(name)).then_some(());
            let ty = &item.self_ty;
            return find(quote!(#ty #trait_), &mut named).is_some();
        }
        let ty = match &*item.self_ty {
            Type::Path(TypePath { qself: None, path, .. }) => Some(path),
            _ => None,
        };
        let is_own = |path: &Path| {
            path.leading_colon.is_none() && path.segments.len() == 1 && is_declared(&path.segments[0].ident)
        };
        ty.is_some_and(is_own) || trait_.is_some_and(is_own)
    }
}

/// The name of the type or trait that `item` declares.
fn declared(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(syn::ItemStruct { ident, .. })
        | Item::Enum(syn::ItemEnum { ident, .. })
        | Item::Union(syn::ItemUnion { ident, .. })
        | Item::Trait(syn::ItemTrait { ident, .. }) => Some(ident),
        _ => None,
    }
}
