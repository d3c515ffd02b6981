//! Calls, by names. They affect only speed.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

use crate::attrs;
use crate::item::{Function, Node};
use crate::sig;
use crate::tokens::{Words, any, is_braces, is_keyword, is_punct, is_standard_macro, is_word, macro_before};

/// The most tokens of a body that is worth less than a call.
const SHORT: usize = 64;

/// Words of loops and of code that is compiled elsewhere, which no leaf has.
const LONGER: [&str; 10] = ["async", "await", "const", "fn", "for", "impl", "loop", "static", "use", "while"];

/// Methods of iterators, which adaptors of the standard library call for each element.
const OF_ITERATORS: [&str; 3] = ["next", "next_back", "size_hint"];

/// Functions of the standard library: of a few instructions; that call a closure once or as long as someone takes values, or make an
/// iterator; and loops. What ends with `_` is a prefix.
const KNOWN: [&str; 3] = [
    "abs abs_diff add as_ borrow borrow_mut ceil checked_ clamp clone cmp copied cos count_ones count_zeros default deref deref_mut div eq \
     exp expect first floor from from_ get get_mut get_unchecked get_unchecked_mut hypot into is_ascii is_ascii_ is_empty is_finite is_nan \
     is_none is_some is_whitespace last leading_ len ln max min mul mul_add ne neg new ok overflowing_ partial_cmp pow powf powi recip rem \
     replace rotate_ round saturating_ shl shr signum sin split_at split_at_mut sqrt sub swap swap_bytes take to_ total_cmp trailing_ \
     transmute trunc unwrap unwrap_ wrapping_",
    "all and_then any by_ref chain chars chunks chunks_ cloned contains cycle enumerate filter filter_map find find_map flat_map flatten \
     from_fn get_or_insert_with inspect is_none_or is_ok_and is_some_and iter iter_mut into_iter map map_ next next_back nth ok_or ok_or_else \
     or_else peek position repeat_with rev rposition scan size_hint skip skip_while split starts_with step_by successors take_while then \
     unwrap_or_else windows zip",
    "binary_search binary_search_ clear collect copy_ count dedup_by dedup_by_key drain extend extend_from_slice fill fold for_each max_by \
     max_by_key min_by min_by_key partition partition_ pop product push reduce repeat resize retain reverse rfind rfold select_nth_ sort \
     sort_ sum to_owned to_vec truncate try_fold try_for_each try_into with_capacity",
];

/// The calls of some code, of [`KNOWN`] or not.
#[derive(Default)]
pub(crate) struct Calls<'a> {
    /// Functions of each kind.
    kinds: [bool; 3],
    /// Other functions, or macros that are not the standard library's.
    pub(crate) others: bool,
    /// A loop that ends only after all rounds.
    whole_loops: bool,
    /// Names that count as no call.
    own: &'a [String],
    /// Functions and closures of the code.
    inner: Vec<String>,
}

impl<'a> Calls<'a> {
    /// Those of `code`, where the functions with the names `own` count as none.
    pub(crate) fn of(code: TokenStream, own: &'a [String]) -> Self {
        let mut calls = Calls { own, ..Calls::default() };
        calls.add(code);
        calls
    }

    /// Whether they are a few instructions.
    pub(crate) fn are_short(&self) -> bool {
        !self.others && !self.kinds[1] && !self.kinds[2]
    }

