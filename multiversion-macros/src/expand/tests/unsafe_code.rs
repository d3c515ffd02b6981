//! Each `unsafe` of an expansion is one of those that `docs/soundness.md` lists.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::{ITEMS, LISTS, collected, tokens};
use crate::lists;

/// The calls of the block after each `unsafe`, or what else follows the word.
fn forms(tokens: TokenStream, into: &mut BTreeSet<String>) {
    let mut is_unsafe = false;
    for token in tokens {
        match &token {
            TokenTree::Group(block) if is_unsafe => {
                into.extend(block.stream().to_string().split(';').map(called).filter(|name| !name.is_empty()));
            }
            other if is_unsafe => {
                into.insert(other.to_string());
            }
            _ => {}
        }
        is_unsafe = matches!(&token, TokenTree::Ident(word) if word == "unsafe");
        if let TokenTree::Group(group) = token {
            forms(group.stream(), into);
        }
    }
}

/// The function that a statement calls, behind its `cfg`.
fn called(statement: &str) -> String {
    let call = statement.rsplit_once(']').map_or(statement, |(_, call)| call);
    let path = call.split(['(', '<']).next().unwrap_or_default();
    let name = path.split([' ', ':']).rfind(|word| !word.is_empty()).unwrap_or_default();
    if name.starts_with("__") { "a clone".to_owned() } else { name.to_owned() }
}

#[test]
fn each_is_in_the_list() {
    let of_items = ITEMS.iter().flat_map(|item| LISTS.iter().map(|list| (tokens(list), tokens(item))));
    let mut found = BTreeSet::new();
    for (args, item) in of_items.chain(collected()) {
        let mut users = BTreeSet::new();
        forms(item.clone(), &mut users);
        if users.is_empty() {
            forms(lists::dispatch(args, item, false), &mut found);
        }
    }
    let listed =
        ["a clone", "assert_absent", "assert_lacks", "assert_none", "assert_present", "assert_selected", "new"];
    assert_eq!(found, listed.map(str::to_owned).into());
}
