//! The annotated item. Headers are parsed by `syn`; bodies stay tokens, so that half-typed code is kept as it is.

mod alternatives;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Ident, ImplItem, Item, ItemImpl, ItemMod, ItemTrait, Signature, Token, TraitItem, Visibility};

use crate::tokens::{Words, braces, is_punct, is_word};

/// An item, or a member of an impl or a trait.
#[derive(Clone)]
pub(crate) enum Node {
    Fn(Box<Function>),
    Impl(Box<Holder<ItemImpl>>),
    Mod(Box<Holder<ItemMod>>),
    Trait(Box<Holder<ItemTrait>>),
    /// A `macro_rules!` definition.
    MacroRules {
        name: Ident,
        tokens: TokenStream,
    },
    /// Anything else, with its attributes.
    Other {
        attrs: Vec<Attribute>,
        tokens: TokenStream,
        /// Clones have copies of it: see [`crate::emit::settle`].
        copied: bool,
    },
}

/// The targets of an item.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Choice {
    /// Those of the enclosing item.
    #[default]
    Inherit,
    /// None: the item stays as it is.
    Skip,
    /// Those of its own attribute, by their index among the plans.
    Own(usize),
}

impl Choice {
    /// The plan of an item inside an item with the plan `outer`.
    pub(crate) fn plan(self, outer: usize) -> Option<usize> {
        match self {
            Choice::Inherit => Some(outer),
            Choice::Own(own) => Some(own),
            Choice::Skip => None,
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

/// An impl, a trait or a module.
#[derive(Clone)]
pub(crate) struct Holder<Header> {
    pub(crate) choice: Choice,
    /// The item without its content.
    pub(crate) header: Header,
    pub(crate) items: Vec<Node>,
}

impl Node {
    /// Parses the annotated item.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<Node> {
        node(&tokens.into_iter().collect::<Vec<_>>(), Among::Module)
    }

    pub(crate) fn choice(&self) -> Choice {
        match self {
            Node::Fn(item) => item.choice,
            Node::Impl(item) => item.choice,
            Node::Mod(item) => item.choice,
            Node::Trait(item) => item.choice,
            Node::MacroRules { .. } | Node::Other { .. } => Choice::Inherit,
        }
    }

    pub(crate) fn set_choice(&mut self, choice: Choice) {
        match self {
            Node::Fn(item) => item.choice = choice,
            Node::Impl(item) => item.choice = choice,
            Node::Mod(item) => item.choice = choice,
            Node::Trait(item) => item.choice = choice,
            Node::MacroRules { .. } | Node::Other { .. } => {}
        }
    }

    /// The item's own attributes.
    pub(crate) fn attrs(&self) -> &[Attribute] {
        match self {
            Node::Fn(item) => &item.attrs,
            Node::Impl(item) => &item.header.attrs,
            Node::Mod(item) => &item.header.attrs,
            Node::Trait(item) => &item.header.attrs,
            Node::Other { attrs, .. } => attrs,
            Node::MacroRules { .. } => &[],
        }
    }

    pub(crate) fn attrs_mut(&mut self) -> Option<&mut Vec<Attribute>> {
        match self {
            Node::Fn(item) => Some(&mut item.attrs),
            Node::Impl(item) => Some(&mut item.header.attrs),
            Node::Mod(item) => Some(&mut item.header.attrs),
            Node::Trait(item) => Some(&mut item.header.attrs),
            Node::Other { attrs, .. } => Some(attrs),
            Node::MacroRules { .. } => None,
        }
    }

    /// The items in an impl, a trait or a module.
    pub(crate) fn items(&self) -> &[Node] {
        match self {
            Node::Impl(item) => &item.items,
            Node::Mod(item) => &item.items,
            Node::Trait(item) => &item.items,
            _ => &[],
        }
    }

    pub(crate) fn items_mut(&mut self) -> &mut [Node] {
        match self {
            Node::Impl(item) => &mut item.items,
            Node::Mod(item) => &mut item.items,
            Node::Trait(item) => &mut item.items,
            _ => &mut [],
        }
    }

    /// An impl, a trait or a module around `items`.
    pub(crate) fn with_items(&self, items: TokenStream) -> TokenStream {
        match self {
            Node::Impl(item) => {
                let mut header = item.header.clone();
                header.items.push(ImplItem::Verbatim(items));
                header.into_token_stream()
            }
            Node::Trait(item) => {
                let mut header = item.header.clone();
                header.items.push(TraitItem::Verbatim(items));
                header.into_token_stream()
            }
            Node::Mod(item) => {
                let mut header = item.header.clone();
                if let Some((_, content)) = &mut header.content {
                    content.push(Item::Verbatim(items));
                }
                header.into_token_stream()
            }
            node => node.to_token_stream(),
        }
    }
}

impl ToTokens for Node {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Node::Fn(item) => item.to_tokens(tokens),
            Node::Impl(_) | Node::Mod(_) | Node::Trait(_) => {
                let items = self.items();
                tokens.extend(self.with_items(quote::quote!(#(#items)*)));
            }
            Node::MacroRules { tokens: all, .. } => all.to_tokens(tokens),
            Node::Other { attrs, tokens: rest, copied: _ } => {
                tokens.extend(quote::quote!(#(#attrs)* #rest));
            }
        }
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function { attrs, vis, default, sig, body, choice: _ } = self;
        let body = body
            .as_ref()
            .map_or_else(|| <Token![;]>::default().into_token_stream(), |body| body.braces.to_token_stream());
        tokens.extend(quote::quote!(#(#attrs)* #vis #default #sig #body));
    }
}

/// The place of items.
#[derive(Clone, Copy, PartialEq)]
enum Among {
    Module,
    Members,
}

fn members(content: TokenStream, place: Among) -> syn::Result<Vec<Node>> {
    let tokens: Vec<TokenTree> = content.into_iter().collect();
    let mut rest = &tokens[..];
    let mut items = Vec::new();
    while !rest.is_empty() {
        let (item, after) = rest.split_at(Extent::of(rest).length);
        items.extend(node(item, place)?.alternatives());
        rest = after;
    }
    Ok(items)
}

/// The item that `tokens` are.
fn node(tokens: &[TokenTree], place: Among) -> syn::Result<Node> {
    let extent = Extent::of(tokens);
    let stream = || tokens.iter().cloned().collect::<TokenStream>();
    if extent.passed_on
        && let [before @ .., TokenTree::Group(group)] = tokens
    {
        // A `macro_rules!` passes it on in an invisible group.
        return node(&before.iter().cloned().chain(group.stream()).collect::<Vec<_>>(), place);
    }
    match extent.keyword.as_deref() {
        Some("fn") => return function.parse2(stream()).map(|item| Node::Fn(Box::new(item))),
        Some(word @ ("impl" | "mod" | "trait")) if place == Among::Module => {
            let inside = if word == "mod" { Among::Module } else { Among::Members };
            if let Some(node) = holder(tokens, inside)? {
                return Ok(node);
            }
        }
        Some("macro_rules") if place == Among::Module => {
            let name = tokens.windows(2).find_map(|pair| match pair {
                [bang, TokenTree::Ident(name)] if is_punct(Some(bang), '!') => Some(name.clone()),
                _ => None,
            });
            if let Some(name) = name {
                return Ok(Node::MacroRules { name, tokens: stream() });
            }
        }
        _ => {}
    }
    let parser = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_outer)?, input.parse()?));
    let (attrs, tokens) = parser.parse2(stream())?;
    Ok(Node::Other { attrs, tokens, copied: false })
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

/// Whether an item's body is at `at`: braces before `>` or `,` are a constant among generic arguments.
pub(crate) fn is_body(tokens: &[TokenTree], at: usize) -> bool {
    body(&tokens[at]).is_some() && !is_punct(tokens.get(at + 1), '>') && !is_punct(tokens.get(at + 1), ',')
}

/// The braces that `token` is; a macro's `$body:block` arrives in an invisible group.
fn body(token: &TokenTree) -> Option<Group> {
    let TokenTree::Group(group) = token else { return None };
    match group.delimiter() {
        Delimiter::Brace => Some(group.clone()),
        Delimiter::None => {
            let mut content = group.stream().into_iter();
            content.next().filter(|_| content.next().is_none()).as_ref().and_then(body)
        }
        _ => None,
    }
}

/// The impl, trait or module that `tokens` are, with `inside` as its content; `None` for a form that `syn` does not
/// support.
fn holder(tokens: &[TokenTree], inside: Among) -> syn::Result<Option<Node>> {
    let body = tokens.last().and_then(body);
    let mut header: TokenStream = tokens[..tokens.len() - usize::from(body.is_some())].iter().cloned().collect();
    let (mut attrs, mut items) = (Vec::new(), Vec::new());
    if let Some(body) = body {
        header.extend([TokenTree::from(braces(TokenStream::new(), body.span()))]);
        let parser = |input: ParseStream<'_>| Ok((input.call(Attribute::parse_inner)?, input.parse()?));
        let (inner, rest): (_, TokenStream) = parser.parse2(body.stream())?;
        (attrs, items) = (inner, members(rest, inside)?);
    }
    let choice = Choice::Inherit;
    let mut node = match syn::parse2(header)? {
        Item::Impl(header) => Node::Impl(Box::new(Holder { choice, header, items })),
        Item::Mod(header) => Node::Mod(Box::new(Holder { choice, header, items })),
        Item::Trait(header) => Node::Trait(Box::new(Holder { choice, header, items })),
        _ => return Ok(None),
    };
    node.attrs_mut().into_iter().for_each(|all| all.append(&mut attrs));
    Ok(Some(node))
}

fn function(input: ParseStream<'_>) -> syn::Result<Function> {
    let attrs = input.call(Attribute::parse_outer)?;
    let (vis, default, sig) = (input.parse()?, input.parse()?, input.parse()?);
    let mut function = Function { choice: Choice::Inherit, attrs, vis, default, sig, body: None };
    if input.parse::<Option<Token![;]>>()?.is_none() {
        let braces = input.step(|cursor| match cursor.token_tree() {
            Some((token, rest)) => Ok((body(&token).ok_or_else(|| cursor.error("expected a block"))?, rest)),
            None => Err(cursor.error("expected a block")),
        })?;
        function.body = Some(Body::new(braces));
    }
    Ok(function)
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        function(input)
    }
}
