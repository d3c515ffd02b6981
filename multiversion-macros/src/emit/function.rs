//! A free function: the clones stand inside the dispatcher's body, where nothing else can see them.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Signature;

use super::dispatcher::{self, Call};
use super::{Macros, Place, Unit, any_expectation, clone_names, clones, docs, lacking};
use crate::attrs::{self, Copied};
use crate::plan::Plan;
use crate::sig::{Form, Names};

pub(super) fn emit(unit: &Unit<'_>, plan: &Plan, macros: &Macros<'_>) -> TokenStream {
    let function = unit.main;
    let form = Form::new(&function.sig);
    let names = Names::new(unit.definitions().map(ToTokens::to_token_stream));
    let clone_names = clone_names(plan, &function.sig.ident, &names);
    let paths = clone_names.iter().map(ToTokens::to_token_stream).collect();
    let call = Call { plan, function, form: &form, paths };
    let clones = clones(unit, plan, &clone_names, Place::Nested, macros);
    let body = call.body();
    item(unit, plan, &form, Place::Nested, macros, quote!(#clones #body))
}

impl Unit<'_> {
    /// All definitions.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &crate::item::Function> {
        let main = self.variants.is_empty().then_some(self.main);
        main.into_iter().chain(self.variants.iter().copied())
    }
}

/// The dispatcher of `unit` around `content`.
pub(super) fn item(
    unit: &Unit<'_>,
    plan: &Plan,
    form: &Form,
    place: Place,
    macros: &Macros<'_>,
    content: TokenStream,
) -> TokenStream {
    let function = unit.main;
    let kept: Vec<syn::Attribute> = function
        .attrs
        .iter()
        .filter(|attr| unit.variants.is_empty() || !attrs::cfg_asks_feature(core::slice::from_ref(attr)))
        .cloned()
        .collect();
    let copied = if place == Place::Sibling { Copied::DispatcherBeside } else { Copied::Dispatcher };
    let mut attributes = attrs::copy(&kept, copied);
    if !unit.variants.is_empty() {
        let exists = unit.exists(plan);
        attributes.extend(quote_spanned!(Span::mixed_site()=> #[cfg(#exists)]));
        attributes.extend(lacking::track(unit, plan));
    }
    if unit.definitions().any(|definition| macros.leave_code_out(definition)) {
        attributes.extend(any_expectation());
    }
    let inline = dispatcher::inline(function);
    let docs = docs::paragraph(plan);
    let (vis, default) = (&function.vis, &function.default);
    let sig = Signature { inputs: form.inputs.clone(), ..function.sig.clone() };
    let mut body = Group::new(Delimiter::Brace, content);
    if let Some(braces) = &function.body {
        body.set_span(braces.span());
    }
    if !form.renamed {
        return quote!(#attributes #docs #inline #vis #default #sig #body);
    }
    // rustdoc shows the patterns, which a dispatcher cannot have: it passes its arguments on.
    let (written, written_body) = (&function.sig, &function.body);
    quote! {
        #[cfg(doc)] #attributes #docs #vis #default #written #written_body
        #[cfg(not(doc))] #attributes #inline #vis #default #sig #body
    }
}
