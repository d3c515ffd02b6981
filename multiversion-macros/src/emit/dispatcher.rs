//! The body of a dispatcher.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, ReturnType, Safety, Signature, Token, Type, punctuated::Punctuated};

use crate::attrs;
use crate::item::Function;
use crate::plan::{Plan, PlannedTarget};
use crate::sig::{self, Form};

/// How the clones of one function are called.
pub(super) struct Call<'a> {
    pub(super) plan: &'a Plan,
    pub(super) function: &'a Function,
    pub(super) form: &'a Form,
    /// The path of each clone, without generic arguments of the function's own.
    pub(super) paths: Vec<TokenStream>,
}

/// An outlined function that detects, decides and calls: what a function pointer cannot do.
pub(super) struct First {
    pub(super) name: Ident,
    pub(super) path: TokenStream,
}

/// Whether the clone is to be called from an outlined function on the first call.
///
/// A function pointer is cheaper to compile, but it has no caller location, cannot be had of futures of different
/// types, and does not take every signature with a generic associated type.
pub(super) fn needs_first(function: &Function) -> bool {
    function.sig.asyncness.is_some()
        || attrs::tracks_caller(&function.attrs)
        // It may have no definition for some clone, and then says where it was called.
        || attrs::cfg_asks_feature(&function.attrs)
        || sig::projects_lifetime(&function.sig)
}