    fn add(&mut self, code: TokenStream) {
        let tokens: Vec<TokenTree> = code.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            let before = &tokens[..at];
            match token {
                // A function, or a closure.
                TokenTree::Ident(word) if *word == "fn" || *word == "let" => {
                    self.inner.extend(tokens.get(at + 1).map(ToString::to_string));
                }
                TokenTree::Ident(word) if ["for", "loop", "while"].iter().any(|keyword| word == keyword) => {
                    let body = tokens[at..].iter().find(|token| is_braces(Some(token)));
                    let ends = |token: Option<&TokenTree>| {
                        is_word(token, "break") || is_word(token, "return") || is_punct(token, '?')
                    };
                    self.whole_loops |= !any(body.to_token_stream(), &mut |tokens, at| ends(tokens.get(at)));
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && is_punct(before.last(), '#') => {}
                TokenTree::Group(group) => {
                    self.add(group.stream());
                    if let Some(name) = macro_before(before) {
                        self.others |= !is_standard_macro(&name.to_string());
                    } else if group.delimiter() == Delimiter::Parenthesis {
                        // A group behind a value is a call of it.
                        self.others |= matches!(before.last(), Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Brace);
                        if let Some(name) = callee(before) {
                            self.call(name);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, name: &Ident) {
        match kind(name) {
            _ if self.own.iter().chain(&self.inner).any(|own| name == own) => {}
            Some(kind) => self.kinds[kind] = true,
            // A constructor.
            None => self.others |= !name.to_string().starts_with(char::is_uppercase),
        }
    }
}

/// The function that is called by the path or method that ends `before` its arguments.
fn callee(before: &[TokenTree]) -> Option<&Ident> {
    let mut end = before.len();
    if is_punct(before.last(), '>') {
        let mut depth = 0;
        end = before.iter().rposition(|token| {
            depth += i32::from(is_punct(Some(token), '>')) - i32::from(is_punct(Some(token), '<'));
            depth == 0
        })?;
        end = end.checked_sub(2).filter(|end| is_punct(before.get(*end), ':'))?;
    }
    match before[..end].last()? {
        TokenTree::Ident(name) if !is_keyword(name) && !is_word(before[..end - 1].last(), "fn") => Some(name),
        _ => None,
    }
}

/// The place of a name in [`KNOWN`].
fn kind(name: &Ident) -> Option<usize> {
    let name = name.to_string();
    let find = |is: &dyn Fn(&str) -> bool| KNOWN.iter().position(|names| names.split(' ').any(is));
    find(&|known| name == known).or_else(|| find(&|known| known.ends_with('_') && name.starts_with(known)))
}

/// Whether the function called `name` takes a closure that it calls, if it takes one.
pub(crate) fn calls_closures(name: &Ident) -> bool {
    kind(name).is_some_and(|kind| kind > 0)
}

/// The names of the leaves among the functions of an item, which may call each other.
pub(crate) fn leaves(items: &[Node]) -> Vec<String> {
    let functions =
        || items.iter().filter_map(|node| if let Node::Fn(function) = node { Some(&**function) } else { None });
    let mut names = Vec::new();
    loop {
        // A leaf stays one with more leaves to call.
        let found = functions().filter(|function| is_leaf(function, &names));
        let found: Vec<String> = found.map(|function| function.sig.ident.to_string()).collect();
        if found.len() == names.len() {
            return names;
        }
        names = found;
    }
}

/// Whether `function` is a few instructions that call nothing with clones but `leaves` of its item, or takes an element of another
/// iterator. LLVM inlines it into clones as it is; elsewhere a clone would cost a test and a call. With `#[inline]`, or of an
/// iterator, it may be longer.
pub(crate) fn is_leaf(function: &Function, leaves: &[String]) -> bool {
    let Some(body) = &function.body else { return false };
    let takes = OF_ITERATORS.iter().any(|name| function.sig.ident == name) && function.is_method();
    let longest = match attrs::says_inline(&function.attrs) {
        _ if takes => 6,
        true => 3,
        false => 1,
    };
    if body.words.length > longest * SHORT
        || function.sig.asyncness.is_some()
        || attrs::never_inlines(&function.attrs)
        || attrs::exports(&function.attrs)
        || sig::returned_impl(&function.sig).is_some()
        || !takes && body.words.have_any(&LONGER)
    {
        return false;
    }
    let calls = Calls::of(body.stream(), leaves);
    if takes { !calls.whole_loops && !calls.kinds[2] } else { calls.are_short() }
}

/// Whether a closure with this body is a leaf.
pub(crate) fn is_leaf_closure(body: &TokenStream) -> bool {
    let words = Words::of(body.clone());
    !words.have_any(&LONGER) && !words.have("unsafe") && Calls::of(body.clone(), &[]).are_short()
}

#[cfg(test)]
mod tests;
