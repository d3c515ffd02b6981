//! What rustc checks in the clones of a safe method of a trait.
//!
//! The clones for targets are `unsafe` methods, so that rustc reports an unsafe operation outside of an `unsafe` block by a
//! lint alone. It reports no lint in the code of another crate's macro. Mostly the baseline is a safe method with the same
//! code, in which such an operation is an error. Code that differs between clones may be in none of them. So it may call
//! only macros that are known to have no unsafe operations of their own.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::emit::dispatcher::Dispatcher;
use crate::emit::module::Origin;
use crate::match_target;
use crate::tokens::Call;

/// Macros of `core` that call no function by its plain name, as `write!` does.
const KNOWN: [&str; 21] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "file",
    "format_args",
    "line",
    "matches",
    "module_path",
    "panic",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
];

/// Errors at the macros that may not be called in a method of a trait, and imports that give the others their usual meaning.
pub(super) fn macros(method: &Dispatcher<'_>) -> (TokenStream, TokenStream) {
    let Dispatcher { unit, scope, .. } = method;
    let (mut errors, mut imports) = (TokenStream::new(), TokenStream::new());
    let bodies = unit.definitions.iter().filter_map(|function| function.body.as_ref());
    let bodies: Vec<_> = bodies.filter(|body| body.words.bangs).collect();
    let (private, krate) = (&unit.plan.private, &unit.plan.krate);
    if !method.is_checked_by_lint() {
        // All clones have the same code, unless this is another macro.
        if !method.asks() && bodies.iter().any(|body| body.words.have("target_feature")) {
            imports.extend(quote_spanned!(Span::mixed_site()=> #[allow(unused_imports)] use #private::core::cfg;));
        }
        return (errors, imports);
    }
    // An import in a body gives a name another meaning there, and so does a module.
    let others = ["use", "mod", "extern"];
    let others = bodies.iter().any(|body| body.words.have_any(&others)) || scope.macros_have(&others);
    let mut seen: Vec<(String, String)> = Vec::new();
    for (Call { path, name }, origin) in bodies.into_iter().flat_map(|body| scope.foreign_macros(&body.stream())) {
        let text = name.to_string();
        // With a path it is another macro.
        let key = (path.to_string(), text.clone());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let ours = text == match_target::NAME || text == "detected";
        let crate_name = krate.segments.last().map(|last| &last.ident);
        if ours && krate.leading_colon.is_some() && path.to_string() == quote!(#krate ::).to_string() {
            continue;
        }
        if ours && !others && path.to_string() == quote!(#crate_name ::).to_string() {
            // Whatever else may go by that name.
            imports.extend(quote_spanned!(Span::mixed_site()=> #[allow(unused_imports)] use #krate as #crate_name;));
            continue;
        }
        let plain = origin == Origin::Elsewhere && path.is_empty() && !others;
        if text == match_target::NAME && plain {
            // An import of it would leave the user's without use. So it is checked here, in safe code: all calls that are left are
            // this one.
            imports.extend(quote_spanned!(Span::mixed_site()=> #name!(());));
            continue;
        }
        let from = match text.as_str() {
            _ if !plain => None,
            _ if ours => Some(quote!(#krate)),
            text if KNOWN.contains(&text) => Some(quote!(#private::core)),
            _ => None,
        };
        let Some(from) = from else {
            let or = if others { "; or move the `use` out of the method" } else { "" };
            let message = format!(
                "`{name}!` cannot be called here: the code of this method differs between clones, and rustc does not see \
                 unsafe operations of the macro in them\n\
                 help: move the code into a function of its own, dispatched too, and call that, which costs nothing{or}"
            );
            errors.extend(quote_spanned!(name.span()=> compile_error! { #message }));
            continue;
        };
        // A macro that the user defined beside the item goes before an import.
        imports.extend(quote_spanned!(Span::mixed_site()=> #[allow(unused_imports)] use #from::#name;));
    }
    (errors, imports)
}
