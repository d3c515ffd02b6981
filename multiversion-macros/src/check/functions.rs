//! The checks of functions.

use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use syn::FnArg;

use super::checker::Checker;
use super::shared::{UNREAD_TEST, UNREAD_TEST_HELP};
use crate::cfg::unread_test;
use crate::error::{WITHOUT_CLONES, warning};
use crate::item::definitions::{Unclonable, definition, first_definition, is_test};
use crate::item::{Body, Choice, Context, Function, Node};
use crate::tokens::{braces, feature_test, find_word, split_inner_attributes};
use crate::{attrs, sig};

/// Words of items that a program or a crate has once.
pub(crate) const WHOLE_PROGRAMS: [&str; 4] = ["no_mangle", "export_name", "global_asm", "macro_export"];

impl Checker<'_> {
    /// Checks a function with targets; `direct`: the attribute is on the function itself.
    pub(super) fn check_function(&mut self, function: &mut Function, context: Context, direct: bool) {
        if self.may_test_features() {
            self.reject_test_in_function(function);
        }
        if direct {
            self.reject_without_clones(function);
        }
        if function.stays() || self.reject_as_closure(function, context, direct) {
            return;
        }
        self.reject_signature(function);
        if self.may_test_features() {
            self.reject_unread_test(function);
        }
        let Some(body) = &function.body else { return };
        if body.words.have_any(&WHOLE_PROGRAMS)
            && let Some((span, word)) =
                WHOLE_PROGRAMS.iter().find_map(|word| Some((find_word(body.stream(), word)?, word)))
        {
            let message = format_args!("`{word}` would be repeated in every clone, and a program can have it once");
            self.errors.push_help(span, message, "move the item out of the function");
        }
        if let Some((span, reason)) = self.outer_impl(body) {
            let message = format_args!("this impl would be repeated in every clone, and {reason}");
            self.errors.push_help(span, message, "move the impl out of the function");
        }
    }

    /// Refuses a function with the attribute that cannot have clones.
    fn reject_without_clones(&mut self, function: &Function) {
        let signature = &function.sig;
        if function.body.is_none() {
            self.errors.push_help(
                signature.ident.span(),
                "this function has no body to clone",
                "write a body; if this is a method of a trait, put the attribute on the trait's impls",
            );
        }
        if let Some(token) = signature.constness {
            self.errors.push_help(
                token.span,
                "a `const fn` cannot be dispatched: the CPU is not known at compile time",
                "remove `const`, or the attribute",
            );
        }
        for attr in &function.attrs {
            let (message, help) = if attr.path().is_ident("target_feature") {
                (
                    "a dispatched function cannot have `target_feature` of its own",
                    "remove the `target_feature`, and list its features in `targets`",
                )
            } else if is_test(attr) {
                ("a test cannot be dispatched", "put the attribute on what the test calls")
            } else if attrs::is(attr, "naked") {
                let span = find_word(attr.meta.to_token_stream(), "naked").unwrap_or(attr.pound_token.span);
                self.errors.push(span, "a naked function cannot be dispatched: it is the same on every CPU");
                continue;
            } else {
                continue;
            };
            self.errors.push_help(attr.path().segments[0].ident.span(), message, help);
        }
    }

    /// Refuses a method that cannot have closures for clones, and returns whether it is one. Without the attribute on the method
    /// itself, it stays as it is, with a warning.
    fn reject_as_closure(&mut self, function: &mut Function, context: Context, direct: bool) -> bool {
        let unsupported = function.sig.asyncness.map(|token| ("an `async` method", token.span)).or_else(|| {
            let span = attrs::span_of(&function.attrs, "track_caller")?;
            Some(("a method with `#[track_caller]`", span))
        });
        let Some((kind, span)) = unsupported else { return false };
        if context != Context::Trait && (context != Context::Annotated || !function.is_method()) {
            return false;
        }
        let help = "move its body into a function with the attribute, and call that";
        if direct {
            let message = format_args!("{kind} cannot have clones: their bodies are closures");
            self.errors.push_help(span, message, help);
        } else {
            let message = format!(
                "{kind} of a trait has no clones, since their bodies would be closures: {help}, and write `#[dispatch(skip)]` on the method"
            );
            warn(function, span, WITHOUT_CLONES, &message);
            (function.choice, self.found.explained) = (Choice::Skip, true);
        }
        true
    }

    /// Refuses a test of a feature that would have the build's value in each clone.
    fn reject_unread_test(&mut self, function: &Function) {
        if let Some(span) = function.body.as_ref().and_then(|body| unread_test(body.stream(), false)) {
            self.errors.push_help(span, UNREAD_TEST, UNREAD_TEST_HELP);
        }
        for attr in attrs::seen_by_callers(&function.attrs) {
            if let Some(span) = feature_test(&attr.meta.to_token_stream()) {
                self.errors.push_help(
                    span,
                    "callers of all clones see this attribute, so it has the build's value of `cfg(target_feature)`",
                    "write the attribute without the condition",
                );
            }
        }
    }

    /// Refuses a signature that a dispatcher cannot have.
    fn reject_signature(&mut self, function: &Function) {
        let Function { attrs, sig, .. } = function;
        for reason in Unclonable::all(attrs, sig) {
            let (span, message, help) = match reason {
                Unclonable::ReturnsImpl => (
                    sig::returned_impl(sig),
                    "a dispatched function cannot return `impl Trait`: each clone would return a type of its own",
                    "return a named type or a `Box<dyn Trait>`, or leave the function unannotated with `#[dispatch(skip)]`",
                ),
                Unclonable::ParameterUnderCfg => (
                    attrs::parameter_cfg(&sig.generics),
                    "a dispatched function cannot have a generic parameter under `cfg`: calls with all arguments would include it",
                    "write the function twice, under opposite `cfg`s",
                ),
                Unclonable::Variadic => (
                    sig.variadic.as_ref().map(|variadic| variadic.dots.spans[0]),
                    "a variadic function cannot be dispatched: its arguments cannot be passed on",
                    "",
                ),
                _ => continue,
            };
            let span = span.unwrap_or(sig.ident.span());
            if help.is_empty() { self.errors.push(span, message) } else { self.errors.push_help(span, message, help) }
        }
    }

    /// All clones of a function have the signature of its first definition.
    pub(super) fn reject_different_signatures(&mut self, nodes: &[Node]) {
        for at in 0..nodes.len() {
            let first = first_definition(nodes, at).and_then(|first| definition(&nodes[first]));
            let (Some(this), Some(first)) = (definition(&nodes[at]), first) else { continue };
            let (ours, others) = (shared_parts(this), shared_parts(first));
            if let Some((ours, others)) = ours.iter().zip(&others).find(|(ours, others)| ours != others) {
                let (name, differs) = (&this.sig.ident, if ours.is_empty() { others } else { ours });
                self.errors.push_help(
                    name.span(),
                    format_args!("the definitions of `{name}` differ in `{differs}`"),
                    "all clones share one signature: write the same in all definitions",
                );
            }
            let seen = |function: &Function| -> Vec<String> {
                let seen = attrs::seen_by_callers(&function.attrs).into_iter();
                seen.map(|attr| attr.to_token_stream().to_string()).collect()
            };
            let (ours, others) = (seen(this), seen(first));
            let one_sided = |one: &[String], other: &[String]| one.iter().find(|attr| !other.contains(attr)).cloned();
            if let Some(attr) = one_sided(&ours, &others).or_else(|| one_sided(&others, &ours)) {
                self.errors.push_help(
                    this.sig.ident.span(),
                    format_args!("the definitions of `{}` differ in `{attr}`", this.sig.ident),
                    "callers of all clones see one attribute: write the same in all definitions",
                );
            }
        }
    }
}

/// Puts a warning into the body of `function`.
pub(crate) fn warn(function: &mut Function, span: Span, name: &str, message: &str) {
    let Some(body) = &function.body else { return };
    let (inner, rest) = split_inner_attributes(body.stream());
    let warning = warning(span, name, message);
    let content = quote_spanned!(Span::mixed_site()=> #inner #warning #rest);
    function.body = Some(Body::new(braces(content, body.braces.span())));
}

/// The parts that all definitions of one function share: the words before `fn`, the generics, the types and the conditions.
fn shared_parts(function: &Function) -> Vec<String> {
    let (vis, sig, generics) = (&function.vis, &function.sig, &function.sig.generics);
    let text = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string();
    let mut parts = vec![text(vis), text(&sig.asyncness), text(&sig.safety), text(&sig.abi)];
    parts.extend(sig.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => text(&typed.ty),
        FnArg::Receiver(receiver) => text(&sig::without_mut(receiver)),
    }));
    parts.extend([sig.inputs.len().to_string(), text(generics), text(&generics.where_clause), text(&sig.output)]);
    parts
}
