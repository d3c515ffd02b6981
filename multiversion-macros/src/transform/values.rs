//! `cfg!` as a value.
//!
//! At run time, a `cfg!` chooses among code that rustc compiles and checks for each clone. In a type, a constant or the
//! arguments of a macro it may choose the code itself.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, GenericArgument, Item, Pat, Type};

use super::too_deep;
use crate::match_target::asking;
use crate::tokens::mentions_feature;
use crate::walk::{Walk, Walker};

/// The place where `target_feature` may decide which code a function with this `body` has: where it occurs other than in a
/// `cfg!(…)` that is a value at run time.
pub(crate) fn decides_code(body: TokenStream) -> Option<Span> {
    let mut rest = body;
    if !too_deep(&rest)
        && let Ok(stmts) = Block::parse_within.parse2(rest.clone())
    {
        let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
        Walker(&mut Values).visit_block_mut(&mut block);
        rest = block.to_token_stream();
    }
    mentions_feature(&rest).then(|| asking(&rest)).flatten()
}

/// Takes away each `cfg!` that is a value.
struct Values;

impl Walk for Values {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Macro(call) if call.mac.path.is_ident("cfg") => *expr = Expr::Verbatim(TokenStream::new()),
            Expr::Const(_) => {}
            Expr::Repeat(repeat) => Walker(self).visit_expr_mut(&mut repeat.expr),
            _ => return true,
        }
        false
    }

    fn attribute(&mut self, _: &mut Attribute) -> bool {
        false
    }

    fn generic_argument(&mut self, _: &mut GenericArgument) -> bool {
        false
    }

    fn item(&mut self, _: &mut Item) -> bool {
        false
    }

    fn pat(&mut self, _: &mut Pat) -> bool {
        false
    }

    fn ty(&mut self, _: &mut Type) -> bool {
        false
    }
}
