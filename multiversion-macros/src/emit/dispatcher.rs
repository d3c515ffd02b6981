//! The body of a dispatcher.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ReturnType, Type};

use crate::attrs;
use crate::item::Function;
use crate::plan::Plan;
use crate::sig::Form;

/// How the clones of one function are called.
pub(super) struct Call<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function,
    pub(super) form: &'a Form,
    /// The path of each clone, without generic arguments of the function's own.
    pub(super) paths: Vec<TokenStream>,
}

impl Call<'_> {
    /// A call of clone `index`, awaited where that is due.
    pub(super) fn of(&self, index: usize) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let path = &self.paths[index];
        let (turbofish, args) = (&self.form.turbofish, &self.form.args);
        let wait = self.function.sig.asyncness.map(|_| quote_spanned!(span=> .await));
        quote_spanned!(span=> unsafe { #path #turbofish(#args #krate::__private::Proof::new()) } #wait)
    }

    /// The content of the dispatcher's braces, after the clones: the first clone whose target the CPU has is called.
    pub(super) fn body(&self) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        // A call that never returns needs no `return`, and rustc warns of one.
        let go = match &self.function.sig.output {
            ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => TokenStream::new(),
            _ => quote_spanned!(span=> return),
        };
        let mut tests = TokenStream::new();
        for (index, target) in self.plan.targets.iter().enumerate() {
            let (decides, test, call) = (target.decides(), target.test(krate), self.of(index));
            tests.extend(quote_spanned!(span=> #[cfg(#decides)] if #test { #go #call; }));
        }
        let last = self.plan.last(|index| self.of(index));
        quote!(#tests #last)
    }
}

impl Plan {
    /// A block for the clone that is left where no test has shown another: `value` of it.
    pub(super) fn last(&self, value: impl Fn(usize) -> TokenStream) -> TokenStream {
        let span = Span::mixed_site();
        let mut tokens = TokenStream::new();
        for (index, target) in self.targets.iter().enumerate() {
            let (elided, value) = (target.elided(), value(index));
            tokens.extend(quote_spanned!(span=> #[cfg(#elided)] { #value }));
        }
        let baseline = self.targets.len();
        let (exists, value) = (&self.clones[baseline].exists, value(baseline));
        tokens.extend(quote_spanned!(span=> #[cfg(#exists)] { #value }));
        tokens
    }
}

/// `#[inline(always)]`, unless the dispatcher is a symbol of its own.
pub(super) fn inline(function: &Function) -> TokenStream {
    if attrs::exports(&function.attrs) {
        return quote!();
    }
    // Clippy looks at a method's own span, which is the user's.
    quote_spanned! {Span::mixed_site()=>
        #[allow(clippy::inline_always, reason = "a dispatcher is a few instructions")]
        #[inline(always)]
    }
}
