//! The attribute's own arguments.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, Token, Visibility, bracketed, token};

use crate::error::Errors;

/// The arguments of `#[dispatch(…)]`.
#[derive(Clone)]
pub(crate) struct Args {
    /// The target lists as written, in order.
    pub(crate) targets: Vec<LitStr>,
    /// `#[dispatch(skip)]`: leave the item alone.
    pub(crate) skip: bool,
    /// The path of `simd-core`.
    pub(crate) krate: Path,
    /// `list = pub NAME`: the constant to declare.
    pub(crate) list: Option<(Visibility, Ident)>,
}

const OPTIONS: [&str; 4] = ["targets", "crate", "list", "skip"];
const EXAMPLE: &str = "avx2,fma | sse4.2";

/// The state while options are parsed.
struct Reader<'a> {
    args: Args,
    /// The options so far, each with the place of its name.
    seen: Vec<Ident>,
    errors: &'a mut Errors,
}

impl Args {
    /// Parses `args` of an attribute at `whole`; `krate` is the crate path of an enclosing attribute.
    pub(crate) fn parse(args: TokenStream, whole: Span, krate: Option<&Path>, errors: &mut Errors) -> Args {
        let before = errors.len();
        let krate = krate.cloned().unwrap_or_else(|| syn::parse_quote!(::simd_core));
        let args_empty = args.is_empty();
        let mut reader =
            Reader { args: Args { targets: Vec::new(), skip: false, krate, list: None }, seen: Vec::new(), errors };
        let parser = |input: ParseStream<'_>| -> syn::Result<()> {
            while !input.is_empty() {
                reader.option(input)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = syn::parse::Parser::parse2(parser, args) {
            reader.errors.push(error.span(), error);
        }
        let Reader { args, seen, errors } = reader;
        if errors.len() > before {
            return args;
        }
        let skip = seen.iter().find(|option| *option == "skip");
        if let (Some(skip), true) = (skip, seen.len() > 1) {
            errors.push_help(
                skip.span(),
                "`skip` cannot be combined with other options: a skipped item has no targets",
                "remove `skip`, or the other options",
            );
        } else if !args.skip && args.targets.is_empty() {
            let message = if args_empty { "`#[dispatch]` needs targets" } else { "the option `targets` is missing" };
            errors.push_help(whole, message, format_args!("write for example `#[dispatch(targets = \"{EXAMPLE}\")]`"));
        }
        args
    }
}

impl Reader<'_> {
    fn option(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.peek(syn::Lit) {
            let literal: syn::Lit = input.parse()?;
            let written = literal.to_token_stream();
            let help =
                if matches!(literal, syn::Lit::Str(_)) { format!("write `targets = {written}`") } else { options() };
            self.errors.push_help(literal.span(), "expected the name of an option", help);
            return Ok(());
        }
        let name = input.call(Ident::parse_any)?;
        let option = name.to_string();
        if !OPTIONS.contains(&option.as_str()) {
            let help = match option.as_str() {
                "attrs" => "remove it: each attribute of the function is on its clones as well".to_owned(),
                "dispatcher" => "remove it: a call is a test and a direct call; `select!` makes a pointer".to_owned(),
                _ => options(),
            };
            self.errors.push_help(name.span(), format_args!("unknown option `{option}`"), help);
            // The value of an unknown option is skipped.
            return skip_value(input);
        }
        if self.seen.contains(&name) {
            self.errors.push_help(name.span(), format_args!("the option `{option}` is given twice"), "remove one");
            return skip_value(input);
        }
        self.seen.push(name.clone());
        match option.as_str() {
            "skip" => {
                self.args.skip = true;
                return Ok(());
            }
            "crate" if self.value(input, &name, "crate = path::to::simd_core")? => {
                match input.call(Path::parse_mod_style) {
                    Ok(path) => self.args.krate = path,
                    Err(error) => {
                        self.errors.push_help(
                            error.span(),
                            "expected a path",
                            "write it without quotes: `crate = path::to::simd_core`",
                        );
                        return skip_value(input);
                    }
                }
            }
            "list" if self.value(input, &name, "list = pub TARGETS")? => match (input.parse(), input.parse()) {
                (Ok(vis), Ok(constant)) => self.args.list = Some((vis, constant)),
                (Err(error), _) | (_, Err(error)) => {
                    self.errors.push_help(
                        error.span(),
                        "expected the name of a constant",
                        "write for example `list = pub TARGETS`",
                    );
                    return skip_value(input);
                }
            },
            "targets" if self.value(input, &name, &format!("targets = \"{EXAMPLE}\""))? => {
                let help = format!("write for example `targets = \"{EXAMPLE}\"`");
                match input.parse() {
                    Ok(TargetLists(targets)) if targets.is_empty() => {
                        self.errors.push_help(name.span(), "the list of targets is empty", help);
                    }
                    Ok(TargetLists(targets)) => self.args.targets = targets,
                    Err(error) => {
                        self.errors.push_help(error.span(), "expected a string", help);
                        return skip_value(input);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves past the `=` after `name`, if there is one.
    fn value(&mut self, input: ParseStream<'_>, name: &Ident, example: &str) -> syn::Result<bool> {
        if input.parse::<Option<Token![=]>>()?.is_some() {
            return Ok(true);
        }
        let help = match input.cursor().group(Delimiter::Parenthesis) {
            Some((content, ..)) if name == "targets" => format!("write `targets = [{}]`", content.token_stream()),
            _ => format!("write for example `{example}`"),
        };
        self.errors.push_help(name.span(), format_args!("the option `{name}` needs a value"), help);
        skip_value(input)?;
        Ok(false)
    }
}

fn options() -> String {
    "the options are `targets = \"…\"`, `crate = path`, `list = NAME` and `skip`".to_owned()
}

/// Moves to the end of an option.
fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// `"a | b"` or `["a", "b"]`.
pub(crate) struct TargetLists(pub(crate) Vec<LitStr>);

impl Parse for TargetLists {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(token::Bracket) {
            let ahead = input.fork();
            let content;
            bracketed!(content in ahead);
            let lists = content.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
            input.advance_to(&ahead);
            return Ok(TargetLists(lists.into_iter().collect()));
        }
        Ok(TargetLists(vec![input.parse()?]))
    }
}

/// The arguments of an inner `#[dispatch(…)]`, which is removed from `attrs`.
pub(crate) fn take(attrs: &mut Vec<syn::Attribute>, krate: &Path, errors: &mut Errors) -> Option<Args> {
    let position = attrs.iter().position(is_dispatch)?;
    let attr = attrs.remove(position);
    if let Some(again) = attrs.iter().find(|attr| is_dispatch(attr)) {
        report_again(again, errors);
    }
    let whole = name_span(&attr);
    let args = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
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

pub(crate) fn is_dispatch(attr: &syn::Attribute) -> bool {
    matches!(attr.style, syn::AttrStyle::Outer)
        && attr.path().segments.last().is_some_and(|last| last.ident == "dispatch")
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
