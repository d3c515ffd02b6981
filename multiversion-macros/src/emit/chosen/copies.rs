//! The copies that clones have of what differs between them, and what stands in its place in the module.
//!
//! The module's own constant could have the value of one clone alone. Where a clone that is chosen at run time has
//! another one, the module has a constant of a type that fits nowhere instead. So a use is either a clone's own copy or an error.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Item, Path, Visibility};

use super::{asks, differs, mentions, names, parsed};
use crate::emit::silenced;
use crate::item::Node;
use crate::plan::Plan;
use crate::transform::Features;

/// A macro by its name, with its definition.
pub(in crate::emit) type Macro<'a> = (&'a Ident, &'a TokenStream);

/// An item that clones have copies of.
struct Copied {
    /// Its place among the nodes of its module.
    at: usize,
    names: Vec<String>,
    /// The item under its `cfg`s, without a visibility.
    item: TokenStream,
    /// Its other attributes.
    attrs: TokenStream,
    /// What the module has in its place, where `differs` holds; `None` for imports, and what shares its name with one.
    instead: Option<Instead>,
    /// `cfg` predicate: a clone that is chosen at run time has another definition than the build, or another value.
    differs: Option<TokenStream>,
}

enum Instead {
    Type { generics: syn::Generics, ident: Ident, vis: Visibility },
    Const { ident: Ident, vis: Visibility },
}

/// All items of one module that clones have copies of.
#[derive(Default)]
pub(in crate::emit) struct Copies {
    items: Vec<Copied>,
    /// Constants without a name that use one of the items, by their places.
    unnamed: Vec<usize>,
}

impl Copies {
    /// Those of `nodes`, of which `is_copied` says so, and the constants and aliases that are made of them.
    pub(super) fn new(
        nodes: &[Node],
        is_copied: impl Fn(usize) -> bool,
        plans: &[&Plan],
        macros: &[Macro<'_>],
    ) -> Copies {
        let mut copies = Copies::default();
        let mut rest = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            match Copied::new(node, at).filter(|_| is_copied(at)) {
                Some(mut item) => {
                    item.differs = differs::own(node, plans);
                    copies.items.push(item);
                }
                None => rest.push(at),
            }
        }
        loop {
            let before = copies.items.len();
            rest.retain(|&at| {
                let Node::Other { tokens, .. } = &nodes[at] else { return true };
                if copies.used(tokens, macros, false).is_empty() {
                    return true;
                }
                let made_of = Copied::new(&nodes[at], at).filter(|item| item.instead.is_some());
                let left = made_of.is_none();
                copies.items.extend(made_of);
                left
            });
            if copies.items.len() == before {
                break;
            }
        }
        // What is made of an item is no good where that is not there.
        let differs = |item: &Copied| {
            let made_of = copies.used(&item.item, macros, false).into_iter().map(|at| &copies.items[at]);
            let made_of = made_of.filter(|other| other.at != item.at).filter_map(|other| other.differs.as_ref());
            differs::made_of(&nodes[item.at], plans, made_of)
        };
        let differs: Vec<Option<TokenStream>> = copies.items.iter().map(differs).collect();
        for (item, differs) in copies.items.iter_mut().zip(differs) {
            item.differs = differs;
        }
        copies.items.retain(|item| item.differs.is_some() || item.instead.is_none());
        copies.spare_imports();
        let unnamed = |at: &usize| match parsed_constant(&nodes[*at]) {
            Some(item) => item.ident == "_" && mentions::word(&item.to_token_stream(), &copies.differing()).is_some(),
            None => false,
        };
        copies.unnamed = rest.into_iter().filter(unnamed).collect();
        copies
    }

    /// An import cannot be told from what has its name in another clone.
    fn spare_imports(&mut self) {
        let imports = self.items.iter().filter(|item| item.instead.is_none());
        let imports: Vec<String> = imports.flat_map(|item| item.names.clone()).collect();
        for item in &mut self.items {
            if item.names.iter().any(|name| imports.contains(name)) {
                item.instead = None;
            }
        }
    }

    /// The names of what the module has no value of.
    pub(super) fn differing(&self) -> Vec<String> {
        let items = self.items.iter().filter(|item| item.instead.is_some() && item.differs.is_some());
        items.flat_map(|item| item.names.clone()).collect()
    }

