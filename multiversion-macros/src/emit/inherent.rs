//! An inherent impl: the clones are private methods beside the dispatcher, where `Self` means what it does there.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::dispatcher::Call;
use super::{Macros, Place, Unit, clone_names, clones, function};
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
    let clones = clones(unit, plan, &clone_names, Place::Sibling, macros);
    let dispatcher = function::item(unit, plan, &form, Place::Sibling, macros, call.body());
    quote!(#dispatcher #clones)
}
