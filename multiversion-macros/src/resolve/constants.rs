//! Constants and type aliases of a module that differ between its clones.
//!
//! Each clone has its own around it, in a block of the dispatcher: there rustc resolves names as in the module, and the clone's
//! parameters hide them as they hide the module's. In the module the name is taken by something that cannot be used, so that
//! code that all clones share gets an error and never a second value.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Generics, Item, Visibility};

use crate::attrs;
use crate::check::{WHOLE_PROGRAMS, impl_in};
use crate::error::Errors;
use crate::item::definitions::{definition, first_definition};
use crate::item::{Function, Kind, Node, OtherItem};
use crate::match_target;
use crate::tokens::{
    any, before, called_macros, find_word, hygienic, is_punct, is_standard_macro, is_word, reached, tests_feature,
};

/// Those of one module.
#[derive(Default)]
pub(crate) struct Constants<'a> {
    pub(crate) named: Vec<Rc<Constant<'a>>>,
    /// Constants without a name that use one, each with its place among the module's items.
    pub(crate) unnamed: Vec<(usize, &'a OtherItem)>,
    /// The `macro_rules!` of the module and of those around it, which may name one.
    macros: Vec<Macro<'a>>,
    /// Those that cannot be copied, and functions whose definitions cannot be moved together.
    pub(crate) errors: Errors,
}

/// A constant or an alias, in one or several definitions.
pub(crate) struct Constant<'a> {
    pub(crate) name: String,
    pub(crate) definitions: Vec<Definition<'a>>,
}

pub(crate) struct Definition<'a> {
    pub(crate) original: &'a OtherItem,
    /// Its place among the module's items.
    at: usize,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// The generics of an alias.
    pub(crate) alias: Option<Generics>,
    /// The names in the item: not its own, which may be that of a parameter of the other kind.
    pub(crate) value: TokenStream,
    /// The item, without attributes, as it is visible in a block.
    pub(crate) tokens: TokenStream,
}

/// A `macro_rules!`, or a module in another file, which may define any.
#[derive(Clone)]
struct Macro<'a> {
    name: String,
    text: Option<&'a TokenStream>,
    /// The place of its definition among the module's items; none in a module around.
    at: Option<usize>,
}

