//! Items, and the modules, impls and traits around them.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, ItemImpl, ItemMod, ItemTrait, Visibility};

use super::chosen::Copies;
use super::lacking::{Lacking, bound};
use super::{Unit, allow_for_clippy, dispatcher, traits};
use crate::attrs;
use crate::check::earlier_definition;
use crate::item::{Body, Choice, Function, Holder, Kind, Node};
use crate::macros::{Macros, is_open};
use crate::tokens::{called, find_word, is_standard_macro, is_word, mentions_feature};
use crate::transform::{Features, leaves_code_out};

/// The context of a function's code that depends on the clone: macros, constants and functions around it.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    /// `cfg(target_feature)` in a macro is evaluated where the macro is defined, outside of all clones. A clone that uses
    /// such a macro gets a copy of its own.
    macros: Macros,
    /// The items of the current module that clones have copies of.
    copies: Copies<'a>,
    /// The functions of the current module and impl that some clone has no definition of.
    pub(super) lacking: Lacking<'a>,
    /// The generics of the current impl or trait.
    generics: Option<&'a Generics>,
}

/// Emits a function with its clones.
type Emit<'e> = &'e dyn Fn(&Unit<'_>, &Scope<'_>) -> TokenStream;

impl<'a> Scope<'a> {
    /// The macros and items that the `body` of `function` uses, for a clone with `features`.
    pub(super) fn copied(&self, function: &Function, body: &TokenStream, features: &Features) -> TokenStream {
        let shadowed = |name: &str| self.shadows(function, name);
        let items = self.copies.of(body, features, &self.macros, &shadowed);
        let Some(target) = &features.target else { return items };
        // If the build enables the target, the module's own macro has the same meaning.
        let decides = &target.decides;
        let used = if items.is_empty() { body.clone() } else { quote!(#items #body) };
        let macros = self.macros.deciding(&used).into_iter().map(|definition| {
            let tokens = features.rewrite_all(definition.tokens.clone());
            quote_spanned!(Span::mixed_site()=> #decides #[allow(unused_macros)] #tokens)
        });
        macros.chain([items]).collect()
    }

    /// Whether a generic parameter of `function`, or of what is around it, has this name.
    fn shadows(&self, function: &Function, name: &str) -> bool {
        names_parameter(&function.sig.generics, name)
            || self.generics.is_some_and(|generics| names_parameter(generics, name))
    }

    /// Whether `function` needs no clones if it is `inline(always)`: it is inlined into the clones of its callers, where
    /// its own calls fold, and it tests no features. rustc refuses `inline(always)` on a clone, and a plain `inline`
    /// leaves more calls.
    fn may_stay(&self, function: &Function) -> bool {
        let Some(body) = &function.body else { return false };
        matches!(function.vis, Visibility::Inherited)
            && !mentions_feature(&function.to_token_stream())
            && !self.macros.decide(&body.stream())
            && !self.copies.any_in(&body.stream(), &self.macros)
    }

    /// Whether `function` needs no clones.
    pub(crate) fn inlined_as_it_is(&self, function: &Function) -> bool {
        attrs::inlines_always(&function.attrs).is_some() && self.may_stay(function)
    }

    /// Whether `cfg(target_feature)` may decide about the code of `body`, in it or in what it uses.
    pub(super) fn asks(&self, body: &Body) -> bool {
        let mut calls = Vec::new();
        if body.words.bangs {
            called(body.stream(), &mut calls);
        }
        body.words.have("target_feature")
            || calls.iter().any(|name| !is_standard_macro(name))
            || self.copies.any_in(&body.stream(), &self.macros)
    }

    /// The name of a macro or an item that differs between clones and that `body` uses, directly or through others.
    pub(super) fn differing(&self, function: &Function, body: &TokenStream) -> Option<String> {
        let macros = self.macros.deciding(body).into_iter().map(|used| used.name.to_string());
        let items = self.copies.names_in(body, &self.macros);
        let own = |name: &String| self.shadows(function, name) || binds(function, body, name);
        macros.filter(|name| !defines_macro(body, name)).chain(items.into_iter().filter(|name| !own(name))).next()
    }

    /// Whether clones may compile different parts of `function`, itself or through a macro.
    pub(super) fn leave_code_out(&self, function: &Function) -> bool {
        function.body.as_ref().is_some_and(|body| {
            (body.words.have("target_feature") && leaves_code_out(&body.stream()))
                || self.macros.deciding(&body.stream()).into_iter().any(|used| leaves_code_out(&used.tokens))
        })
    }

    /// An impl or a trait, with the results of `emit` for its functions.
    fn members(&mut self, item: &'a Holder, generics: &'a Generics, emit: Emit<'_>) -> TokenStream {
        self.generics = Some(generics);
        if matches!(&item.kind, Kind::Impl(ItemImpl { trait_: None, .. })) {
            self.lacking.members = Unit::selected_among(&item.items);
        }
        let members = self.nodes(&item.items, emit);
        self.generics = None;
        self.lacking.members.clear();
        item.with_items(members)
    }

    /// The items of a module.
    fn module(&mut self, module: &'a Holder) -> TokenStream {
        let outer = core::mem::replace(&mut self.copies, Copies::new(module, &self.macros.and_of(module)));
        let outer_lacking = core::mem::take(&mut self.lacking);
        self.lacking.functions = Unit::selected_among(&module.items);
        let mut tokens =
            self.nodes(&module.items, &|unit, scope| scope.emit_private(unit, &|unit| dispatcher::free(unit, scope)));
        tokens.extend(self.copies.aside());
        self.copies = outer;
        self.lacking = outer_lacking;
        tokens
    }

    fn nodes(&mut self, nodes: &'a [Node], emit: Emit<'_>) -> TokenStream {
        let mut tokens = TokenStream::new();
        for (at, item) in nodes.iter().enumerate() {
            if earlier_definition(nodes, at).is_some() {
                continue;
            }
            tokens.extend([match Unit::at(nodes, at) {
                Some(unit) => emit(&unit, self),
                None => self.copies.in_module(item).unwrap_or_else(|| node(item, self)),
            }]);
        }
        tokens
    }

    /// A function whose callers can be in its module alone may need no clones.
    fn emit_private(&self, unit: &Unit<'_>, emit: &dyn Fn(&Unit<'_>) -> TokenStream) -> TokenStream {
        let function = unit.main();
        if !matches!(function.choice, Choice::Inherit(_)) {
            return emit(unit);
        }
        if self.inlined_as_it_is(function) {
            return function.to_token_stream();
        }
        match attrs::split_always(&function.attrs).filter(|_| self.may_stay(function)) {
            Some(halves) => halves
                .map(|attrs| {
                    let half = Function { attrs, ..function.clone() };
                    self.emit_private(&Unit { definitions: vec![&half], ..*unit }, emit)
                })
                .into_iter()
                .collect(),
            None => emit(unit),
        }
    }
}

/// Whether `function` declares `name` in its parameters or its `body`.
fn binds(function: &Function, body: &TokenStream, name: &str) -> bool {
    find_word(function.sig.inputs.to_token_stream(), name).is_some() || bound(body).iter().any(|bound| bound == name)
}

/// Whether `body` defines a macro of this name.
fn defines_macro(body: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => defines_macro(&group.stream(), name),
        token => is_word(Some(token), "macro_rules") && is_word(tokens.get(at + 2), name),
    })
}

