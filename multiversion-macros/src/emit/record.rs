//! The record of a clone in a build with a ledger.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::item::Function;
use crate::plan::{Plan, PlannedClone};

/// A statement at the start of `clone`'s body. The line distinguishes methods of one name.
pub(super) fn entry(function: &Function, plan: &Plan, clone: &PlannedClone) -> TokenStream {
    let span = Span::mixed_site();
    let (private, name, label) = (&plan.private, function.sig.ident.to_string(), &clone.label);
    let name = format!("{name}:{}", line(&function.sig.ident));
    // The entry is in the program even if the clone is not: an earlier target may be enabled for all code.
    let (earlier, own) = match plan.targets.iter().find(|target| target.target.label() == *label) {
        Some(target) => (target.earlier.clone(), target.constant(private, "POSSIBLE")),
        None => ((0..plan.targets.len()).collect(), quote!(true)),
    };
    let enabled = earlier.iter().map(|&index| {
        let target = &plan.targets[index];
        let (arch, own) = (&target.arch, target.constant(private, "ENABLED"));
        quote_spanned!(span=> #[cfg(#arch)] let __enabled = __enabled || #own;)
    });
    let possible = quote_spanned!(span=> { let __enabled = false; #(#enabled)* !__enabled && #own });
    quote_spanned!(span=> #private::__record! { #name, #label, #possible })
}

fn line(name: &Ident) -> usize {
    // In unit tests there is no compiler, and no line.
    if proc_macro::is_available() { name.span().unwrap().line() } else { 0 }
}
