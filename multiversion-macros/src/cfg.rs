//! `cfg` predicates, and `cfg(target_feature = …)` in all its forms.
//!
//! The rewriting works on tokens, so it reaches into macro arguments and needs no parser. A local impl, trait or module
//! is in each clone's body, but its functions and constants are ordinary ones with the build's features, and code outside
//! of the clone may use them, so nothing is evaluated in it. The same holds for an item with a `#[dispatch]` of its own.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use quote::{quote, quote_spanned};

use crate::features::{Arch, Family, is_property};
use crate::targets::Target;
use crate::tokens::{
    before, find, is_attribute, is_body, is_braces, is_feature_test, is_punct, is_word, macro_before, regroup,
    tests_feature,
};

/// The features of one clone.
#[derive(Default)]
pub(crate) struct Features {
    /// All names for which `cfg(target_feature = …)` is true beyond the build's features; empty for the baseline.
    /// Properties are among them, for `match_target!`; the rewriting evaluates all of those, so rustc sees none.
    pub(crate) names: Vec<&'static str>,
}

/// `cfg` predicate: the architecture is one of the target's.
pub(crate) fn arch(target: &Target) -> TokenStream {
    any(target.arches.iter().map(|arch| arch.cfg_name()).map(|name| quote!(target_arch = #name)).collect())
}

/// `cfg` predicate: one of `predicates` holds.
pub(crate) fn any(predicates: Vec<TokenStream>) -> TokenStream {
    joined("any", predicates)
}

/// `cfg` predicate: all of `predicates` hold.
pub(crate) fn all(predicates: Vec<TokenStream>) -> TokenStream {
    joined("all", predicates)
}

/// `cfg` predicate: `word` of `predicates`, unless there is only one.
fn joined(word: &str, mut predicates: Vec<TokenStream>) -> TokenStream {
    if predicates.len() == 1 {
        return predicates.remove(0);
    }
    let word = Ident::new(word, Span::call_site());
    quote!(#word(#(#predicates),*))
}

/// Whether clones may compile different parts of `tokens`: whether `target_feature` occurs outside of `cfg!(…)`.
pub(crate) fn leaves_code_out(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => ident == "target_feature",
        TokenTree::Group(group) => {
            let in_cfg = at >= 2 && is_word(tokens.get(at - 2), "cfg") && is_punct(tokens.get(at - 1), '!');
            !in_cfg && leaves_code_out(&group.stream())
        }
        _ => false,
    })
}

/// The first test of a feature in `tokens` whose value the rewriting would not set: one that is no argument of `cfg!` or of a
/// `#[cfg]`, but of another macro, which may pass it on, or one without a literal. `in_macro`: `tokens` are such arguments.
pub(crate) fn unread_test(tokens: TokenStream, in_macro: bool) -> Option<Span> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut next_body_is_shared = false;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let TokenTree::Group(group) = token else {
            next_body_is_shared =
                (next_body_is_shared && !is_punct(Some(token), ';')) || starts_local_item(&tokens, at);
            return (in_macro && is_feature_test(&tokens[at..])).then(|| token.span());
        };
        let content = group.stream();
        if is_attribute(&tokens, at) {
            let name = content.clone().into_iter().next();
            let is_cfg = is_word(name.as_ref(), "cfg") || is_word(name.as_ref(), "cfg_attr");
            return if is_cfg { unread_predicate(content) } else { unread_test(content, true) };
        }
        // The members of these have the build's values.
        if next_body_is_shared && is_body(&tokens, at) {
            next_body_is_shared = false;
            return None;
        }
        match macro_before(&tokens[..at]).map(ToString::to_string).as_deref() {
            Some("cfg") => unread_predicate(content),
            Some("cfg_select") => unread_predicate(content.clone()).or_else(|| unread_test(content, false)),
            Some(_) => unread_test(content, true),
            None => unread_test(content, in_macro || is_word(before(&tokens, at, 3), "macro_rules")),
        }
    })
}

/// The first `target_feature =` in `predicate` without a literal.
fn unread_predicate(predicate: TokenStream) -> Option<Span> {
    find(predicate, &mut |tokens, at| {
        let read = feature(tokens.get(at..at + 3).unwrap_or_default()).is_some();
        (is_feature_test(&tokens[at..]) && !read).then(|| tokens[at].span())
    })
}

