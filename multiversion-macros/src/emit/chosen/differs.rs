//! The `cfg` under which a clone that is selected at run time has another item than the build.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;

use crate::attrs::predicate;
use crate::features::is_property;
use crate::item::{Holder, Kind};
use crate::macros::Macros;
use crate::plan::Plan;
use crate::transform::tested;

/// A clone differs if the item, its `cfg`s or the `macros` that it uses test a feature that the clone has and the build lacks,
/// or if the items that it uses differ, which they do under `made_of`. `None` if all clones have the same.
pub(super) fn differs(
    node: &Holder,
    plans: &[Rc<Plan>],
    macros: &Macros,
    made_of: &[&TokenStream],
) -> Option<TokenStream> {
    let Kind::Other(tokens) = &node.kind else { return None };
    let cfgs = node.attrs.iter().filter_map(predicate);
    let condition = quote!(all(#(#cfgs),*));
    let macros = macros.deciding(tokens).into_iter().map(|definition| &definition.tokens);
    let asked = tested(&quote!(#condition #tokens #(#macros)*));
    let mut terms = Vec::new();
    let mut there = vec![condition.clone()];
    for plan in plans.iter().map(|plan| plan.by_cfg()) {
        for (target, clone) in plan.targets.iter().zip(&plan.clones) {
            let new: Vec<&String> = asked.iter().filter(|name| clone.features.names.contains(&name.as_str())).collect();
            if new.is_empty() {
                continue;
            }
            // No build has a property.
            let property = new.iter().any(|name| is_property(name));
            let lacks = (!property).then(|| quote!(, any(#(not(target_feature = #new)),*)));
            let (decides, condition_there) = (target.decides(), clone.features.rewrite_predicate(condition.clone()));
            // Another item of the name may exist under another `cfg`.
            terms.push(quote!(all(#decides, any(#condition, #condition_there) #lacks)));
            there.push(condition_there);
        }
    }
    if !made_of.is_empty() {
        terms.push(quote!(all(any(#(#there),*), any(#(#made_of),*))));
    }
    (!terms.is_empty()).then(|| quote!(any(#(#terms),*)))
}
