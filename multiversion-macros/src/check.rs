//! The checks of the annotated items, and the targets of each item in them.

use core::mem;
use std::rc::Rc;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Block, FnArg, Ident, Item, ItemImpl, ItemMod, Path};

use crate::accessor::is_accessor;
use crate::args::{self, Args};
use crate::emit;
use crate::error::Errors;
use crate::item::{Body, Choice, Function, Kind, Node};
use crate::macros::{Definition, Macros, is_open};
use crate::match_target::{self, asking};
use crate::plan::Plan;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{Call, Words, calls, find, find_word, is_word};
use crate::transform::too_deep;
use crate::walk::{Walk, Walker};
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
    /// The macros that are visible at the item that is checked.
    macros: Macros,
    /// All macros in the module that is checked, and those that are visible in all of it.
    in_module: Macros,
    /// All macros in the annotated item.
    defined: Macros,
    /// The place of the `cfg` that tests a feature on a module around the item that is checked.
    selected: Option<Span>,
}

/// The context of a function.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// The attribute is on the function.
    Alone,
    Module,
    Members,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(errors: &'a mut Errors, krate: &'a Path, words: &'a Words, recorded: bool) -> Self {
        let [macros, in_module, defined] = Default::default();
        Checker { errors, krate, words, recorded, macros, in_module, defined, selected: None }
    }

    /// Checks the annotated item, all its alternatives, and gives each item in it its targets. Returns its own.
    pub(crate) fn root(&mut self, nodes: &mut [Node], args: &Args) -> Choice {
        let choice = self.choice(args, None);
        self.defined.define_those_of(nodes, true);
        for node in nodes {
            if let Some(again) = node.attrs_mut().iter().find(|attr| args::is_dispatch(attr)) {
                args::report_again(again, self.errors);
            }
            self.node(node, Position::Alone, choice.clone());
        }
        choice
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
                let plan = Plan {
                    recorded: self.recorded,
                    ..Plan::new(targets, args.krate.clone(), &Names::besides(self.words))
                };
                Choice::Own(Rc::new(plan))
            }
        }
    }

    /// Whether a `cfg` or `match_target!` in the annotated item may ask for features.
    fn asks_features(&self) -> bool {
        self.words.have_any(&["target_feature", match_target::NAME])
    }

    fn node(&mut self, node: &mut Node, place: Position, choice: Choice) {
        let direct = place == Position::Alone || matches!(choice, Choice::Own(_));
        if choice.plan().is_some()
            && let Some(span) = attrs::feature_before_cfg(node.attrs_mut())
        {
            self.errors.push_help(
                span,
                "this has the build's value in all clones, since a `cfg` is under it",
                "write both conditions in one `cfg`",
            );
        }
        let item = match node {
            Node::Fn(function) => {
                let same = matches!(choice, Choice::Inherit(_)) && !self.asks_features() && is_accessor(function);
                function.choice = if same { Choice::Skip } else { choice };
                if !matches!(function.choice, Choice::Skip) {
                    self.function(function, place, direct);
                }
                return;
            }
            Node::Item(item) => item,
        };
        let tests = item.is_mod() && matches!(choice, Choice::Inherit(_)) && for_tests(&item.attrs);
        item.choice = if tests { Choice::Skip } else { choice };
        match &item.kind {
            Kind::MacroRules { name, .. } if direct => self.wrong_kind(name.span(), "a macro definition"),
            Kind::MacroRules { name, tokens } => self.macros.define(name, tokens),
            Kind::Other(tokens) if direct => {
                let (span, kind) = kind(tokens);
                self.wrong_kind(span, kind);
            }
            Kind::Other(tokens) if item.choice.plan().is_some() && self.asks_features() => {
                self.shared(tokens, &item.attrs, place);
            }
            Kind::Impl(ItemImpl { modifiers: syn::ImplModifiers { polarity: Some(bang), .. }, .. })
                if item.choice.plan().is_some() =>
            {
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
            _ => {}
        }
        let Some(outer) = item.choice.plan().cloned() else { return };
        if let Kind::Other(tokens) = &item.kind {
            self.calls(tokens);
            if ["a constant", "a type"].contains(&kind(tokens).1) {
                self.once(tokens);
            }
        }
        let inside = if item.is_mod() { Position::Module } else { Position::Members };
        let around = self.selected;
        self.selected = item.attrs.iter().find_map(asked).or(around);
        let outside = item.is_mod().then(|| {
            let around = self.macros.and_of(item);
            (self.macros.clone(), mem::replace(&mut self.in_module, around))
        });
        for node in &mut item.items {
            let args = args::take(node.attrs_mut(), self.krate, self.errors);
            let choice = match args {
                Some(args) => self.choice(&args, Some(&outer)),
                None => Choice::Inherit(outer.clone()),
            };
            self.node(node, inside, choice);
        }
        self.signatures(&item.items);
        // The impl of an unsafe trait is as in the build.
        if matches!(item.kind, Kind::Impl(ItemImpl { unsafety: Some(_), .. })) {
            self.selected = around;
        }
        if item.has_methods_of_a_trait() {
            self.methods(&item.items);
        }
        self.selected = around;
        if let Some((macros, in_module)) = outside {
            self.in_module = in_module;
            if !is_open(item) {
                self.macros = macros;
            }
        }
    }

    /// Clones have copies of a constant after those of macros. So the macros that it uses must not change in between.
    fn once(&mut self, tokens: &TokenStream) {
        for name in self.in_module.used(tokens) {
            let all = || self.in_module.all().iter().filter(|other| other.name == name);
            if let (Some(known), true) = (all().nth(1), self.in_module.decides(&name))
                && !all().all(Definition::is_conditional)
            {
                self.errors.push_help(
                    known.name.span(),
                    format_args!("`{name}!` is used in a constant, tests CPU features, and is defined twice"),
                    "clones have copies of both: give each definition a name of its own, or put each under a `cfg`",
                );
            }
        }
    }

    /// A macro that depends on the clone is copied under its name, where it is visible.
    fn calls(&mut self, tokens: &TokenStream) {
        if !self.defined.any_decides() {
            return;
        }
        for Call { path, name } in calls(tokens.clone()) {
            let (path, text) = (path.to_string(), name.to_string());
            let visible = path.is_empty() && !self.macros.named(&text).is_empty();
            if self.defined.decides(&text) && !visible && !path.starts_with("::") {
                self.errors.push_help(
                    name.span(),
                    format_args!("`{name}!` tests CPU features, and is not copied into clones here"),
                    "call it by its name alone, after its definition, in the module of the definition or in one inside that",
                );
            }
        }
    }

    /// An item that all clones share has one value, or one layout. So it must not depend on the clone.
    fn shared(&mut self, tokens: &TokenStream, attributes: &[Attribute], place: Position) {
        let (start, kind) = kind(tokens);
        let asks = |name: &str| {
            let with_name = attributes.iter().filter(|attr| attr.path().is_ident(name));
            with_name.into_iter().find_map(|attr| find_word(attr.meta.to_token_stream(), "target_feature"))
        };
        let (kind, outside, help) = match (place, kind) {
            (Position::Members, "a constant") => {
                ("associated constant", asks("cfg"), "move it out of the impl, where each clone has a value of its own")
            }
            (Position::Members, "a type") => ("associated type", asks("cfg"), "put what differs into functions"),
            (_, "a static") => ("`static`", None, "declare a constant, of which each clone has its own"),
            (_, "a struct" | "an enum" | "a union") => ("type", asks("cfg_attr"), "put what differs into functions"),
            _ => return,
        };
        let inside = self.macros.depends(tokens).then(|| asking(tokens).unwrap_or(start));
        if let Some(span) = outside.or(inside) {
            self.errors.push_help(
                span,
                format_args!("all clones share this {kind}, which has the build's value of `cfg(target_feature)`"),
                format_args!("{help}, or write `#[dispatch(skip)]` on it to keep the build's"),
            );
        }
    }

    /// Several definitions of a function share the first one's qualifiers: with others, a safe dispatcher could call an
    /// `unsafe fn`.
    fn signatures(&mut self, nodes: &[Node]) {
        for at in 0..nodes.len() {
            let (Some(this), Some(first)) = (definition(&nodes[at]), earlier_definition(nodes, at)) else { continue };
            let (ours, others) = (qualifiers(this), qualifiers(first));
            if let Some((ours, others)) = ours.iter().zip(&others).find(|(ours, others)| ours != others) {
                let (name, word) = (&this.sig.ident, if ours.is_empty() { others } else { ours });
                self.errors.push_help(
                    name.span(),
                    format_args!("the definitions of `{name}` differ in `{word}`"),
                    "all clones share one signature: write the same before `fn` in all definitions",
                );
            }
        }
    }

    /// All clones of a trait's method have the same code. So no `cfg` on it, or on what is around it, may test a feature.
    fn methods(&mut self, members: &[Node]) {
        let mut places: Vec<Span> = Vec::new();
        for member in members {
            if let Node::Fn(function) = member
                && !stays(function)
            {
                places.extend(self.selected.or_else(|| function.attrs.iter().find_map(asked)));
            }
        }
        if self.selected.is_some() {
            places.truncate(1);
        }
        for span in places {
            self.errors.push_help(span, emit::DIFFERENT, emit::HELP);
        }
    }

    fn wrong_kind(&mut self, span: Span, kind: &str) {
        self.errors.push_help(
            span,
            format_args!("`#[dispatch]` cannot be used on {kind}"),
            "put it on a function, an impl, a trait or an inline module",
        );
    }

    /// `direct`: the attribute is on the function itself.
    fn function(&mut self, function: &Function, place: Position, direct: bool) {
        let signature = &function.sig;
        if !direct && signature.constness.is_some() && !for_tests(&function.attrs) {
            let name = &signature.ident;
            let body = function.body.as_ref().map(Body::stream).filter(|body| self.macros.depends(body));
            let inside = body.map(|body| ("in", asking(&body).unwrap_or(name.span())));
            let mut cfgs = function.attrs.iter().filter_map(attrs::predicate);
            let selected = cfgs.find_map(|predicate| Some(("for", asking(predicate)?)));
            if let Some((in_or_for, span)) = selected.or(inside) {
                self.errors.push_help(
                    span,
                    format_args!(
                        "all clones share the `const fn` `{name}`, {in_or_for} which this has the build's value"
                    ),
                    "remove `const`, or write `#[dispatch(skip)]` on the function to keep that value",
                );
            }
        }
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
        if direct && place != Position::Members {
            self.receiver(function);
        }
        if stays(function) {
            return;
        }
        if let Some(body) = function.body.as_ref().filter(|body| body.words.bangs) {
            self.calls(&body.stream());
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
            && let Some((span, name)) = outer_impl(body.stream())
        {
            self.errors.push_help(
                span,
                format_args!("this impl would be repeated in every clone, and `{name}` is not declared in this body"),
                "move the impl out of the function",
            );
        }
    }

    /// A lone function has no `Self`: its clones are functions inside it.
    fn receiver(&mut self, function: &Function) {
        if !self.words.have_any(&["self", "Self"]) {
            return;
        }
        let help = "put the attribute on the impl; there, `#[dispatch(skip)]` leaves a method alone";
        if let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() {
            self.errors.push_help(receiver.self_token.span, "a method cannot be dispatched without its impl", help);
            return;
        }
        let in_body = function.body.as_ref().filter(|body| body.words.have("Self"));
        let in_body = in_body.and_then(|body| outer_self(body.stream()));
        if let Some(span) = find_word(function.sig.to_token_stream(), "Self").or(in_body) {
            self.errors.push_help(span, "a function that names `Self` cannot be dispatched without its impl", help);
        }
    }
}

/// Whether a function in a dispatched item stays as it is.
pub(crate) fn stays(function: &Function) -> bool {
    matches!(function.choice, Choice::Skip)
        || function.body.is_none()
        || function.sig.constness.is_some()
        || attrs::has(&function.attrs, "target_feature")
        || attrs::has(&function.attrs, "naked")
        || function.attrs.iter().any(is_test)
        || (matches!(function.choice, Choice::Inherit(_)) && for_tests(&function.attrs))
}

/// A function that `cfg(target_feature)` selects.
pub(crate) fn definition(node: &Node) -> Option<&Function> {
    match node {
        Node::Fn(item) if item.attrs.iter().any(attrs::asks_feature) && !stays(item) => Some(item),
        _ => None,
    }
}

/// An earlier definition of the function that `nodes[at]` is one of.
pub(crate) fn earlier_definition(nodes: &[Node], at: usize) -> Option<&Function> {
    let this = definition(&nodes[at])?;
    nodes[..at].iter().filter_map(definition).find(|first| first.sig.ident == this.sig.ident)
}

/// The words before `fn` that callers depend on, each empty if it is missing.
fn qualifiers(function: &Function) -> [String; 4] {
    let Function { vis, sig, .. } = function;
    [vis.to_token_stream(), sig.asyncness.to_token_stream(), sig.safety.to_token_stream(), sig.abi.to_token_stream()]
        .map(|word| word.to_string())
}

/// The place where `attr`, a `cfg`, tests a CPU feature.
fn asked(attr: &Attribute) -> Option<Span> {
    attrs::predicate(attr).and_then(asking)
}

fn is_test(attr: &syn::Attribute) -> bool {
    const NAMES: [&str; 6] = ["test", "bench", "test_case", "rstest", "proptest", "quickcheck"];
    NAMES.iter().any(|name| attrs::is(attr, name))
}

/// The kind of item that `tokens` are, in words, and the keyword of that kind.
fn kind(tokens: &TokenStream) -> (Span, &'static str) {
    const KINDS: [(&str, &str); 8] = [
        ("struct", "a struct"),
        ("enum", "an enum"),
        ("union", "a union"),
        ("const", "a constant"),
        ("static", "a static"),
        ("type", "a type"),
        ("use", "an import"),
        ("extern", "an `extern` item"),
    ];
    let mut words = tokens.clone().into_iter().peekable();
    let start = words.peek().map_or_else(Span::call_site, TokenTree::span);
    let named = words.find_map(|word| {
        let (_, kind) = KINDS.iter().find(|(name, _)| is_word(Some(&word), name))?;
        Some((word.span(), *kind))
    });
    named.unwrap_or((start, "this item"))
}

/// Whether `attrs` hold `#[cfg(test)]`.
fn for_tests(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().filter_map(attrs::predicate).any(|predicate| predicate.to_string() == "test")
}

/// The first `Self` of `tokens` that is not in an impl or a trait of its own.
fn outer_self(tokens: TokenStream) -> Option<Span> {
    let mut own = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) if ident == "Self" && !own => return Some(ident.span()),
            TokenTree::Ident(ident) if ident == "impl" || ident == "trait" => own = true,
            TokenTree::Punct(punct) if punct.as_char() == ';' => own = false,
            TokenTree::Group(group) if own => own = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => {
                if let Some(span) = outer_self(group.stream()) {
                    return Some(span);
                }
            }
            _ => {}
        }
    }
    None
}

