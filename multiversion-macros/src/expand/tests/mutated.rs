//! Code as it is while somebody types: the macros neither panic nor hang, and what parses still does afterwards.

use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use syn::parse::Parser;

use super::{ITEMS, LISTS, collected, tokens};
use crate::error::Errors;
use crate::item::Node;
use crate::{each_target, expand, lists, match_target};

/// One thing that happens to the tokens: what, where, and with which of [`POOL`].
type Change = (u8, prop::sample::Index, prop::sample::Index);

/// Tokens that are typed by mistake, or half.
const POOL: &[&str] = &[
    "fn",
    "impl",
    "for",
    "trait",
    "mod",
    "unsafe",
    "async",
    "const",
    "where",
    "self",
    "Self",
    "dyn",
    "pub",
    "crate",
    "move",
    "await",
    "target_feature",
    "cfg",
    "cfg_attr",
    "macro_rules",
    "dispatch",
    "targets",
    "skip",
    "x",
    "r#type",
    "'a",
    "\"avx2\"",
    "\"|,:\"",
    "1",
    "'c'",
    "->",
    "=>",
    "::",
    "..",
    "|",
    "||",
    "&",
    "<",
    ">",
    "=",
    ",",
    ";",
    "#",
    "!",
    "?",
    "@",
    "$",
    ".",
    "_",
    "#[cfg(target_feature = \"avx2\")]",
    "#![x]",
    "#[dispatch(targets = \"aes\")]",
    "#[dispatch]",
    "#[cfg_attr(all(), cfg(target_feature))]",
    "async move { }",
    "|x| ",
    ".await",
    "fn f<",
    "impl Trait",
    "cfg!(target_feature)",
    "cfg_select! { _ => {} }",
    "extern \"C\" {}",
];

/// The number of tokens, groups and what is in them.
fn count(tokens: &TokenStream) -> usize {
    let inside = |token: TokenTree| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(inside).sum()
}

/// `tokens` after `change` at the token number `at`, counting as [`count`] does.
fn changed(tokens: TokenStream, at: &mut usize, what: u8, from: &TokenStream) -> TokenStream {
    let mut result: Vec<TokenTree> = Vec::new();
    let mut duplicate = false;
    for token in tokens {
        let here = *at == 0;
        *at = at.wrapping_sub(1);
        if !here {
            match token {
                TokenTree::Group(group) if *at < usize::MAX / 2 => {
                    let mut new = Group::new(group.delimiter(), changed(group.stream(), at, what, from));
                    new.set_span(group.span());
                    result.push(new.into());
                }
                token => result.push(token),
            }
            if duplicate {
                // Neighbours change places.
                let last = result.len() - 1;
                result.swap(last - 1, last);
                duplicate = false;
            }
            continue;
        }
        match what % 7 {
            0 => {}
            1 => result.extend(from.clone()),
            2 => {
                result.push(token);
                result.extend(from.clone());
            }
            3 => {
                result.push(token.clone());
                result.push(token);
            }
            4 => {
                result.push(token);
                duplicate = true;
            }
            5 => match token {
                TokenTree::Group(group) => result.extend(group.stream()),
                // A macro puts what it was given into such a group: an expression, a type, a path.
                TokenTree::Punct(punct) => result.extend([punct.clone(), punct].map(TokenTree::from)),
                token => result.push(Group::new(Delimiter::None, token.into()).into()),
            },
            _ => match token {
                TokenTree::Group(group) => {
                    let delimiter = match group.delimiter() {
                        Delimiter::Brace => Delimiter::Parenthesis,
                        Delimiter::Parenthesis => Delimiter::Bracket,
                        Delimiter::Bracket => Delimiter::None,
                        Delimiter::None => Delimiter::Brace,
                    };
                    result.push(Group::new(delimiter, group.stream()).into());
                }
                token => result.push(Group::new(Delimiter::Brace, token.into()).into()),
            },
        }
    }
    result.into_iter().collect()
}

