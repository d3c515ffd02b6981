//! Named lists of targets.
//!
//! `target_list!` makes a `macro_rules!` and a constant from a list. A macro that uses the list by name calls that
//! `macro_rules!`, with the path of a macro of ours, the name, and the whole input. The list's macro then calls ours,
//! with the list before the rest: `crate::simd! { {callback} {crate::simd} … }` becomes `callback! { ["avx2 | sve2"]
//! {crate::simd} … }`. So the compiler resolves the name, in any module and crate. A wrong list is reported at its
//! declaration, and is empty for its users, which then emit their items unchanged and report nothing.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Meta, Path, Token, Visibility};

use crate::args::{Args, TargetLists};
use crate::attrs;
use crate::compiler::COMPILER;
use crate::emit::list;
use crate::error::{ADDS_NOTHING, Errors, compile_error, warning};
use crate::expand;
use crate::features::{Arch, Family, RUSTC};
use crate::groups::keep_groups;
use crate::item::Node;
use crate::lints::allow_for_clippy;
use crate::plan::Plan;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{Words, hygienic, is_punct, regroup, without_raw_names};

/// The tokens before a list: in the attribute's arguments, in a declaration, and in `targets!`.
const ATTRIBUTE: &[&str] = &["targets", "="];
const DECLARATION: &[&str] = &["="];
const TARGETS: &[&str] = &[";"];