impl Features {
    /// For each `x` that the clone has, `target_feature = "x"` becomes `any(all(), target_feature = "x")`, which is
    /// true. The others keep the build's value.
    ///
    /// The name stays because a dispatched item inside a clone's body, under whatever name, has clones of its own:
    /// their rewriting finds the marker and evaluates the name again.
    pub(crate) fn rewrite_predicate(&self, predicate: TokenStream) -> TokenStream {
        replace(predicate, &mut |name, test| match (self.names.contains(&name), is_property(name)) {
            // rustc warns about properties, whose names it does not have.
            (true, true) => quote!(all()),
            (false, true) => quote!(any()),
            (true, false) => mark(&test),
            (false, false) => test.into_iter().collect(),
        })
    }

    /// Attributes for a function with `code` of the clone: the features that its `cfg`s test and the build enables for all
    /// code. rustc lets a function call safe intrinsics only if it has their features itself.
    pub(crate) fn of_build(&self, code: &TokenStream) -> TokenStream {
        let mut attributes = TokenStream::new();
        for name in tested_features(code) {
            for family in Family::ALL {
                if !self.names.contains(&name.as_str()) && family.enables_alone(&name) {
                    let arches = family.arches().into_iter().map(Arch::cfg_name);
                    attributes.extend(quote! {
                        #[cfg_attr(all(any(#(target_arch = #arches),*), target_feature = #name), target_feature(enable = #name))]
                    });
                }
            }
        }
        attributes
    }

    /// Evaluates `cfg(target_feature)` in all of `tokens`, and changes nothing else.
    pub(crate) fn rewrite_all(&self, tokens: TokenStream) -> TokenStream {
        let some = tests_feature(&tokens) && (!self.names.is_empty() || tests_property(&tokens));
        if some { self.cfgs(tokens) } else { tokens }
    }

    /// Evaluates each `#[cfg(…)]`, `#[cfg_attr(…)]`, `cfg!(…)` and `cfg_select! { … }` in `tokens`.
    fn cfgs(&self, tokens: TokenStream) -> TokenStream {
        let input: Vec<TokenTree> = tokens.into_iter().collect();
        // The next braces that are an item's body are those of an impl, a trait, a module or a dispatched item.
        let mut next_body_is_shared = false;
        let mut out = TokenStream::new();
        for (at, token) in input.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                if is_punct(Some(token), ';') {
                    next_body_is_shared = false;
                } else if starts_local_item(&input, at) {
                    next_body_is_shared = true;
                }
                out.extend([token.clone()]);
                continue;
            };
            let call = |name: &str| is_punct(before(&input, at, 1), '!') && is_word(before(&input, at, 2), name);
            let body = is_body(&input, at);
            let content = match group.stream() {
                content if call("cfg") => self.rewrite_predicate(content),
                content if call("cfg_select") => self.arms(content),
                content if is_attribute(&input, at) => {
                    next_body_is_shared |= is_dispatch(&content);
                    self.attribute(content)
                }
                content if body && next_body_is_shared => content,
                content => self.cfgs(content),
            };
            if body {
                next_body_is_shared = false;
            }
            out.extend([regroup(group, content)]);
        }
        out
    }

    /// The content of `#[…]`. In `cfg_attr` a nested `cfg(…)` may follow the predicate; evaluating all of it has the
    /// same result.
    fn attribute(&self, content: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = content.clone().into_iter().collect();
        match &tokens[..] {
            [name, TokenTree::Group(group), ..] if is_word(Some(name), "cfg") || is_word(Some(name), "cfg_attr") => {
                let group = regroup(group, self.rewrite_predicate(group.stream()));
                quote!(#name #group)
            }
            _ => content,
        }
    }

    /// The arms of `cfg_select!`.
    fn arms(&self, arms: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = arms.into_iter().collect();
        let mut out = TokenStream::new();
        let mut at = 0;
        while at < tokens.len() {
            let arrow = (at..tokens.len())
                .find(|&i| is_punct(tokens.get(i), '=') && is_punct(tokens.get(i + 1), '>'))
                .unwrap_or(tokens.len());
            out.extend(self.rewrite_predicate(tokens[at..arrow].iter().cloned().collect()));
            let ends = |i: usize| {
                let braces = i == arrow + 2 && is_braces(tokens.get(i)) && !is_punct(tokens.get(i + 1), ',');
                braces || is_punct(tokens.get(i), ',')
            };
            let end = (arrow..tokens.len()).find(|&i| ends(i)).map_or(tokens.len(), |end| end + 1);
            out.extend(self.cfgs(tokens[arrow..end].iter().cloned().collect()));
            at = end;
        }
        out
    }
}

