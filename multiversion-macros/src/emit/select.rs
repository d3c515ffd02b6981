//! A function pointer to the selected clone.

use std::borrow::Cow;

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprClosure, Pat, ReturnType, Safety, Signature, Token};

use super::clones::dispatcher_parameters;
use super::dispatcher::Dispatcher;
use super::scope::Scope;
use crate::error::Errors;
use crate::item::{Body, Choice, Function};
use crate::plan::Plan;
use crate::resolve::{Place, Unit};
use crate::tokens::{braces, group_around};

/// A block whose value is the clone of `closure` that this CPU selects, as a safe function pointer.
///
/// The pointer's function has the closure's own parameters and calls the clone, which has one more.
pub(crate) fn pointer(closure: &ExprClosure, plan: &Plan, errors: &mut Errors) -> TokenStream {
    let span = Span::mixed_site();
    let Some(function) = as_function(closure, errors) else { return TokenStream::new() };
    let unit = Unit::new(0, Place::BehindPointer, Cow::Borrowed(&function));
    let scope = Scope::new(core::slice::from_ref(plan));
    let dispatcher = Dispatcher::new(&unit, &scope, dispatcher_parameters(&unit), TokenStream::new());
    let plan = dispatcher.plan;
    let entries: Vec<Ident> = dispatcher.names.iter().map(|name| format_ident!("{name}_entry")).collect();
    let entry = |index: usize| {
        let (name, clone) = (&entries[index], &plan.clones[index]);
        let (exists, target) = (dispatcher.exists(clone), &clone.target);
        let enable = target.as_ref().map(|target| {
            let enable = &target.enable;
            quote_spanned!(span=> #[target_feature(enable = #enable)])
        });
        let sig = Signature {
            ident: name.clone(),
            safety: Safety::Unsafe(Token![unsafe](span)),
            inputs: dispatcher.parameters.bound.clone(),
            ..function.sig.clone()
        };
        let call = dispatcher.call(index, &plan.proof_value());
        quote_spanned!(span=> #exists #[inline] #enable #sig { #call })
    };
    let (binder, output) = (&closure.lifetimes, &function.sig.output);
    let types: Vec<TokenStream> = closure.inputs.iter().filter_map(written_type).collect();
    let unsafe_type = quote_spanned!(span=> #binder unsafe fn(#(#types),*) #output);
    let clones = dispatcher.nested(entry, |items| {
        let choice = plan.pick(items, false, &quote_spanned!(span=> break 'chosen), |index| {
            let entry = &entries[index];
            quote_spanned!(span=> #entry as #unsafe_type)
        });
        let private = &plan.private;
        quote_spanned! {span=>
            let __chosen: #unsafe_type = 'chosen: { #choice };
            unsafe { #private::core::mem::transmute::<#unsafe_type, #binder fn(#(#types),*) #output>(__chosen) }
        }
    });
    quote_spanned!(span=> { #clones })
}

/// `closure` as a function; `None` if it is not one.
fn as_function(closure: &ExprClosure, errors: &mut Errors) -> Option<Function> {
    let before = errors.len();
    let keywords =
        [closure.capture.to_token_stream(), closure.asyncness.to_token_stream(), closure.constness.to_token_stream()];
    for word in keywords.into_iter().flatten().take(1) {
        let message = format_args!("`{word}` is not allowed here: `select!` makes a function pointer");
        errors.push_help(word.span(), message, "write `|x: &T| -> U { … }`");
    }
    for input in closure.inputs.iter().filter(|input| written_type(input).is_none()) {
        errors.push_help(
            syn::spanned::Spanned::span(input),
            "a parameter of `select!` needs its type",
            format_args!("write `{}: T`", input.to_token_stream()),
        );
    }
    if matches!(closure.output, ReturnType::Default) && !matches!(*closure.body, Expr::Block(_)) {
        errors.push_help(
            syn::spanned::Spanned::span(&closure.body),
            "the function of `select!` needs its return type",
            "write `|x: &T| -> U { … }`, or `|x: &T| { …; }` if it returns nothing",
        );
    }
    if errors.len() > before {
        return None;
    }
    let span = Span::mixed_site();
    let inputs = closure.inputs.iter();
    // rustc expects a missing return type after the parameters.
    let parameters = group_around(Delimiter::Parenthesis, quote!(#(#inputs),*), closure.inputs_end.span);
    let output = &closure.output;
    let generics = closure.lifetimes.as_ref().map(|bound| {
        let lifetimes = &bound.lifetimes;
        quote_spanned!(span=> <#lifetimes>)
    });
    // The entry's line is the closure's.
    let name = Ident::new("selected", span.located_at(closure.inputs_begin.span));
    let sig: Signature = syn::parse2(quote_spanned!(span=> fn #name #generics #parameters #output)).ok()?;
    let body = match &*closure.body {
        Expr::Block(block) if block.attrs.is_empty() && block.label.is_none() => {
            let statements = &block.block.stmts;
            braces(quote!(#(#statements)*), block.block.brace_token.span.join())
        }
        body => braces(quote!(#body), Span::call_site()),
    };
    Some(Function {
        choice: Choice::Skip,
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        default: None,
        sig,
        body: Some(Body::new(body)),
    })
}

fn written_type(input: &Pat) -> Option<TokenStream> {
    let Pat::Type(input) = input else { return None };
    Some(input.ty.to_token_stream())
}
