//! The attribute's own arguments.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, Token, bracketed, token};

use crate::error::Errors;

/// What stands between the parentheses of `#[dispatch(…)]`.
#[derive(Clone)]
pub(crate) struct Args {
    /// The target lists as written, in order.
    pub(crate) targets: Vec<LitStr>,
    /// `#[dispatch(skip)]`: leave the item alone.
    pub(crate) skip: bool,
    /// The path under which `simd-core` is known.
    pub(crate) krate: Path,
}

const OPTIONS: [&str; 3] = ["targets", "crate", "skip"];

impl Args {
    /// Parses `args`; `krate` is the crate path of an enclosing attribute.
    pub(crate) fn parse(args: TokenStream, krate: Option<&Path>, errors: &mut Errors) -> Args {
        let mut parsed = Args {
            targets: Vec::new(),
            skip: false,
            krate: krate.cloned().unwrap_or_else(|| syn::parse_quote!(::simd_core)),
        };
        let mut seen: Vec<String> = Vec::new();
        let empty = args.is_empty();
        let before = errors.len();
        let parser = |input: ParseStream<'_>| -> syn::Result<()> {
            while !input.is_empty() {
                parsed.option(input, &mut seen, errors)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = syn::parse::Parser::parse2(parser, args) {
            errors.push(error.span(), error);
        }
        if errors.len() > before {
            return parsed;
        }
        if parsed.skip && seen.len() > 1 {
            errors.push(Span::call_site(), "`skip` stands alone: a skipped item has no targets");
        } else if !parsed.skip && parsed.targets.is_empty() {
            let message = if empty { "`dispatch` needs its targets" } else { "the option `targets` is missing" };
            errors.push_help(Span::call_site(), message, "write for example `targets = \"avx2,fma | sse4.2\"`");
        }
        parsed
    }

    fn option(&mut self, input: ParseStream<'_>, seen: &mut Vec<String>, errors: &mut Errors) -> syn::Result<()> {
        if input.peek(syn::Lit) {
            let literal: syn::Lit = input.parse()?;
            errors.push_help(literal.span(), "expected an option", "name it: `targets = …`");
            return Ok(());
        }
        let name = input.call(Ident::parse_any)?;
        let option = name.to_string();
        if !OPTIONS.contains(&option.as_str()) {
            errors.push_help(
                name.span(),
                format_args!("unknown option `{option}`"),
                "the options are `targets = \"…\"`, `crate = path` and `skip`",
            );
            // What belongs to it is of no use.
            while !input.is_empty() && !input.peek(Token![,]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
            return Ok(());
        }
        if seen.contains(&option) {
            errors.push(name.span(), format_args!("the option `{option}` is given twice"));
        }
        match option.as_str() {
            "skip" => self.skip = true,
            "crate" => {
                input.parse::<Token![=]>()?;
                self.krate = input.call(Path::parse_mod_style)?;
            }
            _ => {
                input.parse::<Token![=]>()?;
                self.targets = input.parse::<TargetLists>()?.0;
                if self.targets.is_empty() {
                    errors.push(name.span(), "the list of targets is empty");
                    self.skip = false;
                }
            }
        }
        seen.push(option);
        Ok(())
    }
}

/// `"a | b"` or `["a", "b"]`.
struct TargetLists(Vec<LitStr>);

impl Parse for TargetLists {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(token::Bracket) {
            let content;
            bracketed!(content in input);
            let lists = content.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
            return Ok(TargetLists(lists.into_iter().collect()));
        }
        if input.peek(LitStr) {
            return Ok(TargetLists(vec![input.parse()?]));
        }
        Err(input.error("expected a string of targets, such as \"avx2,fma | sse4.2\""))
    }
}

/// The arguments of an inner `#[dispatch(…)]`, taken off `attrs`.
pub(crate) fn take(attrs: &mut Vec<syn::Attribute>, krate: &Path, errors: &mut Errors) -> Option<Args> {
    let position = attrs.iter().position(|attr| {
        matches!(attr.style, syn::AttrStyle::Outer)
            && attr.path().segments.last().is_some_and(|last| last.ident == "dispatch")
    })?;
    let attr = attrs.remove(position);
    let args = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    Some(Args::parse(args, Some(krate), errors))
}
