//! Under which `cfg` a clone that is chosen at run time has another item than the build.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::features::Arch;
use crate::item::Node;
use crate::plan::{Plan, PlannedClone, PlannedTarget};
use crate::transform::Features;

/// What `node` itself asks: its `cfg`s, and those in it. `None` if all clones have the same.
pub(super) fn own(node: &Node, plans: &[&Plan]) -> Option<TokenStream> {
    any(&terms(node, plans))
}

/// The same for an item that is made of others, which differ under `made_of`.
pub(super) fn made_of<'a>(
    node: &Node,
    plans: &[&Plan],
    made_of: impl Iterator<Item = &'a TokenStream>,
) -> Option<TokenStream> {
    let mut terms = terms(node, plans);
    let made_of: Vec<&TokenStream> = made_of.collect();
    if !made_of.is_empty() {
        let condition = condition(node);
        let theirs = targets(plans).map(|(_, clone)| clone.features.rewrite_predicate(condition.clone()));
        let mut there: Vec<TokenStream> = Vec::new();
        for predicate in core::iter::once(condition.clone()).chain(theirs) {
            if !there.iter().any(|known| known.to_string() == predicate.to_string()) {
                there.push(predicate);
            }
        }
        terms.push(quote!(all(any(#(#there),*), any(#(#made_of),*))));
    }
    any(&terms)
}

fn targets<'a>(plans: &'a [&Plan]) -> impl Iterator<Item = (&'a PlannedTarget, &'a PlannedClone)> {
    plans.iter().flat_map(|plan| plan.targets.iter().zip(&plan.clones))
}

fn any(terms: &[TokenStream]) -> Option<TokenStream> {
    (!terms.is_empty()).then(|| quote!(any(#(#terms),*)))
}

fn terms(node: &Node, plans: &[&Plan]) -> Vec<TokenStream> {
    let Node::Other { tokens, .. } = node else { return Vec::new() };
    let condition = condition(node);
    let mut asked = Vec::new();
    inside(tokens, &mut asked);
    let mut terms = Vec::new();
    for (target, clone) in targets(plans) {
        let arches = &target.target.arches;
        let mut names = clone.features.names.clone();
        names.retain(|name| !arches.iter().any(|&arch| in_every_build(arch, name)) || arches.contains(&Arch::Arm));
        let features = Features { names, target: None };
        let rewritten = |predicate: &TokenStream| {
            let rewritten = features.rewrite_predicate(predicate.clone());
            (rewritten.to_string() != predicate.to_string()).then_some(rewritten)
        };
        let mut theirs = Vec::new();
        let there = rewritten(&condition);
        if let Some(there) = &there {
            theirs.push(quote!(all(#condition, not(#there))));
            theirs.push(quote!(all(#there, not(#condition))));
        }
        for predicate in &asked {
            if let Some(there) = rewritten(predicate) {
                theirs.push(quote!(all(#predicate, not(#there))));
                theirs.push(quote!(all(#there, not(#predicate))));
            }
        }
        if !theirs.is_empty() {
            let decides = target.decides();
            // Another item of the name may be there under another `cfg`.
            let there = there.map(|there| quote!(, #there));
            terms.push(quote!(all(#decides, any(#condition #there), any(#(#theirs),*))));
        }
    }
    terms
}

/// Whether all builds for `arch` enable the feature: those for bare metal without floating point aside.
pub(super) fn in_every_build(arch: Arch, name: &str) -> bool {
    arch == Arch::Aarch64 && ["neon", "fp"].contains(&name)
}

/// The `cfg`s of `node` as one predicate.
fn condition(node: &Node) -> TokenStream {
    let Node::Other { attrs, .. } = node else { return quote!(all()) };
    let lists =
        attrs.iter().filter(|attr| attr.path().is_ident("cfg")).filter_map(|attr| attr.meta.require_list().ok());
    let lists = lists.map(|list| &list.tokens);
    quote!(all(#(#lists),*))
}

/// The predicates that ask for CPU features inside of `tokens`; of a form that is not known each question by itself.
fn inside(tokens: &TokenStream, found: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let word = |at: usize, word: &str| matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word);
    let punct =
        |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let asked = at >= 2 && word(at - 2, "cfg") && punct(at - 1, '!');
                let attribute =
                    group.delimiter() == Delimiter::Parenthesis && at == 1 && tokens.len() == 2 && word(0, "cfg");
                if asked || attribute {
                    if crate::transform::mentions_feature(&group.stream()) {
                        found.push(group.stream());
                    }
                } else {
                    inside(&group.stream(), found);
                }
            }
            TokenTree::Ident(ident) if ident == "target_feature" && punct(at + 1, '=') => {
                found.push(tokens[at..tokens.len().min(at + 3)].iter().cloned().collect());
            }
            _ => {}
        }
    }
}
