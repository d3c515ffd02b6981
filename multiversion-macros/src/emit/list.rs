//! A list of targets as a value.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Visibility;

use crate::compiler::COMPILER;
use crate::lints::maybe_unused;
use crate::plan::{Plan, PlannedTarget};

/// The constant that the option `list` declares.
pub(crate) fn constant(vis: &Visibility, name: &Ident, plan: &Plan) -> TokenStream {
    let krate = &plan.krate;
    let names: Vec<String> = plan.targets.iter().map(|target| target.target.display()).collect();
    let space = if COMPILER.writes { " " } else { "" };
    let doc = format!("{space}The targets {}, and the baseline.", names.join(", "));
    let value = value(plan, Some(name.span()));
    let ty = quote_spanned!(Span::mixed_site()=> #krate::Targets);
    let unused = maybe_unused();
    quote!(#[doc = #doc] #unused #vis const #name: #ty = #value;)
}

/// An expression of type `Targets`.
pub(crate) fn value(plan: &Plan, span: Option<Span>) -> TokenStream {
    let span = span.unwrap_or_else(Span::mixed_site).resolved_at(Span::mixed_site());
    let Plan { krate, private, .. } = plan;
    let listed = plan.targets.iter().map(|planned| {
        let PlannedTarget { target, arch, .. } = planned;
        let name = target.name();
        if COMPILER.writes {
            let listed = private.code(&format!("{}::listed::<{}>", private.text, planned.set));
            return quote_spanned!(span=> #[cfg(#arch)] #listed(#name),);
        }
        let set = planned.constant(private, "SET");
        quote_spanned!(span=> #[cfg(#arch)] #private::Listed::new(#name, #set),)
    });
    let value = quote_spanned!(span=> #krate::Targets::new(const { &[#(#listed)*] }));
    if COMPILER.writes { value } else { quote_spanned!(span=> { #value }) }
}
