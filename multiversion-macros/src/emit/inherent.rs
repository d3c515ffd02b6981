//! An inherent impl: the clones are private methods beside the dispatcher, where `Self` means what it does there.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::dispatcher::{self, Call, First};
use super::{Macros, Place, Unit, clone, clone_names, function};
use crate::plan::Plan;
use crate::sig::{Form, Names};

/// `taken` is every name in the impl, which the clones share a scope with.
pub(super) fn emit(unit: &Unit<'_>, plan: &Plan, macros: &Macros<'_>, taken: &Names) -> TokenStream {
    let span = Span::mixed_site();
    let method = unit.main;
    let form = Form::new(&method.sig);
    let clone_names = clone_names(plan, &method.sig.ident, taken);
    let paths = clone_names.iter().map(|name| quote_spanned!(span=> Self::#name)).collect();
    let call = Call { plan, function: method, form: &form, paths };
    let first = dispatcher::needs_first(method).then(|| {
        let name = taken.clone(&method.sig.ident, "first");
        First { path: quote_spanned!(span=> Self::#name), name }
    });
    let check = call.baseline_check(first.as_ref());
    let clones: TokenStream = plan
        .clones
        .iter()
        .zip(&clone_names)
        .map(|(planned, name)| clone(unit, plan, planned, name, Place::Sibling, macros, &check))
        .collect();
    let definition = first.as_ref().map(|first| {
        let attributes = function::first_attributes(unit, plan);
        call.first_definition(first, &form.inputs, &attributes)
    });
    let body = call.body(first.as_ref());
    let dispatcher = function::item(unit, plan, &form, Place::Sibling, macros, body);
    let definition = definition.to_token_stream();
    quote!(#dispatcher #clones #definition)
}
