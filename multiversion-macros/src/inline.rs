//! Hints about inlining, where the user gives none. The list of names affects only speed; what ends with `_` in it is a prefix.

use syn::{Expr, ExprClosure, GenericParam, Generics, parse_quote};

use crate::item::Function;
use crate::leaf::{SHORT, is_leaf, last_name, lists};

/// Functions of the standard library that call a closure in a loop, or once, in code without the clone's features.
const ADAPTORS: &str = "all and_then any binary_search_by binary_search_by_key dedup_by dedup_by_key filter filter_map find find_map \
    flat_map fold for_each from_fn inspect is_none_or is_ok_and is_some_and map map_ max_by max_by_key min_by min_by_key ok_or_else \
    or_else partition partition_ position reduce repeat_with retain rfind rfold rposition scan select_nth_ skip_while sort_ split \
    successors take_while then try_fold try_for_each unwrap_or_else";

/// Whether a clone of `function` is `#[inline]`, if it stands in an item with the generics `around`.
///
/// Other crates compile what is `#[inline]` themselves, and cannot see the values of its `static`s. So a long loop is not, unless it
/// is generic. The baseline's is not: next to a dispatcher's calls of clones it would lack registers.
pub(crate) fn is_hinted(function: &Function, around: Option<&Generics>, is_baseline: bool) -> bool {
    let mut params = around.into_iter().chain([&function.sig.generics]).flat_map(|generics| &generics.params);
    let words = function.body.as_ref().map(|body| &body.words);
    let loops = words.is_some_and(|words| words.length > SHORT && words.have_any(&["for", "loop", "while"]));
    !loops || !is_baseline && params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
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
        if attrs.is_empty() && is_leaf(body) {
            attrs.push(parse_quote!(#[inline(always)]));
        }
    }
}

#[cfg(test)]
mod tests;
