//! The checks of the annotated items, and the targets of each item in them.

mod impls;
mod shared;

use std::rc::Rc;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{FnArg, ImplModifiers, ItemImpl, ItemMod, Path};

use crate::accessor::is_accessor;
use crate::args::{self, Args};
use crate::error::{ADDS_NOTHING, Errors, WITHOUT_CLONES, warning};
use crate::item::{Body, Choice, Function, Kind, Node, definition, earlier_definition, for_tests, is_test};
use crate::match_target;
use crate::plan::Plan;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{Words, braces, find_word};
use crate::transform::split_inner_attributes;
use crate::{attrs, sig};

/// The checks of everything under one attribute.
pub(crate) struct Checker<'a> {
    errors: &'a mut Errors,
    /// The path of `simd-core`.
    krate: &'a Path,
    /// Those of the annotated item.
    words: &'a Words,
    /// Clones record that they run.
    recorded: bool,
    /// A function without clones has a warning.
    warned: bool,
    /// The first warning about a list.
    of_list: Option<(Span, String)>,
    /// Errors about items under a `cfg`, and warnings, as items.
    pub(crate) conditional: TokenStream,
}

/// The context of a function.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// The attribute is on the function.
    Alone,
    Module,
    /// In an inherent impl.
    Members,
    /// In an impl of a trait, or in a trait.
    OfTrait,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(errors: &'a mut Errors, krate: &'a Path, words: &'a Words, recorded: bool) -> Self {
        Checker { errors, krate, words, recorded, warned: false, of_list: None, conditional: TokenStream::new() }
    }

    /// Checks the annotated item, all its alternatives, and gives each item in it its targets. Returns its own, and whether something in
    /// it has clones, or a warning that it has none.
    pub(crate) fn root(&mut self, nodes: &mut [Node], args: &Args) -> (Choice, bool) {
        let choice = self.choice(args, None);
        for node in &mut *nodes {
            let attrs = node.attrs_mut();
            if let Some(again) = attrs.iter().find(|attr| args::is_dispatch(attr)) {
                args::report_again(again, self.errors);
            }
            self.node(node, Position::Alone, choice.clone());
        }
        match (&mut nodes[..], &self.of_list) {
            _ if !self.errors.is_empty() => {}
            (_, None) => {}
            ([Node::Fn(function), ..], Some((span, message))) => warn(function, *span, ADDS_NOTHING, message),
            (_, Some((span, message))) => self.conditional.extend(warning(*span, ADDS_NOTHING, message)),
        }
        (choice, self.warned || nodes.iter().any(has_clones))
    }

    /// The targets of an item with `args` inside an item with the plan `outer`.
    fn choice(&mut self, args: &Args, outer: Option<&Rc<Plan>>) -> Choice {
        match outer {
            _ if args.skip => Choice::Skip,
            Some(outer) if args.targets.is_empty() => Choice::Inherit(outer.clone()),
            _ => {
                // The mistake of naming none is reported already.
                let listed = !args.targets.is_empty();
                let targets = if listed { targets::parse(&args.targets, self.errors) } else { Vec::new() };
                self.of_list = self.of_list.take().or_else(|| targets::warning(&args.targets, &targets));
                let plan = Plan {
                    recorded: self.recorded,
                    ..Plan::new(targets, args.krate.clone(), &Names::besides(self.words))
                };
                Choice::Own(Rc::new(plan))
            }
        }
    }

    /// Whether a `cfg` or `match_target!` in the annotated item may test features.
    fn may_test_features(&self) -> bool {
        self.words.have_any(&["target_feature", match_target::NAME])
    }

    fn node(&mut self, node: &mut Node, position: Position, choice: Choice) {
        let direct = position == Position::Alone || matches!(choice, Choice::Own(_));
        if choice.plan().is_some()
            && let Some(span) = attrs::feature_before_cfg(node.attrs_mut())
        {
            self.errors.push_help(
                span,
                "`target_feature` in a `cfg_attr` that adds `cfg` is evaluated for the build, not for each clone",
                "write both conditions in one `cfg`",
            );
        }
        let item = match node {
            Node::Fn(function) => {
                let same = matches!(choice, Choice::Inherit(_)) && !self.may_test_features() && is_accessor(function);
                function.choice = if same { Choice::Skip } else { choice };
                if !matches!(function.choice, Choice::Skip) {
                    self.function(function, position, direct);
                }
                return;
            }
            Node::Item(item) => item,
        };
        let tests = item.is_mod() && matches!(choice, Choice::Inherit(_)) && for_tests(&item.attrs);
        item.choice = if tests { Choice::Skip } else { choice };
        let Some(outer) = item.choice.plan().cloned() else { return };
        match &item.kind {
            Kind::Other(tokens) if direct => {
                let (span, kind) = shared::kind(tokens);
                self.errors.push_help(
                    span,
                    format_args!("`#[dispatch]` cannot be used on {kind}"),
                    "put it on a function, an impl, a trait or an inline module",
                );
            }
            Kind::Impl(ItemImpl { modifiers: ImplModifiers { polarity: Some(bang), .. }, .. }) => {
                self.errors.push(bang.span, "a negative impl has nothing to dispatch");
            }
            // The content of a nested file is left alone: the attribute can be used in the file.
            Kind::Mod(ItemMod { content: None, mod_token, ident, .. }) if direct => self.errors.push_help(
                mod_token.span,
                format_args!("`#[dispatch]` cannot be used on `mod {ident};`, whose content is in another file"),
                format_args!(
                    "write the module inline, `mod {ident} {{ … }}`, or put the attribute on the functions and impls in the file"
                ),
            ),
            _ if position != Position::Alone && self.may_test_features() => self.reject_shared_test(item, position),
            _ => {}
        }
        let inside = match item.kind {
            Kind::Mod(_) => Position::Module,
            _ if item.has_methods_of_a_trait() => Position::OfTrait,
            _ => Position::Members,
        };
        for node in &mut item.items {
            let args = args::take(node.attrs_mut(), self.krate, self.errors);
            let choice = match args {
                Some(args) => self.choice(&args, Some(&outer)),
                None => Choice::Inherit(outer.clone()),
            };
            self.node(node, inside, choice);
        }
        self.reject_different_signatures(&item.items);
    }

    /// All clones of a function have the signature of its first definition.
    fn reject_different_signatures(&mut self, nodes: &[Node]) {
        for at in 0..nodes.len() {
            let (Some(this), Some(first)) = (definition(&nodes[at]), earlier_definition(nodes, at)) else { continue };
            let (ours, others) = (signature(this), signature(first));
            if let Some((ours, others)) = ours.iter().zip(&others).find(|(ours, others)| ours != others) {
                let (name, differs) = (&this.sig.ident, if ours.is_empty() { others } else { ours });
                self.errors.push_help(
                    name.span(),
                    format_args!("the definitions of `{name}` differ in `{differs}`"),
                    "all clones share one signature: write the same in all definitions",
                );
            }
        }
    }

    /// `direct`: the attribute is on the function itself.
    fn function(&mut self, function: &mut Function, position: Position, direct: bool) {
        if self.may_test_features() {
            self.reject_test_in_function(function);
        }
        let signature = &function.sig;
        if direct {
            if function.body.is_none() {
                self.errors.push_help(
                    signature.ident.span(),
                    "this function has no body to clone",
                    "write one; if this is a method of a trait, put the attribute on the trait's impls",
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
                        "remove it, and list its features in `targets`",
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
        if function.stays() {
            return;
        }
        let method = is_method(function);
        let unsupported = signature.asyncness.map(|token| ("an `async` method", token.span)).or_else(|| {
            let span = attrs::place(&function.attrs, "track_caller")?;
            Some(("a method with `#[track_caller]`", span))
        });
        if let Some((kind, span)) =
            unsupported.filter(|_| position == Position::OfTrait || (method && position == Position::Alone))
        {
            let message = format!("{kind} cannot have clones: their bodies are closures");
            let help = "move its body into a function with the attribute, and call that";
            if direct {
                self.errors.push_help(span, message, help);
            } else {
                let message = format!(
                    "{kind} of a trait has no clones, since their bodies would be closures: {help}, and write `#[dispatch(skip)]` on the method"
                );
                warn(function, span, WITHOUT_CLONES, &message);
                (function.choice, self.warned) = (Choice::Skip, true);
            }
            return;
        }
        if let Some(span) = sig::returned_impl(signature) {
            self.errors.push_help(
                span,
                "a dispatched function cannot return `impl Trait`: each clone would return a type of its own",
                "return a named type or a `Box<dyn Trait>`, or leave the function alone with `#[dispatch(skip)]`",
            );
        }
        if let Some(variadic) = &signature.variadic {
            self.errors.push(
                variadic.dots.spans[0],
                "a variadic function cannot be dispatched: its arguments cannot be passed on",
            );
        }
        if let Some(body) = &function.body
            && body.words.have("impl")
            && let Some((span, name)) = impls::outer_impl(body.stream(), body.words.have("target_feature"))
        {
            self.errors.push_help(
                span,
                format_args!("this impl would be repeated in every clone, and `{name}` is not declared in its block"),
                "move the impl out of the function",
            );
        }
    }
}

/// Whether a function in `node` has clones.
fn has_clones(node: &Node) -> bool {
    match node {
        Node::Fn(function) => !function.stays(),
        Node::Item(item) => item.items.iter().any(has_clones),
    }
}

/// Whether the function is a method, or names `Self` in other ways: so it stands in an impl or a trait.
pub(crate) fn is_method(function: &Function) -> bool {
    let sig = &function.sig;
    matches!(sig.inputs.first(), Some(FnArg::Receiver(_)))
        || find_word(sig.to_token_stream(), "Self").is_some()
        || function.body.as_ref().is_some_and(|body| body.words.have("Self") && outer_self(body.stream()))
}

/// Puts a warning into the body of `function`.
pub(crate) fn warn(function: &mut Function, span: Span, name: &str, message: &str) {
    let Some(body) = &function.body else { return };
    let (inner, rest) = split_inner_attributes(body.stream());
    let warning = warning(span, name, message);
    let content = quote_spanned!(Span::mixed_site()=> #inner #warning #rest);
    function.body = Some(Body::new(braces(content, body.braces.span())));
}

/// What the definitions of one function have in common: the words before `fn`, the generics, the types and the conditions.
fn signature(function: &Function) -> Vec<String> {
    let Function { vis, sig, .. } = function;
    let text = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string();
    let before = [text(vis), text(&sig.asyncness), text(&sig.safety), text(&sig.abi)];
    let inputs = sig.inputs.iter().map(|input| match input {
        FnArg::Typed(typed) => text(&typed.ty),
        FnArg::Receiver(receiver) => text(&sig::unbound(receiver)),
    });
    let after = [text(&sig.generics), text(&sig.generics.where_clause), text(&sig.output)];
    before.into_iter().chain(inputs.clone()).chain([inputs.count().to_string()]).chain(after).collect()
}

/// Whether a `Self` in `tokens` is not in an impl or a trait of its own.
fn outer_self(tokens: TokenStream) -> bool {
    let mut own = false;
    tokens.into_iter().any(|token| {
        match &token {
            TokenTree::Ident(ident) if ident == "impl" || ident == "trait" => own = true,
            TokenTree::Ident(ident) => return ident == "Self" && !own,
            TokenTree::Punct(punct) if punct.as_char() == ';' => own = false,
            TokenTree::Group(group) if own => own = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => return outer_self(group.stream()),
            _ => {}
        }
        false
    })
}
