//! Hints about inlining, where the user gives none. Their lists of names affect only speed; what ends with `_` in them is a prefix.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, GenericParam, Generics, Ident, Stmt, parse_quote};

use crate::item::Function;
use crate::tokens::Words;
use crate::walk::{Walk, Walker};

/// The most tokens of a body with a loop that is worth less than a call.
const SHORT: usize = 64;

/// Functions of the standard library that call a closure in a loop, or once, in code without the clone's features.
const ADAPTORS: &str = "all and_then any binary_search_by binary_search_by_key dedup_by dedup_by_key filter filter_map find find_map \
    flat_map fold for_each from_fn inspect is_none_or is_ok_and is_some_and map map_ max_by max_by_key min_by min_by_key ok_or_else \
    or_else partition partition_ position reduce repeat_with retain rfind rfold rposition scan select_nth_ skip_while sort_ split \
    successors take_while then try_fold try_for_each unwrap_or_else";

/// Methods and functions of primitive types.
const PRIMITIVES: &str = "abs abs_diff as_ checked_ clamp clone cmp copied default eq first from from_be_ from_bits from_le_ from_ne_ get \
    get_mut into is_ascii is_ascii_ is_empty is_nan is_none is_some is_whitespace last leading_ len max min ne ok partial_cmp rotate_ \
    saturating_ signum swap to_ total_cmp trailing_ unwrap unwrap_ wrapping_";

fn lists(names: &str, name: &Ident) -> bool {
    let name = name.to_string();
    names.split(' ').any(|known| name == known || (known.ends_with('_') && name.starts_with(known)))
}

/// Whether the clones of `function` are `#[inline]`, if it stands in an item with the generics `around`.
///
/// Other crates compile what is `#[inline]` themselves, and cannot see the values of its `static`s. So a long loop is not.
pub(crate) fn is_hinted(function: &Function, around: Option<&Generics>) -> bool {
    let mut params = around.into_iter().chain([&function.sig.generics]).flat_map(|generics| &generics.params);
    let words = function.body.as_ref().map(|body| &body.words);
    let loops = words.is_some_and(|words| words.length > SHORT && words.have_any(&["for", "loop", "while"]));
    !loops || params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// Makes leaf closures among the arguments of an adaptor `inline(always)`, if `expr` calls one. A leaf calls nothing that has clones.
/// Then it has no features of its own, and LLVM can inline it into the adaptor as in the plain program.
pub(crate) fn leaves_of(expr: &mut Expr) {
    let (callee, args) = match expr {
        Expr::MethodCall(call) => (Some(&call.method), &mut call.args),
        Expr::Call(call) => (last_name(&call.func), &mut call.args),
        _ => return,
    };
    if !callee.is_some_and(|callee| lists(ADAPTORS, callee)) {
        return;
    }
    for arg in args {
        let Expr::Closure(ExprClosure { attrs, asyncness: None, body, .. }) = arg else { continue };
        let longer = ["async", "await", "const", "for", "loop", "unsafe", "while"];
        let mut leaf = Leaf(attrs.is_empty() && !Words::of(body.to_token_stream()).have_any(&longer));
        Walker(&mut leaf).visit_expr_mut(body);
        attrs.extend(leaf.0.then(|| parse_quote!(#[inline(always)])));
    }
}

/// The last name of the path that `expr` is.
fn last_name(expr: &Expr) -> Option<&Ident> {
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
