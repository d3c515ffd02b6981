//! Where clones are compiled, and which closures are inlined as they are. The guesses affect only speed.

use quote::ToTokens;
use syn::{Expr, ExprClosure, ExprPath, GenericParam, parse_quote};

use crate::attrs;
use crate::item::{Function, Kind, OtherItem};
use crate::leaf::{Calls, calls_closures, is_leaf_closure};

/// Whether the clones and the baseline of `function` in `container` are `#[inline]`, so that other crates compile them where they call
/// them: if rustc compiles the function there anyway, or if it calls only the standard library and its `own` item. What else
/// it calls may stay in this crate, where the plain function would have it inlined. Where `cfg(target_feature)` `selects` code, it calls
/// intrinsics.
pub(crate) fn leaves(function: &Function, container: Option<&OtherItem>, own: &[String], selects: bool) -> bool {
    if attrs::says_inline(&function.attrs) {
        return !attrs::never_inlines(&function.attrs);
    }
    let around = container.and_then(OtherItem::generics);
    let mut params = around.into_iter().chain([&function.sig.generics]).flat_map(|generics| &generics.params);
    selects
        || params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
        || container.is_some_and(|container| matches!(container.kind, Kind::Trait(_)))
        || function
            .body
            .as_ref()
            .is_some_and(|body| body.words.have("target_feature") || !Calls::of(body.stream(), own).others)
}

/// Makes leaf closures among the arguments of an adaptor `inline(always)`, if `expr` calls one. A leaf calls nothing that has clones.
/// Then it has no features of its own, and LLVM can inline it into the adaptor as in the plain program.
pub(crate) fn leaves_of(expr: &mut Expr) {
    let (callee, args) = match expr {
        Expr::MethodCall(call) => (Some(&call.method), &mut call.args),
        Expr::Call(call) => match &*call.func {
            Expr::Path(ExprPath { path, .. }) => (path.segments.last().map(|last| &last.ident), &mut call.args),
            _ => return,
        },
        _ => return,
    };
    if !callee.is_some_and(calls_closures) {
        return;
    }
    for arg in args {
        let Expr::Closure(ExprClosure { attrs, asyncness: None, body, .. }) = arg else { continue };
        if attrs.is_empty() && is_leaf_closure(&body.to_token_stream()) {
            attrs.push(parse_quote!(#[inline(always)]));
        }
    }
}

#[cfg(test)]
mod tests;
