//! Which of a function's attributes go on the dispatcher, and which on the clones.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, ConstParam, Expr, ExprLit, GenericParam, Generics, Ident, LifetimeParam, Lit, Meta, Path, Token,
    TypeParam, parse_quote,
};

use crate::cfg::{Features, all};
use crate::compiler::COMPILER;
use crate::tokens::{self, find_word, until};

/// The attributes for one copy of a function: that in `clone`, or the dispatcher. A clone inside its dispatcher inherits
/// lint levels and `cfg`; one `beside` it does not. rustc refuses `inline(always)` on a copy that `has_features`.
pub(crate) fn for_copy(attrs: &[Attribute], clone: Option<&Features>, has_features: bool, beside: bool) -> TokenStream {
    let mut tokens = TokenStream::new();
    for attr in attrs {
        if let Some(meta) = copy_meta(&attr.meta, clone, has_features, beside) {
            attr.pound_token.to_tokens(&mut tokens);
            attr.bracket_token.surround(&mut tokens, |tokens| tokens.extend(meta));
        }
    }
    tokens
}

/// Attributes of a function that its callers do not see, so that those of each definition are its clones'.
const OF_CLONES: [&str; 10] =
    ["allow", "cfg", "deny", "dispatch", "doc", "expect", "forbid", "inline", "optimize", "warn"];

/// Those of `attrs` that callers see, also under `cfg_attr`.
pub(crate) fn seen_by_callers(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| is_seen(&attr.meta)).collect()
}

fn is_seen(meta: &Meta) -> bool {
    match parts_of_cfg_attr(meta) {
        Some((_, metas)) => metas.iter().any(is_seen),
        None => !OF_CLONES.iter().any(|name| meta.path().is_ident(name)),
    }
}