/// Whether the word at `at` begins an impl, a trait or a module.
pub(crate) fn starts_local_item(tokens: &[TokenTree], at: usize) -> bool {
    if is_word(tokens.get(at), "trait") || is_word(tokens.get(at), "mod") {
        return true;
    }
    // Elsewhere `impl` is a type.
    is_word(tokens.get(at), "impl")
        && match before(tokens, at, 1) {
            None => true,
            Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            Some(TokenTree::Ident(word)) => word == "unsafe" || word == "default",
            Some(TokenTree::Literal(_)) => false,
        }
}

/// Whether `attribute`, the content of `#[…]`, is our attribute under its own name.
pub(crate) fn is_dispatch(attribute: &TokenStream) -> bool {
    let path = attribute.clone().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_)));
    is_word(path.last().as_ref(), "dispatch")
}

/// `tokens` with `replacement` of each `target_feature = "name"` in its place, and in place of its marker.
fn replace(tokens: TokenStream, replacement: &mut dyn FnMut(&str, Vec<TokenTree>) -> TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut rest = &tokens[..];
    while let Some(token) = rest.first() {
        let (test, length) = match marked(rest) {
            Some(test) => (test, 2),
            None => (rest.iter().take(3).cloned().collect(), 3),
        };
        match (feature(&test), token) {
            (Some(name), _) => {
                out.extend(replacement(&name, test));
                rest = &rest[length..];
                continue;
            }
            (None, TokenTree::Group(group)) => out.extend([regroup(group, replace(group.stream(), replacement))]),
            (None, token) => out.extend([token.clone()]),
        }
        rest = &rest[1..];
    }
    out
}

/// The names of the features that `tokens` test.
pub(crate) fn tested_features(tokens: &TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    if tests_feature(tokens) {
        replace(tokens.clone(), &mut |name, _| {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
            TokenStream::new()
        });
    }
    names
}

/// The name in `target_feature = "name"`.
fn feature(tokens: &[TokenTree]) -> Option<String> {
    let [_, _, TokenTree::Literal(literal)] = tokens else { return None };
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) if is_feature_test(tokens) => Some(text.value()),
        _ => None,
    }
}

/// `any(all(), test)`.
fn mark(test: &[TokenTree]) -> TokenStream {
    quote_spanned!(test[0].span().resolved_at(Span::mixed_site())=> any(all(), #(#test)*))
}

/// The predicate from which the marker at the start of `tokens` was made.
fn marked(tokens: &[TokenTree]) -> Option<Vec<TokenTree>> {
    let [any, TokenTree::Group(group), ..] = tokens else { return None };
    if !is_word(Some(any), "any") {
        return None;
    }
    let content: Vec<TokenTree> = group.stream().into_iter().collect();
    let [all, TokenTree::Group(nothing), comma, test @ ..] = &content[..] else { return None };
    let marks = is_word(Some(all), "all") && nothing.stream().is_empty() && is_punct(Some(comma), ',');
    (marks && feature(test).is_some()).then(|| test.to_vec())
}

/// `tokens` as they were before an outer clone's rewriting.
pub(crate) fn unmark(tokens: TokenStream) -> TokenStream {
    if !tests_feature(&tokens) {
        return tokens;
    }
    replace(tokens, &mut |_, test| test.into_iter().collect())
}

/// Whether `tokens` contain a test of a property of CPUs, as `match_target!` emits it.
fn tests_property(tokens: &TokenStream) -> bool {
    tested_features(tokens).iter().any(|name| is_property(name))
}
