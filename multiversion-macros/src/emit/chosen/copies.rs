//! The clones' copies of items that differ between them, and the placeholders in the module.
//!
//! The module's own constant could have the value of one clone alone. If a clone that is selected at run time has
//! another value, the module has a constant of a type that fits nowhere instead. So a use is either a clone's own copy
//! or the compiler's type error at the word.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Item, ItemConst, Visibility};

use super::differs::differs;
use super::{names, parsed};
use crate::emit::silenced;
use crate::item::Node;
use crate::plan::Plan;
use crate::tokens::{Tokens, called, find, is_standard_macro};
use crate::transform::{Features, TargetCode};

/// A macro by its name, with its definition.
pub(in crate::emit) type Macro<'a> = (&'a Ident, &'a TokenStream);

/// An item that clones have copies of.
struct CopiedItem {
    /// Its place among the nodes of its module.
    at: usize,
    names: Vec<String>,
    /// The item under its `cfg`s, without a visibility.
    item: TokenStream,
    /// Its other attributes.
    attrs: TokenStream,
    /// The module's placeholder, if `differs` is true; `None` for imports, and for an item with the name of one.
    instead: Option<TokenStream>,
    /// It is an alias.
    is_type: bool,
    /// `cfg` predicate: a clone that is selected at run time has another definition than the build, or another value.
    differs: Option<TokenStream>,
}

/// All items of one module that clones have copies of.
#[derive(Default)]
pub(in crate::emit) struct Copies {
    items: Vec<CopiedItem>,
    /// Constants without a name that use one of the items, by their places.
    unnamed: Vec<usize>,
}

impl Copies {
    /// The items of a module among `nodes` that were found to be copied, and the constants and aliases that use them.
    pub(in crate::emit) fn new(nodes: &[Node], plans: &[&Plan], macros: &[Macro<'_>], private: &Tokens) -> Copies {
        let mut copies = Copies::default();
        let mut rest: Vec<usize> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            match node {
                Node::Other { copied: true, .. } => copies.items.extend(CopiedItem::new(node, at, private)),
                Node::Other { .. } => rest.push(at),
                _ => {}
            }
        }
        let mut found = copies.items.len();
        while found > 0 {
            let before = copies.items.len();
            rest.retain(|&at| {
                let Node::Other { tokens, .. } = &nodes[at] else { return false };
                let uses = !copies.used(tokens, macros, false).is_empty();
                let made_of = if uses { CopiedItem::new(&nodes[at], at, private) } else { None };
                let left = made_of.as_ref().is_none_or(|item| item.instead.is_none());
                copies.items.extend(made_of.filter(|_| !left));
                left
            });
            found = copies.items.len() - before;
        }
        // An item is useless where the items that it uses do not exist.
        for round in 0..2 {
            let all = copies.items.iter().map(|item| {
                let used = if round == 0 { Vec::new() } else { copies.used(&item.item, macros, false) };
                let others = used.into_iter().map(|at| &copies.items[at]).filter(|other| other.at != item.at);
                differs(&nodes[item.at], plans, &others.filter_map(|other| other.differs.as_ref()).collect::<Vec<_>>())
            });
            let all: Vec<Option<TokenStream>> = all.collect();
            copies.items.iter_mut().zip(all).for_each(|(item, differs)| item.differs = differs);
        }
        copies.items.retain(|item| item.differs.is_some() || item.instead.is_none());
        // An import looks like an item of the same name in another clone.
        let imports = copies.items.iter().filter(|item| item.instead.is_none());
        let imports: Vec<String> = imports.flat_map(|item| item.names.clone()).collect();
        for item in copies.items.iter_mut().filter(|item| item.names.iter().any(|name| imports.contains(name))) {
            item.instead = None;
        }
        let unnamed = |at: &usize| {
            let uses =
                |item: ItemConst| item.ident == "_" && !copies.used(&item.to_token_stream(), &[], false).is_empty();
            matches!(&nodes[*at], Node::Other { tokens, .. } if syn::parse2(tokens.clone()).is_ok_and(uses))
        };
        if !copies.items.is_empty() {
            copies.unnamed = rest.into_iter().filter(unnamed).collect();
        }
        copies
    }

