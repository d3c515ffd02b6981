//! Constants and type aliases of a module that differ between its clones.
//!
//! Each clone has its own around it, in a block of the dispatcher: there rustc resolves names as in the module, and the clone's
//! parameters hide them as they hide the module's. In the module the name is taken by something that cannot be used, so that
//! code that all clones share gets an error and never a second value.

use core::mem;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Item, ItemConst, ItemType, Visibility};

use super::module::plans;
use super::{allow_for_clippy, silenced};
use crate::attrs;
use crate::item::{Function, Holder, Kind, Node};
use crate::plan::{Plan, PlannedClone, Private, any};
use crate::sig;
use crate::tokens::{called, is_standard_macro, is_word, mentions_feature};
use crate::transform::Features;

/// Those of one module.
#[derive(Default)]
pub(super) struct Constants<'a> {
    groups: Vec<Named<'a>>,
    /// The `macro_rules!` of the module and of those around it, which may name one.
    macros: Vec<Macro<'a>>,
    /// Constants without a name that use one.
    unnamed: Vec<&'a Holder>,
}

/// The definitions of one name.
pub(super) struct Named<'a> {
    name: String,
    definitions: Vec<Definition<'a>>,
}

struct Definition<'a> {
    original: &'a Holder,
    /// Its place among the module's items.
    at: usize,
    item: Item,
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
    pub(super) fn of(module: &'a Holder, outer: &Constants<'a>) -> Constants<'a> {
        let outer = outer.macros.iter().map(|known| Macro { at: None, ..known.clone() });
        let mut constants = Constants { macros: outer.collect(), ..Constants::default() };
        let items = || module.items.iter().enumerate().filter_map(|(at, node)| Some((at, node.as_item()?)));
        for (at, item) in items() {
            constants.define_macros(item, at);
        }
        // Parsing takes time, and most modules have none.
        let others = || items().filter(|(_, item)| item.choice.plan().is_some() && matches!(item.kind, Kind::Other(_)));
        if !others().any(|(_, item)| mentions_feature(&item.to_token_stream())) {
            return constants;
        }
        let mut rest: Vec<Named<'a>> = Vec::new();
        for (at, original) in others() {
            let Kind::Other(tokens) = &original.kind else { continue };
            if let Ok(item @ (Item::Const(_) | Item::Type(_))) = syn::parse2(tokens.clone()) {
                let name = named(&item);
                let definition = Definition { original, at, item };
                let same = |known: &&mut Named<'_>| {
                    name != "_" && known.name == name && known.is_type() == definition.is_type()
                };
                match rest.iter_mut().find(same) {
                    Some(known) => known.definitions.push(definition),
                    None => rest.push(Named { name, definitions: vec![definition] }),
                }
            }
        }
        while let Some(at) = rest
            .iter()
            .position(|named| named.definitions.iter().any(|one| one.tests_feature() || constants.uses(&one.tokens())))
        {
            let found = rest.remove(at);
            match &*found.name {
                "_" => constants.unnamed.push(found.definitions[0].original),
                _ => constants.groups.push(found),
            }
        }
        constants
    }

    /// Adds the macros that are visible in the module after `item`, which is `at` this place.
    fn define_macros(&mut self, item: &'a Holder, at: usize) {
        match &item.kind {
            Kind::Other(text) => {
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
        let mut calls = called(one.tokens());
        let mut next = 0;
        while next < calls.len() {
            let texts = self.macros.iter().filter(|known| known.name == calls[next]);
            let new: Vec<String> = texts.flat_map(|known| called(known.text.clone())).collect();
            calls.extend(new.into_iter().filter(|name| !calls.contains(name)).collect::<Vec<_>>());
            next += 1;
        }
        let later = |known: &&Macro<'_>| known.at.is_some_and(|at| at > one.at) && calls.contains(&known.name);
        self.macros.iter().find(later).map(|known| &*known.name)
    }

    fn uses(&self, tokens: &TokenStream) -> bool {
        self.used(tokens, false, &[]).next().is_some()
    }

    /// Those that `tokens` use, directly, through a macro or through another; with `unknown`, all if a macro from elsewhere
    /// may name any. In `tokens` the generic parameters `hiding` constants and aliases of their names are in scope.
    fn used(&self, tokens: &TokenStream, unknown: bool, hiding: &[&Generics]) -> impl Iterator<Item = &Named<'a>> {
        let mut used = vec![false; self.groups.len()];
        let mut entered = vec![[false; 2]; self.macros.len()];
        let mut todo = if self.groups.is_empty() { Vec::new() } else { vec![(tokens.clone(), true)] };
        while let Some((tokens, own_tokens)) = todo.pop() {
            let hiding = if own_tokens { hiding } else { &[] };
            let calls = called(tokens.clone());
            let own = |name: &String| self.macros.iter().any(|own| own.name == *name);
            let all = unknown && calls.iter().any(|name| !is_standard_macro(name) && !own(name));
            for (own, entered) in self.macros.iter().zip(&mut entered) {
                let entered = &mut entered[usize::from(own_tokens)];
                if !*entered && calls.contains(&own.name) {
                    *entered = true;
                    todo.push((own.text.clone(), own_tokens));
                }
            }
            for (group, used) in self.groups.iter().zip(&mut used) {
                if !*used && (all || names(&tokens, &group.name)) && !group.is_hidden_by(hiding) {
                    *used = true;
                    todo.extend(group.definitions.iter().map(|one| (one.tokens(), false)));
                }
            }
        }
        self.groups.iter().zip(used).filter(|(_, used)| *used).map(|(group, _)| group)
    }

    /// Those around the clones of a function with these `definitions`, in an item with the generics `outer`.
    pub(super) fn around(&self, definitions: &[&Function], outer: Option<&Generics>) -> Vec<&Named<'a>> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let tokens = definitions.iter().map(|function| {
            let (sig, body) = (&function.sig, function.body.as_ref().map(|body| &body.braces));
            quote!(#sig #body)
        });
        let hiding: Vec<&Generics> =
            outer.into_iter().chain(definitions.first().map(|one| &one.sig.generics)).collect();
        self.used(&tokens.collect(), true, &hiding).collect()
    }

    /// The tokens in place of `item` in the module, if it is one of these.
    pub(super) fn in_module(&self, item: &Holder, nodes: &[Node]) -> Option<TokenStream> {
        let is = |other: &Holder| core::ptr::eq(other, item);
        if self.unnamed.iter().any(|unnamed| is(unnamed)) {
            return Some(TokenStream::new());
        }
        let group = self.groups.iter().find(|group| group.definitions.iter().any(|one| is(one.original)))?;
        let mut tokens = quote_spanned!(Span::mixed_site()=> #[cfg(doc)] #item);
        for one in group.definitions.iter().filter(|one| is(one.original)) {
            if let Some(name) = self.redefined(one) {
                let message = format!(
                    "`{}` differs between clones and calls `{name}!`, which is defined again after it\n\
                     help: give the later macro a name of its own",
                    group.name
                );
                tokens.extend(quote_spanned!(one.ident().span()=> compile_error! { #message }));
            }
        }
        if is(group.definitions[0].original) {
            tokens.extend(group.placeholder(&plans(nodes)));
        }
        Some(tokens)
    }

    /// All of them once for each clone: so they are checked where no function uses them, and constants without a name are
    /// evaluated.
    pub(super) fn checked(&self, plan: &Plan) -> TokenStream {
        if self.groups.is_empty() && self.unnamed.is_empty() {
            return TokenStream::new();
        }
        let groups: Vec<&Named<'a>> = self.groups.iter().collect();
        let checked = plan.by_cfg().clones.iter().map(|clone| {
            let items = items(&groups, &clone.features);
            let unnamed = self.unnamed.iter().map(|item| clone.features.rewrite_all(item.to_token_stream()));
            let exists = clone.cfg();
            quote_spanned!(Span::mixed_site()=> #exists const _: () = { #items #(#unnamed)* };)
        });
        checked.collect()
    }
}

/// The definitions in `groups` for a clone with `features`.
pub(super) fn items(groups: &[&Named<'_>], features: &Features) -> TokenStream {
    let lints = silenced();
    let definitions = groups.iter().flat_map(|group| &group.definitions).map(|one| {
        let (selected, item) = (attrs::select(&one.original.attrs, features), features.rewrite_all(one.tokens()));
        let others = one.original.attrs.iter().filter(|attr| !attr.path().is_ident("cfg"));
        let selected = (selected.to_string() != quote!(all()).to_string()).then(|| quote!(#[cfg(#selected)]));
        quote_spanned!(Span::mixed_site()=> #selected #(#others)* #[allow(dead_code, #lints)] #item)
    });
    definitions.collect()
}

/// The first of `groups` that names a generic parameter of `generics`, with the parameter.
pub(super) fn captured<'g>(groups: &[&Named<'_>], generics: &'g Generics) -> Option<(String, &'g Ident)> {
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    params.into_iter().find_map(|param| {
        let names = |group: &&&Named<'_>| {
            group.definitions.iter().any(|one| !one.declares(param) && names(&one.value(), &param.to_string()))
        };
        groups.iter().find(names).map(|group| (group.name.clone(), param))
    })
}

impl Named<'_> {
    fn is_type(&self) -> bool {
        self.definitions[0].is_type()
    }

    /// Whether it has this name.
    pub(super) fn is(&self, name: &Ident) -> bool {
        name == &*self.name
    }

    /// Whether a parameter of the same kind and name hides it.
    fn is_hidden_by(&self, generics: &[&Generics]) -> bool {
        generics.iter().any(|generics| {
            if self.is_type() {
                generics.type_params().any(|param| self.is(&param.ident))
            } else {
                generics.const_params().any(|param| self.is(&param.ident))
            }
        })
    }

    /// What takes the name in the module if some clone has a definition, and an error for each clone without one.
    fn placeholder(&self, plans: &[&Plan]) -> TokenStream {
        let span = Span::mixed_site();
        let first = &self.definitions[0];
        let others = first.original.attrs.iter().filter(|attr| !attr.path().is_ident("cfg"));
        let instead = first.instead(&plans[0].private);
        let instead = quote!(#(#others)* #instead);
        if super::cover_all(self.definitions.iter().map(|one| &one.original.attrs)) {
            return quote_spanned!(span=> #[cfg(not(doc))] #instead);
        }
        let clones = || plans.iter().flat_map(|plan| &plan.by_cfg().clones);
        let defined = |clone: &PlannedClone| {
            any(self.definitions.iter().map(|one| attrs::select(&one.original.attrs, &clone.features)).collect())
        };
        let exists = any(clones().map(|clone| clone.exists_and(defined(clone))).collect());
        let errors = clones().map(|clone| {
            let defined = defined(clone);
            let missing = clone.exists_and(quote!(all(#exists, not(#defined))));
            let error = super::without_definition(first.ident(), clone);
            quote_spanned!(span=> #[cfg(#missing)] #error)
        });
        quote_spanned!(span=> #(#errors)* #[cfg(all(#exists, not(doc)))] #instead)
    }
}

impl Definition<'_> {
    fn is_type(&self) -> bool {
        matches!(self.item, Item::Type(_))
    }

    fn ident(&self) -> &Ident {
        match &self.item {
            Item::Type(ItemType { ident, .. }) | Item::Const(ItemConst { ident, .. }) => ident,
            _ => unreachable!("constants and type aliases alone"),
        }
    }

    /// Whether it tests a feature, in it or in its `cfg`s.
    fn tests_feature(&self) -> bool {
        mentions_feature(&self.original.to_token_stream())
    }

    /// Whether an alias has a parameter of this name itself.
    fn declares(&self, name: &Ident) -> bool {
        matches!(&self.item, Item::Type(item) if sig::declares(&item.generics, name))
    }

    /// What the item names: not itself, which may have the name of a parameter of the other kind.
    fn value(&self) -> TokenStream {
        match &self.item {
            Item::Type(ItemType { generics, ty, .. }) => quote!(#generics #ty),
            Item::Const(ItemConst { ty, expr, .. }) => quote!(#ty #expr),
            _ => TokenStream::new(),
        }
    }

    /// The item, without attributes, as it is visible in a block.
    fn tokens(&self) -> TokenStream {
        let mut item = self.item.clone();
        if let Item::Const(ItemConst { vis, .. }) | Item::Type(ItemType { vis, .. }) = &mut item {
            *vis = Visibility::Inherited;
        }
        item.into_token_stream()
    }

    /// An item of this name whose every use is an error that names the reason.
    fn instead(&self, private: &Private) -> TokenStream {
        let span = Span::mixed_site();
        let clippy = allow_for_clippy(|| quote!(clippy::all, clippy::pedantic, clippy::nursery));
        match &self.item {
            Item::Type(ItemType { vis, ident, generics, .. }) => {
                let (used, (parameters, _, _)) = (parameters_in(generics), generics.split_for_impl());
                let ty = quote_spanned!(span=> <() as #private::AliasUsableOnlyInsideClones<(#used)>>::Type);
                quote_spanned!(span=> #[allow(dead_code)] #clippy #vis type #ident #parameters = #ty;)
            }
            Item::Const(ItemConst { vis, ident, .. }) => quote_spanned! {span=>
                #[allow(dead_code, non_snake_case)] #clippy
                #vis fn #ident<ConstantUsableOnlyInsideClones>() -> #private::ConstantUsableOnlyInsideClones { loop {} }
            },
            _ => TokenStream::new(),
        }
    }
}

/// The name of the `macro_rules!` that `tokens` are.
fn macro_name(tokens: &TokenStream) -> Option<String> {
    let mut tokens = tokens.clone().into_iter();
    let (word, _, name) = (tokens.next(), tokens.next(), tokens.next()?);
    is_word(word.as_ref(), "macro_rules").then(|| name.to_string())
}

fn named(item: &Item) -> String {
    match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => String::new(),
    }
}

/// Types that use the parameters of an alias, which rustc requires. A constant need not be used.
fn parameters_in(generics: &Generics) -> TokenStream {
    let mut used = TokenStream::new();
    for param in &generics.params {
        used.extend(match param {
            GenericParam::Lifetime(syn::LifetimeParam { lifetime, .. }) => quote!(&#lifetime (),),
            GenericParam::Type(syn::TypeParam { ident, .. }) => quote!(*const #ident,),
            GenericParam::Const(_) => TokenStream::new(),
        });
    }
    used
}

/// Whether `tokens` name what `name` means in the scope around them, also captured by a format string. Behind `::` it is another
/// name.
fn names(tokens: &TokenStream, name: &str) -> bool {
    let mut colons = 0;
    tokens.clone().into_iter().any(|token| {
        let behind = mem::replace(&mut colons, 0);
        match token {
            TokenTree::Ident(ident) => ident == name && behind < 2,
            TokenTree::Literal(literal) => captures(&literal.to_string(), name),
            TokenTree::Group(group) => names(&group.stream(), name),
            TokenTree::Punct(punct) => {
                if punct.as_char() == ':' {
                    colons = behind + 1;
                }
                false
            }
        }
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
mod tests {
    use super::names;

    #[test]
    fn occurrences() {
        let occurs = |text: &str| names(&text.parse().unwrap(), "W");
        assert!(
            occurs("f(W)") && occurs("format!(\"{W}\")") && occurs("println!(\"{W:?} {W}\")") && occurs("f::<W>(a::b)")
        );
        assert!(!occurs("S::W") && !occurs("format!(\"W {}\", w)") && !occurs("WW") && !occurs("format!(\"{WW}\")"));
    }
}
