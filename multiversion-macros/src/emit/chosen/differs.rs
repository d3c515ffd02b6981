//! The `cfg` under which a clone that is selected at run time has another item than the build.

use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::attrs::predicate;
use crate::item::{Holder, Kind};
use crate::macros::Macros;
use crate::plan::Plan;
use crate::tokens::{is_punct, is_word, mentions_feature};

/// The predicates of `node`: its `cfg`s, those in it and in the `macros` that it uses, and those of the items that it uses,
/// which differ under `made_of`. `None` if all clones have the same.
pub(super) fn differs(
    node: &Holder,
    plans: &[Rc<Plan>],
    macros: &Macros,
    made_of: &[&TokenStream],
) -> Option<TokenStream> {
    let Kind::Other(tokens) = &node.kind else { return None };
    let cfgs = node.attrs.iter().filter_map(predicate);
    let condition = quote!(all(#(#cfgs),*));
    let mut asked = vec![condition.clone()];
    inside(tokens, &mut asked);
    macros.deciding(tokens).into_iter().for_each(|definition| inside(definition, &mut asked));
    let mut terms = Vec::new();
    let mut there = vec![condition.clone()];
    for (target, clone) in plans.iter().map(|plan| plan.by_cfg()).flat_map(|plan| plan.targets.iter().zip(&plan.clones))
    {
        let rewritten = |predicate: &TokenStream| {
            let rewritten = clone.features.rewrite_predicate(predicate.clone());
            (rewritten.to_string() != predicate.to_string()).then_some(rewritten)
        };
        let theirs: Vec<TokenStream> = asked
            .iter()
            .filter_map(|ours| Some((ours, rewritten(ours)?)))
            .map(|(ours, theirs)| quote!(all(#ours, not(#theirs)), all(#theirs, not(#ours))))
            .collect();
        let condition_there = rewritten(&condition);
        if !theirs.is_empty() {
            let (decides, here) = (target.decides(), condition_there.iter());
            // Another item of the name may exist under another `cfg`.
            terms.push(quote!(all(#decides, any(#condition #(, #here)*), any(#(#theirs),*))));
        }
        there.extend(condition_there);
    }
    if !made_of.is_empty() {
        terms.push(quote!(all(any(#(#there),*), any(#(#made_of),*))));
    }
    (!terms.is_empty()).then(|| quote!(any(#(#terms),*)))
}

/// The predicates inside `tokens` that test CPU features; in an unknown form, each feature by itself.
fn inside(tokens: &TokenStream, found: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let asked = at >= 2 && is_word(tokens.get(at - 2), "cfg") && is_punct(tokens.get(at - 1), '!');
                let attribute = at == 1 && tokens.len() == 2 && is_word(tokens.first(), "cfg");
                if !(asked || attribute) {
                    inside(&group.stream(), found);
                } else if mentions_feature(&group.stream()) {
                    found.push(group.stream());
                }
            }
            token if is_word(Some(token), "target_feature") && is_punct(tokens.get(at + 1), '=') => {
                found.push(tokens[at..tokens.len().min(at + 3)].iter().cloned().collect());
            }
            _ => {}
        }
    }
}
