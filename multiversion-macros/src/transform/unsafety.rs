//! Functions inside a method that is `unsafe` only because our trait requires it.
//!
//! Such a method forbids `unsafe_op_in_unsafe_fn`, so that its safe body cannot perform unsafe operations. The lint
//! level also applies to the `unsafe fn`s in that body, where older editions allow them without blocks. So their bodies
//! get unsafe blocks.

use proc_macro2::Span;
use quote::{quote, quote_spanned};
use syn::visit_mut;
use syn::{Attribute, Block, Expr, Item, Safety, Signature, Stmt, parse_quote_spanned};

use crate::tokens::braces;
use crate::walk::{Walk, Walker};

/// Puts the body of each `unsafe fn` that it visits into an unsafe block.
pub(super) struct Permit;

/// Puts `block`, the body of a function with `sig`, into an unsafe block if the function is unsafe.
pub(super) fn permit(sig: &Signature, attrs: &mut Vec<Attribute>, block: &mut Block) {
    if !matches!(sig.safety, Safety::Unsafe(_)) {
        return;
    }
    let span = Span::mixed_site();
    attrs.insert(0, parse_quote_spanned!(span=> #![allow(unused_unsafe)]));
    let statements = core::mem::take(&mut block.stmts);
    let body = braces(quote!(#(#statements)*), block.brace_token.span.join().resolved_at(span));
    block.stmts.push(Stmt::Expr(Expr::Verbatim(quote_spanned!(span=> unsafe #body)), None));
}

impl Walk for Permit {
    fn item(&mut self, item: &mut Item) -> bool {
        visit_mut::visit_item_mut(&mut Walker(self), item);
        if let Item::Fn(item) = item {
            permit(&item.sig, &mut item.attrs, &mut item.block);
        }
        false
    }

    fn impl_fn(&mut self, item: &mut syn::ImplItemFn) -> bool {
        visit_mut::visit_impl_item_fn_mut(&mut Walker(self), item);
        permit(&item.sig, &mut item.attrs, &mut item.block);
        false
    }

    fn trait_fn(&mut self, item: &mut syn::TraitItemFn) -> bool {
        visit_mut::visit_trait_item_fn_mut(&mut Walker(self), item);
        if let Some(block) = &mut item.default {
            permit(&item.sig, &mut item.attrs, block);
        }
        false
    }
}

#[cfg(test)]
mod tests;
