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

use crate::args::{self, Args, TargetLists};
use crate::emit::list;
use crate::error::{ADDS_NOTHING, Errors, warning};
use crate::expand;
use crate::features::{Arch, Family, RUSTC};
use crate::item::Node;
use crate::plan::Plan;
use crate::sig::Names;
use crate::targets;
use crate::tokens::{Words, is_punct};

/// The tokens before a list: in the attribute's arguments, in a declaration, and in other macros.
const ATTRIBUTE: &[&str] = &["targets", "="];
const DECLARATION: &[&str] = &["="];
const MACRO: &[&str] = &[";"];

/// The call that requests the first list that `#[dispatch(args)] item` names, if it names one.
///
/// `words` are the item's.
pub(crate) fn of_attribute(args: &TokenStream, item: &TokenStream, words: &Words) -> Option<TokenStream> {
    let call = |path: &Path| {
        let krate = Args::parse(args.clone(), Span::call_site(), None, &mut Errors::new()).krate;
        ask(path, &quote!(#krate::__private::__dispatch), &quote!({#args} {#item}))
    };
    let mut errors = Errors::new();
    let mut found = first(args.clone(), ATTRIBUTE);
    if found.is_none() && !words.have("targets") {
        return None;
    }
    let mut node = match Node::parse(item.clone()) {
        Ok(node) => node,
        Err(error) => {
            // Half-typed code is still an item for editors.
            errors.push_syn(&error);
            return found.map(|_| quote!(#item #errors));
        }
    };
    inner(&mut node, false, &mut |attr, in_module| {
        let Meta::List(list) = &attr.meta else { return true };
        let Some(path) = first(list.tokens.clone(), ATTRIBUTE) else { return true };
        let start = &path.segments[0].ident;
        let here = path.leading_colon.is_none() && (path.segments.len() == 1 || start == "self" || start == "super");
        if in_module && here {
            errors.push_help(
                path.span(),
                "the attribute on the module resolves this list outside of the module",
                "write a path that means the same everywhere, such as `crate::…`",
            );
        }
        found.get_or_insert(path);
        true
    });
    if !errors.is_empty() {
        inner(&mut node, false, &mut |_, _| false);
        return Some(quote!(#node #errors));
    }
    found.map(|path| call(&path))
}

/// The answer to [`of_attribute`].
pub(crate) fn dispatch(input: TokenStream, recorded: bool) -> TokenStream {
    let parser = |input: ParseStream<'_>| -> syn::Result<(Answer, Group, Group)> {
        Ok((answer(input)?, input.parse()?, input.parse()?))
    };
    let (answer, args, item) = match parser.parse2(input) {
        Ok(parsed) => parsed,
        Err(error) => return error.into_compile_error(),
    };
    let item = item.stream();
    let Ok(mut node) = Node::parse(item.clone()) else {
        return expand::dispatch(answer.fill(args.stream(), ATTRIBUTE), item, recorded);
    };
    inner(&mut node, false, &mut |attr, _| {
        if let Meta::List(list) = &mut attr.meta {
            list.tokens = answer.fill(core::mem::take(&mut list.tokens), ATTRIBUTE);
        }
        !answer.list.is_empty()
    });
    if answer.list.is_empty() {
        return node.into_token_stream();
    }
    expand::dispatch(answer.fill(args.stream(), ATTRIBUTE), node.into_token_stream(), recorded)
}

/// The list that is named after the path of `simd-core`.
pub(crate) fn in_macro(input: TokenStream) -> Option<Path> {
    first(input, MACRO)
}

/// `input` of a macro, the path of `simd-core` and a list, with the list filled in. If there is no list to fill in yet,
/// the macro's expansion.
pub(crate) fn of_macro(input: TokenStream, callback: &str) -> Result<TokenStream, TokenStream> {
    let (wrong, input) = filled(input, MACRO);
    if wrong {
        return Err(quote!(::core::unreachable!()));
    }
    match first(input.clone(), MACRO) {
        Some(path) => Err(ask(&path, &callback_in(&input, callback), &input)),
        None => Ok(input),
    }
}

/// `input`, with the answer at its start filled in, if there is one; and whether the answer's list has mistakes.
fn filled(input: TokenStream, before: &[&str]) -> (bool, TokenStream) {
    let parser = |input: ParseStream<'_>| Ok((answer(input)?, input.parse::<TokenStream>()?));
    match parser.parse2(input.clone()) {
        Ok((answer, rest)) => (answer.list.is_empty(), answer.fill(rest, before)),
        Err(_) => (false, input),
    }
}

/// The path of our macro `name`, for an `input` that begins with the path of `simd-core`.
fn callback_in(input: &TokenStream, name: &str) -> TokenStream {
    let name = Ident::new(name, Span::mixed_site());
    let mut krate = TokenStream::new();
    for token in input.clone() {
        if is_punct(Some(&token), ';') {
            break;
        }
        krate.extend([token]);
    }
    quote!(#krate::__private::#name)
}

/// The expansion of `target_list!(vis name = list)`, whose input arrives as `path::to::simd_core; …`, possibly with an
/// answer before it. The list is at `line` and `column` of `file`.
pub(crate) fn declare(input: TokenStream, file: &str, line: usize, column: usize) -> TokenStream {
    let (wrong, input) = filled(input, DECLARATION);
    if let (Some(path), false) = (first(input.clone(), DECLARATION), wrong) {
        return ask(&path, &callback_in(&input, "__target_list"), &input);
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
    // Mistakes are reported once.
    if wrong || !errors.is_empty() {
        lists.clear();
        parsed.clear();
    }
    let constant = list::constant(&vis, &name, &Plan::new(parsed, krate, &Names::default()));
    let span = Span::mixed_site();
    // An exported macro belongs to the crate's root, whatever module the list is in.
    let mut file: Vec<&str> = file.rsplit(['/', '\\']).take(2).collect();
    file.reverse();
    let file = file.join("_").replace(|letter: char| !letter.is_ascii_alphanumeric(), "_");
    let (hidden, hint) = (
        format_ident!("__{}_{file}_{line}_{column}", name.unraw()),
        format!("`{name}` is a list of targets: write `#[dispatch(targets = {name})]`"),
    );
    let export = matches!(vis, Visibility::Public(_)).then(|| quote_spanned!(span=> #[macro_export]));
    let cfgs: Vec<&Attribute> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    quote_spanned! {span=>
        #errors
        #warning
        #(#attrs)* #[allow(non_upper_case_globals, dead_code)] #constant
        #(#cfgs)* #[doc(hidden)] #[allow(unused_macros)] #export
        macro_rules! #hidden {
            ({ $($callback:tt)* } $($rest:tt)*) => { $($callback)* ! { [#(#lists),*] $($rest)* } };
            ($($rest:tt)*) => { compile_error! { #hint } };
        }
        #(#cfgs)* #[doc(hidden)] #[allow(unused_imports, clippy::pub_use)]
        #vis use #hidden as #name;
    }
}

/// The call that requests the list at `path`.
fn ask(path: &Path, callback: &TokenStream, rest: &TokenStream) -> TokenStream {
    quote!(#path ! { {#callback} {#path} #rest })
}

/// The answer of a list's macro, and the name under which the list was requested.
struct Answer {
    /// Empty if the list has a mistake.
    list: Vec<Literal>,
    path: String,
}

fn answer(input: ParseStream<'_>) -> syn::Result<Answer> {
    let (list, path): (Group, Group) = (input.parse()?, input.parse()?);
    // The targets were checked at their declaration; a mistake from here on is in their use.
    let span = path.stream().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let literals = list.stream().into_iter().filter_map(|token| match token {
        TokenTree::Literal(mut literal) => {
            literal.set_span(span);
            Some(literal)
        }
        _ => None,
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
fn first(tokens: TokenStream, before: &[&str]) -> Option<Path> {
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
                let elements = replace_elements(group.stream(), list);
                let mut group = Group::new(Delimiter::Bracket, elements);
                group.set_span(value[0].span());
                TokenStream::from(TokenTree::from(group))
            }
            _ => match named(&value).and_then(&mut *list) {
                Some(list) => quote!([#list]),
                None => value.into_iter().collect(),
            },
        });
    }
    out.into_iter().collect()
}

fn replace_elements(elements: TokenStream, list: &mut dyn FnMut(Path) -> Option<TokenStream>) -> TokenStream {
    let elements: Vec<TokenTree> = elements.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let mut out = TokenStream::new();
    for element in elements.split_inclusive(is_comma) {
        let (comma, value) = element
            .split_last()
            .filter(|(last, _)| is_comma(last))
            .map_or((None, element), |(last, value)| (Some(last), value));
        match named(value).and_then(&mut *list) {
            Some(list) => out.extend(list),
            None => out.extend(value.iter().cloned()),
        }
        out.extend(comma.cloned());
    }
    out
}

/// The path that `value` is; a feature without quotes is not one.
fn named(value: &[TokenTree]) -> Option<Path> {
    let path = Path::parse_mod_style.parse2(value.iter().cloned().collect()).ok()?;
    let name: Ident = syn::parse2(path.segments.last()?.to_token_stream()).ok()?;
    (path.segments.len() > 1 || !is_feature(&name)).then_some(path)
}

fn is_feature(name: &Ident) -> bool {
    let name = name.to_string();
    Arch::from_name(&name).is_some() || Family::ALL.iter().any(|family| family.meaning(&name, RUSTC).is_some())
}

/// Calls `keep` with each `#[dispatch(…)]` on the items inside `node`, and whether it is in a module there; removes
/// those for which it returns `false`.
fn inner(node: &mut Node, in_module: bool, keep: &mut dyn FnMut(&mut Attribute, bool) -> bool) {
    let in_module = in_module || matches!(node, Node::Item(item) if item.is_mod());
    for node in node.items_mut() {
        node.attrs_mut().retain_mut(|attr| !args::is_dispatch(attr) || keep(attr, in_module));
        inner(node, in_module, keep);
    }
}
