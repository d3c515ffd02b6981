//! `match_target!` selects the first of several arms whose target the code is compiled for.
//!
//! It expands to a `match` of `()` whose arms have `#[cfg(target_feature = …)]`, or to items with such `cfg`s. The
//! attribute expands the calls in its item before all other steps, so that an arm is code like any other: its `cfg` is
//! evaluated for each clone, and closures and several definitions of an item are found. A call inside a `macro_rules!`
//! may contain a fragment, and is marked instead: each pattern gets its `cfg` after it, from which the macro continues.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, Item, LitStr, Token};

use crate::cfg::{Features, any, arch};
use crate::compiler::COMPILER;
use crate::depth;
use crate::error::Errors;
use crate::features::RUSTC;
use crate::targets::{self, Target};
use crate::tokens::{feature_test, find_word, is_braces, is_punct, is_word, regroup, until};

pub(crate) const NAME: &str = "match_target";
/// The rest of an expanded call, so that the macro's name is used: this in place of items, `()` in place of an
/// expression.
const DONE: &str = ";";
const EXAMPLE: &str = "write for example `match_target! { \"x86_64: avx2\" => …, \"neon\" => …, _ => … }`";

/// The place of a test of a feature in `tokens`, as it is in the source.
pub(crate) fn feature_test_in_source(tokens: &TokenStream) -> Option<Span> {
    let test = feature_test(tokens)?;
    find_word(tokens.clone(), NAME).or(Some(test))
}

struct Arm {
    /// The arm's first place.
    span: Span,
    /// The targets, if they are not read yet.
    lists: Vec<LitStr>,
    /// `cfg` predicate; `None` for `_`.
    fits: Option<TokenStream>,
    body: TokenStream,
    /// The items that the body is, if it is braces that contain nothing else; otherwise the reason.
    items: syn::Result<Vec<TokenStream>>,
}