/// The impls of a body whose self type no item around them declares.
#[derive(Default)]
struct OuterImpls {
    /// The names that the items of the blocks around declare.
    declared: Vec<String>,
    found: Option<(Span, String)>,
}

impl Walk for OuterImpls {
    fn block(&mut self, block: &mut Block) -> bool {
        let outside = self.declared.len();
        let items = || {
            block.stmts.iter().filter_map(|statement| match statement {
                syn::Stmt::Item(item) => Some(item),
                _ => None,
            })
        };
        self.declared.extend(items().filter_map(declared).map(Ident::to_string));
        for item in items() {
            if let Item::Impl(item) = item {
                self.check(item);
            }
        }
        for statement in &mut block.stmts {
            Walker(self).visit_stmt_mut(statement);
        }
        self.declared.truncate(outside);
        false
    }
}

impl OuterImpls {
    fn check(&mut self, item: &ItemImpl) {
        // A type with a local name among its arguments is local too.
        let local = |tokens: TokenStream| {
            let named = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if self.declared.iter().any(|known| name == known));
            find(tokens, &mut |token| named(token).then_some(())).is_some()
        };
        let by_trait = item.trait_.as_ref().is_some_and(|(path, _)| local(path.to_token_stream()));
        if self.found.is_none() && !by_trait && !local(item.self_ty.to_token_stream()) {
            let ty = item.self_ty.to_token_stream().to_string().replace(" < ", "<").replace(" >", ">");
            self.found = Some((item.impl_token.span, ty));
        }
    }
}

/// The name of the type or trait that `item` declares.
fn declared(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(syn::ItemStruct { ident, .. })
        | Item::Enum(syn::ItemEnum { ident, .. })
        | Item::Union(syn::ItemUnion { ident, .. })
        | Item::Trait(syn::ItemTrait { ident, .. }) => Some(ident),
        _ => None,
    }
}

/// An impl in `body` whose self type no item around it declares.
fn outer_impl(body: TokenStream) -> Option<(Span, String)> {
    if too_deep(&body) {
        return None;
    }
    let stmts = Block::parse_within.parse2(body).ok()?;
    let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
    let mut impls = OuterImpls::default();
    Walker(&mut impls).visit_block_mut(&mut block);
    impls.found
}
