//! Expansions as the text of a file, for `cargo dispatch expand --write`: one for every compiler and every build.
//!
//! The tokens have no hygiene, since a file has none. Paths of ours begin with one name, of which the caller makes a module. Where a
//! macro would make the compiler say something, the caller does.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::{Attribute, Meta, Path};

pub use crate::attrs::parts_of_cfg_attr;
pub use crate::error::Message;
pub use crate::plan::PLACE;

use crate::compiler::WRITES;
use crate::error::{report, reported};
use crate::features::{Arch, RUSTC, constant};
use crate::item::Extent;
use crate::plan::{AND, TUPLE};
use crate::tokens::{any, attributes, before, find, is_attribute, is_punct, is_word, macro_before, map, regroup};
use crate::{cfg, expand, lists, match_target};

/// An expansion, and what the macro would have said.
pub struct Written {
    /// Items, or for a call of a macro an expression.
    pub tokens: TokenStream,
    /// A function that they call, for the module with ours.
    pub function: Option<TokenStream>,
    /// Errors and warnings.
    pub messages: Vec<Message>,
}

/// The lists of targets by their paths. An error says why there is none.
pub type Lists<'a> = &'a dyn Fn(&Path) -> Result<Vec<Literal>, String>;

fn written(expand: impl FnOnce() -> TokenStream) -> Written {
    _ = WRITES.set(());
    reported();
    let tokens = expand();
    Written { tokens, function: None, messages: reported() }
}

/// The expansion of `#[dispatch(args)] item`, and of attributes in its bodies, which may have one of the names `renamed`.
pub fn dispatch(args: TokenStream, item: TokenStream, renamed: &[String], lists: Lists<'_>) -> Written {
    written(|| expanded(args, item, renamed, lists))
}

fn expanded(args: TokenStream, item: TokenStream, renamed: &[String], lists: Lists<'_>) -> TokenStream {
    let answer = |answer| lists::answer_dispatch(answer, false);
    nested(with_lists(lists::dispatch(args, item, false), lists, &answer), renamed, lists)
}

