//! The item under the attribute: headers parsed, bodies kept as tokens.

mod alternatives;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseBuffer, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Ident, Path, Signature, Token, Type, TypeParamBound, Visibility};

/// An item, or a member of an impl or a trait.
pub(crate) enum Node {
    Fn(Box<Function>),
    Impl(Box<Impl>),
    Mod(Box<Module>),
    Trait(Box<Trait>),
    /// A `macro_rules!` definition.
    MacroRules {
        name: Ident,
        tokens: TokenStream,
    },
    /// Anything else, with its attributes.
    Other {
        attrs: Vec<Attribute>,
        tokens: TokenStream,
    },
}

/// Which targets an item has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    /// Those of what it stands in.
    Inherit,
    /// None: the item stays as it is.
    Skip,
    /// Those of its own attribute, by their index among the plans.
    Own(usize),
}

pub(crate) struct Function {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) default: Option<Ident>,
    pub(crate) sig: Signature,
    /// The braces and what is between them; `None` for a required method or a foreign function.
    pub(crate) body: Option<Group>,
    pub(crate) semi: Option<Token![;]>,
}

pub(crate) struct Impl {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) impl_token: Token![impl],
    pub(crate) generics: Generics,
    pub(crate) bang: Option<Token![!]>,
    pub(crate) trait_: Option<(Path, Token![for])>,
    pub(crate) self_ty: Type,
    pub(crate) body: Group,
    pub(crate) inner: Vec<Attribute>,
    pub(crate) items: Vec<Node>,
}

pub(crate) struct Module {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) unsafety: Option<Token![unsafe]>,
    pub(crate) mod_token: Token![mod],
    pub(crate) ident: Ident,
    /// `None` for an out-of-line module.
    pub(crate) content: Option<Content>,
}

pub(crate) struct Content {
    pub(crate) body: Group,
    pub(crate) inner: Vec<Attribute>,
    pub(crate) items: Vec<Node>,
}

pub(crate) struct Trait {
    pub(crate) choice: Choice,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    /// `unsafe`, `auto`: whatever stands before `trait`.
    pub(crate) qualifiers: TokenStream,
    pub(crate) trait_token: Token![trait],
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) supertraits: Punctuated<TypeParamBound, Token![+]>,
    pub(crate) body: Group,
    pub(crate) inner: Vec<Attribute>,
    pub(crate) items: Vec<Node>,
}

impl Node {
    /// Parses the one item that an attribute is on.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<Node> {
        (|input: ParseStream<'_>| node(input, Place::Module)).parse2(tokens)
    }

    /// The item's own attributes.
    pub(crate) fn attrs_mut(&mut self) -> Option<&mut Vec<Attribute>> {
        match self {
            Node::Fn(item) => Some(&mut item.attrs),
            Node::Impl(item) => Some(&mut item.attrs),
            Node::Mod(item) => Some(&mut item.attrs),
            Node::Trait(item) => Some(&mut item.attrs),
            Node::Other { attrs, .. } => Some(attrs),
            Node::MacroRules { .. } => None,
        }
    }
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        function(input, attrs)
    }
}

/// Where items stand.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Module,
    Impl,
    Trait,
}

