//! The annotated item. Headers are parsed by `syn`; bodies stay tokens, so that half-typed code is kept as it is.

pub(crate) mod definitions;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{
    AttrStyle, Attribute, Generics, Item, ItemImpl, ItemMod, ItemTrait, Meta, Path, Signature, Token, Visibility,
};

use crate::attrs;
use crate::targets::Target;
use crate::tokens::{Words, attributes, body_braces, braces, is_body, is_punct, is_word};

/// An item, or a member of an impl or a trait.
#[derive(Clone)]
pub(crate) enum Node {
    Fn(Box<Function>),
    Item(Box<OtherItem>),
}

/// The targets of an item, once they are checked: the place of their list in [`Lists`].
#[derive(Clone, Copy, Default)]
pub(crate) enum Choice {
    /// None: the item stays as it is.
    #[default]
    Skip,
    /// Those of the enclosing item.
    Inherit(usize),
    /// Those of its own attribute.
    Own(usize),
}

/// The lists of targets under one attribute, each with the path of `simd-core`; its own is the first.
pub(crate) type Lists = Vec<(Vec<Target>, Path)>;

impl Choice {
    pub(crate) fn list(self) -> Option<usize> {
        match self {
            Choice::Skip => None,
            Choice::Inherit(list) | Choice::Own(list) => Some(list),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Function {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) default: Option<Token![default]>,
    pub(crate) sig: Signature,
    /// `None` for a required method or a foreign function.
    pub(crate) body: Option<Body>,
}

/// The braces and their content.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) braces: Group,
    pub(crate) words: Words,
}

impl Body {
    pub(crate) fn new(braces: Group) -> Body {
        Body { words: Words::of(braces.stream()), braces }
    }

    pub(crate) fn stream(&self) -> TokenStream {
        self.braces.stream()
    }
}

/// An item that is no function.
#[derive(Clone)]
pub(crate) struct OtherItem {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) kind: Kind,
    /// The item without its attributes, and in an impl, a trait or a module without the braces.
    pub(crate) header: TokenStream,
    /// The place of those braces.
    braces: Option<Span>,
    /// The items in them.
    pub(crate) items: Vec<Node>,
}

/// An item without content, as `syn` reads it.
#[derive(Clone)]
pub(crate) enum Kind {
    Impl(ItemImpl),
    Mod(ItemMod),
    Trait(ItemTrait),
    Other,
}

impl Node {
    /// Parses the annotated item.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<Node> {
        node(&tokens.into_iter().collect::<Vec<_>>())
    }

    /// The item, or for each `cfg_attr` that decides about its clones two, under opposite `cfg`s: rustc evaluates them.
    pub(crate) fn alternatives(mut self) -> Vec<Node> {
        let wanted =
            |meta: &Meta| ["dispatch", "inline", "target_feature"].iter().any(|name| attrs::is_named(meta, name));
        let Some(halves) = attrs::split(self.attrs_mut(), &wanted) else { return vec![self] };
        let half = |attrs| {
            let mut half = self.clone();
            *half.attrs_mut() = attrs;
            half.alternatives()
        };
        halves.map(half).concat()
    }

    pub(crate) fn as_item(&self) -> Option<&OtherItem> {
        let Node::Item(item) = self else { return None };
        Some(item)
    }

    /// The names of its functions.
    pub(crate) fn functions(&self) -> Vec<String> {
        match self {
            Node::Fn(function) => vec![function.sig.ident.to_string()],
            Node::Item(item) => item.items.iter().flat_map(Node::functions).collect(),
        }
    }

    /// The item's own attributes.
    pub(crate) fn attrs_mut(&mut self) -> &mut Vec<Attribute> {
        match self {
            Node::Fn(function) => &mut function.attrs,
            Node::Item(item) => &mut item.attrs,
        }
    }
}

/// The place of an item.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Context {
    /// The attribute is on the item.
    Annotated,
    Module,
    InherentImpl,
    /// A trait, or an impl of one.
    Trait,
}