/// `expansion`, or what `answer` makes of it with the list that it requests, until it requests none.
fn with_lists(
    mut expansion: TokenStream,
    lists: Lists<'_>,
    answer: &dyn Fn(TokenStream) -> TokenStream,
) -> TokenStream {
    while let Some((path, rest)) = request(&expansion) {
        let list = lists(&path).unwrap_or_else(|text| {
            let span = path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
            report(span, &text, true);
            Vec::new()
        });
        expansion = answer(quote!([#(#list),*] #rest));
    }
    expansion
}

/// `tokens` with the expansion of each attribute in them.
fn nested(tokens: TokenStream, renamed: &[String], lists: Lists<'_>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        let attrs = attributes(&tokens[at..], false);
        let mut others: Vec<_> = tokens[at..at + attrs].chunks(2).collect();
        if let Some(ours) = others.iter().position(|attr| own(attr, renamed).is_some()) {
            let item = &tokens[at..at + Extent::of(&tokens[at..]).length];
            let args = own(others.remove(ours), renamed).unwrap_or_default();
            let (cfgs, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|attr| of_cfg(&attr[1]).is_some());
            let rest = &item[attrs..];
            let expansion = expanded(args, quote!(#(#(#others)*)* #(#rest)*), renamed, lists);
            let expansion: Vec<TokenTree> = expansion.into_iter().collect();
            let mut rest = &expansion[..];
            while !rest.is_empty() {
                let (item, after) = rest.split_at(Extent::of(rest).length);
                out.extend(qualified(quote!(#(#(#cfgs)*)* #(#item)*)));
                rest = after;
            }
            at += item.len();
            continue;
        }
        let in_macro = macro_before(&tokens[..at]).is_some()
            || (is_word(before(&tokens, at, 3), "macro_rules") && is_punct(before(&tokens, at, 2), '!'));
        out.extend([match &tokens[at] {
            TokenTree::Group(group) if in_macro => {
                if let Some(span) = attribute_in(&group.stream(), renamed) {
                    report(span, OF_MACRO, true);
                }
                tokens[at].clone()
            }
            TokenTree::Group(group) => regroup(group, nested(group.stream(), renamed, lists)),
            token => token.clone(),
        }]);
        at += 1;
    }
    out
}

/// The error about an attribute among the tokens of a macro.
pub const OF_MACRO: &str = "an attribute that a macro makes cannot be written out\n\
    help: write the items themselves, or leave this module with the macro";

/// The arguments in `attr`, if it is ours, or asleep.
fn own(attr: &[TokenTree], renamed: &[String]) -> Option<TokenStream> {
    let [_, TokenTree::Group(group)] = attr else { return None };
    let content = group.stream();
    // Most are not, and a look at the words saves time.
    let is_named =
        |token: Option<&TokenTree>| is_word(token, "dispatch") || renamed.iter().any(|name| is_word(token, name));
    if !any(content.clone(), &mut |tokens, at| is_named(tokens.get(at))) {
        return None;
    }
    let (args, predicate) = of_meta(&syn::parse2(content).ok()?, None, renamed)?;
    predicate.is_none_or(|predicate| is_false(&predicate)).then_some(args)
}

/// The place of the first attribute of ours in `tokens`, those of a macro.
pub fn attribute_in(tokens: &TokenStream, renamed: &[String]) -> Option<Span> {
    find(tokens.clone(), &mut |tokens, at| {
        let TokenTree::Group(group) = &tokens[at] else { return None };
        let path = group.stream().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_))).last();
        let is = |name: &str| is_word(path.as_ref(), name);
        let is_ours = is_attribute(tokens, at)
            && (is("dispatch") || renamed.iter().any(|name| is(name)) || own(&tokens[at - 1..=at], renamed).is_some());
        is_ours.then(|| group.span())
    })
}

/// The expansion of a call of the macro `name` with `input`; `krate` is the path of `simd-core`. `None` for other macros.
pub fn call(name: &str, krate: &TokenStream, input: TokenStream, lists: Lists<'_>) -> Option<Written> {
    let mut expansion = match name {
        "detected" => {
            let mut expansion = written(|| expand::detected(quote!(#krate; #input)));
            let word = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
            let name: String = format!("detected {input}").replace(['"', ' '], "").chars().map(word).collect();
            let name = Ident::new(&name.replace("detected", "detected_"), Span::call_site());
            let place = Ident::new(PLACE, Span::call_site());
            // In the module with ours, paths need no name before them.
            let body = unplaced(core::mem::replace(&mut expansion.tokens, quote!(#place::#name())));
            expansion.function = Some(quote!(#[inline(always)] pub(super) fn #name() -> bool #body));
            expansion
        }
        "match_target" => written(|| match_target::expand(input)),
        "target_list" => written(|| {
            let declare = |input| lists::declare(input, "", 0, 0);
            with_lists(declare(quote!(#krate; #input)), lists, &declare)
        }),
        "targets" => written(|| lists::targets(quote!(#krate; #input))),
        _ => return None,
    };
    expansion.tokens = qualified(expansion.tokens);
    Some(expansion)
}

/// `tokens` with `self::` before each path of ours, as [`in_body`](crate::plan::in_body).
fn qualified(tokens: TokenStream) -> TokenStream {
    map(tokens, &mut |tokens, at| {
        let behind_self = is_word(before(tokens, at, 3), "self") && is_punct(before(tokens, at, 1), ':');
        let is_own = is_word(tokens.get(at), PLACE) && !behind_self && !is_word(tokens.get(at + 3), "core");
        let word = &tokens[at];
        is_own.then(|| quote!(self::#word))
    })
}

/// The path of the list that `expansion` calls, and what the list's macro passes on behind it.
fn request(expansion: &TokenStream) -> Option<(Path, TokenStream)> {
    let tokens: Vec<TokenTree> = expansion.clone().into_iter().collect();
    let [path @ .., bang, TokenTree::Group(input)] = &tokens[..] else { return None };
    let mut input = input.stream().into_iter();
    let Some(TokenTree::Group(callback)) = input.next() else { return None };
    let ours =
        ["__dispatch", "__target_list"].iter().any(|name| is_word(callback.stream().into_iter().last().as_ref(), name));
    let path = Path::parse_mod_style.parse2(path.iter().cloned().collect()).ok()?;
    (ours && is_punct(Some(bang), '!')).then(|| (path, input.collect()))
}

/// The arguments of our attribute in `attr`, which is called `dispatch` or has a path that ends so, and the predicate under which it is
/// there: `false`, or one of the user's.
pub fn arguments(attr: &Attribute, renamed: &[String]) -> Option<(TokenStream, Option<TokenStream>)> {
    of_meta(&attr.meta, None, renamed)
}

fn of_meta(
    meta: &Meta,
    predicate: Option<TokenStream>,
    renamed: &[String],
) -> Option<(TokenStream, Option<TokenStream>)> {
    let by_another = renamed.iter().any(|name| meta.path().is_ident(name));
    if by_another || crate::attrs::is_named(meta, "dispatch") {
        return Some((meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default(), predicate));
    }
    let (own, metas) = crate::attrs::parts_of_cfg_attr(meta)?;
    let own = match predicate {
        Some(outer) => quote!(all(#outer, #own)),
        None => own,
    };
    metas.iter().find_map(|meta| of_meta(meta, Some(own.clone()), renamed))
}

/// `item` with each `#[cfg_attr(false, dispatch(…))]` in it as `#[dispatch(…)]`.
pub fn awake(item: TokenStream) -> TokenStream {
    map(item, &mut |tokens, at| {
        let TokenTree::Group(group) = &tokens[at] else { return None };
        let asleep = asleep(group.stream()).filter(|_| is_attribute(tokens, at))?;
        Some(regroup(group, asleep).into())
    })
}

fn asleep(content: TokenStream) -> Option<TokenStream> {
    let (args, predicate) = of_meta(&syn::parse2(content).ok()?, None, &[])?;
    let is_off = predicate.is_some_and(|predicate| is_false(&predicate));
    is_off.then(|| quote!(dispatch(#args)))
}

/// Whether `predicate` is `false`, under which an attribute is asleep.
pub fn is_false(predicate: &TokenStream) -> bool {
    predicate.to_string() == "false"
}

/// The name that `tokens` have of a target with several features, and the alias that declares it, for a module with the names of the
/// features. `None` for another name.
pub fn alias(name: &str) -> Option<TokenStream> {
    let parts: Vec<&str> = name.split(AND).collect();
    if parts.len() < 2 {
        return None;
    }
    let has = |arch: &Arch, part: &str| {
        let family = arch.family();
        let preset = |name: &str| matches!(family.meaning(name, RUSTC), Some(crate::features::Meaning::Preset(preset)) if preset.arch != *arch);
        family.names().iter().any(|name| constant(name, Span::call_site()) == part && !preset(name))
    };
    let arches: Vec<TokenStream> = Arch::all()
        .into_iter()
        .filter(|arch| parts.iter().all(|part| has(arch, part)))
        .map(Arch::cfg_name)
        .map(|arch| quote!(target_arch = #arch))
        .collect();
    let (exists, name) = (cfg::any(arches), Ident::new(name, Span::call_site()));
    let mut types = parts.iter().map(|part| Ident::new(part, Span::call_site()).into_token_stream());
    let mut all = TokenStream::new();
    while types.len() > 0 {
        let before = (!all.is_empty()).then_some(all);
        let some = before.into_iter().chain(types.by_ref()).take(TUPLE);
        all = quote!((#(#some),*));
    }
    Some(quote!(#[cfg(#exists)] pub(super) type #name = #all;))
}

/// Names behind [`PLACE`] in `tokens`, those of types and functions alike.
pub fn names(tokens: &TokenStream, names: &mut Vec<String>) {
    find(tokens.clone(), &mut |tokens, at| {
        if let [TokenTree::Ident(word), colon, _, TokenTree::Ident(name), ..] = &tokens[at..]
            && word == PLACE
            && is_punct(Some(colon), ':')
            && name != "core"
        {
            let name = name.to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        None::<()>
    });
}

/// `tokens` with `name` for [`PLACE`], which is imported in each module in them, and with `::core` for our path of it. Predicates of
/// `cfg` are as short as they can be.
pub fn placed(tokens: TokenStream, name: &Ident) -> TokenStream {
    placed_in(tokens, name, false)
}

/// `in_macro`: `tokens` are arguments of a macro, which may expect them as they are.
fn placed_in(tokens: TokenStream, name: &Ident, in_macro: bool) -> TokenStream {
    let condition = |tokens: &[TokenTree], at: usize| {
        let attribute =
            !in_macro && tokens.len() > at && is_punct(before(tokens, at, 1), '#') && is_attribute(tokens, at);
        of_cfg(tokens.get(at).filter(|_| attribute)?).map(simplified)
    };
    map(tokens, &mut |tokens, at| {
        let group = match &tokens[at] {
            TokenTree::Ident(word) if word == PLACE && is_word(tokens.get(at + 3), "core") => return Some(quote!()),
            TokenTree::Ident(word) if word == PLACE => return Some(name.to_token_stream()),
            // An attribute that is always there says nothing.
            TokenTree::Punct(_) => return condition(tokens, at + 1).filter(is_true).map(|_| quote!()),
            TokenTree::Group(group) => group,
            _ => return None,
        };
        let content = if let Some(predicate) = condition(tokens, at) {
            if is_true(&predicate) {
                return Some(quote!());
            }
            quote!(cfg(#predicate))
        } else if !in_macro && is_punct(before(tokens, at, 1), '!') && is_word(before(tokens, at, 2), "cfg") {
            simplified(group.stream())
        } else {
            let before = |back: usize| before(tokens, at, back);
            let in_macro = in_macro || macro_before(&tokens[..at]).is_some() || is_word(before(3), "macro_rules");
            let content = placed_in(group.stream(), name, in_macro);
            let is_module = group.delimiter() == Delimiter::Brace && is_word(before(2), "mod");
            if is_module && uses(&group.stream()) {
                let tokens: Vec<TokenTree> = content.into_iter().collect();
                let (inner, rest) = tokens.split_at(attributes(&tokens, true));
                quote!(#(#inner)* use super::#name; #(#rest)*)
            } else {
                content
            }
        };
        Some(regroup(group, content).into())
    })
}

/// `tokens` without [`PLACE`] and the colons behind it.
fn unplaced(tokens: TokenStream) -> TokenStream {
    map(tokens, &mut |tokens, at| {
        let start = (0..3).find(|&back| is_word(before(tokens, at, back), PLACE))?;
        let to_core = is_word(tokens.get(at + 3 - start), "core");
        (start == 0 || !to_core).then(TokenStream::new)
    })
}

/// The predicate in `[cfg(predicate)]`.
fn of_cfg(content: &TokenTree) -> Option<TokenStream> {
    let TokenTree::Group(content) = content else { return None };
    let content: Vec<TokenTree> = content.stream().into_iter().collect();
    match &content[..] {
        [name, TokenTree::Group(predicate)] if is_word(Some(name), "cfg") => Some(predicate.stream()),
        _ => None,
    }
}

fn is_true(predicate: &TokenStream) -> bool {
    predicate.to_string() == "true"
}

/// A `cfg` predicate without what is always so, and without lists in lists of one kind.
fn simplified(predicate: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = predicate.clone().into_iter().collect();
    let [TokenTree::Ident(word), TokenTree::Group(list), rest @ ..] = &tokens[..] else { return predicate };
    if !(rest.is_empty() || matches!(rest, [end] if is_punct(Some(end), ','))) {
        return predicate;
    }
    let parts: Vec<TokenStream> = parts(list).into_iter().map(simplified).collect();
    let (neutral, decides) = match word.to_string().as_str() {
        "all" => ("true", "false"),
        "any" => ("false", "true"),
        "not" => {
            return match parts.first().map(ToString::to_string).as_deref() {
                Some("true") => quote!(false),
                Some("false") => quote!(true),
                _ => quote!(not(#(#parts),*)),
            };
        }
        _ => return predicate,
    };
    let flat = parts.into_iter().flat_map(|part| match &part.clone().into_iter().collect::<Vec<_>>()[..] {
        [TokenTree::Ident(same), TokenTree::Group(list)] if same == word => self::parts(list),
        _ => vec![part],
    });
    let mut left: Vec<TokenStream> = Vec::new();
    for part in flat {
        let text = part.to_string();
        if text == decides {
            return part;
        }
        if text != neutral && !left.iter().any(|known| known.to_string() == text) {
            left.push(part);
        }
    }
    match &left[..] {
        [] => Ident::new(neutral, Span::call_site()).into_token_stream(),
        [one] => one.clone(),
        _ => quote!(#word(#(#left),*)),
    }
}

/// The predicates in `list`.
fn parts(list: &Group) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = list.stream().into_iter().collect();
    let parts = tokens.split(|token| is_punct(Some(token), ',')).filter(|part| !part.is_empty());
    parts.map(|part| part.iter().cloned().collect()).collect()
}

/// Whether `tokens` contain [`PLACE`] as a path's start.
fn uses(tokens: &TokenStream) -> bool {
    let mut found = Vec::new();
    names(tokens, &mut found);
    !found.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    #[track_caller]
    fn becomes(found: &TokenStream, expected: &str) {
        assert_eq!(found.to_string(), tokens(expected).to_string());
    }

    #[test]
    fn predicates_become_short() {
        for (predicate, short) in [
            ("any(all(), target_feature = \"avx2\")", "true"),
            ("not(any(all(), x))", "false"),
            ("all(a, not(any()))", "a"),
            ("all(a, all(b, c), a)", "all(a, b, c)"),
            ("all(any(a, b), any(c), not(all(d)))", "all(any(a, b), c, not(d))"),
            ("any(a, all(b, any()))", "a"),
            ("a = \"b\"", "a = \"b\""),
            ("all(a,),", "a"),
        ] {
            becomes(&simplified(tokens(predicate)), short);
        }
    }

    #[test]
    fn places_in_an_expansion() {
        let name = Ident::new("cpu", Span::call_site());
        let written = "mod m { #![a] fn f() { __simd_core_expanded::lacks(); __simd_core_expanded::core::mem::swap() } } \
            #[cfg(any(all(), a))] fn g() { cfg!(all(b)); own!(cfg!(all(b))) } mod n { fn h() {} }";
        let placed_there = "mod m { #![a] use super::cpu; fn f() { cpu::lacks(); ::core::mem::swap() } } \
            fn g() { cfg!(b); own!(cfg!(all(b))) } mod n { fn h() {} }";
        becomes(&placed(tokens(written), &name), placed_there);
        let mut found = Vec::new();
        names(&tokens(written), &mut found);
        assert_eq!(found, ["lacks"]);
    }

    #[test]
    fn aliases_are_for_the_architectures_of_all_their_parts() {
        let x86 =
            "#[cfg(any(target_arch = \"x86\", target_arch = \"x86_64\"))] pub(super) type AVX2_AND_FMA = (AVX2, FMA);";
        becomes(&alias("AVX2_AND_FMA").unwrap(), x86);
        let level = "#[cfg(target_arch = \"x86_64\")] pub(super) type X86_64_V3_AND_AES = (X86_64_V3, AES);";
        becomes(&alias("X86_64_V3_AND_AES").unwrap(), level);
        assert!(alias("X86_64_V3").is_none() && alias("assert_present").is_none());
    }

    #[test]
    fn attributes_wake_up() {
        let asleep = "impl A { #[cfg_attr(false, simd_core::dispatch(skip))] fn f() {} #[cfg_attr(any(), dispatch(skip))] fn g() {} }";
        let awake_there = "impl A { #[dispatch(skip)] fn f() {} #[cfg_attr(any(), dispatch(skip))] fn g() {} }";
        becomes(&awake(tokens(asleep)), awake_there);
        let found = |text: &str, renamed: &[&str]| {
            let renamed: Vec<String> = renamed.iter().map(ToString::to_string).collect();
            attribute_in(&tokens(text), &renamed).is_some()
        };
        assert!(found("{ #[simd_core::dispatch(targets = $t)] $item }", &[]));
        assert!(found("#[cfg_attr(false, dispatch(skip))]", &[]) && found("#[multi(skip)]", &["multi"]));
        assert!(!found("#[doc = \"dispatch\"] #[other::multi] dispatch()", &[]));
    }
}
