//! Leaves: code that calls nothing with clones. The list of names affects only speed; what ends with `_` in it is a prefix.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, Stmt};

use crate::item::Function;
use crate::tokens::Words;
use crate::walk::{Walk, Walker};

/// The most tokens of a body that is worth less than a call.
pub(crate) const SHORT: usize = 64;

/// Methods and functions of primitive types.
const PRIMITIVES: &str = "abs abs_diff as_ checked_ clamp clone cmp copied default eq first from from_be_ from_bits from_le_ from_ne_ get \
    get_mut into is_ascii is_ascii_ is_empty is_nan is_none is_some is_whitespace last leading_ len max min ne ok partial_cmp rotate_ \
    saturating_ signum swap to_ total_cmp trailing_ unwrap unwrap_ wrapping_";

pub(crate) fn lists(names: &str, name: &Ident) -> bool {
    let name = name.to_string();
    names.split(' ').any(|known| name == known || (known.ends_with('_') && name.starts_with(known)))
}

/// Whether `function` is a short leaf. LLVM inlines it into clones as it is; elsewhere a clone would cost a test and a call.
pub(crate) fn is_leaf_function(function: &Function) -> bool {
    let Some(body) = function.body.as_ref().filter(|body| body.words.length <= SHORT) else { return false };
    function.sig.asyncness.is_none()
        && syn::parse2(body.braces.to_token_stream()).is_ok_and(|mut body| is_leaf(&mut body))
}

/// Whether `code` has no loop, and calls only constructors, and methods and functions of primitive types.
pub(crate) fn is_leaf(code: &mut Expr) -> bool {
    let longer = ["async", "await", "const", "for", "loop", "unsafe", "while"];
    let mut leaf = Leaf(!Words::of(code.to_token_stream()).have_any(&longer));
    Walker(&mut leaf).visit_expr_mut(code);
    leaf.0
}

/// The last name of the path that `expr` is.
pub(crate) fn last_name(expr: &Expr) -> Option<&Ident> {
    let Expr::Path(path) = expr else { return None };
    path.path.segments.last().map(|last| &last.ident)
}

struct Leaf(bool);

impl Walk for Leaf {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let is_known =
            |name: &Ident| lists(PRIMITIVES, name) || name.to_string().starts_with(|first: char| first.is_uppercase());
        self.0 &= match expr {
            Expr::Call(call) => last_name(&call.func).is_some_and(is_known),
            Expr::MethodCall(call) => lists(PRIMITIVES, &call.method),
            Expr::Closure(_) | Expr::Macro(_) | Expr::Verbatim(_) => false,
            _ => true,
        };
        self.0
    }

    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        self.0 &= matches!(stmt, Stmt::Expr(..) | Stmt::Local(_));
        self.0
    }
}

#[cfg(test)]
mod tests;