/// The expansion of `match_target! { … }`.
pub fn expand(input: TokenStream) -> TokenStream {
    match input.to_string().as_str() {
        DONE => return TokenStream::new(),
        "()" => return input,
        _ => {}
    }
    let mut errors = Errors::new();
    let arms = arms(input, &mut errors);
    let good = errors.is_empty();
    let span = Span::call_site();
    let written = items(&arms, good, span, &TokenStream::new());
    // No build has a property.
    let written =
        Features::default().rewrite_all(written.unwrap_or_else(|| expression(&arms, good, span, &quote!(()))));
    match (good, arms.is_empty()) {
        (true, _) => written,
        (false, true) => errors.into_token_stream(),
        (false, false) => quote!({ #errors #written }),
    }
}

/// The arms as a `match` with the given operand.
fn expression(arms: &[Arm], good: bool, span: Span, operand: &TokenStream) -> TokenStream {
    let (chosen, otherwise) = predicates(arms);
    let mixed = span.resolved_at(Span::mixed_site());
    let mut written = TokenStream::new();
    for (Arm { body, .. }, chosen) in arms.iter().zip(chosen) {
        written.extend(quote_spanned!(mixed=> #[cfg(#chosen)] () => #body,));
    }
    let missing = otherwise.map(|otherwise| {
        let value = if good { nothing_fits(span) } else { quote_spanned!(mixed=> ::core::unreachable!()) };
        quote_spanned!(mixed=> #[cfg(#otherwise)] () => #value,)
    });
    quote_spanned!(mixed=> match #operand { #written #missing })
}

/// The arms' items, each after `attributes`; `None` if the arms contain other code, or nothing.
fn items(arms: &[Arm], good: bool, span: Span, attributes: &TokenStream) -> Option<TokenStream> {
    if arms.iter().all(|arm| arm.items.as_ref().is_ok_and(Vec::is_empty)) {
        return None;
    }
    let (chosen, otherwise) = predicates(arms);
    let mixed = span.resolved_at(Span::mixed_site());
    let mut tokens = TokenStream::new();
    for (Arm { items, .. }, chosen) in arms.iter().zip(chosen) {
        for item in items.as_ref().ok()? {
            tokens.extend(quote_spanned!(mixed=> #attributes #[cfg(#chosen)] #item));
        }
    }
    if let (Some(otherwise), true) = (otherwise, good) {
        let error = nothing_fits(span);
        tokens.extend(quote_spanned!(mixed=> #attributes #[cfg(#otherwise)] #error));
    }
    Some(tokens)
}

/// The `cfg` predicate under which each arm is selected, and that under which none is, if there is no `_`.
fn predicates(arms: &[Arm]) -> (Vec<TokenStream>, Option<TokenStream>) {
    let mut chosen = Vec::new();
    let mut others = quote!(all());
    let mut earlier: Vec<TokenStream> = Vec::new();
    for Arm { fits, .. } in arms {
        chosen.push(match fits {
            Some(fits) if earlier.is_empty() => fits.clone(),
            Some(fits) => quote!(all(#others, #fits)),
            None => others.clone(),
        });
        earlier.extend(fits.clone());
        let any = any(earlier.clone());
        others = quote!(not(#any));
    }
    let complete = arms.iter().any(|arm| arm.fits.is_none());
    (chosen, (!complete).then_some(others))
}

fn nothing_fits(span: Span) -> TokenStream {
    let mut errors = Errors::new();
    errors.push_help(
        span,
        "no arm fits the features that this code is compiled for, and there is no `_`",
        "add `_ => …`, for the baseline and for other builds",
    );
    errors.into_token_stream()
}

fn arms(input: TokenStream, errors: &mut Errors) -> Vec<Arm> {
    let mut arms = Vec::new();
    let parser = |input: ParseStream<'_>| -> syn::Result<()> {
        while !input.is_empty() {
            arms.push(arm(input, errors)?);
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(input) {
        errors.push_help(error.span(), error, EXAMPLE);
        return Vec::new();
    }
    if arms.is_empty() {
        errors.push_help(Span::call_site(), "`match_target!` has no arms", EXAMPLE);
    }
    for late in arms.iter().skip_while(|arm| arm.fits.is_some()).skip(1) {
        errors.push_help(late.span, "this arm can never be selected: `_` comes before it", "put `_` last");
    }
    let lists = arms.iter().map(|arm| &arm.lists[..]).collect::<Vec<_>>().concat();
    let targets = targets::parse_each(&lists, errors, RUSTC);
    let mut rest = &targets[..];
    for Arm { lists, fits, .. } in &mut arms {
        if let [first, ..] = &lists[..] {
            let targets = rest.split_off(..lists.len()).unwrap_or_default().concat();
            *fits = Some(self::fits(&targets, first.span()));
        }
    }
    arms
}

/// `cfg` predicate: the code is compiled for one of `targets`, which are at `span`.
fn fits(targets: &[Target], span: Span) -> TokenStream {
    let predicates = targets.iter().map(|target| {
        let arch = arch(target);
        let features = target.leaf.iter().map(|feature| feature.name);
        quote_spanned!(span.resolved_at(Span::call_site())=> all(#arch, #(target_feature = #features),*))
    });
    any(predicates.collect())
}

fn arm(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Arm> {
    let span = input.span();
    let (lists, fits) = pattern(input, errors)?;
    if input.parse::<Option<Token![=>]>>()?.is_none() {
        return Err(input.error("expected `=>`"));
    }
    // `peek` would see braces in the groups that `macro_rules!` passes on as a whole.
    let braces = is_braces(input.cursor().token_tree().map(|(token, _)| token).as_ref());
    let (body, items) = if braces {
        let group: Group = input.parse()?;
        (group.to_token_stream(), items_in(group.stream()))
    } else if depth::exceeded(&input.fork().parse()?) {
        (until(input, |input| input.peek(Token![,]))?, Err(input.error("")))
    } else {
        let value = Expr::parse_with_earlier_boundary_rule(input)?;
        (value.into_token_stream(), Err(syn::Error::new(span, "expected items in braces")))
    };
    let ends = is_braces(body.clone().into_iter().last().as_ref());
    if input.parse::<Option<Token![,]>>()?.is_none() && !ends && !input.is_empty() {
        return Err(input.error("expected `,` after the arm"));
    }
    Ok(Arm { span, lists, fits, body, items })
}

/// The lists of a pattern, and its `cfg` predicate. The attribute may have read the lists already; until then, none of them fits.
fn pattern(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<(Vec<LitStr>, Option<TokenStream>)> {
    if input.parse::<Option<Token![_]>>()?.is_some() {
        return Ok((Vec::new(), None));
    }
    if !input.peek(LitStr) {
        errors.push_help(input.span(), "expected a target as a string, or `_`", EXAMPLE);
        until(input, |input| input.peek(Token![=>]))?;
        return Ok((Vec::new(), Some(quote!(any()))));
    }
    let mut lists = vec![input.parse()?];
    while input.parse::<Option<Token![|]>>()?.is_some() {
        lists.push(input.parse()?);
    }
    match &input.call(Attribute::parse_outer)?[..] {
        [] => Ok((lists, Some(quote!(any())))),
        [mark, ..] => Ok((Vec::new(), Some(mark.meta.require_list()?.tokens.clone()))),
    }
}

/// The items in `content`, if it contains nothing else. A macro call is an expression.
fn items_in(content: TokenStream) -> syn::Result<Vec<TokenStream>> {
    let parser = |input: ParseStream<'_>| {
        let mut items = Vec::new();
        while !input.is_empty() {
            let item = input.parse()?;
            if matches!(&item, Item::Macro(call) if call.ident.is_none() && call.mac.tokens.to_string() != DONE) {
                return Err(input.error("expected items; the call of a macro is not one here"));
            }
            items.push(item.into_token_stream());
        }
        Ok(items)
    };
    // Most bodies do not begin with an item's keyword, and a look at the first word saves time.
    if depth::exceeded(&content) { Err(syn::Error::new(Span::call_site(), "")) } else { parser.parse2(content) }
}

/// Expands the calls of the macro in `tokens`, a dispatched item.
pub(crate) fn lower(tokens: TokenStream, errors: &mut Errors) -> TokenStream {
    lower_in(tokens, true, errors)
}

/// As [`lower`], in a place for items or for something else.
fn lower_in(tokens: TokenStream, holds_items: bool, errors: &mut Errors) -> TokenStream {
    if find_word(tokens.clone(), NAME).is_none() {
        return tokens;
    }
    let mut out: Vec<TokenTree> = Vec::new();
    // The keyword of this item's kind, if it may contain others.
    let mut kind = None;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Group(group) = token else {
            match &token {
                TokenTree::Ident(word) if ["fn", "impl", "mod", "trait"].iter().any(|kind| word == kind) => {
                    kind = kind.or(Some(word.to_string()));
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => kind = None,
                _ => {}
            }
            out.push(token);
            continue;
        };
        let braces = group.delimiter() == Delimiter::Brace;
        let kind = if braces { kind.take() } else { kind.clone() };
        let content = lower_in(group.stream(), holds_items && braces && kind.is_some_and(|kind| kind != "fn"), errors);
        let Some((start, span)) = call_before(&out).filter(|_| is_call(&content)) else {
            out.push(regroup(&group, content));
            continue;
        };
        if holds_fragment(&content) {
            out.push(regroup(&group, mark_patterns(content)));
            continue;
        }
        let path: TokenStream = out.drain(start..).collect();
        let before = errors.len();
        let arms = arms(content, errors);
        let (code, attributes) = out.split_at(attributes_start(&out));
        let is_item =
            holds_items && (matches!(code.last(), None | Some(TokenTree::Group(_))) || is_punct(code.last(), ';'));
        if is_item {
            let mistakes = arms.iter().filter_map(|arm| arm.items.as_ref().err());
            mistakes.for_each(|mistake| errors.push_syn(mistake));
        }
        let good = errors.len() == before;
        let items = items(&arms, good, span, &attributes.iter().cloned().collect());
        if items.is_some() || is_item {
            if !COMPILER.writes {
                out.extend(quote!(#path {;}));
            }
            out.extend(items.into_iter().flatten());
            continue;
        }
        let operand = if COMPILER.writes { quote!(()) } else { quote!(#path(())) };
        let expression = expression(&arms, good, span, &operand);
        // A call in parentheses is no statement, and may be an operand.
        let operand = match tokens.peek() {
            Some(TokenTree::Punct(punct)) => ![';', ','].contains(&punct.as_char()),
            Some(TokenTree::Ident(_)) => true,
            _ => false,
        };
        if operand && !braces {
            out.push(Group::new(Delimiter::Parenthesis, expression).into());
        } else {
            out.extend(expression);
        }
    }
    out.into_iter().collect()
}

/// The start of the call whose `path::match_target!` ends `before`, and the place of its name.
fn call_before(before: &[TokenTree]) -> Option<(usize, Span)> {
    let [path @ .., TokenTree::Ident(name), bang] = before else { return None };
    if name != NAME || !is_punct(Some(bang), '!') {
        return None;
    }
    let is_part = |word: &TokenTree| syn::parse2::<syn::PathSegment>(word.to_token_stream()).is_ok();
    let mut path = path;
    while let [before @ .., one, two] = path
        && is_punct(Some(one), ':')
        && is_punct(Some(two), ':')
    {
        path = match before {
            [before @ .., dollar, _] if is_punct(Some(dollar), '$') => before,
            [before @ .., word] if is_part(word) => before,
            _ => before,
        };
    }
    Some((path.len(), name.span()))
}

/// Whether `content` is that of a call of ours which has not been expanded.
fn is_call(content: &TokenStream) -> bool {
    let mut tokens = content.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(rest)), _) => rest == "_",
        (Some(TokenTree::Literal(_)), after) => !is_punct(after.as_ref(), '#'),
        _ => false,
    }
}

/// Whether `tokens` contain a `$`, so that they are not code yet. In a `macro_rules!` of their own it is that macro's.
fn holds_fragment(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => {
            let of_macro = at >= 3 && is_word(tokens.get(at - 3), "macro_rules");
            !of_macro && holds_fragment(&group.stream())
        }
        token => is_punct(Some(token), '$'),
    })
}

/// `content` with the `cfg` of each pattern after it; mistakes in a pattern are left for the macro to report.
fn mark_patterns(content: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = content.into_iter().collect();
    let mut out = TokenStream::new();
    let mut lists: Vec<LitStr> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let list = syn::parse2::<LitStr>(token.to_token_stream());
        out.extend([token.clone()]);
        match list {
            Ok(list) => lists.push(list),
            Err(_) if is_punct(Some(token), '|') => continue,
            Err(_) => lists.clear(),
        }
        if !lists.is_empty() && is_punct(tokens.get(at + 1), '=') && is_punct(tokens.get(at + 2), '>') {
            let mut errors = Errors::new();
            let fits = fits(&targets::parse(&lists, &mut errors), lists[0].span());
            if errors.is_empty() {
                out.extend(quote_spanned!(Span::mixed_site()=> #[cfg(#fits)]));
            }
        }
    }
    out
}

/// The start of the attributes at the end of `tokens`.
fn attributes_start(tokens: &[TokenTree]) -> usize {
    match tokens {
        [before @ .., hash, TokenTree::Group(group)]
            if is_punct(Some(hash), '#') && group.delimiter() == Delimiter::Bracket =>
        {
            attributes_start(before)
        }
        _ => tokens.len(),
    }
}

#[cfg(test)]
mod tests;