/// The expansion of `#[dispatch(args)] item`, or the call that requests the first list that it names.
pub fn dispatch(args: TokenStream, item: TokenStream, recorded: bool) -> TokenStream {
    let (mut item, mut words) = (item.clone(), Words::of(item));
    if words.have_raw() {
        item = without_raw_names(item);
        words = Words::of(item.clone());
    }
    let item = if words.invisible { keep_groups(item) } else { item };
    let mut errors = Errors::new();
    let mut found = first_name(args.clone(), ATTRIBUTE);
    let mut find = |args: TokenStream, in_module: bool| {
        if let Some(path) = first_name(args.clone(), ATTRIBUTE) {
            let start = &path.segments[0].ident;
            let relative = path.segments.len() == 1 || start == "self" || start == "super";
            if in_module && path.leading_colon.is_none() && relative {
                errors.push_help(
                    path.span(),
                    "the attribute on the module resolves this list outside of the module",
                    "write a path that means the same everywhere, such as `crate::…`",
                );
            }
            found.get_or_insert(path);
        }
        Some(args)
    };
    if words.have("targets") {
        map_inner(item.clone(), &mut find);
    }
    if !errors.is_empty() {
        let item = map_inner(item, &mut |_, _| None);
        return quote!(#item #errors);
    }
    let Some(path) = found else { return expand::dispatch(args, item, &words, recorded) };
    let krate = Args::parse(args.clone(), Span::call_site(), None, &mut Errors::new()).krate;
    request(&path, &quote!(#krate::__private::__dispatch), &quote!({#args} {#item}))
}

/// The answer to [`dispatch`].
pub fn answer_dispatch(input: TokenStream, recorded: bool) -> TokenStream {
    let parser = |input: ParseStream<'_>| -> syn::Result<(Answer, Group, Group)> {
        Ok((parse_answer(input)?, input.parse()?, input.parse()?))
    };
    let (answer, args, item) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    if answer.list.is_empty() {
        return map_inner(item.stream(), &mut |_, _| None);
    }
    let item = map_inner(item.stream(), &mut |args, _| Some(answer.fill(args, ATTRIBUTE)));
    dispatch(answer.fill(args.stream(), ATTRIBUTE), item, recorded)
}

/// The expansion of `targets!("list")`, whose input arrives as `path::to::simd_core; "list"`. A named list is a constant as well, and
/// one that names others is declared on the spot.
pub fn targets(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| Ok((expand::parse_krate(input)?, input.parse::<TokenStream>()?));
    let (krate, list) = match parser.parse2(input.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    if first_name(input, TARGETS).is_some() {
        return match as_name(&list.clone().into_iter().collect::<Vec<_>>()) {
            Some(path) => path.into_token_stream(),
            None => quote!({ #krate::target_list!(__targets = #list); __targets }),
        };
    }
    let mut errors = Errors::new();
    let targets = match syn::parse2(list) {
        Ok(TargetLists(lists)) => targets::parse(&lists, &mut errors),
        Err(error) => {
            let help = "write for example `targets!(\"avx2,fma | sve2\")`";
            errors.push_help(error.span(), "expected the targets as a string", help);
            Vec::new()
        }
    };
    let value = list::value(&Plan::new(targets, krate, &Names::default()), None);
    if COMPILER.writes { quote!(#errors #value) } else { quote!({ #errors #value }) }
}

/// The expansion of `target_list!(vis name = list)`, whose input arrives as `path::to::simd_core; …`, possibly with an
/// answer before it. The list is at `line` and `column` of `file`. Its mistakes are reported once. In written files nobody requests
/// it, since those that use it are written as well.
pub fn declare(input: TokenStream, file: &str, line: usize, column: usize) -> TokenStream {
    let parser = |input: ParseStream<'_>| Ok((parse_answer(input)?, input.parse::<TokenStream>()?));
    let (wrong, input) = match parser.parse2(input.clone()) {
        Ok((answer, rest)) => (answer.list.is_empty(), answer.fill(rest, DECLARATION)),
        Err(_) => (false, input),
    };
    if let (Some(path), false) = (first_name(input.clone(), DECLARATION), wrong) {
        let krate: TokenStream = input.clone().into_iter().take_while(|token| !is_punct(Some(token), ';')).collect();
        return request(&path, &quote!(#krate::__private::__target_list), &input);
    }
    let mut errors = Errors::new();
    let parser = |input: ParseStream<'_>| -> syn::Result<_> {
        let krate = expand::parse_krate(input)?;
        let (attrs, vis, name) = (input.call(Attribute::parse_outer)?, input.parse()?, input.parse()?);
        Ok((krate, attrs, vis, name, input.parse()?))
    };
    let parsed: Result<(Path, Vec<Attribute>, Visibility, Ident, TokenStream), _> = parser.parse2(input);
    let help = "write for example `target_list!(pub(crate) simd = \"avx2,fma | sve2\");`";
    let (krate, attrs, vis, name, value) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            errors.push_help(error.span(), error, help);
            return errors.into_token_stream();
        }
    };
    if is_feature(&name) {
        let message = format_args!("a list cannot have the name of a feature, `{name}`");
        errors.push_help(name.span(), message, "say what the list is for, as in `simd`");
    }
    let parser = |input: ParseStream<'_>| -> syn::Result<TargetLists> {
        input.parse::<Token![=]>()?;
        let lists = input.parse()?;
        input.parse::<Option<Token![;]>>()?;
        Ok(lists)
    };
    let mut lists = Vec::new();
    match parser.parse2(value) {
        Ok(TargetLists(written)) => lists = written,
        Err(_) if wrong => {}
        Err(error) => errors.push_help(error.span(), error, help),
    }
    let checked = (errors.is_empty() && !wrong) || !lists.is_empty();
    let mut parsed = if checked { targets::parse(&lists, &mut errors) } else { Vec::new() };
    let warning = targets::warning(&lists, &parsed).map(|(span, message)| warning(span, ADDS_NOTHING, &message));
    if wrong || !errors.is_empty() {
        lists.clear();
        parsed.clear();
    }
    let name = hygienic(&name);
    let constant = list::constant(&vis, &name, &Plan::new(parsed, krate, &Names::default()));
    let (span, allowed) = (Span::mixed_site(), allow_for_clippy(|| quote!(clippy::pub_use)));
    // An exported macro belongs to the crate's root, whatever module the list is in.
    let mut file: Vec<&str> = file.rsplit(['/', '\\']).take(2).collect();
    file.reverse();
    let file = file.join("_").replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let (hidden, hint) = (
        format_ident!("__{}_{file}_{line}_{column}", name.unraw()),
        compile_error(span, &format!("`{name}` is a list of targets: write `#[dispatch(targets = {name})]`")),
    );
    let export = matches!(vis, Visibility::Public(_)).then(|| quote_spanned!(span=> #[macro_export]));
    let cfgs: Vec<&Attribute> = attrs::cfgs(&attrs).collect();
    if COMPILER.writes {
        let case = name.to_string().contains(char::is_lowercase).then(
            || quote!(#[allow(non_upper_case_globals, reason = "a list is called as it is written in attributes")]),
        );
        return quote!(#errors #warning #(#attrs)* #case #constant);
    }
    quote_spanned! {span=>
        #errors
        #warning
        #(#attrs)* #constant
        #(#cfgs)* #[doc(hidden)] #export
        macro_rules! #hidden {
            ({ $($callback:tt)* } $($rest:tt)*) => { $($callback)* ! { [#(#lists),*] $($rest)* } };
            ($($rest:tt)*) => { #hint };
        }
        #(#cfgs)* #[doc(hidden)] #allowed
        #vis use #hidden as #name;
    }
}

/// The call that requests the list at `path`.
fn request(path: &Path, callback: &TokenStream, rest: &TokenStream) -> TokenStream {
    quote!(#path ! { {#callback} {#path} #rest })
}

/// The answer of a list's macro, and the name under which the list was requested.
struct Answer {
    /// Empty if the list has a mistake.
    list: Vec<Literal>,
    path: String,
}

fn parse_answer(input: ParseStream<'_>) -> syn::Result<Answer> {
    let (list, path): (Group, Group) = (input.parse()?, input.parse()?);
    // The targets were checked at their declaration; a mistake from here on is in their use.
    let span = path.stream().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let literals = list.stream().into_iter().filter_map(|token| {
        let TokenTree::Literal(mut literal) = token else { return None };
        literal.set_span(span);
        Some(literal)
    });
    Ok(Answer { list: literals.collect(), path: path.stream().to_string() })
}

impl Answer {
    /// `tokens` with the list in place of its name.
    fn fill(&self, tokens: TokenStream, before: &[&str]) -> TokenStream {
        let list = &self.list;
        replace(tokens, before, &mut |path| {
            (path.to_token_stream().to_string() == self.path).then(|| quote!(#(#list),*))
        })
    }
}

/// The first list that is named after `before` in `tokens`.
fn first_name(tokens: TokenStream, before: &[&str]) -> Option<Path> {
    let mut first = None;
    replace(tokens, before, &mut |path| {
        first.get_or_insert(path);
        None
    });
    first
}

/// `tokens` with the content of `list` in place of each name of a list in the value after `before`.
fn replace(tokens: TokenStream, before: &[&str], list: &mut dyn FnMut(Path) -> Option<TokenStream>) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut open = true;
    while let Some(token) = tokens.next() {
        out.push(token);
        let end = out.iter().skip(out.len().saturating_sub(before.len()));
        if !(open && out.len() >= before.len() && end.zip(before).all(|(token, text)| token.to_string() == *text)) {
            continue;
        }
        open = false;
        let mut value = Vec::new();
        while let Some(token) = tokens.next_if(|token| !matches!(token.to_string().as_str(), "," | ";")) {
            value.push(token);
        }
        out.extend(match &value[..] {
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                let elements: Vec<TokenTree> = group.stream().into_iter().collect();
                TokenStream::from(regroup(group, replace_elements(&elements, list)))
            }
            _ if as_name(&value).is_some() => {
                let list = replace_elements(&value, list);
                quote!([#list])
            }
            _ => value.into_iter().collect(),
        });
    }
    out.into_iter().collect()
}

fn replace_elements(elements: &[TokenTree], list: &mut dyn FnMut(Path) -> Option<TokenStream>) -> TokenStream {
    let elements = elements.split(|token| is_punct(Some(token), ',')).map(|element| {
        let written = || quote!(#(#element)*);
        as_name(element).and_then(&mut *list).unwrap_or_else(written)
    });
    quote!(#(#elements),*)
}

/// The path that `value` is; a feature without quotes is not one.
fn as_name(value: &[TokenTree]) -> Option<Path> {
    let path = Path::parse_mod_style.parse2(value.iter().cloned().collect()).ok()?;
    let name: Ident = syn::parse2(path.segments.last()?.to_token_stream()).ok()?;
    (path.segments.len() > 1 || !is_feature(&name)).then_some(path)
}

fn is_feature(name: &Ident) -> bool {
    let name = name.to_string();
    Arch::from_name(&name).is_some() || Family::ALL.iter().any(|family| family.meaning(&name, RUSTC).is_some())
}

/// `item` with the arguments that `map` returns for those of each `#[dispatch(…)]` on the items inside, and of whether the attribute is in
/// a module there; without the attribute if it returns none. Half-typed code stays as it is.
fn map_inner(item: TokenStream, map: Map<'_>) -> TokenStream {
    let Ok(mut node) = Node::parse(item.clone()) else { return item };
    map_items(&mut node, false, map);
    node.into_token_stream()
}

type Map<'a> = &'a mut dyn FnMut(TokenStream, bool) -> Option<TokenStream>;

fn map_items(node: &mut Node, in_module: bool, map: Map<'_>) {
    let Node::Item(item) = node else { return };
    let in_module = in_module || item.is_mod();
    for node in &mut item.items {
        node.attrs_mut().retain_mut(|attr| match &mut attr.meta {
            Meta::List(list) if attrs::is_last(&list.path, "dispatch") => {
                let tokens = map(list.tokens.clone(), in_module);
                list.tokens = tokens.clone().unwrap_or_default();
                tokens.is_some()
            }
            _ => true,
        });
        map_items(node, in_module, map);
    }
}
