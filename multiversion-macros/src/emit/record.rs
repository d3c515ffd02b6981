//! The record of a clone in a build with a ledger.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::item::Function;
use crate::plan::{Plan, PlannedClone, PlannedTarget};

/// A statement at the start of `clone`'s body. The line distinguishes methods of one name.
pub(super) fn entry(function: &Function, plan: &Plan, clone: &PlannedClone) -> TokenStream {
    let (private, name, label) = (&plan.private, function.sig.ident.to_string(), &clone.label);
    let name = format!("{name}:{}", line(&function.sig.ident));
    // The entry is in the program even if the clone is not.
    let target = plan.targets.iter().find(|target| target.target.label() == *label);
    let possible = match target {
        Some(PlannedTarget { set, .. }) => quote_spanned!(Span::mixed_site()=> <#set as #private::Set>::POSSIBLE),
        None => quote!(true),
    };
    quote_spanned!(Span::mixed_site()=> #private::__record! { #name, #label, #possible })
}

fn line(name: &Ident) -> usize {
    // In unit tests there is no compiler, and no line.
    if proc_macro::is_available() { name.span().unwrap().line() } else { 0 }
}