    /// The items that `tokens` use, themselves, through a macro or through another item; with `unknown`, also all that a
    /// macro from elsewhere may use.
    fn used(&self, tokens: &TokenStream, macros: &[Macro<'_>], unknown: bool) -> Vec<usize> {
        let mut used = vec![false; self.items.len()];
        let mut entered = vec![false; macros.len()];
        let mut todo = vec![tokens.clone()];
        while let Some(tokens) = todo.pop() {
            let mut called = Vec::new();
            if !self.items.is_empty() {
                mentions::called(&tokens, &mut called);
            }
            for name in called {
                let mut known = mentions::is_of_std(&name);
                for ((_, definition), entered) in
                    macros.iter().zip(&mut entered).filter(|((macro_, _), _)| **macro_ == name)
                {
                    known = true;
                    if !core::mem::replace(entered, true) {
                        todo.push((*definition).clone());
                    }
                }
                if unknown && !known {
                    let all = self.items.iter().zip(&mut used).filter(|(item, used)| item.instead.is_some() && !**used);
                    for (item, used) in all {
                        *used = true;
                        todo.push(item.item.clone());
                    }
                }
            }
            for (item, used) in self.items.iter().zip(&mut used) {
                if !*used && item.names.iter().any(|name| mentions::occurs(&tokens, name)) {
                    *used = true;
                    todo.push(item.item.clone());
                }
            }
        }
        (0..used.len()).filter(|&at| used[at]).collect()
    }

    /// Whether clones would have copies of something in `body`.
    pub(in crate::emit) fn any_in(&self, body: &TokenStream, macros: &[Macro<'_>]) -> bool {
        !self.used(body, macros, true).is_empty()
    }

    /// The copies of what `body` uses, for a clone with `features`; `shadowed` says which names mean something else in it.
    pub(in crate::emit) fn of(
        &self,
        body: &TokenStream,
        features: &Features,
        macros: &[Macro<'_>],
        shadowed: impl Fn(&str) -> bool,
    ) -> TokenStream {
        if self.items.is_empty() {
            return TokenStream::new();
        }
        let own = |name: &String| shadowed(name) || mentions::declares(body, name, false);
        let used = self.used(body, macros, true).into_iter().map(|at| &self.items[at]);
        let used = used.filter(|item| item.instead.is_none() || !item.names.iter().any(own));
        let copy = |item: &Copied| {
            let copy = features.rewrite_all(item.item.clone());
            if item.instead.is_some() {
                let silenced = silenced();
                return quote_spanned!(Span::mixed_site()=> #[allow(dead_code, #silenced)] #copy);
            }
            // Where the build enables the target, the module's own import is the same.
            let Some(target) = &features.target else { return TokenStream::new() };
            let decides = &target.decides;
            quote_spanned!(Span::mixed_site()=> #decides #copy)
        };
        used.map(copy).collect()
    }

    /// What stands at `nodes[at]` where it is one of these items: `item` if the build's value is everyone's.
    pub(in crate::emit) fn in_module(&self, at: usize, item: &Node, krate: &Path) -> Option<TokenStream> {
        let span = Span::mixed_site();
        if self.unnamed.contains(&at) {
            let differs = self.any();
            return Some(quote_spanned!(span=> #[cfg(not(#differs))] #item));
        }
        let copied = self.items.iter().find(|item| item.at == at)?;
        let instead = copied.instead.as_ref()?;
        let same = |other: &&Copied| {
            other.instead.is_some() && other.names == copied.names && other.is_type() == copied.is_type()
        };
        let differs: Vec<&TokenStream> =
            self.items.iter().filter(same).filter_map(|item| item.differs.as_ref()).collect();
        let differs = quote!(any(#(#differs),*));
        let first = self.items.iter().filter(same).all(|other| other.at >= at);
        let instead = first.then(|| {
            let (attrs, instead) = (&copied.attrs, instead.tokens(krate));
            quote_spanned!(span=> #[cfg(#differs)] #attrs #[allow(dead_code)] #instead)
        });
        Some(quote_spanned!(span=> #instead #[cfg(not(#differs))] #[allow(dead_code)] #item))
    }

    /// The build's own items where the module has none: they are checked and linted once, and constants without a name
    /// are evaluated.
    pub(in crate::emit) fn aside(&self, nodes: &[Node]) -> TokenStream {
        let items = self.items.iter().filter(|item| item.instead.is_some());
        let items: Vec<TokenStream> = items.map(|Copied { attrs, item, .. }| quote!(#attrs #item)).collect();
        if items.is_empty() {
            return TokenStream::new();
        }
        let unnamed = self.unnamed.iter().map(|&at| &nodes[at]);
        let differs = self.any();
        quote_spanned!(Span::mixed_site()=> #[cfg(#differs)] const _: () = { #(#[allow(dead_code)] #items)* #(#unnamed)* };)
    }

    /// `cfg` predicate: something differs.
    fn any(&self) -> TokenStream {
        let all = self.items.iter().filter(|item| item.instead.is_some()).filter_map(|item| item.differs.as_ref());
        quote!(any(#(#all),*))
    }
}

impl Copied {
    /// The item that `node` is, as clones have it: visible in their bodies alone. One that was settled is not for a copy.
    fn new(node: &Node, at: usize) -> Option<Copied> {
        let Node::Other { attrs, .. } = node else { return None };
        let mut item = parsed(node)?;
        let (cfgs, others): (Vec<_>, Vec<_>) = attrs.iter().partition(|attr| attr.path().is_ident("cfg"));
        // The same `cfg` that the item has may be under `differs`.
        let kept = others.iter().filter(|attr| !attr.path().is_ident("cfg_attr") || !asks(attr));
        let kept = quote!(#(#kept)*);
        let inherited = Visibility::Inherited;
        let instead = match &mut item {
            Item::Const(item) => {
                let vis = core::mem::replace(&mut item.vis, inherited);
                Some(Instead::Const { ident: item.ident.clone(), vis })
            }
            Item::Type(item) => {
                let vis = core::mem::replace(&mut item.vis, inherited);
                Some(Instead::Type { generics: item.generics.clone(), ident: item.ident.clone(), vis })
            }
            Item::Use(item) => {
                item.vis = inherited;
                None
            }
            _ => return None,
        };
        let allow = instead.is_none().then(|| quote_spanned!(Span::mixed_site()=> #[allow(dead_code, unused_imports)]));
        let tokens = quote_spanned!(Span::mixed_site()=> #(#cfgs)* #allow #item);
        Some(Copied { at, names: names(&item), item: tokens, attrs: kept, instead, differs: None })
    }

    fn is_type(&self) -> bool {
        matches!(self.instead, Some(Instead::Type { .. }))
    }
}

impl Instead {
    fn tokens(&self, krate: &Path) -> TokenStream {
        let span = Span::mixed_site();
        match self {
            Instead::Const { ident, vis } => quote_spanned! {span=>
                #vis const #ident: #krate::__private::DiffersBetweenClones = #krate::__private::DiffersBetweenClones;
            },
            Instead::Type { generics, ident, vis } => {
                // An alias has to use its parameters.
                let used = generics.params.iter().map(|param| match param {
                    GenericParam::Lifetime(param) => {
                        let lifetime = &param.lifetime;
                        quote_spanned!(span=> &#lifetime (),)
                    }
                    GenericParam::Type(param) => {
                        let ident = &param.ident;
                        quote_spanned!(span=> *const #ident,)
                    }
                    // A constant need not be used.
                    GenericParam::Const(_) => TokenStream::new(),
                });
                let used: TokenStream = used.collect();
                let (parameters, _, _) = generics.split_for_impl();
                quote_spanned!(span=> #vis type #ident #parameters = #krate::__private::TypeDiffersBetweenClones<(#used)>;)
            }
        }
    }
}

/// The constant that `node` is.
fn parsed_constant(node: &Node) -> Option<syn::ItemConst> {
    let Node::Other { tokens, .. } = node else { return None };
    let begins = tokens.clone().into_iter().next();
    if !matches!(begins, Some(TokenTree::Ident(word)) if word == "const") {
        return None;
    }
    syn::parse2(tokens.clone()).ok()
}
