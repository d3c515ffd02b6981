//! The clones of one function.

use std::borrow::Cow;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Signature, Token};

use super::constants::{self, without_definition};
use super::dispatcher::{Dispatcher, block, may_leave_code_out};
use super::record;
use super::scope::Scope;
use crate::cfg::any;
use crate::compiler::COMPILER;
use crate::error::{ADDS_NOTHING, compile_error};
use crate::item::{Body, Function};
use crate::lints::{allow_for_clippy, allow_in_file, silenced};
use crate::plan::PlannedClone;
use crate::resolve::{Place, Unit};
use crate::sig::Parameters;
use crate::tokens::{braces, code, split_inner_attributes};
use crate::{attrs, sig, transform};

/// Keywords at the start of items.
const ITEMS: [&str; 12] =
    ["const", "enum", "extern", "fn", "impl", "macro_rules", "mod", "static", "struct", "trait", "type", "use"];

/// A free function: the clones are inside the dispatcher's body, where nothing else can name them.
pub(super) fn free(unit: &Unit<'_>, scope: &Scope<'_>) -> TokenStream {
    let dispatcher = Dispatcher::new(unit, scope, dispatcher_parameters(unit, scope));
    let items = &mut dispatcher.with_constants(dispatcher.clones());
    let baseline = items.pop();
    let choice = dispatcher.pick(items, &|index, proof| dispatcher.call(index, proof));
    let choice = dispatcher.silenced(choice);
    let (lints, omissions) = (dispatcher.signature_lints(), dispatcher.leaves_code_out.then(lints_of_omission));
    dispatcher.item(&block(&quote!(#lints #omissions), &quote!(#baseline #choice)))
}

/// A method of an inherent impl: the clones are private methods next to the dispatcher, where `Self` has its usual
/// meaning.
pub(super) fn inherent(unit: &Unit<'_>, scope: &Scope<'_>) -> TokenStream {
    let dispatcher = Dispatcher::new(unit, scope, dispatcher_parameters(unit, scope));
    let choice = dispatcher.pick(&[], &|index, proof| dispatcher.call(index, proof));
    let (item, clones) = (dispatcher.item(&dispatcher.silenced(choice)), dispatcher.clones());
    let Some(header) = scope.container.filter(|_| !unit.constants.is_empty()) else {
        return quote!(#item #(#clones)*);
    };
    // Constants in the impl would belong to the type.
    for (clone, tokens) in dispatcher.plan.clones.iter().zip(clones) {
        let (exists, constants) = (clone.cfg(), constants::for_clone(&unit.constants, &clone.features));
        let attributes = attrs::for_copy(&header.attrs, Some(&clone.features), false, true);
        let around = header.with_items(&[], &tokens);
        let clone = quote_spanned!(Span::mixed_site()=> #exists const _: () = { #constants #attributes #around };);
        scope.beside.borrow_mut().extend(clone);
    }
    item
}

/// The dispatcher's parameters: one with a name that means an item in a constant gets a name of ours.
fn dispatcher_parameters(unit: &Unit<'_>, scope: &Scope<'_>) -> Parameters {
    Parameters::new(&unit.main().sig, &scope.plans[unit.list].names, &|name| unit.hides(name))
}

impl Dispatcher<'_> {
    /// The clones, in the order of the plan's. One in the dispatcher's body stands where its target's architecture is
    /// known.
    pub(super) fn clones(&self) -> Vec<TokenStream> {
        let clones = self.plan.clones.iter().zip(&self.names);
        if self.unit.selected {
            let definitions = |(clone, name): (&PlannedClone, &Ident)| {
                let variants = self.variants(clone).into_iter().map(|(function, predicate)| {
                    let tail = self.after_name(&function.sig);
                    self.definition(&function, clone, (name, &tail), Some(&predicate))
                });
                variants.collect()
            };
            return clones.map(definitions).collect();
        }
        let function = self.unit.main();
        let tail = self.after_name(&function.sig);
        clones.map(|(clone, name)| self.definition(function, clone, (name, &tail), None)).collect()
    }

    /// The rest behind the name in the signature of each clone of a function with `sig`.
    fn after_name(&self, sig: &Signature) -> TokenStream {
        let Signature { generics, paren_token, inputs, output, .. } = sig;
        let (clause, proof) = (&generics.where_clause, self.plan.proof_parameter());
        let comma = (!inputs.empty_or_trailing()).then(<Token![,]>::default);
        let mut tokens = generics.to_token_stream();
        paren_token.surround(&mut tokens, |tokens| tokens.extend(quote!(#inputs #comma #proof)));
        quote!(#tokens #output #clause)
    }

    /// The `items` of each clone behind the constants that are its own.
    pub(super) fn with_constants(&self, items: Vec<TokenStream>) -> Vec<TokenStream> {
        let behind = |(item, clone): (TokenStream, &PlannedClone)| {
            let constants = constants::for_clone(&self.unit.constants, &clone.features);
            quote!(#constants #item)
        };
        items.into_iter().zip(&self.plan.clones).map(behind).collect()
    }

    /// Whether the baseline reports all warnings: the clones have the same code.
    pub(super) fn baseline_warns(&self) -> bool {
        !self.unit.selected && !self.leaves_code_out
    }

    /// The attributes for a clone for a target, with this body, if the baseline reports the warnings, ours among them. In the baseline an
    /// intrinsic's call may be unsafe.
    pub(super) fn silence(&self, body: Option<&Body>) -> Option<TokenStream> {
        let has = |word: &str| body.is_some_and(|body| body.words.have(word));
        let (unsafe_code, silenced) = (has("unsafe").then(|| code("#[allow(unused_unsafe)]")), silenced());
        let ours = has(ADDS_NOTHING).then(|| code("#[allow(deprecated)]"));
        Some(quote!(#unsafe_code #ours #silenced)).filter(|lints| self.baseline_warns() && !lints.is_empty())
    }

    /// `statements`, about which the baseline has the warnings.
    fn silenced(&self, statements: TokenStream) -> TokenStream {
        match self.silence(None) {
            Some(silence) => quote_spanned!(Span::mixed_site()=> #silence { #statements }),
            _ => statements,
        }
    }

    /// The attribute under which a clone exists. In the dispatcher's body the architecture is known.
    fn exists(&self, clone: &PlannedClone) -> Option<TokenStream> {
        let known = self.unit.place != Place::Sibling && !self.is_planned_by_cfg();
        if known { None } else { clone.cfg() }
    }

    /// The definitions from which `cfg`s select the one for `clone`, each with its predicate. The last is an error, for a clone that
    /// has none where others have.
    pub(super) fn variants(&self, clone: &PlannedClone) -> Vec<(Cow<'_, Function>, TokenStream)> {
        let unit = self.unit;
        let predicates = self.predicates(clone);
        let named = |error: TokenStream| {
            let body = Some(Body::new(braces(error, Span::call_site())));
            Function { attrs: Vec::new(), body, ..unit.main().clone() }
        };
        let mut variants: Vec<_> =
            unit.definitions.iter().map(|one| Cow::Borrowed(*one)).zip(predicates.clone()).collect();
        if unit.is_complete() {
            return variants;
        }
        for (at, variant) in unit.definitions.iter().enumerate().skip(1) {
            let (earlier, own) = (any(predicates[..at].to_vec()), &predicates[at]);
            variants[at].1 = quote!(all(#own, not(#earlier)));
            let error = defined_twice(&variant.sig.ident, clone);
            let both = quote!(all(#own, #earlier));
            for (_, predicate) in &mut variants {
                *predicate = quote!(all(#predicate, not(#both)));
            }
            variants.push((Cow::Owned(named(error)), both));
        }
        let (exists, defined) = (self.some_clone_is_defined(), any(predicates));
        let missing = clone.exists_and(quote!(not(#defined)));
        let error = without_definition(&unit.main().sig.ident, clone);
        variants.push((Cow::Owned(named(error)), quote!(all(#exists, #missing))));
        variants
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
        let beside = self.unit.place == Place::Sibling;
        let kept = self.kept_attributes(function);
        let body = function.body.as_ref().map(|body| {
            let (inner, content) = self.clone_content(function, body, clone);
            braces(quote!(#inner #content), body.braces.span())
        });
        // A variant's predicate tests some as well.
        let of_build = self.is_planned_by_cfg().then(|| clone.features.of_build(&quote!(#predicate #body)));
        let has_features = clone.target.is_some() || of_build.as_ref().is_some_and(|of_build| !of_build.is_empty());
        let attributes = attrs::for_copy(&kept, Some(&clone.features), has_features, beside);
        let mut prelude = self.attributes_before(function, clone);
        let enable = clone.target.as_ref().map(|target| {
            let enable = &target.enable;
            self.silence(function.body.as_ref()).to_tokens(&mut prelude);
            code(&format!("#[target_feature(enable = {enable:?})]"))
        });
        let Signature { asyncness, safety, fn_token, .. } = &function.sig;
        let (mut asyncness, mut safety) = (*asyncness, safety.clone());
        sig::claim_unsafe(&mut asyncness, &mut safety);
        quote_spanned! {span=>
            #exists #prelude #attributes #enable #of_build #asyncness #safety #fn_token #name #tail #body
        }
    }

    /// Whether `cfg(target_feature)` may decide about the function's code, so that `cfg`s leave clones out.
    pub(super) fn is_planned_by_cfg(&self) -> bool {
        self.plan.enabled_by_build.is_some()
    }

    /// Our attributes before the signature of a clone.
    fn attributes_before(&self, function: &Function, clone: &PlannedClone) -> TokenStream {
        let mut tokens = self.lints_of_clone(function, clone);
        if self.unit.place == Place::Sibling {
            tokens.extend(self.signature_lints());
            tokens.extend(quote_spanned!(Span::mixed_site()=> #[doc(hidden)]));
        }
        // A function that is `#[inline]` and not called is not compiled.
        let left_out = clone.target.is_some() && COMPILER.leaves_features_out;
        if !attrs::says_inline(&function.attrs) && (self.leaves || left_out) {
            tokens.extend([quote_spanned!(Span::mixed_site()=> #[inline])]);
        }
        tokens
    }

    /// The lint levels for code that clones leave out.
    pub(super) fn lints_of_clone(&self, function: &Function, clone: &PlannedClone) -> TokenStream {
        if !self.leaves_code_out || (self.unit.selected && !may_leave_code_out(function)) {
            return TokenStream::new();
        }
        let omissions = (self.unit.place != Place::Nested).then(lints_of_omission);
        let of_target = clone.target.as_ref().map(|_| {
            // Clippy accepts a `return` under `cfg`, but not in rewritten tokens; and an assertion precedes the
            // user's items.
            let lints = allow_for_clippy(|| quote!(clippy::items_after_statements, clippy::needless_return));
            let returns = function.body.as_ref().is_some_and(|body| body.words.have("return"));
            let in_file = allow_in_file(returns, "clippy::needless_return");
            quote!(#lints #in_file)
        });
        quote!(#omissions #of_target)
    }

    /// The inner attributes of a clone's body, and the rest of it behind its assertions.
    pub(super) fn clone_content(
        &self,
        function: &Function,
        body: &Body,
        clone: &PlannedClone,
    ) -> (TokenStream, TokenStream) {
        let all = body.stream();
        let (inner, rest) = if body.words.bangs { split_inner_attributes(all) } else { (TokenStream::new(), all) };
        let asynchronous = function.sig.asyncness.is_some();
        let mut rest = transform::body(&clone.features, clone.target.as_ref(), rest, &body.words, asynchronous);
        let known = match &clone.target {
            // A missing value is an error at the user's return type, and not at an assertion in its place.
            _ if rest.is_empty() => &TokenStream::new(),
            Some(target) => &target.assertion,
            // Code that outlives the dispatcher's tests must not repeat their results.
            None if asynchronous => &TokenStream::new(),
            None => &self.plan.baseline_assertion,
        };
        let reports = clone.target.is_none() || !self.baseline_warns();
        if COMPILER.clippy && reports && !known.is_empty() && body.words.have_any(&ITEMS) {
            // Clippy requires items before statements.
            let block = braces(rest, body.braces.span());
            rest = quote_spanned!(Span::mixed_site()=> #[allow(unused_braces)] #block);
        }
        let record = self.plan.recorded.then(|| record::entry(function, self.plan, clone));
        (inner, quote!(#record #known #rest))
    }
}

/// The error that `clone` has several definitions of `name`.
fn defined_twice(name: &Ident, clone: &PlannedClone) -> TokenStream {
    let clone = clone.in_words();
    let message = format!(
        "`{name}` has two definitions in {clone}: the `cfg(target_feature)` of both is true there\n\
         help: exclude the features of one from the other, for example with `all(…, not(…))`"
    );
    compile_error(name.span(), &message)
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