impl Call<'_> {
    /// A call of clone `index`, awaited where that is due.
    fn of(&self, index: usize) -> TokenStream {
        let call = self.call(index);
        let wait = self.function.sig.asyncness.map(|_| quote_spanned!(Span::mixed_site()=> .await));
        quote!(#call #wait)
    }

    /// A call of clone `index`.
    fn call(&self, index: usize) -> TokenStream {
        let span = Span::mixed_site();
        let path = &self.paths[index];
        let (turbofish, args) = (&self.form.turbofish, &self.form.args);
        let call = quote_spanned!(span=> #path #turbofish(#args));
        let baseline = index == self.plan.targets.len();
        let is_unsafe = matches!(self.function.sig.safety, Safety::Unsafe(_));
        if baseline && !is_unsafe { call } else { quote_spanned!(span=> unsafe { #call }) }
    }

    /// A call of clone `index`, which the words have just shown to be the one.
    fn shown(&self, index: usize) -> TokenStream {
        if self.function.sig.asyncness.is_none() {
            return self.of(index);
        }
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let PlannedTarget { set, earlier, .. } = &self.plan.targets[index];
        let absent = earlier.iter().map(|&i| {
            let PlannedTarget { set, arch, .. } = &self.plan.targets[i];
            quote_spanned!(span=> #[cfg(#arch)] if !#krate::__private::absent::<#set>() { return false; })
        });
        let call = self.call(index);
        quote_spanned! {span=>
            #krate::__private::Chosen(
                #krate::__private::pin!(#call),
                || { #(#absent)* #krate::__private::present::<#set>() },
            ).await
        }
    }

    /// `return`, but for a call that never returns: it needs none, and rustc warns of one.
    fn go(&self) -> TokenStream {
        match &self.function.sig.output {
            ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => TokenStream::new(),
            _ => quote_spanned!(Span::mixed_site()=> return),
        }
    }

    /// The call that is right where nothing is left to decide.
    fn settled(&self, prefix: &TokenStream, suffix: &TokenStream) -> TokenStream {
        let span = Span::mixed_site();
        let mut tokens = TokenStream::new();
        for (index, target) in self.plan.targets.iter().enumerate() {
            let elided = target.elided();
            let call = self.of(index);
            tokens.extend(quote_spanned!(span=> #[cfg(#elided)] { #prefix #call #suffix }));
        }
        let baseline = self.plan.targets.len();
        let exists = &self.plan.clones[baseline].exists;
        let call = self.of(baseline);
        tokens.extend(quote_spanned!(span=> #[cfg(#exists)] { #prefix #call #suffix }));
        tokens
    }

    /// The content of the dispatcher's braces, after the clones.
    pub(super) fn body(&self, first: Option<&First>) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let go = self.go();
        let last = self.settled(&go, &quote_spanned!(span=> ;));
        let mut tests = TokenStream::new();
        for (index, target) in self.plan.targets.iter().enumerate() {
            let (decides, set) = (target.decides(), &target.set);
            let call = self.shown(index);
            tests.extend(quote_spanned! {span=>
                #[cfg(#decides)]
                {
                    if !#krate::__private::not_present::<#set>() { #go #call; }
                    if !#krate::__private::absent::<#set>() { break 'first; }
                }
            });
        }
        let cold = match first {
            Some(first) => self.first_call(first),
            None => self.chosen(),
        };
        let decides = self.plan.decides();
        let settled = self.settled(&TokenStream::new(), &TokenStream::new());
        quote_spanned! {span=>
            #[cfg(#decides)]
            {
                'first: { #tests #last }
                #cold
            }
            #[cfg(not(#decides))]
            { #settled }
        }
    }

    /// Statements for the start of the baseline, after which nested dispatchers know that no target is there.
    ///
    /// The baseline has no features of its own and is inlined anywhere, so it can assert nothing of ABSENT: it asks, and
    /// goes back to the decision where the words do not tell. What it then asserts of PRESENT is true of every read.
    pub(super) fn baseline_check(&self, first: Option<&First>) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let go = self.go();
        // A future goes from frame to frame, and patterns have taken the arguments apart.
        let named = !self.form.renamed && !self.form.aliased;
        if self.function.sig.asyncness.is_some() || !named || go.is_empty() {
            return TokenStream::new();
        }
        let cold = match first {
            Some(first) => self.first_call(first),
            None => self.chosen(),
        };
        let mut known = TokenStream::new();
        let mut lacking = TokenStream::new();
        for target in &self.plan.targets {
            let (decides, set) = (target.decides(), &target.set);
            known.extend(quote_spanned! {span=>
                && { #[cfg(#decides)] { #krate::__private::absent::<#set>() } #[cfg(not(#decides))] { true } }
            });
            lacking.extend(quote_spanned! {span=>
                #[cfg(#decides)]
                #krate::__private::assert_not_present::<#set>();
            });
        }
        // It is for optimised code; elsewhere it would only count as a use of parameters that the user's code leaves unused.
        let decides = self.plan.decides();
        quote_spanned! {span=>
            #[cfg(all(#decides, not(debug_assertions)))]
            if !(true #known) { #go #cold; }
            #[cfg(all(#decides, not(debug_assertions)))]
            unsafe { #lacking }
        }
    }

    /// The clone through a pointer out of an opaque function.
    fn chosen(&self) -> TokenStream {
        let (pointer, args) = (self.pointer(), &self.form.args);
        quote_spanned!(Span::mixed_site()=> unsafe { #pointer(#args) })
    }

    /// The pointer itself, an unsafe expression.
    pub(super) fn pointer(&self) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let (pointer, turbofish) = (&self.form.pointer, &self.form.turbofish);
        let mut sets = TokenStream::new();
        let mut clones = TokenStream::new();
        for (target, path) in self.plan.targets.iter().zip(&self.paths) {
            let (decides, set) = (target.decides(), target.value(krate));
            sets.extend(quote_spanned!(span=> #[cfg(#decides)] #set,));
            clones.extend(quote_spanned!(span=> #[cfg(#decides)] (#path #turbofish as #pointer),));
        }
        for (target, path) in self.plan.targets.iter().zip(&self.paths) {
            let elided = target.elided();
            clones.extend(quote_spanned!(span=> #[cfg(#elided)] (#path #turbofish as #pointer),));
        }
        let baseline = self.plan.targets.len();
        let (exists, path) = (&self.plan.clones[baseline].exists, &self.paths[baseline]);
        clones.extend(quote_spanned!(span=> #[cfg(#exists)] (#path #turbofish as #pointer),));
        quote_spanned!(span=> #krate::__private::choose(&[#sets], &[#clones]))
    }

    fn first_call(&self, first: &First) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let path = &first.path;
        let (turbofish, args) = (&self.form.turbofish, &self.form.args);
        let call = quote_spanned!(span=> #path #turbofish(#args));
        let call = if matches!(self.function.sig.safety, Safety::Unsafe(_)) {
            quote_spanned!(span=> unsafe { #call })
        } else {
            call
        };
        if self.function.sig.asyncness.is_some() {
            // Polled behind a call that is never inlined: see `simd_core::__private::Outlined`.
            quote_spanned!(span=> #krate::__private::Outlined(#krate::__private::pin!(#call)).await)
        } else {
            call
        }
    }

    /// The outlined function itself: `inputs` are the dispatcher's, `extra` its attributes.
    pub(super) fn first_definition(
        &self,
        first: &First,
        inputs: &Punctuated<FnArg, Token![,]>,
        extra: &TokenStream,
    ) -> TokenStream {
        let span = Span::mixed_site();
        let krate = &self.plan.krate;
        let go = self.go();
        let mut tests = TokenStream::new();
        for (index, target) in self.plan.targets.iter().enumerate() {
            let (decides, set) = (target.decides(), target.value(krate));
            let call = self.of(index);
            tests.extend(quote_spanned! {span=>
                #[cfg(#decides)]
                if __found.contains(#set.leaf) { #go #call; }
            });
        }
        let settled = self.settled(&TokenStream::new(), &TokenStream::new());
        let decides = self.plan.decides();
        let mut sig = Signature { inputs: inputs.clone(), ..self.function.sig.clone() };
        sig.ident = first.name.clone();
        sig.abi = None;
        quote_spanned! {span=>
            #[cfg(#decides)]
            #extra
            #[cold]
            #[inline(never)]
            #sig
            {
                let __found = #krate::__private::ensure();
                #tests
                #settled
            }
        }
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
