//! The clones' copies of items that differ between them, and the placeholders in the module.
//!
//! The module's own constant could have the value of one clone alone. If a clone that is selected at run time has
//! another value, the module has a constant of a type that fits nowhere instead. So a use is either a clone's own copy
//! or the compiler's type error at the word.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{GenericParam, Generics, Item, ItemConst, Visibility};

use super::differs::differs;
use super::{names, parsed, used};
use crate::emit::silenced;
use crate::item::{Holder, Kind, Node};
use crate::macros::Macros;
use crate::plan::{Plan, Private};
use crate::tokens::{called, is_punct, is_standard_macro, is_word};
use crate::transform::{Features, TargetCode};

/// An item that clones have copies of.
struct CopiedItem<'a> {
    /// The item in its module, and its place there.
    original: &'a Holder,
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
pub(in crate::emit) struct Copies<'a> {
    items: Vec<CopiedItem<'a>>,
    /// Constants without a name that use one of the items.
    unnamed: Vec<&'a Holder>,
}

impl<'a> Copies<'a> {
    /// The items of `module` that were found to be copied, and the constants and aliases that use them.
    pub(in crate::emit) fn new(module: &'a Holder, macros: &Macros) -> Copies<'a> {
        let mut copies = Copies::default();
        let Some(Plan { private, .. }) = module.choice.plan().map(|plan| &**plan) else { return copies };
        let mut rest: Vec<(usize, &Holder, &TokenStream)> = Vec::new();
        for (at, node) in module.items.iter().enumerate() {
            let Node::Item(item) = node else { continue };
            match &item.kind {
                Kind::Other(_) if item.copied => copies.items.extend(CopiedItem::new(item, at, private)),
                Kind::Other(tokens) => rest.push((at, item, tokens)),
                _ => {}
            }
        }
        let mut found = copies.items.len();
        while found > 0 {
            let before = copies.items.len();
            rest.retain(|&(at, item, tokens)| {
                let uses = !copies.used(tokens, macros, false).is_empty();
                let made_of = if uses { CopiedItem::new(item, at, private) } else { None };
                let left = made_of.as_ref().is_none_or(|item| item.instead.is_none());
                copies.items.extend(made_of.filter(|_| !left));
                left
            });
            found = copies.items.len() - before;
        }
        // An item is useless where the items that it uses do not exist.
        let plans = used(module);
        for round in 0..2 {
            let all = copies.items.iter().map(|item| {
                let used = if round == 0 { Vec::new() } else { copies.used(&item.item, macros, false) };
                let others = used.into_iter().filter(|other| other.at != item.at);
                let made_of: Vec<&TokenStream> = others.filter_map(|other| other.differs.as_ref()).collect();
                differs(item.original, &plans, macros, &made_of)
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
        let uses = |item: ItemConst| {
            item.ident == "_" && !copies.used(&item.to_token_stream(), &Macros::default(), false).is_empty()
        };
        let unnamed = |tokens: &TokenStream| syn::parse2(tokens.clone()).is_ok_and(uses);
        if !copies.items.is_empty() {
            copies.unnamed =
                rest.into_iter().filter(|(_, _, tokens)| unnamed(tokens)).map(|(_, item, _)| item).collect();
        }
        copies
    }

    /// The items that `tokens` use, directly, through a macro or through another item; with `unknown`, also all that a
    /// macro from elsewhere may use.
    fn used(&self, tokens: &TokenStream, macros: &Macros, unknown: bool) -> Vec<&CopiedItem<'a>> {
        let mut used = vec![false; self.items.len()];
        let macros = macros.all();
        let mut entered = vec![false; macros.len()];
        let mut todo = if self.items.is_empty() { Vec::new() } else { vec![tokens.clone()] };
        while let Some(tokens) = todo.pop() {
            let mut calls = Vec::new();
            called(tokens.clone(), &mut calls);
            let is_elsewhere = |name: &String| !is_standard_macro(name) && macros.iter().all(|own| own.name != name);
            let elsewhere = unknown && calls.iter().any(is_elsewhere);
            for (own, entered) in macros.iter().zip(&mut entered) {
                if !*entered && calls.contains(&own.name.to_string()) {
                    *entered = true;
                    todo.push(own.tokens.clone());
                }
            }
            for (item, used) in self.items.iter().zip(&mut used) {
                let named = || item.names.iter().any(|name| occurs(&tokens, name, false));
                if !*used && ((elsewhere && item.instead.is_some()) || named()) {
                    *used = true;
                    todo.push(item.item.clone());
                }
            }
        }
        self.items.iter().zip(used).filter(|(_, used)| *used).map(|(item, _)| item).collect()
    }

    /// Whether clones would have copies of something in `body`.
    pub(in crate::emit) fn any_in(&self, body: &TokenStream, macros: &Macros) -> bool {
        !self.used(body, macros, true).is_empty()
    }

    /// The names of the items that `body` uses, one for each, but for those that are members' names in it.
    pub(in crate::emit) fn names_in(&self, body: &TokenStream, macros: &Macros) -> Vec<String> {
        let name = |item: &CopiedItem<'a>| {
            let mut named = item.names.iter().filter(|name| occurs(body, name, false)).peekable();
            if named.peek().is_none() { item.names.first() } else { named.find(|name| occurs(body, name, true)) }
                .cloned()
        };
        self.used(body, macros, false).into_iter().filter_map(name).collect()
    }

    /// The copies of the items that `body` uses, for a clone with `features`; `shadowed` returns whether a name has
    /// another meaning in it.
    pub(in crate::emit) fn of(
        &self,
        body: &TokenStream,
        features: &Features,
        macros: &Macros,
        shadowed: &dyn Fn(&str) -> bool,
    ) -> TokenStream {
        let own = |name: &String| shadowed(name) || declares(body, name);
        let mut copies = TokenStream::new();
        for item in self.used(body, macros, true) {
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

    /// The tokens in place of `node`, if it is one of these items: itself if all clones have the build's value.
    pub(in crate::emit) fn in_module(&self, node: &Node) -> Option<TokenStream> {
        let span = Span::mixed_site();
        let Node::Item(item) = node else { return None };
        let is = |other: &Holder| core::ptr::eq(other, &raw const **item);
        if self.unnamed.iter().any(|unnamed| is(unnamed)) {
            let differs = self.any_differs(|_| true);
            return Some(quote_spanned!(span=> #[cfg(not(#differs))] #node));
        }
        let copied = self.items.iter().find(|copied| is(copied.original))?;
        let (instead, attrs) = (copied.instead.as_ref()?, &copied.attrs);
        let same = |other: &CopiedItem<'_>| other.names == copied.names && other.is_type == copied.is_type;
        let differs = self.any_differs(same);
        let first = !self.items.iter().any(|other| other.at < copied.at && other.instead.is_some() && same(other));
        let instead = first.then(|| quote_spanned!(span=> #[cfg(#differs)] #attrs #[allow(dead_code)] #instead));
        Some(quote_spanned!(span=> #instead #[cfg(not(#differs))] #[allow(dead_code)] #node))
    }

    /// The build's own items where the module has placeholders: so they are checked and linted once, and constants
    /// without a name are evaluated.
    pub(in crate::emit) fn aside(&self) -> TokenStream {
        let items = self.items.iter().filter(|item| item.instead.is_some());
        let items: Vec<TokenStream> = items.map(|CopiedItem { attrs, item, .. }| quote!(#attrs #item)).collect();
        if items.is_empty() {
            return TokenStream::new();
        }
        let (unnamed, differs) = (&self.unnamed, self.any_differs(|_| true));
        quote_spanned!(Span::mixed_site()=> #[cfg(#differs)] const _: () = { #(#[allow(dead_code)] #items)* #(#unnamed)* };)
    }

    /// `cfg` predicate: one of the items in `wanted` differs.
    fn any_differs(&self, wanted: impl Fn(&CopiedItem<'_>) -> bool) -> TokenStream {
        let wanted = self.items.iter().filter(|item| item.instead.is_some() && wanted(item));
        let all = wanted.filter_map(|item| item.differs.as_ref());
        quote!(any(#(#all),*))
    }
}

impl<'a> CopiedItem<'a> {
    /// `original` as in clones: visible in their bodies alone. A settled item is not copied.
    fn new(original: &'a Holder, at: usize, private: &Private) -> Option<CopiedItem<'a>> {
        let span = Span::mixed_site();
        let mut item = parsed(original)?;
        let (cfgs, others): (Vec<_>, Vec<_>) = original.attrs.iter().partition(|attr| attr.path().is_ident("cfg"));
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
        Some(CopiedItem { original, at, names, item, attrs, instead, is_type, differs: None })
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

/// Whether `name` occurs in `tokens`, also captured by a format string. It may be another item's name: `alone` leaves out
/// those after a `.` or a path.
fn occurs(tokens: &TokenStream, name: &str, alone: bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == name && !(alone && is_member(&tokens[..at])),
        TokenTree::Literal(literal) => captures(&literal.to_string(), name),
        TokenTree::Group(group) => occurs(&group.stream(), name, alone),
        TokenTree::Punct(_) => false,
    })
}

/// Whether a name after `before` is a member's: after a `.` that is no range's, or after `::` with something before it.
fn is_member(before: &[TokenTree]) -> bool {
    match before {
        [.., one, two] if is_punct(Some(two), '.') => !is_punct(Some(one), '.'),
        [.., path, one, two] if is_punct(Some(one), ':') && is_punct(Some(two), ':') => {
            !is_word(Some(path), "self") && !is_word(Some(path), "super") && !is_word(Some(path), "crate")
        }
        _ => false,
    }
}

/// Whether the format string `text` captures `name`.
fn captures(text: &str, name: &str) -> bool {
    let start = format!("{{{name}");
    let ends = |(at, _): (usize, &str)| {
        !text[at + start.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    };
    text.match_indices(&start).any(ends)
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
