//! The paths of our code begin with `::`.
//!
//! Our statements stand in the user's bodies. There, a macro, an import with `*` or a raw identifier can give any name
//! another meaning, unseen by us, and our statements are `unsafe`.

use std::collections::BTreeSet;

use proc_macro2::{Spacing, TokenStream, TokenTree};

use super::{ITEMS, LISTS, collected, tokens};
use crate::lists;
use crate::tokens::is_punct;

fn words(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words(group.stream(), into),
            TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            _ => {}
        }
    }
}

/// The words with which paths and calls of macros begin, except the names of clones, whose dispatcher is around them.
fn beginnings(tokens: TokenStream, into: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let colons = |at: usize| match tokens.get(at..at + 2) {
            Some([TokenTree::Punct(one), TokenTree::Punct(other)]) => {
                one.as_char() == ':' && one.spacing() == Spacing::Joint && other.as_char() == ':'
            }
            _ => false,
        };
        match token {
            TokenTree::Group(group) => beginnings(group.stream(), into),
            TokenTree::Ident(ident) => {
                let continues = at >= 2 && colons(at - 2);
                // Keywords, names of lints, and the macro of our errors, which costs nobody more than a message.
                let other = ["as", "clippy", "compile_error", "if", "match", "return", "self", "use"];
                let other = other.contains(&&*ident.to_string());
                if !continues && !other && (colons(at + 1) || is_punct(tokens.get(at + 1), '!')) {
                    into.insert(ident.to_string());
                }
            }
            _ => {}
        }
    }
}

/// The names of functions and traits.
fn declared(tokens: TokenStream, into: &mut BTreeSet<String>) {
    let mut declares = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => declared(group.stream(), into),
            TokenTree::Ident(ident) if declares => {
                into.insert(ident.to_string());
            }
            _ => {}
        }
        declares = matches!(&token, TokenTree::Ident(word) if word == "fn" || word == "trait");
    }
}

#[test]
fn ours_are_absolute() {
    let of_items = ITEMS.iter().flat_map(|item| LISTS.iter().map(|list| (tokens(list), tokens(item))));
    let mut seen = 0;
    for (args, item) in of_items.chain(collected()) {
        let mut users = BTreeSet::from(["Self".to_owned()]);
        words(args.clone(), &mut users);
        words(item.clone(), &mut users);
        let expansion = lists::dispatch(args, item.clone(), false);
        // Not every `::core` is the standard library's: a crate can contain `extern crate self as core`.
        let text = expansion.to_string();
        let decisions = ["cfg", "mem"].map(|name| format!(":: core :: {name}"));
        let trusted = decisions.each_ref().map(|path| text.matches(&format!("__private {path}")).count());
        assert_eq!(decisions.map(|path| text.matches(&path).count()), trusted, "{item}");
        let (mut begun, mut functions) = (BTreeSet::new(), BTreeSet::new());
        beginnings(expansion.clone(), &mut begun);
        declared(expansion, &mut functions);
        let ours: Vec<_> = begun.difference(&users).filter(|word| !functions.contains(*word)).collect();
        assert!(ours.is_empty(), "{ours:?} in the expansion of {item}");
        seen += 1;
    }
    assert!(seen > LISTS.len());
}
