//! From tokens to tokens.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::args::Args;
use crate::check::Checker;
use crate::emit;
use crate::error::Errors;
use crate::item::{Choice, Node};

/// The expansion of `#[dispatch(args)] item`. On a mistake the item is kept as it was, so that its callers get no
/// second error.
pub(crate) fn dispatch(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let args = Args::parse(args, None, &mut errors);
    let mut node = match Node::parse(item.clone()) {
        Ok(node) => node,
        Err(error) => {
            errors.push_syn(&error);
            let errors = errors.into_tokens();
            return quote!(#item #errors);
        }
    };
    if args.skip && errors.is_empty() {
        return item;
    }
    let krate = args.krate.clone();
    let mut checker = Checker::new(krate.clone(), &mut errors);
    let choice = if args.targets.is_empty() { Choice::Skip } else { checker.plan(&args) };
    checker.root(&mut node);
    let plans = checker.plans;
    if !errors.is_empty() {
        let errors = errors.into_tokens();
        let node = node.to_token_stream();
        return quote!(#node #errors);
    }
    let Choice::Own(plan) = choice else { return item };
    emit::node(&node, plan, &plans, &mut emit::Macros::new(krate))
}
