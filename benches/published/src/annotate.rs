//! The attribute on every function, impl and trait of a crate, by program.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use simd_core_expand::Unclonable;
use syn::{Attribute, File, ImplItem, Item, Signature, TraitItem, Visibility};

/// Writes the attribute before all that can have it in the files below `directory`.
pub(crate) fn directory(directory: &Path, targets: &str) -> Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let is = |names: &[&str]| path.file_stem().is_some_and(|stem| names.iter().any(|name| stem == *name));
        if is(&["tests", "bin", "main", "benches"]) {
        } else if path.is_dir() {
            self::directory(&path, targets)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            fs::write(&path, annotated(text, targets).with_context(|| path.display().to_string())?)?;
        }
    }
    Ok(())
}

/// The text of a file with the attribute.
fn annotated(mut text: String, targets: &str) -> Result<String> {
    let file = syn::parse_file(&text)?;
    let mut places = Vec::new();
    if !is_left_out(&file.attrs) {
        collect(file.items, &mut places);
    }
    places.sort_unstable();
    for at in places.into_iter().rev() {
        text.insert_str(at, &format!("#[simd_core::dispatch(targets = {targets:?})] "));
    }
    Ok(text)
}

/// The places of the attribute, behind an item's own attributes.
fn collect(items: Vec<Item>, places: &mut Vec<usize>) {
    let start =
        |item: &dyn ToTokens| item.to_token_stream().into_iter().next().map(|token| token.span().byte_range().start);
    for item in items {
        match item {
            // A private one that is always inlined has no clones.
            Item::Fn(function)
                if matches!(function.vis, Visibility::Inherited)
                    && function
                        .attrs
                        .iter()
                        .any(|attr| attr.meta.to_token_stream().to_string() == "inline (always)") => {}
            Item::Fn(mut function)
                if !is_left_out(&function.attrs) && Unclonable::of(&function.attrs, &function.sig).is_none() =>
            {
                function.attrs.clear();
                places.extend(start(&function));
            }
            Item::Impl(mut item) if !is_left_out(&item.attrs) && have_clones(item.items.iter().filter_map(of_impl)) => {
                item.attrs.clear();
                places.extend(start(&item));
            }
            Item::Trait(mut item)
                if !is_left_out(&item.attrs) && have_clones(item.items.iter().filter_map(of_trait)) =>
            {
                item.attrs.clear();
                places.extend(start(&item));
            }
            Item::Mod(module) if !is_left_out(&module.attrs) => {
                collect(module.content.map_or_else(Vec::new, |(_, items)| items), places);
            }
            Item::Macro(item) if item.mac.path.is_ident("macro_rules") => {
                let tokens: Vec<TokenTree> = item.mac.tokens.into_iter().collect();
                for group in tokens.windows(2).filter_map(body) {
                    // Anything that does not read as items is an expression, or statements.
                    let file = syn::parse2(without_fragments(group.stream()));
                    collect(file.map_or_else(|_| Vec::new(), |file: File| file.items), places);
                }
            }
            _ => {}
        }
    }
}

fn of_impl(item: &ImplItem) -> Option<(&Signature, &Vec<Attribute>)> {
    if let ImplItem::Fn(function) = item { Some((&function.sig, &function.attrs)) } else { None }
}

fn of_trait(item: &TraitItem) -> Option<(&Signature, &Vec<Attribute>)> {
    match item {
        TraitItem::Fn(function) if function.default.is_some() => Some((&function.sig, &function.attrs)),
        _ => None,
    }
}

/// Whether the attribute accepts an item with these functions, and there is one for it.
fn have_clones<'a>(mut functions: impl Iterator<Item = (&'a Signature, &'a Vec<Attribute>)> + Clone) -> bool {
    let why = |(sig, attrs): (&Signature, &'a Vec<Attribute>)| Unclonable::of(attrs, sig);
    functions.clone().all(|function| why(function).is_none_or(Unclonable::stays))
        && functions.any(|(sig, attrs)| why((sig, attrs)).is_none() && !is_left_out(attrs))
}

/// The expansion of a rule of a `macro_rules!`, if `tokens` are the end of its arrow and a group.
fn body(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [TokenTree::Punct(arrow), TokenTree::Group(group)] if arrow.as_char() == '>' => Some(group),
        _ => None,
    }
}

/// The body of a `macro_rules!`, with a name for each fragment, and each repetition once.
fn without_fragments(tokens: TokenStream) -> TokenStream {
    let mut plain = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => {
                let repeated = tokens.next_if(|token| matches!(token, TokenTree::Group(_)));
                let Some(TokenTree::Group(group)) = repeated else { continue };
                plain.extend(without_fragments(group.stream()));
                let is_end = |token: &TokenTree| matches!(token.to_string().as_str(), "*" | "+" | "?");
                while tokens.next().is_some_and(|token| !is_end(&token)) {}
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_fragments(group.stream()));
                inner.set_span(group.span());
                plain.extend([TokenTree::Group(inner)]);
            }
            token => plain.extend([token]),
        }
    }
    plain
}

fn is_left_out(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        let text = attr.path().to_token_stream().to_string();
        let is_test = || attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"));
        ["test", "bench", "target_feature", "no_mangle"].contains(&text.as_str()) || (text == "cfg" && is_test())
    })
}

#[cfg(test)]
mod tests {
    /// `@` stands for the attribute.
    const EXPECTED: &str = "/// é\n#[inline]\n@pub fn f() {}\n#[inline(always)] fn a() {}\n#[inline(always)] @pub fn b() {}\nconst fn c() {}\n\
        fn i() -> impl Copy {}\n#[test] fn t() {}\n#[cfg(test)] mod t { fn f() {} }\nmod m { @impl<T> A<T> { const fn n() {} fn f() {} } }\n\
        impl B { fn i(&self) -> impl Copy {} fn f() {} }\nimpl C { const fn n() {} }\n@unsafe impl D for E { fn f() {} }\n\
        trait G { fn f(); }\n@pub trait H { fn f(); fn g() {} }\ntrait I { fn f() -> impl Copy {} }\n\
        macro_rules! m { ($($t:ty),* $(,)?) => { $(#[inline] @impl F for $t { fn f() { $(g::<$t>();)* } })* }; ($a:expr) => { $a + 1 } }\n";

    #[test]
    fn what_can_have_the_attribute_has_it() {
        let annotated = super::annotated(EXPECTED.replace('@', ""), "avx2").unwrap();
        assert_eq!(annotated.replace("#[simd_core::dispatch(targets = \"avx2\")] ", "@"), EXPECTED);
    }
}
