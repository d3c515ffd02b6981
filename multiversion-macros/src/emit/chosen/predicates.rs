//! The value of a `cfg` predicate, as far as the macro knows it.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Meta, Token};

use crate::features::Arch;

/// The value of `predicate` on `arch`, in a clone that has `features`; `None` where the rest of the build decides.
pub(super) fn value(predicate: &TokenStream, arch: Arch, features: &[&str]) -> Option<bool> {
    let text = predicate.to_string();
    if text == "true" || text == "false" {
        return Some(text == "true");
    }
    match syn::parse2(predicate.clone()).ok()? {
        Meta::List(list) => {
            let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
            let arguments = parser.parse2(list.tokens).ok()?;
            let mut values = arguments.iter().map(|argument| value(&quote::quote!(#argument), arch, features));
            // One such value decides.
            let decisive = match list.path.get_ident()?.to_string().as_str() {
                "not" => return values.next().flatten().map(|value| !value),
                "all" => false,
                "any" => true,
                _ => return None,
            };
            let values: Vec<Option<bool>> = values.collect();
            if values.contains(&Some(decisive)) {
                return Some(decisive);
            }
            (!values.contains(&None)).then_some(!decisive)
        }
        Meta::NameValue(pair) => {
            let Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) = pair.value else { return None };
            let text = text.value();
            match pair.path.get_ident()?.to_string().as_str() {
                "target_arch" => Some(text == arch.cfg_name()),
                // The build may enable features that the clone does not.
                "target_feature" => features.contains(&text.as_str()).then_some(true),
                _ => None,
            }
        }
        Meta::Path(_) => None,
    }
}

#[cfg(test)]
mod tests;