fn apply(mut tokens: TokenStream, changes: &[Change]) -> TokenStream {
    for (what, place, from) in changes {
        let mut at = place.index(count(&tokens).max(1));
        tokens = changed(tokens, &mut at, *what, &self::tokens(from.get::<&str>(POOL)));
    }
    tokens
}

/// Whether `tokens` say that there was a mistake.
fn complains(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "compile_error",
        TokenTree::Group(group) => complains(&group.stream()),
        _ => false,
    })
}

/// The expansion after the answers of the lists that are named.
fn expanded(args: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut written = lists::dispatch(args.clone(), item.clone(), false);
    while let Some(TokenTree::Group(request)) = written.clone().into_iter().last()
        && let mut request = request.stream().into_iter()
        && request.next().is_some_and(|callback| callback.to_string().ends_with(":: __dispatch }"))
    {
        let request: TokenStream = request.collect();
        written = lists::answer_dispatch(quote::quote!(["avx2"] #request), false);
    }
    written
}

/// Properties that hold whatever the macro is given.
fn check(args: &TokenStream, item: &TokenStream) {
    let (written, again) = (expanded(args, item), expanded(args, item));
    assert_eq!(written.to_string(), again.to_string(), "the expansion depends on something else");
    // Five targets at most, each with a frame of several hundred tokens around a function of ten.
    let (before, after) = (count(item) + count(args), count(&written));
    assert!(after <= 200 * before + 20_000, "{before} tokens became {after}");
    let is_item = |tokens: &TokenStream| syn::parse2::<syn::File>(tokens.clone()).is_ok();
    // A `match_target!` without code is an error of rustc's.
    if is_item(item) && is_item(&match_target::lower(item.clone(), &mut Errors::new())) {
        assert!(is_item(&written), "no item any more: {item}");
    } else if Node::parse(item.clone()).is_err() {
        assert!(complains(&written), "accepted: {item}");
    }
    let _ = each_target::expand(args.clone(), item);
    let _ = match_target::expand(args.clone());
    let _ = match_target::expand(item.clone());
    for path in ["path;", "", "path"] {
        let mut input = tokens(path);
        input.extend(args.clone());
        let _ = expand::detected(input.clone());
        let _ = lists::targets(input.clone());
        let _ = lists::declare(input.clone(), "file", 1, 1);
        let _ = lists::answer_dispatch(input, false);
    }
}

fn change() -> impl Strategy<Value = Change> {
    (any::<u8>(), any::<prop::sample::Index>(), any::<prop::sample::Index>())
}

fn config(cases: u32) -> Config {
    let mut config = Config { cases, failure_persistence: None, ..Config::default() };
    if config.rng_seed == RngSeed::Random {
        // Equal cases for equal code, wherever it is compiled; other seeds are tried with `PROPTEST_RNG_SEED`.
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

proptest! {
    #![proptest_config(config(300))]
    #[test]
    fn half_typed_items(
        item in prop::sample::select(ITEMS),
        list in prop::sample::select(LISTS),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        check(&tokens(list), &apply(tokens(item), &changes));
    }

    #[test]
    fn half_typed_arguments(
        item in prop::sample::select(ITEMS),
        list in prop::sample::select(LISTS),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        check(&apply(tokens(list), &changes), &tokens(item));
    }

    #[test]
    fn half_typed_lists(text in r"([a-z0-9_.:|, +-]{0,3}(avx2|aes|x86-64-v3|x86_64|sve2|sse4\.1)?[|,: ]{0,2}){0,5}") {
        let literal = Literal::string(&text);
        check(&quote::quote!(targets = #literal), &tokens("fn f() {}"));
    }

    #[test]
    fn garbage(words in prop::collection::vec(prop::sample::select(POOL), 0..30), nested in 0..4_usize) {
        let mut garbage = tokens(&words.join(" "));
        for _ in 0..nested {
            let group = Group::new(Delimiter::Brace, garbage);
            garbage = quote::quote!(fn f #group);
        }
        check(&garbage, &garbage);
        check(&tokens("targets = \"avx2\""), &garbage);
    }
}

proptest! {
    #![proptest_config(config(60))]
    #[test]
    fn half_typed_code_of_this_repository(at: prop::sample::Index, changes in prop::collection::vec(change(), 0..4)) {
        thread_local! {
            static COLLECTED: Vec<(String, String)> =
                collected().into_iter().map(|(args, item)| (args.to_string(), item.to_string())).collect();
        }
        COLLECTED.with(|collected| {
            if !collected.is_empty() {
                let (args, item) = at.get(collected);
                check(&tokens(args), &apply(tokens(item), &changes));
            }
        });
    }
}

/// Where statements are, such expressions would end after the block that they begin with.
#[test]
fn closures_that_begin_with_a_block() {
    for body in ["{ place } = value", "if a { 1 } else { 2 } + 3", "unsafe { array } [0]", "match x {} as u8"] {
        let item = tokens(&format!("fn f() {{ g(|| {body}); let h = || {body}; }}"));
        check(&tokens("targets = \"avx2 | sve2\""), &item);
    }
}

/// Every single change to the smallest of items and arguments, with every fourth of [`POOL`] at a place.
#[test]
fn one_change_each() {
    let items = [
        "fn f() {}",
        "impl S { fn f(self) {} }",
        "trait T { fn f(); }",
        "mod m { fn f() {} }",
        "async fn f<T>(x: &T) {}",
    ];
    let list = tokens("targets = \"sve2\"");
    let pool: Vec<TokenStream> = POOL.iter().map(|text| tokens(text)).collect();
    let each_change = |before: &TokenStream, check: &dyn Fn(&TokenStream)| {
        for at in 0..count(before) {
            for what in 0..7 {
                let (first, many) = if matches!(what, 1 | 2) { (at % 4, pool.len()) } else { (0, 1) };
                for from in pool.iter().skip(first).step_by(4).take(many) {
                    check(&changed(before.clone(), &mut at.clone(), what, from));
                }
            }
        }
    };
    for item in items.map(tokens) {
        each_change(&item, &|item| check(&list, item));
    }
    each_change(&list, &|list| check(list, &tokens(items[0])));
}

/// Deep nesting is walked by recursion; what rustc itself takes, the macro has to take.
#[test]
fn deep_nesting() {
    let mut body = quote::quote!(x);
    for depth in 0..100 {
        body = match depth % 4 {
            0 => quote::quote!((#body)),
            1 => quote::quote!({ |x| #body }),
            2 => quote::quote!([#body]),
            _ => quote::quote!(async { #body.await }),
        };
    }
    let written = lists::dispatch(tokens(LISTS[0]), quote::quote!(async fn f(x: u8) { #body }), false);
    assert!(!complains(&written));
}

/// Tokens that no source text gives, as other macros may.
#[test]
fn tokens_of_other_macros() {
    let lone: Vec<TokenTree> = vec![
        Punct::new('\'', Spacing::Joint).into(),
        Punct::new('-', Spacing::Joint).into(),
        Literal::f64_suffixed(1.5).into(),
        Literal::byte_string(b"avx2").into(),
        Group::new(Delimiter::None, TokenStream::new()).into(),
    ];
    for token in lone {
        let mut item = tokens("fn f() { x }");
        item.extend([token.clone()]);
        check(&token.clone().into(), &item);
        check(&tokens(LISTS[0]), &quote::quote!(fn f() { #token |x| #token .await }));
        let group = Group::new(Delimiter::None, tokens("\"avx2\""));
        check(&quote::quote!(targets = #group), &quote::quote!(fn f() { #token }));
    }
}

/// The changes do change something, and in all the ways there are.
#[test]
fn changes_change() {
    let before = tokens(ITEMS[1]);
    let total = count(&before);
    for what in 0..7 {
        let different = (0..total)
            .filter(|at| {
                changed(before.clone(), &mut at.clone(), what, &tokens("x y")).to_string() != before.to_string()
            })
            .count();
        assert!(different > total / 4, "{what}: {different} of {total}");
    }
    assert!((|input: syn::parse::ParseStream<'_>| input.parse::<syn::Item>()).parse2(before).is_ok());
}
