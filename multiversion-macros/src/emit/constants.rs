//! Constants and type aliases of a module that differ between its clones.
//!
//! Each clone has its own around it, in a block of the dispatcher: there rustc resolves names as in the module, and the clone's
//! parameters hide them as they hide the module's. In the module the name is taken by something that cannot be used, so that
//! code that all clones share gets an error and never a second value.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Item, ItemConst, ItemMacro, ItemType, Visibility};

use super::module::plans;
use super::{allow_for_clippy, silenced};
use crate::attrs;
use crate::item::{Function, Holder, Kind, Node};
use crate::plan::{Plan, PlannedClone, Private, any};
use crate::sig;
use crate::tokens::{called, is_standard_macro, mentions_feature};
use crate::transform::Features;

/// Those of one module.
#[derive(Default)]
pub(super) struct Constants<'a> {
    groups: Vec<Named<'a>>,
    /// The `macro_rules!` of the module, which may name one.
    macros: Vec<(String, &'a TokenStream)>,
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
    item: Item,
}

impl<'a> Constants<'a> {
    pub(super) fn of(module: &'a Holder) -> Constants<'a> {
        let mut constants = Constants::default();
        let others = module.items.iter().filter_map(|node| match node {
            Node::Item(item) if item.choice.plan().is_some() => Some(&**item),
            _ => None,
        });
        // Parsing takes time, and most modules have none.
        let tests = |item: &&Holder| matches!(item.kind, Kind::Other(_)) && mentions_feature(&item.to_token_stream());
        if !others.clone().any(|item| tests(&item)) {
            return constants;
        }
        let mut rest: Vec<Named<'a>> = Vec::new();
        for original in others {
            let Kind::Other(tokens) = &original.kind else { continue };
            match syn::parse2(tokens.clone()) {
                Ok(item @ (Item::Const(_) | Item::Type(_))) => {
                    let name = named(&item);
                    let definition = Definition { original, item };
                    let same = |known: &&mut Named<'_>| {
                        name != "_" && known.name == name && known.is_type() == definition.is_type()
                    };
                    match rest.iter_mut().find(same) {
                        Some(known) => known.definitions.push(definition),
                        None => rest.push(Named { name, definitions: vec![definition] }),
                    }
                }
                Ok(Item::Macro(ItemMacro { ident: Some(name), .. })) => {
                    constants.macros.push((name.to_string(), tokens));
                }
                _ => {}
            }
        }
        while let Some(at) = rest.iter().position(|named| {
            named.definitions.iter().any(|one| one.tests_feature() || constants.uses(&one.tokens()))
        }) {
            let found = rest.remove(at);
            match &*found.name {
                "_" => constants.unnamed.push(found.definitions[0].original),
                _ => constants.groups.push(found),
            }
        }
        constants
    }

    fn uses(&self, tokens: &TokenStream) -> bool {
        self.used(tokens, false).next().is_some()
    }

    /// Those that `tokens` use, directly, through a macro or through another; with `unknown`, all if a macro from elsewhere
    /// may name any.
    fn used(&self, tokens: &TokenStream, unknown: bool) -> impl Iterator<Item = &Named<'a>> {
        let mut used = vec![false; self.groups.len()];
        let mut entered = vec![false; self.macros.len()];
        let mut todo = if self.groups.is_empty() { Vec::new() } else { vec![tokens.clone()] };
        while let Some(tokens) = todo.pop() {
            let calls = called(tokens.clone());
            let own = |name: &String| self.macros.iter().any(|(own, _)| own == name);
            let all = unknown && calls.iter().any(|name| !is_standard_macro(name) && !own(name));
            for ((name, text), entered) in self.macros.iter().zip(&mut entered) {
                if !*entered && calls.contains(name) {
                    *entered = true;
                    todo.push((*text).clone());
                }
            }
            for (group, used) in self.groups.iter().zip(&mut used) {
                if !*used && (all || names(&tokens, &group.name)) {
                    *used = true;
                    todo.extend(group.definitions.iter().map(Definition::tokens));
                }
            }
        }
        self.groups.iter().zip(used).filter(|(_, used)| *used).map(|(group, _)| group)
    }

    /// Those around the clones of a function with these `definitions`.
    pub(super) fn around(&self, definitions: &[&Function]) -> Vec<&Named<'a>> {
        if self.groups.is_empty() {
            return Vec::new();
        }
        let tokens = definitions.iter().map(|function| {
            let (sig, body) = (&function.sig, function.body.as_ref().map(|body| &body.braces));
            quote!(#sig #body)
        });
        self.used(&tokens.collect(), true).collect()
    }

    /// The tokens in place of `item` in the module, if it is one of these.
    pub(super) fn in_module(&self, item: &Holder, nodes: &[Node]) -> Option<TokenStream> {
        let is = |other: &Holder| core::ptr::eq(other, item);
        if self.unnamed.iter().any(|unnamed| is(unnamed)) {
            return Some(TokenStream::new());
        }
        let group = self.groups.iter().find(|group| group.definitions.iter().any(|one| is(one.original)))?;
        let mut tokens = quote_spanned!(Span::mixed_site()=> #[cfg(doc)] #item);
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
            let unnamed =
                self.unnamed.iter().map(|item| clone.features.rewrite_all(item.to_token_stream()));
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

/// Whether `name` occurs in `tokens`, also captured by a format string.
fn names(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Literal(literal) => captures(&literal.to_string(), name),
        TokenTree::Group(group) => names(&group.stream(), name),
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
mod tests {
    use super::names;

    #[test]
    fn occurrences() {
        let occurs = |text: &str| names(&text.parse().unwrap(), "W");
        assert!(occurs("f(W)") && occurs("format!(\"{W}\")") && occurs("println!(\"{W:?} {W}\")") && occurs("S::W"));
        assert!(!occurs("format!(\"W {}\", w)") && !occurs("WW") && !occurs("format!(\"{WW}\")"));
    }
}