fn node(input: ParseStream<'_>, place: Place) -> syn::Result<Node> {
    let begin = input.fork();
    let attrs = input.call(Attribute::parse_outer)?;
    if starts_function(input) {
        return Ok(Node::Fn(Box::new(function(input, attrs)?)));
    }
    if place == Place::Module {
        if starts_impl(input) {
            return Ok(Node::Impl(Box::new(implementation(input, attrs)?)));
        }
        let ahead = input.fork();
        if ahead.parse::<Visibility>().is_ok() {
            if ahead.peek(Token![mod]) || (ahead.peek(Token![unsafe]) && ahead.peek2(Token![mod])) {
                return Ok(Node::Mod(Box::new(module(input, attrs)?)));
            }
            if let Some(item) = trait_definition(input, &attrs) {
                return Ok(Node::Trait(Box::new(item)));
            }
        }
        if ahead.peek(Ident) && ahead.peek2(Token![!]) && ahead.peek3(Ident) {
            let keyword: Ident = ahead.parse()?;
            ahead.parse::<Token![!]>()?;
            let name: Ident = ahead.parse()?;
            if keyword == "macro_rules" {
                skip_item(input)?;
                return Ok(Node::MacroRules { name, tokens: between(&begin, input) });
            }
        }
    }
    let after_attrs = input.fork();
    let known = match place {
        Place::Module => advance::<syn::Item>(input),
        Place::Impl => advance::<syn::ImplItem>(input),
        Place::Trait => advance::<syn::TraitItem>(input),
    };
    if !known {
        skip_item(input)?;
    }
    Ok(Node::Other { attrs, tokens: between(&after_attrs, input) })
}

/// Moves past a `T` if there is one.
fn advance<T: Parse>(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.parse::<T>().is_err() {
        return false;
    }
    input.advance_to(&ahead);
    true
}

/// Moves past an item of a kind that is not known here: to its semicolon or its braces.
fn skip_item(input: ParseStream<'_>) -> syn::Result<()> {
    loop {
        match input.parse::<TokenTree>()? {
            TokenTree::Punct(punct) if punct.as_char() == ';' => return Ok(()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return Ok(()),
            _ => {}
        }
        if input.is_empty() {
            return Ok(());
        }
    }
}

/// The tokens from `begin` to where `end` stands.
fn between(begin: &ParseBuffer<'_>, end: ParseStream<'_>) -> TokenStream {
    let end = end.cursor();
    let mut cursor = begin.cursor();
    let mut tokens = TokenStream::new();
    while cursor != end {
        let Some((token, next)) = cursor.token_tree() else { break };
        tokens.extend([token]);
        cursor = next;
    }
    tokens
}

fn starts_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.parse::<Visibility>().is_err() {
        return false;
    }
    if ahead.peek(Ident) && !ahead.peek2(Token![!]) {
        let word: Option<Ident> = ahead.fork().parse().ok();
        if word.is_some_and(|word| word == "default") {
            let _ = ahead.parse::<Ident>();
        }
    }
    for _ in 0..6 {
        if ahead.peek(Token![fn]) {
            return ahead.peek2(Ident) || ahead.peek2(syn::token::Paren);
        }
        let word: Option<Ident> = ahead.call(syn::ext::IdentExt::parse_any).ok();
        match word.map(|word| word.to_string()).as_deref() {
            Some("const" | "async" | "unsafe" | "safe" | "gen") => {}
            Some("extern") => {
                let _ = ahead.parse::<Option<syn::LitStr>>();
            }
            _ => return false,
        }
    }
    false
}

fn function(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Function> {
    let vis = input.parse()?;
    let word: Option<Ident> = input.fork().parse().ok();
    let default = if word.is_some_and(|word| word == "default") { Some(input.parse()?) } else { None };
    let sig = input.parse()?;
    if input.peek(Token![;]) {
        return Ok(Function {
            choice: Choice::Inherit,
            attrs,
            vis,
            default,
            sig,
            body: None,
            semi: Some(input.parse()?),
        });
    }
    Ok(Function { choice: Choice::Inherit, attrs, vis, default, sig, body: Some(braces(input)?), semi: None })
}

fn braces(input: ParseStream<'_>) -> syn::Result<Group> {
    let group = input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) => Ok((group, rest)),
        _ => Err(cursor.error("expected a block")),
    })?;
    match group.delimiter() {
        Delimiter::Brace => Ok(group),
        // A `$body:block` of a macro arrives in an invisible group.
        Delimiter::None => braces.parse2(group.stream()),
        _ => Err(syn::Error::new(group.span(), "expected a block")),
    }
}

fn starts_impl(input: ParseStream<'_>) -> bool {
    input.peek(Token![impl]) || (input.peek(Token![unsafe]) && input.peek2(Token![impl]))
}