impl OtherItem {
    /// The place of the items in it.
    pub(crate) fn context(&self) -> Context {
        match self.kind {
            Kind::Mod(_) | Kind::Other => Context::Module,
            Kind::Impl(ItemImpl { trait_: None, .. }) => Context::InherentImpl,
            Kind::Impl(_) | Kind::Trait(_) => Context::Trait,
        }
    }

    /// The generics of an impl or a trait.
    pub(crate) fn generics(&self) -> Option<&Generics> {
        match &self.kind {
            Kind::Impl(ItemImpl { generics, .. }) | Kind::Trait(ItemTrait { generics, .. }) => Some(generics),
            Kind::Mod(_) | Kind::Other => None,
        }
    }

    /// The name of the `macro_rules!` that the item is, and its text.
    pub(crate) fn defined_macro(&self) -> Option<(String, &TokenStream)> {
        let mut tokens = self.header.clone().into_iter();
        let (word, _, name) = (tokens.next(), tokens.next(), tokens.next()?);
        is_word(word.as_ref(), "macro_rules").then(|| (name.to_string(), &self.header))
    }

    pub(crate) fn is_mod(&self) -> bool {
        matches!(self.kind, Kind::Mod(_))
    }

    /// The item with `attrs` and `content` in place of its own.
    pub(crate) fn with_items(&self, attrs: &[Attribute], content: &TokenStream) -> TokenStream {
        let (inner, outer): (Vec<_>, Vec<_>) = attrs.iter().partition(|attr| matches!(attr.style, AttrStyle::Inner(_)));
        let (header, body) = (&self.header, self.braces.map(|span| braces(quote!(#(#inner)* #content), span)));
        quote!(#(#outer)* #header #body)
    }
}

impl ToTokens for Node {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Node::Fn(function) => function.to_tokens(tokens),
            Node::Item(item) => item.to_tokens(tokens),
        }
    }
}

impl ToTokens for OtherItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let items = &self.items;
        tokens.extend(self.with_items(&self.attrs, &quote!(#(#items)*)));
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function { attrs, vis, default, sig, body, choice: _ } = self;
        let braces = body.as_ref().map(|body| &body.braces);
        let end = body.is_none().then(|| {
            // Of the user's place, as the item is.
            let last = sig.to_token_stream().into_iter().last();
            Token![;](last.map_or_else(Span::call_site, |token| token.span()))
        });
        tokens.extend(quote!(#(#attrs)* #vis #default #sig #braces #end));
    }
}

/// The items in a module, an impl or a trait.
fn members(content: TokenStream) -> syn::Result<Vec<Node>> {
    let tokens: Vec<TokenTree> = content.into_iter().collect();
    let mut rest = &tokens[..];
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (item, after) = rest.split_at(Extent::of(rest).length);
        items.extend(node(item)?.alternatives());
        rest = after;
    }
    Ok(items)
}

/// The item that `tokens` are.
fn node(tokens: &[TokenTree]) -> syn::Result<Node> {
    let extent = Extent::of(tokens);
    if let Some(item) = extent.passed_on(tokens) {
        return node(&item);
    }
    match extent.keyword.as_deref() {
        Some("fn") => Function::of(tokens).map(|function| Node::Fn(Box::new(function))),
        keyword => container(tokens, keyword).map(|item| Node::Item(Box::new(item))),
    }
}

/// The item at the start of some tokens.
pub(crate) struct Extent {
    /// The number of its tokens.
    pub(crate) length: usize,
    /// The keyword of its kind.
    pub(crate) keyword: Option<String>,
    /// It is in an invisible group, except for its attributes.
    passed_on: bool,
}

impl Extent {
    /// The item in `tokens` without the invisible group in which a `macro_rules!` passes it on.
    pub(crate) fn passed_on(&self, tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
        match tokens {
            [before @ .., TokenTree::Group(group)] if self.passed_on => {
                Some(before.iter().cloned().chain(group.stream()).collect())
            }
            _ => None,
        }
    }

    pub(crate) fn of(tokens: &[TokenTree]) -> Extent {
        const QUALIFIERS: [&str; 9] = ["async", "auto", "crate", "default", "extern", "gen", "pub", "safe", "unsafe"];
        let mut keyword = None;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) => {
                    let text = word.to_string();
                    let qualifies = text == "const"
                        && ["async", "auto", "extern", "fn", "trait", "unsafe"]
                            .iter()
                            .any(|word| is_word(tokens.get(at + 1), word));
                    if !qualifies && !QUALIFIERS.contains(&text.as_str()) {
                        keyword = Some(text);
                        break;
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    let content: Vec<TokenTree> = group.stream().into_iter().collect();
                    let inner = Extent::of(&content);
                    if inner.keyword.is_some() {
                        return Extent { length: at + 1, keyword: inner.keyword, passed_on: true };
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
                TokenTree::Punct(punct) if punct.as_char() == ';' => break,
                _ => {}
            }
        }
        // Only a semicolon ends these.
        let value = matches!(keyword.as_deref(), Some("const" | "static" | "type" | "use"));
        let ends = |at: &usize| is_punct(tokens.get(*at), ';') || (!value && is_body(tokens, *at));
        let length = (0..tokens.len()).find(ends).map_or(tokens.len(), |at| at + 1);
        Extent { length, keyword, passed_on: false }
    }
}

/// An item that is no function. A form of an impl, a trait or a module that `syn` does not support has no items.
fn container(tokens: &[TokenTree], keyword: Option<&str>) -> syn::Result<OtherItem> {
    let stream = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
    let (attrs, rest) = tokens.split_at(attributes(tokens, false));
    let attrs = Attribute::parse_outer.parse2(stream(attrs))?;
    let mut item = OtherItem {
        choice: Choice::Skip,
        attrs,
        kind: Kind::Other,
        header: stream(rest),
        braces: None,
        items: Vec::new(),
    };
    if !matches!(keyword, Some("impl" | "mod" | "trait")) {
        return Ok(item);
    }
    let body = rest.last().and_then(body_braces);
    let header = stream(&rest[..rest.len() - usize::from(body.is_some())]);
    let empty = body.as_ref().map(|body| braces(TokenStream::new(), body.span()));
    item.kind = match syn::parse2(quote!(#header #empty))? {
        Item::Impl(item) => Kind::Impl(item),
        Item::Mod(item) => Kind::Mod(item),
        Item::Trait(item) => Kind::Trait(item),
        _ => return Ok(item),
    };
    if let Some(body) = body {
        let parser = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_inner)?, input.parse()?));
        let (inner, content) = parser.parse2(body.stream())?;
        item.attrs.extend(inner);
        (item.header, item.braces, item.items) = (header, Some(body.span()), members(content)?);
    }
    Ok(item)
}

impl Function {
    /// The function that `tokens` are. Its body is not read: it may be long.
    pub(crate) fn of(tokens: &[TokenTree]) -> syn::Result<Function> {
        let body = tokens.last().and_then(body_braces);
        let header = &tokens[..tokens.len() - usize::from(body.is_some())];
        let parser = |input: ParseStream<'_>| {
            let parts = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?, input.parse()?);
            let ends = body.is_some() || input.parse::<Option<Token![;]>>()?.is_some();
            if ends && input.is_empty() { Ok(parts) } else { Err(input.error("expected a block")) }
        };
        // A header that ends too early has no place for an error. The body has one.
        let placed = |error| parser.parse2(tokens.iter().cloned().collect()).err().unwrap_or(error);
        let (attrs, vis, default, sig) = parser.parse2(header.iter().cloned().collect()).map_err(placed)?;
        Ok(Function { choice: Choice::Skip, attrs, vis, default, sig, body: body.map(Body::new) })
    }
}

#[cfg(test)]
pub(crate) fn function(text: &str) -> Function {
    let tokens: Vec<TokenTree> = text.parse::<TokenStream>().unwrap().into_iter().collect();
    Function::of(&tokens).unwrap()
}
