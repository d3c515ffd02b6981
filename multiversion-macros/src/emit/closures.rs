//! Methods whose clones are closures in the method itself: those of traits, and single methods with the attribute.
//!
//! A safe method of a trait cannot carry `#[target_feature]`, and a function nested in a method has no `Self`. A closure has it, and to
//! rustc is the safe code that it would be in the method, so that each clone is checked by itself. `inline(always)` puts the
//! closure into a function with the clone's features, which is nested in the method and calls it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{FnArg, Pat, PatIdent, PatType, ReceiverKind, Type};

use super::dispatcher::{Dispatcher, block};
use super::scope::Scope;
use crate::attrs;
use crate::compiler::COMPILER;
use crate::item::Function;
use crate::lints::{allow_for_clippy, allow_in_file};
use crate::plan::PlannedClone;
use crate::resolve::Unit;
use crate::sig::{self, Parameters};
use crate::tokens::{braces, code, is_punct};

/// A method with its clones.
pub(super) fn method(unit: &Unit<'_>, scope: &Scope<'_>) -> TokenStream {
    let dispatcher = Dispatcher::new(unit, scope, captured_parameters(unit, scope));
    let runners = (0..dispatcher.names.len()).map(|index| dispatcher.runner(index)).collect();
    let mut runners = dispatcher.with_constants(runners);
    let baseline = runners.pop();
    let choice = dispatcher.pick(&runners, &|index, proof| dispatcher.run(index, proof));
    let lints = dispatcher.signature_lints();
    dispatcher.item(&block(&lints.into_token_stream(), &quote!(#baseline #choice)))
}

impl Dispatcher<'_> {
    /// The function that runs clone `index`, a closure.
    fn runner(&self, index: usize) -> TokenStream {
        let (function, clone) = (self.unit.main(), &self.plan.clones[index]);
        let mut attributes = attrs::for_copy(&function.attrs, Some(&clone.features), clone.target.is_some(), false);
        if !attrs::says_inline(&function.attrs) {
            attributes.extend([code("#[inline]")]);
        }
        if let Some(target) = &clone.target {
            attributes.extend([code(&format!("#[target_feature(enable = {:?})]", target.enable))]);
        }
        let (name, private, body) = (&self.names[index], &self.plan.private, self.plan.names.variable("body"));
        let rest =
            private.code(&format!("<B: {}::core::ops::FnOnce() -> R, R>({body}: B) -> R {{ {body}() }}", private.text));
        quote_spanned!(Span::mixed_site()=> #attributes fn #name #rest)
    }

    /// The value of clone `index`.
    fn run(&self, index: usize, proof: &Ident) -> TokenStream {
        let clone = &self.plan.clones[index];
        if !self.unit.selected {
            return self.run_body(self.unit.main(), index, proof);
        }
        let runs = self.variants(clone).into_iter().map(|(function, predicate)| {
            let (exists, run) = (clone.exists_and(predicate), self.run_body(&function, index, proof));
            quote_spanned!(Span::mixed_site()=> #[cfg(#exists)] #run)
        });
        quote_spanned!(Span::mixed_site()=> { #(#runs)* })
    }

    /// The value of clone `index` with the body of `function`. The closure is made outside of `unsafe`, which would hold in it too. It
    /// consumes the proof, so that it runs once, and may return what it has captured.
    fn run_body(&self, function: &Function, index: usize, proof: &Ident) -> TokenStream {
        let (span, name) = (Span::mixed_site(), &self.names[index]);
        let closure = self.closure(function, &self.plan.clones[index], proof);
        let body = self.plan.names.variable("body");
        let args = self.by_reference().map(|args| {
            let names: Vec<&Ident> = self.owned().map(|(name, _)| name).collect();
            quote_spanned!(span=> let #args = { #[inline(always)] || { #(let _ = &raw const #names;)* (#(#names,)*) } };)
        });
        let call = match self.plan.clones[index].target {
            Some(_) => quote_spanned!(span=> unsafe { #name(#body) }),
            None => quote_spanned!(span=> #name(#body)),
        };
        quote_spanned!(span=> { #args let #body = { #closure }; #call })
    }

    fn closure(&self, function: &Function, clone: &PlannedClone, proof: &Ident) -> TokenStream {
        let span = Span::mixed_site();
        let Some(body) = &function.body else { return TokenStream::new() };
        let (inner, mut content) = self.clone_content(function, body, clone);
        // A closure has no attributes inside.
        let outer: TokenStream = inner.into_iter().filter(|token| !is_punct(Some(token), '!')).collect();
        let silence = if clone.target.is_some() { self.silence(Some(body)) } else { None };
        let mut lints = self.lints_of_clone(function, clone);
        let mutable = |input: &FnArg| match input {
            FnArg::Receiver(receiver) => {
                receiver.mutability.is_some() && !matches!(receiver.kind, ReceiverKind::Reference(..))
            }
            FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pat) if pat.mutability.is_some()),
        };
        let by_reference = self.by_reference();
        let captured = |input: &&FnArg| match input {
            FnArg::Typed(typed) => by_reference.is_none() || !sig::may_drop(&typed.ty),
            FnArg::Receiver(_) => true,
        };
        if self.parameters.inputs.iter().filter(captured).any(mutable) {
            // To rustc, nobody reads a part of a captured variable that is changed and dropped.
            lints.extend([code("#[allow(unused_assignments)]")]);
        }
        // The result's type stands here again.
        lints.extend(allow_for_clippy(|| quote!(clippy::used_underscore_binding, clippy::use_self)));
        let (owned, bindings) = (self.captures(), self.bindings(function));
        lints.extend(allow_in_file(
            !bindings.is_empty() || by_reference.is_some(),
            "clippy::blocks_in_conditions, clippy::match_single_binding",
        ));
        for (name, pattern, cfgs) in bindings.into_iter().rev() {
            content = if cfgs.is_empty() {
                // As with a parameter, what the block ends with is dropped before the bindings, and what they leave of the
                // argument after them.
                let block = braces(content, body.braces.span());
                quote_spanned!(span=> match { #name } { #pattern => #block })
            } else {
                quote_spanned!(span=> #(#cfgs)* let #pattern = { #name }; #content)
            };
        }
        if let Some(args) = by_reference {
            let names = self.owned().map(|(_, pattern)| pattern);
            let block = braces(content, body.braces.span());
            content = quote_spanned!(span=> match #args() { (#(#names,)*) => #block });
        }
        let output = &function.sig.output;
        let ours = &self.plan.private.text;
        let captured = if COMPILER.writes {
            // Without hygiene the body could name it.
            self.plan.private.code(&format!("self::{ours}::consume({proof});"))
        } else {
            quote_spanned!(span=> let #proof = #proof;)
        };
        let block = braces(quote_spanned!(span=> #captured #owned #content), body.braces.span());
        quote_spanned!(span=> #silence #lints #outer #[inline(always)] move || #output #block)
    }

    /// The name of a closure that returns the arguments, if it [`borrows`] some.
    fn by_reference(&self) -> Option<Ident> {
        borrows(&self.parameters).then(|| self.plan.names.variable("args"))
    }

    /// The parameters that it returns: the dispatcher's name, and the pattern in the clone.
    fn owned(&self) -> impl Iterator<Item = (&Ident, &Pat)> {
        let owned = typed(&self.parameters).filter(|input| sig::may_drop(&input.ty));
        owned.filter_map(|input| Some((name(&input.pat)?, &*input.pat)))
    }

    /// Statements by which a closure captures each argument whole, the last one first: so it drops them in the method's order.
    /// A name that is the pattern of a unit struct has no address, and is the compiler's error.
    fn captures(&self) -> TokenStream {
        let owned = self.parameters.bound.iter().rev().filter_map(|input| match input {
            FnArg::Receiver(receiver) => {
                let this = receiver.self_token;
                (!matches!(receiver.kind, ReceiverKind::Reference(..)))
                    .then(|| quote_spanned!(Span::mixed_site()=> let _ = &#this;))
            }
            FnArg::Typed(_) if self.by_reference().is_some() => None,
            FnArg::Typed(typed) => {
                let (cfgs, name) = (attrs::cfgs(&typed.attrs), name(&typed.pat)?);
                sig::may_drop(&typed.ty)
                    .then(|| quote_spanned!(Span::mixed_site()=> #(#cfgs)* let _ = &raw const #name;))
            }
        });
        quote!(#(#owned)*)
    }

    /// The patterns of `function` from the first one that differs from the dispatcher's parameter on, each with the parameter's name and
    /// `cfg`s. What follows a pattern is dropped before it.
    fn bindings<'f>(&'f self, function: &'f Function) -> Vec<(&'f Ident, &'f Pat, Vec<&'f syn::Attribute>)> {
        let parameters = function.sig.inputs.iter().zip(&self.parameters.inputs);
        let mut differs = false;
        let bindings = parameters.filter_map(|(written, own)| {
            let (FnArg::Typed(written), FnArg::Typed(own)) = (written, own) else { return None };
            let same = written.pat.to_token_stream().to_string() == own.pat.to_token_stream().to_string();
            differs |= !same;
            let cfgs = attrs::cfgs(&written.attrs).collect();
            Some((name(&own.pat)?, &*written.pat, cfgs)).filter(|_| !same || (differs && sig::may_drop(&written.ty)))
        });
        bindings.collect()
    }
}

/// Whether clones borrow arguments that are `Copy`, and take the others: where one is an array or a tuple. A clone that loads a copy at
/// another width than it was stored waits for the store.
fn borrows(parameters: &Parameters) -> bool {
    typed(parameters).any(|input| matches!(*input.ty, Type::Array(_) | Type::Tuple(_)))
        && !typed(parameters).any(|input| attrs::cfgs(&input.attrs).next().is_some())
}

/// The parameters less `self`.
fn typed(parameters: &Parameters) -> impl Iterator<Item = &PatType> {
    parameters.inputs.iter().filter_map(|input| if let FnArg::Typed(typed) = input { Some(typed) } else { None })
}

fn name(pat: &Pat) -> Option<&Ident> {
    let Pat::Ident(pat) = pat else { return None };
    Some(&pat.ident)
}

/// The parameters of the method, with a name for each, which the closures capture.
fn captured_parameters(unit: &Unit<'_>, scope: &Scope<'_>) -> Parameters {
    let sig = &unit.main().sig;
    let mut parameters = Parameters::new(sig, &scope.plans[unit.list].names, &|name| unit.hides(name));
    let keeps_name = |pat: &PatIdent| sig::is_plain_name(pat) && !unit.hides(&pat.ident);
    let is_name = |input: &FnArg| match input {
        FnArg::Receiver(_) => true,
        FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pat) if keeps_name(pat)),
    };
    let only_names = unit.definitions.iter().all(|one| one.sig.inputs.iter().all(is_name));
    for (written, input) in sig.inputs.iter().zip(&mut parameters.inputs) {
        match (written, input) {
            (FnArg::Receiver(written), FnArg::Receiver(receiver)) => {
                // Closures change what they capture.
                let mutable = unit.definitions.iter().find_map(|one| one.sig.receiver()?.mutability);
                receiver.mutability = written.mutability.or(mutable);
            }
            (FnArg::Typed(written), FnArg::Typed(typed)) => {
                if let Pat::Ident(pat) = &*written.pat
                    && keeps_name(pat)
                {
                    // Behind a pattern the binding of the closure is the one that changes.
                    let mutability = pat.mutability.filter(|_| only_names);
                    *typed.pat = Pat::Ident(PatIdent { mutability, ..pat.clone() });
                }
            }
            _ => {}
        }
    }
    parameters.bound = parameters.inputs.clone();
    if borrows(&parameters) {
        // The bindings in the closures change.
        for input in &mut parameters.bound {
            if let FnArg::Typed(typed) = input
                && let Pat::Ident(pat) = &mut *typed.pat
                && sig::may_drop(&typed.ty)
            {
                pat.mutability = None;
            }
        }
    }
    parameters
}
