//! Impls in a dispatched body.
//!
//! An impl holds for all code, wherever it is written, and may be what somebody's `unsafe` code takes for a proof of a feature. So one
//! whose type code outside of its block can name, or find by inference, would exist on every CPU.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Ident, Item, ItemImpl, Stmt, Type};

use crate::transform::too_deep;
use crate::walk::{Walk, Walker};

/// The first impl in `body` whose self type no item of its own block declares, with that type.
pub(super) fn outer_impl(body: TokenStream) -> Option<(Span, String)> {
    if too_deep(&body) {
        return None;
    }
    let stmts = Block::parse_within.parse2(body).ok()?;
    let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
    let mut impls = OuterImpls(None);
    Walker(&mut impls).visit_block_mut(&mut block);
    impls.0
}

struct OuterImpls(Option<(Span, String)>);

impl Walk for OuterImpls {
    fn block(&mut self, block: &mut Block) -> bool {
        let items =
            || block.stmts.iter().filter_map(|stmt| if let Stmt::Item(item) = stmt { Some(item) } else { None });
        let declared: Vec<&Ident> = items().filter_map(declared).collect();
        for item in items() {
            if let Item::Impl(item) = item
                && self.0.is_none()
                && !is_of(item, &declared)
            {
                let ty = item.self_ty.to_token_stream().to_string().replace(" < ", "<").replace(" >", ">");
                self.0 = Some((item.impl_token.span, ty));
            }
        }
        true
    }
}

/// Whether the self type of `item` is one of `types`.
fn is_of(item: &ItemImpl, types: &[&Ident]) -> bool {
    let Type::Path(path) = &*item.self_ty else { return false };
    path.qself.is_none()
        && path.path.leading_colon.is_none()
        && path.path.segments.len() == 1
        && types.contains(&&path.path.segments[0].ident)
}

/// The name of the type that `item` declares.
fn declared(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(syn::ItemStruct { ident, .. })
        | Item::Enum(syn::ItemEnum { ident, .. })
        | Item::Union(syn::ItemUnion { ident, .. }) => Some(ident),
        _ => None,
    }
}
