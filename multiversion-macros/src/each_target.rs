//! `#[each_target("…")]` on a test.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Path, Token};

use crate::args::TargetLists;
use crate::emit::list;
use crate::error::Errors;
use crate::item::Function;
use crate::plan::Plan;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{braces, split_inner_attributes};

/// The list, an expression of type `Targets`, and the path of `simd-core`.
fn arguments(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<(TokenStream, Path)> {
    if input.peek(Ident) && input.peek2(Token![=]) {
        let option: Ident = input.parse()?;
        if option != "targets" {
            return Err(syn::Error::new(option.span(), "expected targets"));
        }
        input.parse::<Token![=]>()?;
    }
    let list = input.parse::<Expr>()?.into_token_stream();
    let mut krate = syn::parse_quote!(::simd_core);
    if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        krate = input.call(Path::parse_mod_style)?;
        input.parse::<Option<Token![,]>>()?;
    }
    let list = match syn::parse2(list.clone()) {
        Ok(TargetLists(lists)) => {
            list::value(&Plan::new(targets::parse(&lists, errors), krate.clone(), &Names::default()), None)
        }
        Err(_) => list,
    };
    Ok((list, krate))
}

/// The test, which starts itself again for each target before it runs. On a mistake the test is left as it was.
pub fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let mut found = None;
    if args.is_empty() {
        errors.push_help(
            Span::call_site(),
            "`#[each_target]` needs targets",
            "write for example `#[each_target(\"avx2,fma | sve2\")]`",
        );
    } else {
        let parser = |input: ParseStream<'_>| arguments(input, &mut errors);
        found = parser
            .parse2(args)
            .map_err(|error| {
                let help = "write the targets as a string, or a constant of type `Targets`: `#[each_target(TARGETS)]`";
                errors.push_help(error.span(), error, help);
            })
            .ok();
    }
    let function = Function::of(&item.clone().into_iter().collect::<Vec<_>>()).map_err(|error| {
        errors.push_help(error.span(), error, "`#[each_target]` is for a test, which is a function");
    });
    if let Ok(function) = &function {
        check(function, &mut errors);
    }
    match (found, function) {
        (Some((targets, krate)), Ok(function)) if errors.is_empty() => test(function, &targets, &krate),
        _ => quote!(#item #errors),
    }
}

fn check(function: &Function, errors: &mut Errors) {
    if let Some(input) = function.sig.inputs.first() {
        errors.push_help(
            syn::spanned::Spanned::span(input),
            "a test has no parameters",
            "put the attribute on the function that the test harness calls",
        );
    }
    if let Some(attr) = function.attrs.iter().find(|attr| attr.path().is_ident("should_panic")) {
        errors.push_help(
            syn::spanned::Spanned::span(attr.path()),
            "a test that should panic cannot run for each target",
            "catch the panic in the test, with `std::panic::catch_unwind`",
        );
    }
    if function.body.is_none() {
        errors.push(function.sig.ident.span(), "a test has a body");
    }
}

fn test(function: Function, targets: &TokenStream, krate: &Path) -> TokenStream {
    let span = Span::mixed_site();
    let Function { attrs, vis, sig, body, .. } = function;
    let Some(body) = body else { return TokenStream::new() };
    let (inner, rest) = split_inner_attributes(body.stream());
    let name = sig.ident.to_string();
    let content = quote_spanned! {span=>
        #inner
        if let ::core::option::Option::Some(__passed) =
            #krate::testing::__each_target(#targets, ::core::module_path!(), #name)
        {
            return __passed;
        }
        #rest
    };
    let braces = braces(content, body.braces.span());
    quote!(#(#attrs)* #vis #sig #braces)
}