fn implementation(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Impl> {
    let unsafety = input.parse()?;
    let impl_token = input.parse()?;
    let generic = input.peek(Token![<])
        && (input.peek2(Token![>])
            || input.peek2(Token![#])
            || input.peek2(Token![const])
            || ((input.peek2(Ident) || input.peek2(syn::Lifetime))
                && (input.peek3(Token![:])
                    || input.peek3(Token![,])
                    || input.peek3(Token![>])
                    || input.peek3(Token![=]))));
    let mut generics: Generics = if generic { input.parse()? } else { Generics::default() };
    let bang = input.parse()?;
    let first: Type = input.parse()?;
    let (trait_, self_ty) = if input.peek(Token![for]) {
        let for_token = input.parse()?;
        let Type::Path(path) = ungroup(first) else {
            return Err(input.error("expected the path of a trait before `for`"));
        };
        (Some((path.path, for_token)), input.parse()?)
    } else {
        (None, first)
    };
    generics.where_clause = input.parse()?;
    let body = braces(input)?;
    let (inner, items) = members(body.stream(), Place::Impl)?;
    Ok(Impl {
        choice: Choice::Inherit,
        attrs,
        unsafety,
        impl_token,
        generics,
        bang,
        trait_,
        self_ty,
        body,
        inner,
        items,
    })
}

fn ungroup(ty: Type) -> Type {
    match ty {
        Type::Group(group) => ungroup(*group.elem),
        other => other,
    }
}

fn module(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Module> {
    let vis = input.parse()?;
    let unsafety = input.parse()?;
    let mod_token = input.parse()?;
    let ident = input.parse()?;
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(Module { choice: Choice::Inherit, attrs, vis, unsafety, mod_token, ident, content: None });
    }
    let body = braces(input)?;
    let (inner, items) = members(body.stream(), Place::Module)?;
    Ok(Module {
        choice: Choice::Inherit,
        attrs,
        vis,
        unsafety,
        mod_token,
        ident,
        content: Some(Content { body, inner, items }),
    })
}

fn members(content: TokenStream, place: Place) -> syn::Result<(Vec<Attribute>, Vec<Node>)> {
    (|input: ParseStream<'_>| {
        let inner = input.call(Attribute::parse_inner)?;
        let mut items = Vec::new();
        while !input.is_empty() {
            items.extend(alternatives::split(node(input, place)?, place, alternatives::LIMIT)?);
        }
        Ok((inner, items))
    })
    .parse2(content)
}

/// A trait definition, and `input` moved past it; `None` for anything else.
fn trait_definition(input: ParseStream<'_>, attrs: &[Attribute]) -> Option<Trait> {
    let ahead = input.fork();
    let vis = ahead.parse().ok()?;
    let mut qualifiers = TokenStream::new();
    while !ahead.peek(Token![trait]) {
        let word: Ident = ahead.call(syn::ext::IdentExt::parse_any).ok()?;
        if !["unsafe", "auto", "const"].contains(&word.to_string().as_str()) {
            return None;
        }
        word.to_tokens(&mut qualifiers);
    }
    let item = trait_rest(&ahead, attrs.to_vec(), vis, qualifiers).ok()?;
    input.advance_to(&ahead);
    Some(item)
}

fn trait_rest(
    input: ParseStream<'_>,
    attrs: Vec<Attribute>,
    vis: Visibility,
    qualifiers: TokenStream,
) -> syn::Result<Trait> {
    let trait_token = input.parse()?;
    let ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    let mut supertraits = Punctuated::new();
    if input.parse::<Option<Token![:]>>()?.is_some() {
        while !input.peek(Token![where]) && !input.peek(syn::token::Brace) {
            supertraits.push_value(input.parse()?);
            if !input.peek(Token![+]) {
                break;
            }
            supertraits.push_punct(input.parse()?);
        }
    }
    generics.where_clause = input.parse()?;
    let body = braces(input)?;
    let (inner, items) = members(body.stream(), Place::Trait)?;
    Ok(Trait {
        choice: Choice::Inherit,
        attrs,
        vis,
        qualifiers,
        trait_token,
        ident,
        generics,
        supertraits,
        body,
        inner,
        items,
    })
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Function { attrs, vis, default, sig, body, semi, choice: _ } = self;
        for attr in attrs {
            attr.to_tokens(tokens);
        }
        vis.to_tokens(tokens);
        default.to_tokens(tokens);
        sig.to_tokens(tokens);
        body.to_tokens(tokens);
        semi.to_tokens(tokens);
    }
}

/// `items` between the braces of `body`, after its inner attributes.
pub(crate) fn rebuild(body: &Group, inner: &[Attribute], items: TokenStream) -> Group {
    let mut content = TokenStream::new();
    for attr in inner {
        attr.to_tokens(&mut content);
    }
    content.extend(items);
    let mut group = Group::new(Delimiter::Brace, content);
    group.set_span(body.span());
    group
}

impl Impl {
    /// The item with `items` for its members.
    pub(crate) fn with_items(&self, items: TokenStream, tokens: &mut TokenStream) {
        for attr in &self.attrs {
            attr.to_tokens(tokens);
        }
        self.unsafety.to_tokens(tokens);
        self.impl_token.to_tokens(tokens);
        let (generics, _, where_clause) = self.generics.split_for_impl();
        generics.to_tokens(tokens);
        self.bang.to_tokens(tokens);
        if let Some((path, for_token)) = &self.trait_ {
            path.to_tokens(tokens);
            for_token.to_tokens(tokens);
        }
        self.self_ty.to_tokens(tokens);
        where_clause.to_tokens(tokens);
        rebuild(&self.body, &self.inner, items).to_tokens(tokens);
    }
}

impl Module {
    /// The item with `items` for its content, where it has any.
    pub(crate) fn with_items(&self, items: TokenStream, tokens: &mut TokenStream) {
        for attr in &self.attrs {
            attr.to_tokens(tokens);
        }
        self.vis.to_tokens(tokens);
        self.unsafety.to_tokens(tokens);
        self.mod_token.to_tokens(tokens);
        self.ident.to_tokens(tokens);
        match &self.content {
            Some(content) => rebuild(&content.body, &content.inner, items).to_tokens(tokens),
            None => <Token![;]>::default().to_tokens(tokens),
        }
    }
}

impl Trait {
    /// The item with `items` for its members.
    pub(crate) fn with_items(&self, items: TokenStream, tokens: &mut TokenStream) {
        for attr in &self.attrs {
            attr.to_tokens(tokens);
        }
        self.vis.to_tokens(tokens);
        self.qualifiers.to_tokens(tokens);
        self.trait_token.to_tokens(tokens);
        self.ident.to_tokens(tokens);
        // `split_for_impl` would drop the defaults.
        self.generics.to_tokens(tokens);
        if !self.supertraits.is_empty() {
            <Token![:]>::default().to_tokens(tokens);
            self.supertraits.to_tokens(tokens);
        }
        self.generics.where_clause.to_tokens(tokens);
        rebuild(&self.body, &self.inner, items).to_tokens(tokens);
    }
}

impl ToTokens for Node {
    /// The item as it was written, without inner `#[dispatch(…)]` attributes where those were taken off.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let members = |items: &[Node]| items.iter().map(ToTokens::to_token_stream).collect();
        match self {
            Node::Fn(item) => item.to_tokens(tokens),
            Node::Impl(item) => item.with_items(members(&item.items), tokens),
            Node::Mod(item) => {
                let items = item.content.as_ref().map(|content| members(&content.items)).unwrap_or_default();
                item.with_items(items, tokens);
            }
            Node::Trait(item) => item.with_items(members(&item.items), tokens),
            Node::MacroRules { tokens: definition, .. } => definition.to_tokens(tokens),
            Node::Other { attrs, tokens: item } => {
                for attr in attrs {
                    attr.to_tokens(tokens);
                }
                item.to_tokens(tokens);
            }
        }
    }
}
