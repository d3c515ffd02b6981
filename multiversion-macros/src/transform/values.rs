//! `cfg!` as a value.
//!
//! At run time, a `cfg!` chooses among code that rustc compiles and checks for each clone. In a type, a constant, the
//! arguments of a macro or an attribute it may choose the code itself.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, Expr, GenericArgument, Item, Pat, Path, Type};

use super::too_deep;
use crate::match_target::asking;
use crate::tokens::{is_punct, is_word};
use crate::walk::{Walk, Walker};

/// The place where a test of a feature may decide which code a function with this `body` has: where it is other than in a call
/// of `standard`, the path of the standard library's `cfg!`, that is a value at run time.
pub(crate) fn decides_code(body: TokenStream, standard: &TokenStream) -> Option<Span> {
    let mut rest = body;
    if !too_deep(&rest)
        && let Ok(stmts) = Block::parse_within.parse2(rest.clone())
    {
        let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
        Walker(&mut Values { standard: standard.to_string() }).visit_block_mut(&mut block);
        rest = block.to_token_stream();
    }
    tests_feature(&rest).then(|| asking(&rest)).flatten()
}

/// Whether `target_feature =` occurs in `tokens`.
fn tests_feature(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => tests_feature(&group.stream()),
        token => is_word(Some(token), "target_feature") && is_punct(tokens.get(at + 1), '='),
    })
}

/// Takes away each `cfg!` that is a value.
struct Values {
    standard: String,
}

impl Values {
    fn is_standard(&self, path: &Path) -> bool {
        path.to_token_stream().to_string() == self.standard
    }
}

impl Walk for Values {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Macro(call) if call.attrs.is_empty() && self.is_standard(&call.mac.path) => {
                *expr = Expr::Verbatim(TokenStream::new());
            }
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