fn copy_meta(meta: &Meta, clone: Option<&Features>, has_features: bool, beside: bool) -> Option<TokenStream> {
    let content = || meta.require_list().map(|list| list.tokens.clone()).ok();
    match (name(meta).as_str(), clone) {
        ("cfg_attr", _) => return copy_cfg_attr(meta, clone, has_features, beside),
        // The lint may fire in one copy only.
        ("expect", _) if beside => {
            let content = content()?;
            return Some(quote!(allow(#content)));
        }
        ("inline" | "optimize" | "cold", None) => return None,
        ("inline", _) if has_features && (is_inline_always(meta) || COMPILER.leaves_features_out) => {
            return Some(meta.path().to_token_stream());
        }
        (_, None) | ("inline" | "optimize" | "cold" | "track_caller", _) => {}
        ("cfg", Some(features)) if beside => {
            let predicate = features.rewrite_predicate(content()?);
            return Some(quote!(cfg(#predicate)));
        }
        // A deprecated function may use deprecated items, itself included.
        ("deprecated", _) if beside => return Some(quote!(allow(deprecated))),
        ("allow" | "warn" | "deny" | "forbid" | "expect", _) if beside => {}
        _ => return None,
    }
    Some(meta.to_token_stream())
}

/// The name of an attribute without a path.
fn name(meta: &Meta) -> String {
    meta.path().get_ident().map_or_else(String::new, Ident::to_string)
}

fn copy_cfg_attr(meta: &Meta, clone: Option<&Features>, has_features: bool, beside: bool) -> Option<TokenStream> {
    // An attribute that does not parse as a `cfg_attr` is left for rustc to report.
    let Some((mut predicate, metas)) = parts_of_cfg_attr(meta) else {
        return clone.is_none().then(|| meta.to_token_stream());
    };
    if let Some(features) = clone {
        predicate = features.rewrite_predicate(predicate);
    }
    let metas: Vec<TokenStream> =
        metas.iter().filter_map(|meta| copy_meta(meta, clone, has_features, beside)).collect();
    (!metas.is_empty()).then(|| quote!(cfg_attr(#predicate, #(#metas),*)))
}

/// The predicate of a `cfg_attr`, and the attributes under it.
pub fn parts_of_cfg_attr(meta: &Meta) -> Option<(TokenStream, Vec<Meta>)> {
    let parser = |input: syn::parse::ParseStream<'_>| -> syn::Result<_> {
        let predicate = until(input, |input| input.peek(Token![,]))?;
        input.parse::<Option<Token![,]>>()?;
        Ok((predicate, Punctuated::<Meta, Token![,]>::parse_terminated(input)?.into_iter().collect()))
    };
    let list = meta.require_list().ok().filter(|list| list.path.is_ident("cfg_attr"))?;
    parser.parse2(list.tokens.clone()).ok()
}

/// The index in `attrs` of the line that begins the first section of the documentation, such as `# Safety`, or their
/// number if there is none.
pub(crate) fn first_heading(attrs: &[Attribute]) -> usize {
    let mut in_code = false;
    let heading = attrs.iter().position(|attr| {
        let Meta::NameValue(meta) = &attr.meta else { return false };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return false };
        let text = text.value();
        let line = text.trim_start();
        in_code ^= line.starts_with("```");
        meta.path.is_ident("doc") && !in_code && line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
    });
    heading.unwrap_or(attrs.len())
}

/// Whether one of `attrs`, also under `cfg_attr`, has this name.
pub(crate) fn have_named(attrs: &[Attribute], word: &str) -> bool {
    attrs.iter().any(|attr| match name(&attr.meta).as_str() {
        "cfg_attr" => attr.meta.to_token_stream().to_string().contains(word),
        name => name == word,
    })
}

/// The place of the attribute of this name among `attrs`, also under `cfg_attr`.
pub(crate) fn span_of(attrs: &[Attribute], word: &str) -> Option<Span> {
    attrs
        .iter()
        .find(|attr| have_named(core::slice::from_ref(attr), word))
        .map(|attr| find_word(attr.meta.to_token_stream(), word).unwrap_or(attr.pound_token.span))
}

pub(crate) fn says_inline(attrs: &[Attribute]) -> bool {
    have_named(attrs, "inline") || attrs.iter().any(|attr| attr.path().is_ident("optimize"))
}

/// Whether `attrs` say `#[inline(never)]`.
pub(crate) fn never_inlines(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| find_word(attr.meta.to_token_stream(), "never").is_some())
}

/// The place of `#[inline(always)]` among `attrs`.
pub(crate) fn inlines_always(attrs: &[Attribute]) -> Option<Span> {
    attrs.iter().find(|attr| is_inline_always(&attr.meta)).map(|attr| attr.path().segments[0].ident.span())
}

fn is_inline_always(meta: &Meta) -> bool {
    matches!(meta, Meta::List(list) if list.path.is_ident("inline") && list.tokens.to_string() == "always")
}

/// The attributes of two items under opposite `cfg`s in place of one with a `cfg_attr` that holds a `wanted` attribute.
pub(crate) fn split(attrs: &[Attribute], wanted: &dyn Fn(&Meta) -> bool) -> Option<[Vec<Attribute>; 2]> {
    let at = attrs.iter().position(|attr| holds_conditional(&attr.meta, wanted))?;
    let (predicate, metas) = parts_of_cfg_attr(&attrs[at].meta)?;
    let (before, after) = (&attrs[..at], &attrs[at + 1..]);
    let own = metas.into_iter().map(|meta| Attribute { meta, ..attrs[at].clone() }).collect();
    Some([(quote!(#predicate), own), (quote!(not(#predicate)), Vec::new())].map(|(predicate, own)| {
        let cfg = vec![parse_quote!(#[cfg(#predicate)])];
        [&cfg, before, &own, after].concat()
    }))
}

/// As [`split`], for `inline(always)`.
pub(crate) fn split_inline_always(attrs: &[Attribute]) -> Option<[Vec<Attribute>; 2]> {
    split(attrs, &is_inline_always)
}

/// Whether `meta` is a `cfg_attr` with a `wanted` attribute.
fn holds_conditional(meta: &Meta, wanted: &dyn Fn(&Meta) -> bool) -> bool {
    let metas = parts_of_cfg_attr(meta).map_or_else(Vec::new, |(_, metas)| metas);
    metas.iter().any(|meta| wanted(meta) || holds_conditional(meta, wanted))
}

/// Whether `attrs` make the function a symbol that other code links to.
pub(crate) fn exports(attrs: &[Attribute]) -> bool {
    has(attrs, "no_mangle") || has(attrs, "export_name")
}

/// Whether `attr` has the given name, as the last segment of its path.
pub(crate) fn is(attr: &Attribute, name: &str) -> bool {
    match &attr.meta {
        Meta::List(list) if list.path.is_ident("unsafe") => list.tokens.to_string().starts_with(name),
        meta => is_named(meta, name),
    }
}

/// Whether `attrs` hold one of the given name.
pub(crate) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| is(attr, name))
}

/// Whether `attr` is our attribute; an import may have renamed it, but its option shows it.
pub(crate) fn names_targets(attr: &Attribute) -> bool {
    let option = |list: &syn::MetaList| {
        let tokens: Vec<_> = list.tokens.clone().into_iter().collect();
        tokens
            .windows(2)
            .any(|pair| tokens::is_word(Some(&pair[0]), "targets") && tokens::is_punct(Some(&pair[1]), '='))
    };
    is(attr, "dispatch") || matches!(&attr.meta, Meta::List(list) if option(list))
}

/// Whether `meta` has the given name, as the last segment of its path.
pub(crate) fn is_named(meta: &Meta, name: &str) -> bool {
    is_last(meta.path(), name)
}

/// Whether `path` ends with `name`.
pub(crate) fn is_last(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Those of `attrs` that are a `cfg_attr` with one of the given name under it.
pub(crate) fn conditional<'a>(attrs: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attrs.iter().filter(move |attr| holds_conditional(&attr.meta, &|meta| is_named(meta, name)))
}

/// Whether `attr` is a `cfg` that tests a CPU feature.
pub(crate) fn tests_feature(attr: &Attribute) -> bool {
    cfg_predicate(attr).is_some_and(tokens::tests_feature)
}

/// `cfg` predicate: all `cfg`s among `attrs`.
pub(crate) fn cfg_predicate_of(attrs: &[Attribute]) -> TokenStream {
    all(attrs.iter().filter_map(cfg_predicate).cloned().collect())
}

/// `cfg` predicate: all `cfg`s among `attrs` are true for a clone with `features`.
pub(crate) fn cfg_predicate_for(attrs: &[Attribute], features: &Features) -> TokenStream {
    features.rewrite_predicate(cfg_predicate_of(attrs))
}

/// Those of `attrs` that are a `cfg`.
pub(crate) fn cfgs(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| cfg_predicate(attr).is_some())
}

/// The predicate of a `cfg`.
pub(crate) fn cfg_predicate(attr: &Attribute) -> Option<&TokenStream> {
    attr.meta.require_list().ok().filter(|list| list.path.is_ident("cfg")).map(|list| &list.tokens)
}

/// The first `cfg` of a generic parameter.
pub(crate) fn parameter_cfg(generics: &Generics) -> Option<Span> {
    use GenericParam::{Const, Lifetime, Type};
    let mut attrs = generics.params.iter().flat_map(|param| match param {
        Type(TypeParam { attrs, .. }) | Const(ConstParam { attrs, .. }) | Lifetime(LifetimeParam { attrs, .. }) => {
            attrs
        }
    });
    attrs.find_map(|attr| cfg_predicate(attr).map(|_| attr.pound_token.spans[0]))
}
