//! Constants and type aliases of a module that differ between its clones.
//!
//! Each clone has its own around it, in a block of the dispatcher: there rustc resolves names as in the module, and the clone's
//! parameters hide them as they hide the module's. In the module the name is taken by something that cannot be used, so that
//! code that all clones share gets an error and never a second value.

use std::borrow::Cow;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Item, Visibility};

use crate::attrs;
use crate::item::{Container, Function, Kind, Node};
use crate::tokens::{called_macros, is_punct, is_standard_macro, is_word, tests_feature};

/// Those of one module.
#[derive(Default)]
pub(crate) struct Constants<'a> {
    pub(crate) named: Vec<Rc<Constant<'a>>>,
    /// Constants without a name that use one, each with its place among the module's items.
    pub(crate) unnamed: Vec<(usize, &'a Container)>,
    /// The `macro_rules!` of the module and of those around it, which may name one.
    macros: Vec<Macro<'a>>,
}

/// A constant or an alias, in one or several definitions.
pub(crate) struct Constant<'a> {
    pub(crate) name: String,
    pub(crate) definitions: Vec<Definition<'a>>,
}

pub(crate) struct Definition<'a> {
    pub(crate) original: &'a Container,
    /// Its place among the module's items.
    at: usize,
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// The generics of an alias.
    pub(crate) alias: Option<Generics>,
    /// What the item names: not itself, which may have the name of a parameter of the other kind.
    pub(crate) value: TokenStream,
    /// The item, without attributes, as it is visible in a block.
    pub(crate) tokens: TokenStream,
}

#[derive(Clone)]
struct Macro<'a> {
    name: String,
    text: &'a TokenStream,
    /// The place of its definition among the module's items; none in a module around.
    at: Option<usize>,
}

impl<'a> Constants<'a> {
    /// Those of `module`, in the scope of `outer`.
    pub(super) fn of(module: &'a Container, outer: &Constants<'a>) -> Constants<'a> {
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
            let name = definition.ident.to_string();
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
    fn define_macros(&mut self, item: &'a Container, at: usize) {
        match &item.kind {
            Kind::Other => {
                let text = &item.header;
                if let Some(name) = macro_name(text) {
                    self.macros.push(Macro { name, text, at: Some(at) });
                }
            }
            Kind::Mod(_) if attrs::has(&item.attrs, "macro_use") => {
                item.items.iter().filter_map(Node::as_item).for_each(|item| self.define_macros(item, at));
            }
            _ => {}
        }
    }

    /// A macro that `one` calls, itself or through another, and that is defined again after it: its copies would call that one.
    fn redefined(&self, one: &Definition<'_>) -> Option<&str> {
        let mut calls = called_macros(one.tokens.clone());
        let mut next = 0;
        while next < calls.len() {
            let texts = self.macros.iter().filter(|known| known.name == calls[next]);
            let new: Vec<String> = texts.flat_map(|known| called_macros(known.text.clone())).collect();
            calls.extend(new.into_iter().filter(|name| !calls.contains(name)).collect::<Vec<_>>());
            next += 1;
        }
        let later = |known: &&Macro<'_>| known.at.is_some_and(|at| at > one.at) && calls.contains(&known.name);
        self.macros.iter().find(later).map(|known| &*known.name)
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
                if !*entered && calls.contains(&own.name) {
                    *entered = true;
                    todo.push((own.text.clone(), own_tokens));
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

    /// The module's item that is `at` this place, if it is one of these: the constant, the number of the definition, and the macro that
    /// it calls and that is defined again after it.
    pub(super) fn definition(&self, at: usize) -> Option<(Rc<Constant<'a>>, usize, Option<String>)> {
        self.named.iter().find_map(|constant| {
            let index = constant.definitions.iter().position(|one| one.at == at)?;
            let redefined = self.redefined(&constant.definitions[index]).map(str::to_owned);
            Some((constant.clone(), index, redefined))
        })
    }

    /// Those around the clones of a function with these `definitions`, in an item with the generics `outer`.
    pub(super) fn used_by_function(
        &self,
        definitions: &[Cow<'_, Function>],
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
        name == &*self.name
    }

    /// Whether a parameter of the same kind and name hides it.
    fn is_hidden_by(&self, generics: &[&Generics]) -> bool {
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
    fn of(original: &'a Container, at: usize) -> Option<Definition<'a>> {
        let (ident, vis, alias, value, tokens) = match syn::parse2(original.header.clone()).ok()? {
            Item::Const(mut item) => {
                let vis = core::mem::replace(&mut item.vis, Visibility::Inherited);
                let (ty, expr) = (&item.ty, &item.expr);
                (item.ident.clone(), vis, None, quote!(#ty #expr), item.to_token_stream())
            }
            Item::Type(mut item) => {
                let vis = core::mem::replace(&mut item.vis, Visibility::Inherited);
                let (generics, ty) = (&item.generics, &item.ty);
                (item.ident.clone(), vis, Some(generics.clone()), quote!(#generics #ty), item.to_token_stream())
            }
            _ => return None,
        };
        Some(Definition { original, at, ident, vis, alias, value, tokens })
    }
}

/// The name of the `macro_rules!` that `tokens` are.
fn macro_name(tokens: &TokenStream) -> Option<String> {
    let mut tokens = tokens.clone().into_iter();
    let (word, _, name) = (tokens.next(), tokens.next(), tokens.next()?);
    is_word(word.as_ref(), "macro_rules").then(|| name.to_string())
}

/// Whether `tokens` name what `name` means in the scope around them, also captured by a format string. Behind `::` it is another
/// name.
pub(crate) fn occurs(tokens: &TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_colon = |at: usize, back: usize| at.checked_sub(back).is_some_and(|at| is_punct(tokens.get(at), ':'));
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == name && !(is_colon(at, 1) && is_colon(at, 2)),
        TokenTree::Literal(literal) => captures(&literal.to_string(), name),
        TokenTree::Group(group) => occurs(&group.stream(), name),
        TokenTree::Punct(_) => false,
    })
}

/// Whether the format string `text` captures `name`.
fn captures(text: &str, name: &str) -> bool {
    let start = format!("{{{name}");
    let ends = |(at, _): (usize, &str)| {
        !text[at + start.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    };
    text.match_indices(&start).any(ends)
}

#[cfg(test)]
mod tests;
