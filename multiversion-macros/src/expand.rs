//! From tokens to tokens.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Path, Token};

use crate::args::Args;
use crate::attrs;
use crate::cfg::unmark;
use crate::check::{Checker, Found, warn};
use crate::emit;
use crate::error::{ADDS_NOTHING, Errors, WITHOUT_CLONES, warning};
use crate::expansion;
use crate::item::Node;
use crate::lints;
use crate::match_target;
use crate::plan::{Plan, PlannedTarget};
use crate::resolve;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{Words, attributes};

/// The expansion of `#[dispatch(args)] item`. On a mistake the item is left as it was, so that its callers get no
/// second error. With `recorded`, clones record that they run.
///
/// `words` are the item's: reading all tokens takes time, so it is done only where there may be something to find.
pub(crate) fn dispatch(args: TokenStream, item: TokenStream, words: &Words, recorded: bool) -> TokenStream {
    let mut errors = Errors::new();
    let args = Args::parse(args, Span::call_site(), None, &mut errors);
    let place = item.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let item = if words.have(match_target::NAME) { match_target::lower(item, &mut errors) } else { item };
    let unmarked = if words.have("target_feature") { unmarked(item.clone()) } else { item.clone() };
    let mut nodes = match Node::parse(unmarked).map(Node::alternatives) {
        Ok(nodes) => nodes,
        Err(error) => {
            errors.push_syn(&error);
            return quote!(#item #errors);
        }
    };
    if args.skip && errors.is_empty() {
        errors.push_help(
            Span::call_site(),
            "`skip` is for items directly in an annotated module, impl or trait, and this is none",
            "remove the attribute; in an annotated item, write it under its own name, `dispatch`",
        );
    }
    let mut checker = Checker::new(&mut errors, &args.krate, words);
    let has_clones = checker.check_annotated(&mut nodes, &args);
    let Found { lists, of_list, conditional, .. } = checker.found;
    if !errors.is_empty() {
        return quote!(#(#nodes)* #errors);
    }
    if let [Node::Fn(function)] = &mut nodes[..]
        && resolve::is_inlined_as_it_is(function)
    {
        let span = attrs::inlines_always(&function.attrs).unwrap_or_else(Span::call_site);
        warn(function, span, WITHOUT_CLONES, INLINED);
        return function.to_token_stream();
    }
    let of_list = of_list.and_then(|(span, message)| match &mut nodes[..] {
        [Node::Fn(function), ..] => {
            warn(function, span, ADDS_NOTHING, &message);
            None
        }
        _ => Some(warning(span, ADDS_NOTHING, &message)),
    });
    let names = Names::besides(words);
    let plan = |(targets, krate)| Plan { recorded, ..Plan::new(targets, krate, &names) };
    let plans: Vec<Plan> = lists.into_iter().map(plan).collect();
    let functions: Vec<String> = nodes.iter().flat_map(Node::functions).collect();
    let scope = emit::Scope::new(&plans, &functions);
    let items = nodes.iter().map(|node| emit::item(&resolve::annotated(node), &scope));
    let active = lints::active();
    let mut expansion = quote!(#(#active #items)* #of_list #conditional);
    if !has_clones {
        expansion.extend([warning(Span::call_site(), WITHOUT_CLONES, NOTHING)]);
    }
    if let (Some((vis, name)), [plan, ..]) = (args.list, &plans[..]) {
        expansion.extend([emit::list::constant(&vis, &name, plan)]);
    }
    expansion::show(place, &expansion);
    expansion
}

const INLINED: &str = "this private function is inlined into its callers' clones, because of `inline(always)`, and has no clones of its own: \
    remove `dispatch`; or remove `inline(always)`, if callers without the attribute need the clones";
const NOTHING: &str = "nothing in this item has clones: the attribute does not reach functions that a macro call makes, `const fn`s \
    and methods without a body; remove it, or put it on the functions in the macro's definition, or on the trait's impls";

/// `item` without the markers of the clone that contains it, except those of its own `cfg`s, which belong to that
/// clone.
fn unmarked(item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let (own, rest) = tokens.split_at(attributes(&tokens, false));
    let rest = unmark(rest.iter().cloned().collect());
    quote!(#(#own)* #rest)
}

/// The path to the crate, with which the input of the function-like macros begins.
pub(crate) fn parse_krate(input: ParseStream<'_>) -> syn::Result<Path> {
    let krate = input.call(Path::parse_mod_style)?;
    input.parse::<Token![;]>()?;
    Ok(krate)
}

/// The expansion of `detected!("features")`, whose input arrives as `path::to::simd_core; "features"`.
pub fn detected(input: TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let mut errors = Errors::new();
    let help = "write for example `detected!(\"avx2,fma\")`";
    let parser = |input: ParseStream<'_>| Ok((parse_krate(input)?, input.parse::<LitStr>()?));
    let (krate, list) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => {
            errors.push_help(error.span(), "expected the features as a string", help);
            return quote!({ #errors false });
        }
    };
    if list.value().contains('|') {
        errors.push_help(list.span(), "`detected!` takes one target", "write `detected!(…) || detected!(…)`");
    }
    let mut targets = Vec::new();
    if list.value().trim().is_empty() {
        errors.push_help(list.span(), "no features are given", help);
    } else {
        targets = targets::parse_condition(&list, &mut errors);
    }
    if !errors.is_empty() {
        return quote!({ #errors false });
    }
    let plan = Plan::new(targets, krate, &Names::default());
    let (mut tokens, private) = (TokenStream::new(), &plan.private);
    for PlannedTarget { arch, not_enabled, set, .. } in &plan.by_cfg().targets {
        let present = private.code(&format!("{}::present::<{set}>()", private.text));
        tokens.extend([quote_spanned!(span=> #[cfg(#arch)] { !#private::core::cfg!(#not_enabled) || #present })]);
    }
    let known = plan.targets.iter().map(|target| &target.arch);
    quote_spanned!(span=> { #tokens #[cfg(not(any(#(#known),*)))] { false } })
}

#[cfg(test)]
mod tests;
