//! Comments before the items of an annotated item, which its tokens do not have.
//!
//! Each becomes a line of documentation with a number, which stays with its item. In the formatted expansion, the comment replaces it.

use core::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{Attribute, ImplItem, Item, TraitItem, parse_quote};

/// The text of such a line before the number.
const MARK: &str = "cargo-dispatch-comment-";

/// The text of a file between its tokens.
pub(super) struct Gaps<'a> {
    text: &'a str,
    /// The places of all tokens, one behind the other.
    tokens: Vec<Range<usize>>,
}

impl<'a> Gaps<'a> {
    pub(super) fn new(text: &'a str, tokens: TokenStream) -> Self {
        let mut places = Vec::new();
        add(tokens, &mut places);
        places.sort_unstable_by_key(|place| (place.start, place.end));
        Self { text, tokens: places }
    }

    /// The comments right before the token at `start`.
    fn before(&self, start: usize) -> Option<&'a str> {
        let index = self.tokens.partition_point(|token| token.start < start);
        let end = index.checked_sub(1).map_or(0, |index| self.tokens[index].end);
        self.text.get(end..start).map(str::trim).filter(|gap| !gap.is_empty())
    }
}

fn add(tokens: TokenStream, places: &mut Vec<Range<usize>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                places.push(group.span_open().byte_range());
                add(group.stream(), places);
                places.push(group.span_close().byte_range());
            }
            token => places.push(token.span().byte_range()),
        }
    }
}

/// The comments of an annotated item, by their numbers.
pub(super) struct Comments<'a> {
    gaps: &'a Gaps<'a>,
    found: Vec<String>,
}

impl<'a> Comments<'a> {
    pub(super) fn new(gaps: &'a Gaps<'a>) -> Self {
        Self { gaps, found: Vec::new() }
    }

    /// Marks those in the head of an annotated item, behind its first token, and those of the items in it.
    pub(super) fn mark_item(&mut self, item: &mut Item) {
        match item {
            Item::Fn(item) => {
                let tokens = item.to_token_stream();
                let first = first_behind(&item.attrs, tokens);
                self.head(&mut item.attrs, first.as_ref(), false);
            }
            Item::Impl(item) => item.items.iter_mut().for_each(|item| self.mark_impl_item(item, true)),
            Item::Trait(item) => item.items.iter_mut().for_each(|item| self.mark_trait_item(item)),
            Item::Mod(item) => {
                for item in item.content.iter_mut().flat_map(|(_, items)| items) {
                    self.member(item);
                }
            }
            _ => {}
        }
    }

    fn member(&mut self, item: &mut Item) {
        let tokens = item.to_token_stream();
        if let Some(attrs) = attrs_mut(item) {
            self.head(attrs, first_behind(attrs, tokens).as_ref(), true);
        }
        if !matches!(item, Item::Fn(_)) {
            self.mark_item(item);
        }
    }

    pub(super) fn mark_impl_item(&mut self, item: &mut ImplItem, own: bool) {
        let tokens = item.to_token_stream();
        if let Some(attrs) = attrs_of_member(item) {
            self.head(attrs, first_behind(attrs, tokens).as_ref(), own);
        }
    }

    fn mark_trait_item(&mut self, item: &mut TraitItem) {
        let tokens = item.to_token_stream();
        let attrs = match item {
            TraitItem::Const(item) => &mut item.attrs,
            TraitItem::Fn(item) => &mut item.attrs,
            TraitItem::Type(item) => &mut item.attrs,
            TraitItem::Macro(item) => &mut item.attrs,
            _ => return,
        };
        self.head(attrs, first_behind(attrs, tokens).as_ref(), true);
    }

    /// Marks the comments before each of `attrs` and before the `rest` behind them; those before the first only if they are its own.
    fn head(&mut self, attrs: &mut Vec<Attribute>, rest: Option<&TokenTree>, own: bool) {
        let starts = attrs.iter().map(|attr| attr.span().byte_range().start);
        let starts = starts.chain(rest.map(|token| token.span().byte_range().start));
        let starts: Vec<usize> = starts.skip(usize::from(!own)).collect();
        let comments: Vec<&str> = starts.into_iter().filter_map(|start| self.gaps.before(start)).collect();
        if comments.is_empty() {
            return;
        }
        let mark = format!(" {MARK}{}.", self.found.len());
        self.found.push(comments.join("\n"));
        attrs.insert(0, parse_quote!(#[doc = #mark]));
    }

    /// `text`, formatted, with the comments in place of their marks. What has lost its mark stands before all of it.
    pub(super) fn put_back(&self, text: &str) -> String {
        let mut out = String::new();
        let mut left: Vec<Option<&str>> = self.found.iter().map(|comment| Some(comment.as_str())).collect();
        for line in text.lines() {
            let number = line.trim_start().strip_prefix("/// ").and_then(|line| line.strip_prefix(MARK));
            let number = number.and_then(|rest| rest.strip_suffix('.')?.parse::<usize>().ok());
            let Some(number) = number else {
                out += line;
                out.push('\n');
                continue;
            };
            let indent = &line[..line.len() - line.trim_start().len()];
            for line in left.get_mut(number).and_then(Option::take).into_iter().flat_map(str::lines) {
                out += format!("{indent}{}", line.trim()).trim_end();
                out.push('\n');
            }
        }
        let lost: Vec<&str> = left.into_iter().flatten().chain([out.as_str()]).collect();
        lost.join("\n")
    }
}

/// The first token of an item behind its attributes.
fn first_behind(attrs: &[Attribute], tokens: TokenStream) -> Option<TokenTree> {
    let outer = attrs.iter().filter(|attr| matches!(attr.style, syn::AttrStyle::Outer)).count();
    tokens.into_iter().nth(2 * outer)
}

pub(super) fn attrs_of_member(item: &mut ImplItem) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        ImplItem::Const(item) => &mut item.attrs,
        ImplItem::Fn(item) => &mut item.attrs,
        ImplItem::Type(item) => &mut item.attrs,
        ImplItem::Macro(item) => &mut item.attrs,
        _ => return None,
    })
}

pub(super) fn attrs_mut(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::ExternCrate(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::ForeignMod(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::TraitAlias(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}
