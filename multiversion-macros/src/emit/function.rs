//! A free function: the clones stand inside the dispatcher's body, where nothing else can see them.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Signature;

use super::dispatcher::{self, Call, First};
use super::{Macros, Place, Unit, any_expectation, clone, clone_names, docs, lacking};
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
    let first = dispatcher::needs_first(function).then(|| {
        let name = names.clone(&function.sig.ident, "first");
        First { path: name.to_token_stream(), name }
    });
    let check = call.baseline_check(first.as_ref());
    let clones = plan
        .clones
        .iter()
        .zip(&clone_names)
        .map(|(planned, name)| clone(unit, plan, planned, name, Place::Nested, macros, &check));
    let clones: TokenStream = clones.collect();
    let definition =
        first.as_ref().map(|first| call.first_definition(first, &form.inputs, &first_attributes(unit, plan)));
    let body = call.body(first.as_ref());
    item(unit, plan, &form, Place::Nested, macros, quote!(#clones #definition #body))
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

/// The attributes of the outlined function of `unit`.
pub(super) fn first_attributes(unit: &Unit<'_>, plan: &Plan) -> TokenStream {
    let span = Span::mixed_site();
    let mut tokens = quote_spanned!(span=> #[doc(hidden)]);
    if attrs::tracks_caller(&unit.main.attrs) {
        tokens.extend(quote_spanned!(span=> #[track_caller]));
    }
    if !unit.variants.is_empty() {
        let exists = unit.exists(plan);
        tokens.extend(quote_spanned!(span=> #[cfg(#exists)]));
        tokens.extend(lacking::track(unit, plan));
    }
    tokens
}