/// Whether a type or constant of `generics` has this name.
fn names_parameter(generics: &Generics, name: &str) -> bool {
    generics.type_params().any(|param| param.ident == name) || generics.const_params().any(|param| param.ident == name)
}

/// The code for `node`.
pub(crate) fn node<'a>(node: &'a Node, scope: &mut Scope<'a>) -> TokenStream {
    let item = match node {
        Node::Fn(function) => {
            let unit = Unit::single(function);
            return unit.map_or_else(|| node.to_token_stream(), |unit| dispatcher::free(&unit, scope));
        }
        Node::Item(item) => item,
    };
    let Some(plan) = item.choice.plan() else { return node.to_token_stream() };
    match &item.kind {
        Kind::Impl(ItemImpl { generics, .. }) | Kind::Trait(ItemTrait { generics, .. }) => {
            let members = match traits::Header::of(item) {
                Some(header) => scope.members(item, generics, &|unit, scope| traits::emit(unit, &header, scope)),
                None => scope.members(item, generics, &|unit, scope| {
                    scope.emit_private(unit, &|unit| dispatcher::inherent(unit, scope))
                }),
            };
            if matches!(item.kind, Kind::Trait(_)) {
                // Each method has a page of its own.
                return members;
            }
            // A dispatcher has another body than Clippy knows.
            let lints =
                allow_for_clippy(|| quote!(clippy::non_canonical_clone_impl, clippy::non_canonical_partial_ord_impl));
            let docs = &plan.docs;
            quote!(#docs #lints #members)
        }
        Kind::Mod(ItemMod { content: Some(_), .. }) => {
            let visible = scope.macros.clone();
            let content = scope.module(item);
            if !is_open(item) {
                scope.macros = visible;
            }
            item.with_items(content)
        }
        Kind::MacroRules { name, tokens } => {
            scope.macros.define(name, tokens);
            tokens.clone()
        }
        Kind::Mod(_) | Kind::Other(_) => node.to_token_stream(),
    }
}