impl<'a> Constants<'a> {
    /// Those of `module`, in the scope of `outer`.
    pub(super) fn of(module: &'a OtherItem, outer: &Constants<'a>) -> Constants<'a> {
        let outer = outer.macros.iter().map(|known| Macro { at: None, ..known.clone() });
        let mut constants = Constants { macros: outer.collect(), ..Constants::default() };
        let items = || module.items.iter().enumerate().filter_map(|(at, node)| Some((at, node.as_item()?)));
        for (at, item) in items() {
            constants.define_macros(item, at);
        }
        // Parsing takes time, and most modules have none.
        let others = || items().filter(|(_, item)| item.choice.list().is_some() && matches!(item.kind, Kind::Other));
        if !others().any(|(_, item)| tests_feature(&item.to_token_stream())) {
            return constants;
        }
        let mut rest: Vec<Constant<'a>> = Vec::new();
        for definition in others().filter_map(|(at, item)| Definition::of(item, at)) {
            let name = definition.ident.unraw().to_string();
            let same = |known: &&mut Constant<'_>| {
                name != "_" && known.name == name && known.definitions[0].alias.is_some() == definition.alias.is_some()
            };
            match rest.iter_mut().find(same) {
                Some(known) => known.definitions.push(definition),
                None => rest.push(Constant { name, definitions: vec![definition] }),
            }
        }
        let differs = |constants: &Constants<'_>, one: &Definition<'_>| {
            tests_feature(&one.original.to_token_stream()) || !constants.used_by(&one.tokens, false, &[]).is_empty()
        };
        while let Some(at) = rest.iter().position(|one| one.definitions.iter().any(|one| differs(&constants, one))) {
            let found = rest.remove(at);
            match (&*found.name, &found.definitions[..]) {
                ("_", [one, ..]) => constants.unnamed.push((one.at, one.original)),
                _ => constants.named.push(Rc::new(found)),
            }
        }
        constants
    }

    /// Adds the macros that are visible in the module after `item`, which is `at` this place.
    fn define_macros(&mut self, item: &'a OtherItem, at: usize) {
        match &item.kind {
            Kind::Other => {
                let defined = item.defined_macro();
                self.macros.extend(defined.map(|(name, text)| Macro { name, text: Some(text), at: Some(at) }));
            }
            Kind::Mod(module) if attrs::have_named(&item.attrs, "macro_use") => {
                if module.content.is_none() {
                    self.macros.push(Macro { name: format!("mod {}", module.ident), text: None, at: Some(at) });
                }
                item.items.iter().filter_map(Node::as_item).for_each(|item| self.define_macros(item, at));
            }
            _ => {}
        }
    }

    /// The macros of this module that `tokens` call, themselves or through another: all if they call one from elsewhere. The macro of
    /// a call is the last one of its name that is defined before it in the text.
    fn called(&self, tokens: &TokenStream) -> Vec<&Macro<'a>> {
        let texts = |name: &str| -> Vec<TokenStream> {
            self.macros.iter().filter(|known| known.name == name).filter_map(|known| known.text.cloned()).collect()
        };
        let calls = reached(called_macros(tokens.clone()), &texts);
        let own = |name: &String| self.macros.iter().any(|own| own.name == *name);
        let any = calls.iter().any(|name| !is_standard_macro(name) && name != match_target::NAME && !own(name));
        let is_called = |known: &&Macro<'_>| any || calls.contains(&known.name) || known.text.is_none();
        self.macros.iter().filter(is_called).filter(|_| !calls.is_empty()).collect()
    }

    /// Refuses what would mean something else in its copies, of which `items` are the module's.
    pub(super) fn refuse_copies(&mut self, items: &'a [Node]) {
        let mut errors = Errors::new();
        let between = |tokens: &TokenStream, start: usize, end: usize| {
            let within = |known: &&Macro<'_>| known.at.is_some_and(|at| start < at && at < end);
            self.called(tokens).into_iter().find(within).map(|found| found.name.clone())
        };
        let first_use = |constant: &Rc<Constant<'_>>| {
            // Of the other items only constants use one, whose copies stand where functions are.
            let is_copied_to = |item: &OtherItem| matches!(item.kind, Kind::Impl(_) | Kind::Trait(_));
            let uses = |node: &Node| {
                node.as_item().is_none_or(is_copied_to)
                    && self.used_by(&node.to_token_stream(), true, &[]).iter().any(|one| Rc::ptr_eq(one, constant))
            };
            items.iter().position(uses).unwrap_or(items.len())
        };
        let unnamed: Vec<Definition<'_>> =
            self.unnamed.iter().filter_map(|(at, item)| Definition::of(item, *at)).collect();
        let named = self.named.iter().flat_map(|one| one.definitions.iter().map(move |each| (each, first_use(one))));
        for (one, first_use) in named.chain(unnamed.iter().map(|one| (one, one.at))) {
            let Definition { ident, at, .. } = one;
            if let Some(name) = between(&one.tokens, first_use.min(*at), items.len()) {
                errors.push_help(
                    ident.span(),
                    format_args!(
                        "`{ident}` differs between clones and calls a macro, and `{name}` is defined among its copies"
                    ),
                    "define the macro before the constant and all that use it, once",
                );
            }
            let texts = || self.called(&one.tokens).into_iter().filter_map(|known| known.text).chain([&one.tokens]);
            if texts().any(holds_static) {
                errors.push_help(
                    ident.span(),
                    format_args!(
                        "`{ident}` differs between clones, and each function would have a `static` in it of its own"
                    ),
                    "declare the `static` next to it",
                );
            }
            let once = |text: &TokenStream| {
                let word = || WHOLE_PROGRAMS.iter().find(|word| find_word(text.clone(), word).is_some());
                impl_in(text.clone()).map(|_| "an impl").or_else(|| word().copied())
            };
            if let Some(what) = texts().find_map(once) {
                errors.push_help(
                    ident.span(),
                    format_args!("`{ident}` differs between clones, and {what} in it exists once"),
                    "move that out of the constant or type",
                );
            }
        }
        for constant in &self.named {
            let vis = |one: &Definition<'_>| one.vis.to_token_stream().to_string();
            let [first, rest @ ..] = &constant.definitions[..] else { continue };
            if let Some(other) = rest.iter().find(|one| vis(one) != vis(first)) {
                let message = format_args!("the definitions of `{}` differ in visibility", constant.name);
                errors.push_help(other.ident.span(), message, "write the same in all definitions");
            }
        }
        for (at, node) in items.iter().enumerate() {
            let (Some(this), Some(first)) = (definition(node), first_definition(items, at)) else { continue };
            if let Some(name) = between(&this.to_token_stream(), first, at) {
                let ident = &this.sig.ident;
                errors.push_help(
                    ident.span(),
                    format_args!("this definition of `{ident}` calls a macro, and `{name}` is defined between it and the first one"),
                    "define the macro before the first definition, once",
                );
            }
        }
        self.errors = errors;
    }

    /// Those that `tokens` use, directly, through a macro or through another; with `unknown`, all if a macro from elsewhere
    /// may name any. In `tokens` the generic parameters `hiding` constants and aliases of their names are in scope.
    fn used_by(&self, tokens: &TokenStream, unknown: bool, hiding: &[&Generics]) -> Vec<Rc<Constant<'a>>> {
        let mut used = vec![false; self.named.len()];
        let mut entered = vec![[false; 2]; self.macros.len()];
        let mut todo = if self.named.is_empty() { Vec::new() } else { vec![(tokens.clone(), true)] };
        while let Some((tokens, own_tokens)) = todo.pop() {
            let hiding = if own_tokens { hiding } else { &[] };
            let calls = called_macros(tokens.clone());
            let own = |name: &String| self.macros.iter().any(|own| own.name == *name);
            let all = unknown && calls.iter().any(|name| !is_standard_macro(name) && !own(name));
            for (own, entered) in self.macros.iter().zip(&mut entered) {
                let entered = &mut entered[usize::from(own_tokens)];
                if let Some(text) = own.text
                    && !*entered
                    && calls.contains(&own.name)
                {
                    *entered = true;
                    todo.push((text.clone(), own_tokens));
                }
            }
            for (constant, used) in self.named.iter().zip(&mut used) {
                if !*used && (all || occurs(&tokens, &constant.name)) && !constant.is_hidden_by(hiding) {
                    *used = true;
                    todo.extend(constant.definitions.iter().map(|one| (one.tokens.clone(), false)));
                }
            }
        }
        self.named.iter().zip(used).filter(|(_, used)| *used).map(|(constant, _)| constant.clone()).collect()
    }

    /// The module's item that is `at` this place, if it is one of these: the constant, and the number of the definition.
    pub(super) fn definition(&self, at: usize) -> Option<(Rc<Constant<'a>>, usize)> {
        self.named.iter().find_map(|constant| {
            let index = constant.definitions.iter().position(|one| one.at == at)?;
            Some((constant.clone(), index))
        })
    }

    /// Those around the clones of a function with these `definitions`, in an item with the generics `outer`.
    pub(super) fn used_by_function(
        &self,
        definitions: &[&Function],
        outer: Option<&Generics>,
    ) -> Vec<Rc<Constant<'a>>> {
        if self.named.is_empty() {
            return Vec::new();
        }
        let tokens = definitions.iter().map(|function| {
            let (sig, body) = (&function.sig, function.body.as_ref().map(|body| &body.braces));
            quote!(#sig #body)
        });
        let hiding: Vec<&Generics> =
            outer.into_iter().chain(definitions.first().map(|one| &one.sig.generics)).collect();
        self.used_by(&quote!(#(#tokens)*), true, &hiding)
    }
}

impl Constant<'_> {
    /// Whether it has this name.
    pub(crate) fn is(&self, name: &Ident) -> bool {
        name.unraw() == *self.name
    }

    /// Whether a parameter of the same kind and name hides it.
    pub(crate) fn is_hidden_by(&self, generics: &[&Generics]) -> bool {
        generics.iter().any(|generics| {
            if self.definitions[0].alias.is_some() {
                generics.type_params().any(|param| self.is(&param.ident))
            } else {
                generics.const_params().any(|param| self.is(&param.ident))
            }
        })
    }
}

