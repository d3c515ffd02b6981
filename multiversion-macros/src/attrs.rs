//! Which of a function's attributes go on the dispatcher, and which on the clones.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, GenericParam, Lit, Meta, Token};

use crate::plan::{PlannedClone, all};
use crate::tokens::mentions_feature;
use crate::transform::Features;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Cfg,
    CfgAttr,
    Inline,
    Cold,
    TrackCaller,
    Lint,
    Expect,
    Deprecated,
    Other,
}

fn kind(meta: &Meta) -> Kind {
    let path = meta.path();
    let Some(name) = path.get_ident() else { return Kind::Other };
    match name.to_string().as_str() {
        "cfg" => Kind::Cfg,
        "cfg_attr" => Kind::CfgAttr,
        "inline" | "optimize" => Kind::Inline,
        "cold" => Kind::Cold,
        "track_caller" => Kind::TrackCaller,
        "allow" | "warn" | "deny" | "forbid" => Kind::Lint,
        "expect" => Kind::Expect,
        "deprecated" => Kind::Deprecated,
        _ => Kind::Other,
    }
}

/// The attributes of one copy of a function.
#[derive(Clone, Copy)]
pub(crate) enum Copied<'a> {
    /// The dispatcher, with its clones inside.
    Dispatcher,
    /// The dispatcher, with its clones beside it.
    DispatcherBeside,
    /// A clone inside its dispatcher, where lint levels and `cfg` are inherited.
    Nested(&'a Features),
    /// A clone beside its dispatcher.
    Sibling(&'a Features),
}

/// The attributes for the copy `copied`.
pub(crate) fn copy(attrs: &[Attribute], copied: Copied<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    for attr in attrs {
        if let Some(meta) = copy_meta(&attr.meta, copied) {
            let pound = attr.pound_token;
            pound.to_tokens(&mut tokens);
            attr.bracket_token.surround(&mut tokens, |tokens| tokens.extend(meta));
        }
    }
    tokens
}

fn copy_meta(meta: &Meta, copied: Copied<'_>) -> Option<TokenStream> {
    let kind = kind(meta);
    if kind == Kind::CfgAttr {
        return copy_cfg_attr(meta, copied);
    }
    let features = match copied {
        Copied::DispatcherBeside if kind == Kind::Expect => return allowed(meta),
        Copied::Dispatcher | Copied::DispatcherBeside => {
            return (!matches!(kind, Kind::Inline | Kind::Cold)).then(|| meta.to_token_stream());
        }
        Copied::Nested(features) | Copied::Sibling(features) => features,
    };
    let sibling = matches!(copied, Copied::Sibling(_));
    match kind {
        Kind::Inline if features.target.is_some() => {
            // rustc refuses `inline(always)` beside `target_feature`.
            let name = meta.path();
            Some(if always(meta) { quote!(#name) } else { meta.to_token_stream() })
        }
        Kind::Inline | Kind::Cold | Kind::TrackCaller => Some(meta.to_token_stream()),
        Kind::Cfg if sibling => {
            let predicate = features.rewrite_predicate(meta.require_list().ok()?.tokens.clone());
            Some(quote!(cfg(#predicate)))
        }
        Kind::Lint if sibling => Some(meta.to_token_stream()),
        // A deprecated function may use deprecated items, itself included.
        Kind::Deprecated if sibling => Some(quote!(allow(deprecated))),
        Kind::Expect if sibling => {
            // The lint may fire in one copy only, so the baseline keeps `expect`.
            if features.target.is_some() { allowed(meta) } else { Some(meta.to_token_stream()) }
        }
        _ => None,
    }
}

/// `expect(…)` as `allow(…)`.
fn allowed(meta: &Meta) -> Option<TokenStream> {
    let content = &meta.require_list().ok()?.tokens;
    Some(quote!(allow(#content)))
}

fn copy_cfg_attr(meta: &Meta, copied: Copied<'_>) -> Option<TokenStream> {
    let Meta::List(list) = meta else { return Some(meta.to_token_stream()) };
    let parser = |input: syn::parse::ParseStream<'_>| -> syn::Result<(TokenStream, Punctuated<Meta, Token![,]>)> {
        let mut predicate = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![,]) {
            predicate.extend([input.parse::<proc_macro2::TokenTree>()?]);
        }
        input.parse::<Option<Token![,]>>()?;
        Ok((predicate, Punctuated::parse_terminated(input)?))
    };
    // An attribute that does not parse as a `cfg_attr` is left for rustc to report.
    let Ok((mut predicate, metas)) = parser.parse2(list.tokens.clone()) else {
        return matches!(copied, Copied::Dispatcher | Copied::DispatcherBeside).then(|| meta.to_token_stream());
    };
    if let Copied::Nested(features) | Copied::Sibling(features) = copied {
        predicate = features.rewrite_predicate(predicate);
    }
    let metas: Vec<TokenStream> = metas.iter().filter_map(|meta| copy_meta(meta, copied)).collect();
    (!metas.is_empty()).then(|| quote!(cfg_attr(#predicate, #(#metas),*)))
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

/// Whether one of `attrs`, also under `cfg_attr`, is an `inline`.
pub(crate) fn says_inline(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match kind(&attr.meta) {
        Kind::Inline => true,
        Kind::CfgAttr => attr.meta.to_token_stream().into_iter().any(|token| token.to_string().contains("inline")),
        _ => false,
    })
}

pub(crate) fn tracks_caller(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match kind(&attr.meta) {
        Kind::TrackCaller => true,
        Kind::CfgAttr => attr.meta.to_token_stream().to_string().contains("track_caller"),
        _ => false,
    })
}

/// The place of `#[inline(always)]` among `attrs`.
pub(crate) fn inlines_always(attrs: &[Attribute]) -> Option<Span> {
    attrs.iter().find(|attr| always(&attr.meta)).map(|attr| attr.path().segments[0].ident.span())
}

fn always(meta: &Meta) -> bool {
    matches!(meta, Meta::List(list) if list.path.is_ident("inline") && list.tokens.to_string() == "always")
}

/// Whether `attrs` make the function a symbol that other code links to.
pub(crate) fn exports(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let text = match &attr.meta {
            Meta::List(list) if list.path.is_ident("unsafe") => list.tokens.to_string(),
            meta => meta.path().to_token_stream().to_string(),
        };
        text.starts_with("no_mangle") || text.starts_with("export_name")
    })
}

/// Whether `attr` has the given name, as the last segment of its path.
pub(crate) fn is(attr: &Attribute, name: &str) -> bool {
    match &attr.meta {
        Meta::List(list) if list.path.is_ident("unsafe") => list.tokens.to_string().starts_with(name),
        meta => meta.path().segments.last().is_some_and(|last| last.ident == name),
    }
}

/// Whether `attrs` hold one of the given name.
pub(crate) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| is(attr, name))
}

/// Whether `attr` is a `cfg` that tests a CPU feature.
pub(crate) fn asks_feature(attr: &Attribute) -> bool {
    predicate(attr).is_some_and(mentions_feature)
}

/// `cfg` predicate: all of `attrs` that test CPU features are true for `clone`.
pub(crate) fn asked(attrs: &[Attribute], clone: &PlannedClone) -> TokenStream {
    let asked = attrs.iter().filter(|attr| asks_feature(attr)).filter_map(predicate);
    all(asked.map(|asked| clone.features.rewrite_predicate(asked.clone())).collect())
}

/// The predicate of a `cfg`.
pub(crate) fn predicate(attr: &Attribute) -> Option<&TokenStream> {
    attr.meta.require_list().ok().filter(|list| list.path.is_ident("cfg")).map(|list| &list.tokens)
}

/// The attributes of a generic parameter.
pub(crate) fn of_param(param: &mut GenericParam) -> &mut Vec<Attribute> {
    match param {
        GenericParam::Type(param) => &mut param.attrs,
        GenericParam::Const(param) => &mut param.attrs,
        GenericParam::Lifetime(param) => &mut param.attrs,
    }
}
