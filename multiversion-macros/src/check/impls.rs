//! Impls in a dispatched body.
//!
//! An impl holds for all code, wherever it is written, and may be what somebody's `unsafe` code takes for a proof of a feature. So one
//! whose type code outside of its block can name, or find by inference, would exist on every CPU.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Ident, Item, ItemImpl, Macro, Path, Stmt, Type, TypePath};

use super::checker::Checker;
use crate::cfg::starts_local_item;
use crate::item::Body;
use crate::tokens::{any, called_macros, find, find_word, is_word, reached};
use crate::walk::{Walk, Walker};
use crate::{depth, sig};

const UNREAD: &str = "the attribute cannot read the code around it";

impl Checker<'_> {
    /// The first impl in `body` of which neither the type nor the trait is declared around it, and the reason. In an annotated item that
    /// tests features, around is in the same block, an argument of the type or the trait does not count, and nothing may hide an impl:
    /// not a macro, nor code that is too deep to be read.
    pub(super) fn outer_impl(&self, body: &Body) -> Option<(Span, String)> {
        let tests = self.may_test_features();
        if tests && let Some((span, name)) = self.macro_with_impl(body.stream()) {
            return Some((span, format!("`{name}!` may emit it for any type")));
        }
        if !body.words.have("impl") {
            return None;
        }
        let readable = Some(body.stream()).filter(|code| !depth::exceeded(code));
        let Some(stmts) = readable.and_then(|code| Block::parse_within.parse2(code).ok()) else {
            let hidden = impl_in(body.stream()).filter(|_| tests);
            return hidden.map(|span| (span, UNREAD.to_owned()));
        };
        let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
        let mut impls = OuterImpls { tests, declared: Vec::new(), found: None };
        Walker(&mut impls).visit_block_mut(&mut block);
        impls.found
    }

    /// The first macro of the annotated item that `code` calls and that emits an impl, itself or through another.
    fn macro_with_impl(&self, code: TokenStream) -> Option<(Span, String)> {
        let texts = |name: &str| -> Vec<TokenStream> {
            self.macros.iter().filter(|(known, _)| known == name).map(|(_, text)| text.clone()).collect()
        };
        let has_impl = |name: &String| texts(name).into_iter().any(|text| impl_in(text).is_some());
        let emits = |name: &String| reached(vec![name.clone()], &texts).iter().any(has_impl);
        let name = called_macros(code.clone()).into_iter().find(emits)?;
        Some((find_word(code, &name)?, name))
    }
}

/// The first word in `tokens` that may begin an impl.
pub(crate) fn impl_in(tokens: TokenStream) -> Option<Span> {
    find(tokens, &mut |tokens, at| {
        (is_word(tokens.get(at), "impl") && starts_local_item(tokens, at)).then(|| tokens[at].span())
    })
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
                self.found = Some((item.impl_token.span, format!("`{ty}` is not declared in its block")));
            }
        }
        for statement in &mut block.stmts {
            Walker(self).visit_stmt_mut(statement);
        }
        self.declared = around;
        false
    }

    fn macro_call(&mut self, called: &mut Macro) -> bool {
        if self.tests && self.found.is_none() {
            self.found = impl_in(called.tokens.clone()).map(|span| (span, UNREAD.to_owned()));
        }
        true
    }
}

impl OuterImpls {
    fn is_local(&self, item: &ItemImpl) -> bool {
        // A parameter of the impl hides a type.
        let is_declared = |name: &Ident| self.declared.contains(name) && !sig::declares(&item.generics, name);
        let trait_ = item.trait_.as_ref().map(|(path, _)| path);
        if !self.tests {
            let is_named = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if is_declared(name));
            let ty = &item.self_ty;
            return any(quote!(#ty #trait_), &mut |tokens, at| is_named(&tokens[at]));
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