impl<'a> Definition<'a> {
    /// `None` if `original` is no constant and no alias.
    fn of(original: &'a OtherItem, at: usize) -> Option<Definition<'a>> {
        // The name and the ends of the item are ours: so there are no lints about copies of it.
        let own = |ident: &mut Ident, vis: &mut Visibility, ends: [&mut Span; 2]| {
            for end in ends {
                *end = end.resolved_at(Span::mixed_site());
            }
            let name = hygienic(ident);
            (core::mem::replace(ident, name), core::mem::replace(vis, Visibility::Inherited))
        };
        let (ident, vis, alias, value, tokens) = match syn::parse2(original.header.clone()).ok()? {
            Item::Const(mut item) => {
                let ends = [&mut item.const_token.span, &mut item.semi_token.spans[0]];
                let (ident, vis) = own(&mut item.ident, &mut item.vis, ends);
                let (ty, expr) = (&item.ty, &item.expr);
                (ident, vis, None, quote!(#ty #expr), item.to_token_stream())
            }
            Item::Type(mut item) => {
                let ends = [&mut item.type_token.span, &mut item.semi_token.spans[0]];
                let (ident, vis) = own(&mut item.ident, &mut item.vis, ends);
                let (generics, ty) = (&item.generics, &item.ty);
                (ident, vis, Some(generics.clone()), quote!(#generics #ty), item.to_token_stream())
            }
            _ => return None,
        };
        Some(Definition { original, at, ident, vis, alias, value, tokens })
    }
}

/// Whether `tokens` name what `name` means in the scope around them, also captured by a format string. Behind `::` it is another
/// name.
pub(crate) fn occurs(tokens: &TokenStream, name: &str) -> bool {
    let is_colon = |token: Option<&TokenTree>| is_punct(token, ':');
    any(tokens.clone(), &mut |tokens, at| match &tokens[at] {
        TokenTree::Ident(ident) => {
            ident.unraw() == name && !(is_colon(before(tokens, at, 1)) && is_colon(before(tokens, at, 2)))
        }
        TokenTree::Literal(literal) => captures(&literal.to_string(), name),
        _ => false,
    })
}

/// Whether the format string `text` captures `name`, as a value or as a width or a precision.
fn captures(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.contains('{')
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !before.ends_with(is_part)
                && !after.starts_with(is_part)
                && (before.ends_with('{') || after.starts_with('$'))
        })
}

/// Whether `tokens` declare a `static`. The word is also part of a lifetime.
fn holds_static(tokens: &TokenStream) -> bool {
    any(tokens.clone(), &mut |tokens, at| is_word(tokens.get(at), "static") && !is_punct(before(tokens, at, 1), '\''))
}

#[cfg(test)]
mod tests;
