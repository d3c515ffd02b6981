//! The attribute's own arguments.

use proc_macro2::{Delimiter, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Ident, LitStr, Path, Token, Visibility, bracketed, token};

use crate::attrs;
use crate::error::Errors;
use crate::tokens::until;

/// The arguments of `#[dispatch(…)]`.
#[derive(Clone)]
pub(crate) struct Args {
    /// The target lists as written, in order.
    pub(crate) targets: Vec<LitStr>,
    /// `#[dispatch(skip)]`: leave the item as it is.
    pub(crate) skip: bool,
    /// The path of `simd-core`.
    pub(crate) krate: Path,
    /// `list = pub NAME`: the constant to declare.
    pub(crate) list: Option<(Visibility, Ident)>,
}

const OPTIONS: &str = "the options are `targets = \"…\"`, `crate = path`, `list = NAME` and `skip`";

/// The options with a value: an example, what the value is, and the start of the help.
const VALUES: [(&str, &str, &str, &str); 3] = [
    ("crate", "crate = path::to::simd_core", "a path", "write the path without quotes:"),
    ("list", "list = pub TARGETS", "the name of a constant", "write for example"),
    ("targets", "targets = \"avx2,fma | sse4.2\"", "a string", "write for example"),
];

impl Args {
    /// Parses `args` of an attribute at `whole`; `krate` is the crate path of an enclosing attribute.
    pub(crate) fn parse(args: TokenStream, whole: Span, krate: Option<&Path>, errors: &mut Errors) -> Args {
        let before = errors.len();
        let is_empty = args.is_empty();
        let krate = krate.cloned().unwrap_or_else(|| syn::parse_quote!(::simd_core));
        let mut parsed = Args { targets: Vec::new(), skip: false, krate, list: None };
        let mut seen: Vec<Ident> = Vec::new();
        let parser = |input: ParseStream<'_>| -> syn::Result<()> {
            while !input.is_empty() {
                if !parsed.option(input, &mut seen, errors)? {
                    until(input, |input| input.peek(Token![,]))?;
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(args) {
            errors.push(error.span(), error);
        }
        if errors.len() > before {
            return parsed;
        }
        let skip = seen.iter().find(|option| *option == "skip");
        if let (Some(skip), true) = (skip, seen.len() > 1) {
            errors.push_help(
                skip.span(),
                "`skip` cannot be combined with other options: a skipped item has no targets",
                "remove `skip`, or the other options",
            );
        } else if !parsed.skip && parsed.targets.is_empty() {
            let message = if is_empty { "`#[dispatch]` needs targets" } else { "the option `targets` is missing" };
            let [.., (_, example, ..)] = VALUES;
            errors.push_help(whole, message, format_args!("write for example `#[dispatch({example})]`"));
        }
        parsed
    }

    /// Reads an option; returns whether to its end.
    fn option(&mut self, input: ParseStream<'_>, seen: &mut Vec<Ident>, errors: &mut Errors) -> syn::Result<bool> {
        if input.peek(syn::Lit) {
            let literal: syn::Lit = input.parse()?;
            let help = match &literal {
                syn::Lit::Str(list) => format!("write `targets = {}`", list.token()),
                _ => OPTIONS.to_owned(),
            };
            errors.push_help(literal.span(), "expected the name of an option", help);
            return Ok(true);
        }
        let name = input.call(Ident::parse_any)?;
        let known = VALUES.iter().find(|(option, ..)| name == option);
        if known.is_none() && name != "skip" {
            let help = match name.to_string().as_str() {
                "attrs" => "remove `attrs`: each attribute of the function is on its clones as well",
                "dispatcher" => "remove `dispatcher`: a call is a test and a direct call",
                _ => OPTIONS,
            };
            errors.push_help(name.span(), format_args!("unknown option `{name}`"), help);
            return Ok(false);
        }
        if seen.contains(&name) {
            errors.push_help(
                name.span(),
                format_args!("the option `{name}` is given twice"),
                "remove one of the two options",
            );
            return Ok(false);
        }
        seen.push(name.clone());
        let Some((option, example, expected, help)) = known else {
            self.skip = true;
            return Ok(true);
        };
        if input.parse::<Option<Token![=]>>()?.is_none() {
            let help = match input.cursor().group(Delimiter::Parenthesis) {
                Some((content, ..)) if name == "targets" => format!("write `targets = [{}]`", content.token_stream()),
                _ => format!("write for example `{example}`"),
            };
            errors.push_help(name.span(), format_args!("the option `{name}` needs a value"), help);
            return Ok(false);
        }
        let constant = |input: ParseStream<'_>| Ok((input.parse()?, input.parse()?));
        let parsed = match *option {
            "crate" => input.call(Path::parse_mod_style).map(|path| self.krate = absolute(path)),
            "list" => input.call(constant).map(|list| self.list = Some(list)),
            _ => input.parse().map(|TargetLists(targets)| {
                if targets.is_empty() {
                    errors.push_help(name.span(), "the list of targets is empty", format_args!("{help} `{example}`"));
                }
                self.targets = targets;
            }),
        };
        if let Err(error) = &parsed {
            let message = format_args!("expected {expected}");
            errors.push_help(error.span(), message, format_args!("{help} `{example}`"));
        }
        Ok(parsed.is_ok())
    }
}

/// `path` with `::` before the name of a crate. Our code stands in the user's bodies, where an import could give such a name
/// another meaning.
fn absolute(mut path: Path) -> Path {
    let start = path.segments[0].ident.to_string();
    if path.leading_colon.is_none() && !["$crate", "crate", "self", "super"].contains(&start.as_str()) {
        path.leading_colon = Some(Token![::](path.segments[0].ident.span()));
    }
    path
}

/// `"a | b"` or `["a", "b"]`.
pub(crate) struct TargetLists(pub(crate) Vec<LitStr>);

impl Parse for TargetLists {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(token::Bracket) {
            return Ok(TargetLists(vec![input.parse()?]));
        }
        // The rest of a group that was entered would be a second mistake.
        let ahead = input.fork();
        let content;
        bracketed!(content in ahead);
        let lists = content.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        input.advance_to(&ahead);
        Ok(TargetLists(lists.into_iter().collect()))
    }
}

/// The arguments of an inner `#[dispatch(…)]`, which is removed from `attrs`.
pub(crate) fn take(attrs: &mut Vec<syn::Attribute>, krate: &Path, errors: &mut Errors) -> Option<Args> {
    let position = attrs.iter().position(|attr| attrs::is(attr, "dispatch"))?;
    let attr = attrs.remove(position);
    if let Some(again) = attrs.iter().find(|attr| attrs::is(attr, "dispatch")) {
        report_again(again, errors);
    }
    let whole = name_span(&attr);
    let args = attr.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
    let args = Args::parse(args, whole, Some(krate), errors);
    if let Some((_, constant)) = &args.list {
        errors.push_help(
            constant.span(),
            "an inner `#[dispatch]` cannot have the option `list`",
            "declare the constant outside: `const TARGETS: simd_core::Targets = simd_core::targets!(\"…\");`",
        );
    }
    Some(args)
}

/// Reports a second attribute on one item.
pub(crate) fn report_again(attr: &syn::Attribute, errors: &mut Errors) {
    errors.push_help(
        name_span(attr),
        "this item has `#[dispatch]` already",
        "write one list of targets, with `|` between them",
    );
}

/// The word `dispatch`.
fn name_span(attr: &syn::Attribute) -> Span {
    attr.path().segments.last().map_or_else(Span::call_site, |last| last.ident.span())
}
