//! The clones of one function.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, FnArg, Safety, Signature, Token, Visibility, parse_quote_spanned};

use super::dispatcher::Dispatcher;
use super::traits::with_standard_cfg;
use super::{Place, allow_for_clippy, record};
use crate::attrs;
use crate::compiler::COMPILER;
use crate::item::{Body, Choice, Function};
use crate::plan::{PlannedClone, any, code};
use crate::sig;
use crate::tokens::braces;
use crate::transform::split_inner_attributes;

/// Keywords at the start of items.
const ITEMS: [&str; 12] =
    ["const", "enum", "extern", "fn", "impl", "macro_rules", "mod", "static", "struct", "trait", "type", "use"];

impl Dispatcher<'_> {
    /// The clones, in the order of the plan's. One in the dispatcher's body stands where its target's architecture is
    /// known.
    pub(super) fn clones(&self) -> Vec<TokenStream> {
        let tails: Vec<TokenStream> =
            self.unit.definitions.iter().map(|definition| self.after_name(&definition.sig)).collect();
        let clones = self.plan.clones.iter().zip(&self.names);
        clones.map(|(clone, name)| self.definitions(clone, name, &tails)).collect()
    }

    /// What follows the name in the signature of each clone of a function with `sig`.
    fn after_name(&self, sig: &Signature) -> TokenStream {
        let mut sig = sig.clone();
        self.complete(&mut sig);
        let Signature { generics, paren_token, inputs, output, .. } = &sig;
        let mut tokens = generics.to_token_stream();
        paren_token.surround(&mut tokens, |tokens| inputs.to_tokens(tokens));
        output.to_tokens(&mut tokens);
        generics.where_clause.to_tokens(&mut tokens);
        tokens
    }

    /// A block of clones that ends with `choice` among them. The code `beside` each clone depends on its place in the
    /// plan.
    pub(super) fn nested(
        &self,
        beside: impl Fn(usize) -> TokenStream,
        choice: impl FnOnce(&[TokenStream]) -> TokenStream,
    ) -> TokenStream {
        let mut items = self.clones();
        items.iter_mut().enumerate().for_each(|(index, clone)| clone.extend(beside(index)));
        let baseline = items.pop();
        let choice = choice(&items);
        let (omissions, silence) = (self.leaves_code_out.then(lints_of_omission), self.silence());
        let lints = self.signature_lints();
        quote_spanned!(Span::mixed_site()=> #lints #omissions { #baseline #silence { #choice } })
    }

    /// The attribute for the clones for targets, if the baseline reports the warnings.
    fn silence(&self) -> Option<&TokenStream> {
        (!self.unit.selected && !self.leaves_code_out).then_some(&self.plan.silence)
    }

    /// Whether the clones inherit the lint levels around them, in [`nested`](Self::nested).
    fn is_nested(&self) -> bool {
        matches!(self.place, Place::Nested | Place::BehindPointer)
    }

    /// The attribute under which a clone exists. In the dispatcher's body the architecture is known.
    pub(super) fn exists(&self, clone: &PlannedClone) -> Option<TokenStream> {
        let known = self.is_nested() && !self.asks();
        if known { None } else { clone.cfg() }
    }

    /// The definitions of one clone.
    fn definitions(&self, clone: &PlannedClone, name: &Ident, tails: &[TokenStream]) -> TokenStream {
        let unit = self.unit;
        if !unit.selected {
            return self.definition(unit.main(), clone, (name, &tails[0]), None);
        }
        let mut tokens = TokenStream::new();
        let predicates = unit.predicates(clone);
        for (at, (variant, predicate)) in unit.definitions.iter().zip(&predicates).enumerate() {
            let earlier = any(predicates[..at].to_vec());
            if at == 0 || predicate.to_string() == quote!(not(#earlier)).to_string() {
                tokens.extend([self.definition(variant, clone, (name, &tails[at]), Some(predicate))]);
                continue;
            }
            let (both, error) = (clone.exists_and(quote!(all(#predicate, #earlier))), twice(&variant.sig.ident, clone));
            tokens.extend([quote_spanned!(Span::mixed_site()=> #[cfg(#both)] #error)]);
            let predicate = quote!(all(#predicate, not(#earlier)));
            tokens.extend([self.definition(variant, clone, (name, &tails[at]), Some(&predicate))]);
        }
        // No definition is for this clone. Without the attribute the function would not exist either.
        let (exists, missing) = (unit.exists(), unit.missing(clone));
        let predicate = quote!(all(#exists, #missing));
        let function = self.missing();
        let tail = self.after_name(&function.sig);
        tokens.extend([self.definition(&function, clone, (name, &tail), Some(&predicate))]);
        tokens
    }

    /// A definition that panics.
    fn missing(&self) -> Function {
        let (span, private) = (Span::mixed_site(), &self.plan.private);
        let sig = &self.unit.main().sig;
        let used = self.form.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => {
                let (cfgs, name) = (typed.attrs.iter().filter(|attr| attr.path().is_ident("cfg")), &typed.pat);
                Some(quote_spanned!(span=> #(#cfgs)* let _ = &#name;))
            }
            FnArg::Receiver(_) => None,
        });
        let text = self.unit.name();
        let panic = quote_spanned!(span=> #(#used)* #private::missing_variant(#text));
        let track = self.can_track().then(|| parse_quote_spanned!(span=> #[track_caller]));
        Function {
            choice: Choice::Skip,
            attrs: track.into_iter().collect(),
            vis: Visibility::Inherited,
            default: None,
            sig: Signature { inputs: self.form.inputs.clone(), ..sig.clone() },
            body: Some(Body::new(braces(panic, Span::call_site()))),
        }
    }

    fn definition(
        &self,
        function: &Function,
        clone: &PlannedClone,
        (name, tail): (&Ident, &TokenStream),
        predicate: Option<&TokenStream>,
    ) -> TokenStream {
        let span = Span::mixed_site();
        let exists = match predicate {
            Some(predicate) => {
                let predicate = clone.exists_and(predicate.clone());
                Some(quote_spanned!(span=> #[cfg(#predicate)]))
            }
            None => self.exists(clone),
        };
        // A variant's predicate replaces these.
        let beside = self.place == Place::Sibling;
        let stands = |attr: &&Attribute| beside && attrs::asks_feature(attr);
        let kept: Vec<Attribute> = function.attrs.iter().filter(|attr| !stands(attr)).cloned().collect();
        let body = function.body.as_ref().map(|body| self.clone_body(function, body, clone));
        // A variant's predicate tests some as well.
        let of_build = self.asks().then(|| clone.features.of_build(&quote!(#predicate #body)));
        let has_features =
            clone.features.target.is_some() || of_build.as_ref().is_some_and(|of_build| !of_build.is_empty());
        let attributes = attrs::copy(&kept, Some(&clone.features), has_features, beside);
        let mut prelude = self.prelude(function, clone);
        let enable = clone.features.target.as_ref().map(|target| {
            let enable = &target.enable;
            if !self.is_nested() {
                prelude.extend(self.silence().cloned());
            }
            code(&format!("#[target_feature(enable = {enable:?})]"))
        });
        let Signature { asyncness, safety, fn_token, .. } = &function.sig;
        let (mut asyncness, mut safety) = (*asyncness, safety.clone());
        if self.must_be_unsafe(clone) {
            safety = Safety::Unsafe(Token![unsafe](span));
        }
        sig::excuse_unsafe(&mut asyncness, &mut safety);
        quote_spanned! {span=>
            #exists #prelude #attributes #enable #of_build #asyncness #safety #fn_token #name #tail #body
        }
    }

    /// Whether `cfg(target_feature)` may decide about the function's code.
    pub(super) fn asks(&self) -> bool {
        self.plan.taken.is_some()
    }

    /// Whether the language requires the clone to be `unsafe` because it has features of its own.
    fn must_be_unsafe(&self, clone: &PlannedClone) -> bool {
        self.place == Place::Method && clone.features.target.is_some()
    }

    /// Our attributes before the signature of a clone.
    fn prelude(&self, function: &Function, clone: &PlannedClone) -> TokenStream {
        let span = Span::mixed_site();
        let mut tokens = TokenStream::new();
        let several = self.unit.selected;
        if self.leaves_code_out && (!several || self.scope.leave_code_out(function)) {
            if !self.is_nested() {
                tokens.extend([lints_of_omission()]);
            }
            if clone.features.target.is_some() {
                // Clippy accepts a `return` under `cfg`, but not in rewritten tokens; and an assertion precedes the
                // user's items.
                tokens.extend([allow_for_clippy(|| quote!(clippy::items_after_statements, clippy::needless_return))]);
            }
        }
        if self.place == Place::Sibling {
            tokens.extend([self.signature_lints()]);
            tokens.extend([quote_spanned!(span=> #[doc(hidden)])]);
        }
        if !attrs::says_inline(&function.attrs) {
            tokens.extend([quote_spanned!(span=> #[inline])]);
        }
        let safe = !matches!(function.sig.safety, Safety::Unsafe(_))
            && !function.body.as_ref().is_some_and(|body| body.words.have("unsafe"));
        if safe && self.must_be_unsafe(clone) {
            // The types of functions with features, merged in an array or an `if`, are others than in the baseline.
            tokens.extend([quote_spanned!(span=> #[forbid(unsafe_op_in_unsafe_fn)])]);
        }
        tokens
    }

    /// The body of a clone, after its assertions.
    fn clone_body(&self, function: &Function, body: &Body, clone: &PlannedClone) -> Group {
        let all = body.stream();
        let (inner, rest) = if body.words.bangs { split_inner_attributes(all) } else { (TokenStream::new(), all) };
        let method = self.place == Place::Method;
        let copied = if method { TokenStream::new() } else { self.scope.copied(function, &rest, &clone.features) };
        let standard = method && body.words.have("target_feature");
        let rest = if standard { with_standard_cfg(rest, &self.plan.private) } else { rest };
        let asynchronous = function.sig.asyncness.is_some();
        let rest = clone.features.body(rest, &body.words, asynchronous);
        let mut rest = self.told_apart(self.scope.lacking.mark(rest, function, clone));
        let known = match &clone.features.target {
            // A missing value is an error at the user's return type, and not at an assertion in its place.
            _ if rest.is_empty() => &TokenStream::new(),
            Some(target) => &target.assertion,
            // Code that outlives the dispatcher's tests must not repeat their results.
            None if self.place == Place::BehindPointer || asynchronous => &TokenStream::new(),
            None => &self.plan.baseline_assertion,
        };
        if !copied.is_empty() {
            // What the body declares or imports goes before the copies.
            rest = braces(rest, body.braces.span().resolved_at(Span::mixed_site())).into_token_stream();
        }
        let reports = clone.features.target.is_none() || self.silence().is_none();
        if COMPILER.clippy && reports && !known.is_empty() && body.words.have_any(&ITEMS) {
            // Clippy requires items before statements.
            let block = braces(rest, body.braces.span());
            rest = quote_spanned!(Span::mixed_site()=> #[allow(unused_braces)] #block);
        }
        // A test run need not reach the definition that panics.
        let written = self.unit.definitions.iter().any(|definition| core::ptr::eq(*definition, function));
        let record = (self.plan.recorded && written).then(|| record::entry(function, self.plan, clone));
        braces(quote!(#inner #copied #record #known #rest), body.braces.span())
    }
}

/// The error that `clone` has several definitions of `name`.
fn twice(name: &Ident, clone: &PlannedClone) -> TokenStream {
    let message = format!(
        "`{name}` has two definitions in {clone}: the `cfg(target_feature)` of both is true there\n\
         help: exclude the features of one from the other, for example with `all(…, not(…))`"
    );
    quote_spanned!(name.span()=> compile_error! { #message })
}

/// Silences rustc's warnings about code that is left out: another clone may use it.
fn lints_of_omission() -> TokenStream {
    quote! {
        #[allow(
            unused_variables, unused_mut, unused_assignments, unused_imports, unreachable_code,
            unfulfilled_lint_expectations
        )]
    }
}