    /// The items that `tokens` use, directly, through a macro or through another item; with `unknown`, also all that a
    /// macro from elsewhere may use.
    fn used(&self, tokens: &TokenStream, macros: &[Macro<'_>], unknown: bool) -> Vec<usize> {
        let mut used = vec![false; self.items.len()];
        let mut entered = vec![false; macros.len()];
        let mut todo = if self.items.is_empty() { Vec::new() } else { vec![tokens.clone()] };
        while let Some(tokens) = todo.pop() {
            let mut calls = Vec::new();
            called(tokens.clone(), &mut calls);
            let is_elsewhere = |name: &String| !is_standard_macro(name) && macros.iter().all(|(own, _)| *own != name);
            let elsewhere = unknown && calls.iter().any(is_elsewhere);
            for ((name, definition), entered) in macros.iter().zip(&mut entered) {
                if !*entered && calls.contains(&name.to_string()) {
                    *entered = true;
                    todo.push((*definition).clone());
                }
            }
            for (at, item) in self.items.iter().enumerate() {
                let named = || item.names.iter().any(|name| occurs(&tokens, name));
                if !used[at] && ((elsewhere && item.instead.is_some()) || named()) {
                    used[at] = true;
                    todo.push(item.item.clone());
                }
            }
        }
        (0..used.len()).filter(|at| used[*at]).collect()
    }

    /// Whether clones would have copies of something in `body`.
    pub(in crate::emit) fn any_in(&self, body: &TokenStream, macros: &[Macro<'_>]) -> bool {
        !self.used(body, macros, true).is_empty()
    }

    /// The copies of the items that `body` uses, for a clone with `features`; `shadowed` returns whether a name has
    /// another meaning in it.
    pub(in crate::emit) fn of(
        &self,
        body: &TokenStream,
        features: &Features,
        macros: &[Macro<'_>],
        shadowed: &dyn Fn(&str) -> bool,
    ) -> TokenStream {
        let own = |name: &String| shadowed(name) || declares(body, name);
        let mut copies = TokenStream::new();
        for at in self.used(body, macros, true) {
            let item = &self.items[at];
            let copy = features.rewrite_all(item.item.clone());
            if item.instead.is_none() {
                // If the build enables the target, the module's own import is the same.
                if let Some(TargetCode { decides, .. }) = &features.target {
                    copies.extend([quote_spanned!(Span::mixed_site()=> #decides #copy)]);
                }
            } else if !item.names.iter().any(own) {
                let lints = silenced();
                copies.extend([quote!(#[allow(dead_code, #lints)] #copy)]);
            }
        }
        copies
    }

    /// The tokens in place of `nodes[at]`, if it is one of these items: `item` if all clones have the build's value.
    pub(in crate::emit) fn in_module(&self, at: usize, item: &Node) -> Option<TokenStream> {
        let span = Span::mixed_site();
        if self.unnamed.contains(&at) {
            let differs = self.any_differs(|_| true);
            return Some(quote_spanned!(span=> #[cfg(not(#differs))] #item));
        }
        let copied = self.items.iter().find(|item| item.at == at)?;
        let (instead, attrs) = (copied.instead.as_ref()?, &copied.attrs);
        let same = |other: &CopiedItem| other.names == copied.names && other.is_type == copied.is_type;
        let differs = self.any_differs(same);
        let first = !self.items.iter().any(|other| other.at < at && other.instead.is_some() && same(other));
        let instead = first.then(|| quote_spanned!(span=> #[cfg(#differs)] #attrs #[allow(dead_code)] #instead));
        Some(quote_spanned!(span=> #instead #[cfg(not(#differs))] #[allow(dead_code)] #item))
    }

    /// The build's own items where the module has placeholders: so they are checked and linted once, and constants
    /// without a name are evaluated.
    pub(in crate::emit) fn aside(&self, nodes: &[Node]) -> TokenStream {
        let items = self.items.iter().filter(|item| item.instead.is_some());
        let items: Vec<TokenStream> = items.map(|CopiedItem { attrs, item, .. }| quote!(#attrs #item)).collect();
        if items.is_empty() {
            return TokenStream::new();
        }
        let unnamed = self.unnamed.iter().map(|&at| &nodes[at]);
        let differs = self.any_differs(|_| true);
        quote_spanned!(Span::mixed_site()=> #[cfg(#differs)] const _: () = { #(#[allow(dead_code)] #items)* #(#unnamed)* };)
    }

    /// `cfg` predicate: one of the items in `wanted` differs.
    fn any_differs(&self, wanted: impl Fn(&CopiedItem) -> bool) -> TokenStream {
        let wanted = self.items.iter().filter(|item| item.instead.is_some() && wanted(item));
        let all = wanted.filter_map(|item| item.differs.as_ref());
        quote!(any(#(#all),*))
    }
}

impl CopiedItem {
    /// The item that `node` is, as in clones: visible in their bodies alone. A settled item is not copied.
    fn new(node: &Node, at: usize, private: &Tokens) -> Option<CopiedItem> {
        let span = Span::mixed_site();
        let mut item = parsed(node)?;
        let (cfgs, others): (Vec<_>, Vec<_>) = node.attrs().iter().partition(|attr| attr.path().is_ident("cfg"));
        let attrs = quote!(#(#others)*);
        let take = |vis: &mut Visibility| core::mem::replace(vis, Visibility::Inherited);
        let differs = quote_spanned!(span=> #private::DiffersBetweenClones);
        let instead = match &mut item {
            Item::Const(item) => {
                let (vis, ident) = (take(&mut item.vis), &item.ident);
                Some(quote_spanned!(span=> #vis const #ident: #differs = #differs;))
            }
            Item::Type(item) => {
                let (vis, ident, used) = (take(&mut item.vis), &item.ident, uses(&item.generics));
                let (parameters, _, _) = item.generics.split_for_impl();
                let ty = quote_spanned!(span=> #private::TypeDiffersBetweenClones<(#used)>);
                Some(quote_spanned!(span=> #vis type #ident #parameters = #ty;))
            }
            Item::Use(item) => {
                take(&mut item.vis);
                None
            }
            _ => return None,
        };
        let allow = instead.is_none().then(|| quote_spanned!(span=> #[allow(dead_code, unused_imports)]));
        let is_type = matches!(item, Item::Type(_));
        let (names, item) = (names(&item), quote_spanned!(span=> #(#cfgs)* #allow #item));
        Some(CopiedItem { at, names, item, attrs, instead, is_type, differs: None })
    }
}

/// Types that use the parameters of an alias, which rustc requires. A constant need not be used.
fn uses(generics: &Generics) -> TokenStream {
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

/// Whether `name` occurs in `tokens`, also captured by a format string. It may be another item's name.
fn occurs(tokens: &TokenStream, name: &str) -> bool {
    let captured = format!("{{{name}");
    let named = |token: &TokenTree| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Literal(literal) => literal.to_string().contains(&captured),
        TokenTree::Group(_) | TokenTree::Punct(_) => false,
    };
    find(tokens.clone(), &mut |token| named(token).then_some(())).is_some()
}

/// Whether a statement of `tokens` declares an item of this name.
fn declares(tokens: &TokenStream, name: &str) -> bool {
    const DECLARING: [&str; 10] = ["const", "enum", "fn", "mod", "mut", "static", "struct", "trait", "type", "union"];
    let mut declaring = false;
    tokens.clone().into_iter().any(|token| {
        let after = core::mem::take(&mut declaring);
        let TokenTree::Ident(ident) = token else { return false };
        declaring = DECLARING.iter().any(|kind| ident == kind);
        after && ident == name
    })
}

#[cfg(test)]
mod tests;
