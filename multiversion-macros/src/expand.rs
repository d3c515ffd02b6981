//! From tokens to tokens.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{ExprClosure, LitStr, Path, Token};

use crate::args::{Args, TargetLists};
use crate::attrs;
use crate::check::Checker;
use crate::emit;
use crate::error::Errors;
use crate::expansion;
use crate::item::{Function, Node};
use crate::lists;
use crate::match_target;
use crate::plan::{Plan, PlannedTarget};
use crate::targets;
use crate::tokens::Words;
use crate::transform::{keep_groups, unmark};

/// The expansion of `#[dispatch(args)] item`. On a mistake the item is left as it was, so that its callers get no
/// second error. With `recorded`, clones record that they run.
pub(crate) fn dispatch(args: TokenStream, item: TokenStream, recorded: bool) -> TokenStream {
    let mut errors = Errors::new();
    // Reading all tokens takes time, so it is done only where there may be something to find.
    let words = Words::of(item.clone());
    let item = if words.invisible { keep_groups(item) } else { item };
    if let Some(call) = lists::of_attribute(&args, &item, &words) {
        return call;
    }
    let args = Args::parse(args, Span::call_site(), None, &mut errors);
    let place = item.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let item = if words.have(match_target::NAME) { match_target::lower(item, &mut errors) } else { item };
    let unmarked = if words.have("target_feature") { unmarked(item.clone()) } else { item.clone() };
    let mut nodes = match Node::parse(unmarked).map(Node::alternatives) {
        Ok(nodes) => nodes,
        Err(error) => {
            errors.push_syn(&error);
            let errors = errors.into_tokens();
            return quote!(#item #errors);
        }
    };
    if args.skip && errors.is_empty() {
        return item;
    }
    let mut checker = Checker { errors: &mut errors, krate: &args.krate, recorded };
    let choice = checker.root(&mut nodes, &args);
    if !errors.is_empty() {
        let errors = errors.into_tokens();
        return quote!(#(#nodes)* #errors);
    }
    if let [Node::Fn(function)] = &nodes[..]
        && emit::Scope::default().inlined_as_it_is(function)
    {
        let warning = no_clones(function);
        return quote!(#item #warning);
    }
    let mut expansion = TokenStream::new();
    for node in &mut nodes {
        emit::settle(node);
        expansion.extend([emit::node(node, &mut emit::Scope::default())]);
    }
    if let (Some((vis, name)), Some(plan)) = (args.list, choice.plan()) {
        expansion.extend([emit::list::constant(&vis, &name, plan)]);
    }
    expansion::show(place, &expansion);
    expansion
}

/// A warning that `function` has no clones. A macro has no other way to warn on stable Rust.
fn no_clones(function: &Function) -> TokenStream {
    let span = attrs::inlines_always(&function.attrs).unwrap_or_else(Span::call_site);
    let name = Ident::new("NO_CLONES", span.resolved_at(Span::mixed_site()));
    quote_spanned! {Span::mixed_site()=>
        const _: () = {
            #[deprecated(note = "this private function is inlined into its callers' clones, because of `inline(always)`, and has no clones of its own: \
                remove `dispatch`; or remove `inline(always)`, if callers without the attribute need the clones")]
            const NO_CLONES: () = ();
            #name
        };
    }
}

/// `item` without the markers of the clone that contains it, except those of its own `cfg`s, which belong to that
/// clone.
fn unmarked(item: TokenStream) -> TokenStream {
    let own = outer_attributes(&item);
    let mut tokens = item.into_iter();
    let mut unmarked: TokenStream = tokens.by_ref().take(own).collect();
    unmarked.extend(unmark(tokens.collect()));
    unmarked
}

/// The number of tokens of the attributes at the start of `item`.
fn outer_attributes(item: &TokenStream) -> usize {
    let mut tokens = item.clone().into_iter();
    let mut length = 0;
    while matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
        && matches!(tokens.next(), Some(TokenTree::Group(_)))
    {
        length += 2;
    }
    length
}

/// The path to the crate, with which the input of the function-like macros begins.
pub(crate) fn parse_krate(input: ParseStream<'_>) -> syn::Result<Path> {
    let krate = input.call(Path::parse_mod_style)?;
    input.parse::<Token![;]>()?;
    Ok(krate)
}

/// The expansion of `targets!("list")`, whose input arrives as `path::to::simd_core; "list"`.
pub(crate) fn targets(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    if let Some(path) = lists::in_macro(input.clone()) {
        // A named list is a constant as well.
        return path.into_token_stream();
    }
    let parser = |input: ParseStream<'_>| -> syn::Result<(Path, syn::Result<TargetLists>)> {
        let krate = parse_krate(input)?;
        let lists = input.parse();
        // The rest after a mistake has not been read.
        let rest: TokenStream = input.parse()?;
        let lists = lists.and_then(|lists| match rest.into_iter().next() {
            Some(token) => Err(syn::Error::new(token.span(), "")),
            None => Ok(lists),
        });
        Ok((krate, lists))
    };
    let (krate, lists) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    let TargetLists(lists) = lists.unwrap_or_else(|error| {
        errors.push_help(
            error.span(),
            "expected the targets as a string",
            "write for example `targets!(\"avx2,fma | neon\")`",
        );
        TargetLists(Vec::new())
    });
    let plan = if errors.is_empty() { targets::parse(&lists, &mut errors) } else { Vec::new() };
    let value = emit::list::value(&Plan::new(plan, krate), None);
    let errors = errors.into_tokens();
    quote!({ #errors #value })
}

/// The expansion of `select!("list", |x: T| -> U { … })`, whose input arrives as `path::to::simd_core; "list", …`.
pub(crate) fn select(input: TokenStream, recorded: bool) -> TokenStream {
    let mut errors = Errors::new();
    let parser = |input: ParseStream<'_>| -> syn::Result<(Path, TargetLists, ExprClosure)> {
        let krate = parse_krate(input)?;
        let lists = input.parse()?;
        input.parse::<Token![,]>()?;
        if input.peek(syn::Ident) || input.peek(Token![::]) {
            return Err(input.error("expected a closure"));
        }
        let closure = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((krate, lists, closure))
    };
    let input = match lists::of_macro(input, "__select") {
        Ok(input) => match_target::lower(unmark(keep_groups(input)), &mut errors),
        Err(call) => return call,
    };
    let value = match parser.parse2(input) {
        Ok((krate, TargetLists(lists), closure)) => {
            let plan = Plan { recorded, ..Plan::new(targets::parse(&lists, &mut errors), krate) };
            let pointer = emit::select::pointer(&closure, &plan, &mut errors);
            if errors.is_empty() {
                return pointer;
            }
            // On a mistake, a value that can also be called.
            closure.into_token_stream()
        }
        Err(error) => {
            errors.push_help(
                error.span(),
                error,
                "write for example `select!(\"avx2,fma | neon\", |x: &[f32]| -> f32 { sum(x) })`",
            );
            quote!(::core::unreachable!())
        }
    };
    let errors = errors.into_tokens();
    quote!({ #errors #value })
}

/// The expansion of `detected!("features")`, whose input arrives as `path::to::simd_core; "features"`.
pub(crate) fn detected(input: TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let mut errors = Errors::new();
    let refused = |errors: Errors| {
        let errors = errors.into_tokens();
        quote!({ #errors false })
    };
    let parser = |input: ParseStream<'_>| -> syn::Result<(Path, LitStr)> { Ok((parse_krate(input)?, input.parse()?)) };
    let parsed = parser.parse2(input).map_err(|error| (error.span(), "expected the features as a string"));
    let (krate, literal) = match parsed {
        Ok((krate, literal)) if !literal.value().trim().is_empty() => (krate, literal),
        mistake => {
            let none = |(_, literal): (Path, LitStr)| (literal.span(), "no features are given");
            let (span, message) = mistake.map_or_else(|mistake| mistake, none);
            errors.push_help(span, message, "write for example `detected!(\"avx2,fma\")`");
            return refused(errors);
        }
    };
    if literal.value().contains('|') {
        errors.push_help(literal.span(), "`detected!` takes one target", "write `detected!(…) || detected!(…)`");
    }
    let plan = Plan::new(targets::parse_condition(&literal, &mut errors), krate.clone());
    if !errors.is_empty() {
        return refused(errors);
    }
    let mut tokens = TokenStream::new();
    let mut known = Vec::new();
    for PlannedTarget { arch, features, set, .. } in &plan.targets {
        tokens.extend([quote_spanned! {span=>
            #[cfg(#arch)]
            { ::core::cfg!(#features) || #krate::__private::present::<#set>() }
        }]);
        known.push(arch);
    }
    quote_spanned!(span=> { #tokens #[cfg(not(any(#(#known),*)))] { false } })
}

#[cfg(test)]
mod tests;
