//! Functions as values.
//!
//! Where several functions with features become one type, as in `[f, g]` or in the branches of an `if`, rustc makes it that of safe or of
//! unsafe functions by the features of the function around. It is the one thing for which a check has to compile all clones of
//! code that is the same in each.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::FnArg;

use crate::item::{Body, Function};
use crate::sig;
use crate::tokens::{before, is_braces, is_keyword, is_listed, is_punct};

/// Whether a function may be a value in `body`: whether a name that neither is bound there nor begins with an upper case letter stands
/// where a value can. It costs time where it is wrong.
pub(super) fn may_name_function(function: &Function, body: &Body) -> bool {
    let mut names = Names::default();
    for input in &function.sig.inputs {
        match input {
            FnArg::Receiver(_) => names.bound.push("self".to_owned()),
            FnArg::Typed(input) => names.bind(&input.pat.to_token_stream().into_iter().collect::<Vec<_>>(), false),
        }
    }
    names.read(body.stream());
    names.found
}

/// The names that are bound at a place in a body, and whether another one stood where a value can.
#[derive(Default)]
struct Names {
    bound: Vec<String>,
    found: bool,
}

impl Names {
    /// Binds the names in `pattern`: not a field's before a colon, and not those of a type behind one.
    fn bind(&mut self, pattern: &[TokenTree], in_group: bool) {
        let colons = |at: usize| pattern[at..].iter().take_while(|token| is_punct(Some(token), ':')).count();
        let mut at = 0;
        while at < pattern.len() {
            match &pattern[at] {
                TokenTree::Ident(ident) if colons(at + 1) == 0 => self.bound.push(ident.to_string()),
                TokenTree::Ident(_) if !in_group && colons(at + 1) == 1 => {
                    self.bound.push(pattern[at].to_string());
                    return;
                }
                TokenTree::Group(group) => self.bind(&group.stream().into_iter().collect::<Vec<_>>(), true),
                _ if !in_group && colons(at) == 1 => return,
                _ => {}
            }
            at += colons(at).max(1);
        }
    }

    /// Names that the tokens of a block, or of arguments, bind, end with them.
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // The compiler is asked for each text once.
        let text =
            |token: &TokenTree| if matches!(token, TokenTree::Group(_)) { String::new() } else { token.to_string() };
        let texts: Vec<String> = tokens.iter().map(text).collect();
        let text = |at: usize| texts.get(at).map_or("", String::as_str);
        let find = |start: usize, ends: &[&str]| {
            texts[start..].iter().position(|text| ends.contains(&text.as_str())).map(|length| start + length)
        };
        let outside = self.bound.len();
        // The patterns that are bound behind the statement, and in the next block.
        let (mut behind, mut inside) = (Vec::new(), Vec::new());
        let (mut statement, mut at) = (outside, 0);
        while at < tokens.len() {
            let starts = at == 0 || [";", ","].contains(&text(at - 1)) || is_braces(tokens.get(at - 1));
            let arrow = if starts { find(at, &["=", ";", ","]).filter(|&end| text(end + 1) == ">") } else { None };
            // A pattern ends with what it is compared with, or before the body of its arm or closure.
            let end = match text(at) {
                _ if arrow.is_some() => find(at, &["if", "="]),
                "let" => find(at, &["=", ";"]),
                "for" if text(at + 1) != "<" => find(at, &["in"]),
                "|" if !ends_operand(before(&tokens, at, 1)) => find(at + 1, &["|"]),
                _ => None,
            };
            if let Some(end) = end {
                let pattern = tokens[at..end].to_vec();
                match text(at) {
                    "let" if starts => behind = pattern,
                    "let" | "for" => inside.push(pattern),
                    _ => self.bind(&pattern, false),
                }
                at = end + usize::from(text(end) != ";");
                continue;
            }
            match &tokens[at] {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    for pattern in core::mem::take(&mut inside) {
                        self.bind(&pattern, false);
                    }
                    self.read(group.stream());
                    self.bound.truncate(statement);
                }
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Ident(name) if is_value(text, at, tokens.get(at + 1)) && !is_keyword(name) => {
                    self.found |= !self.bound.iter().any(|bound| bound == text(at));
                }
                _ if text(at) == ";" => {
                    self.bound.truncate(statement);
                    self.bind(&core::mem::take(&mut behind), false);
                    statement = self.bound.len();
                }
                _ if text(at) == "," => self.bound.truncate(statement),
                _ => {}
            }
            at += 1;
        }
        self.bound.truncate(outside);
    }
}

/// Whether an expression may end with `token`, so that a bar after it is an operator.
fn ends_operand(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Ident(word)) => !is_keyword(word),
        Some(TokenTree::Punct(punct)) => punct.as_char() == '?',
        token => token.is_some(),
    }
}

/// Whether the name at `at` is a value, and neither called nor a member.
fn is_value<'a>(text: impl Fn(usize) -> &'a str, at: usize, next: Option<&TokenTree>) -> bool {
    let (name, before) = (text(at), at.checked_sub(1).map_or("", &text));
    // Behind `::<…>` it may be called as well.
    let generic = text(at + 1) == ":" && text(at + 3) == "<" && {
        let (mut depth, mut end) = (1, at + 4);
        while depth > 0 && end < at + 64 {
            depth += i32::from(text(end) == "<") - i32::from(text(end) == ">" && text(end - 1) != "-");
            end += 1;
        }
        !text(end).is_empty()
    };
    let called = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Bracket);
    let member = before == "." && at.checked_sub(2).is_none_or(|at| text(at) != ".");
    !(called
        || member
        || ["'", "#", "as"].contains(&before)
        || (["!", ":"].contains(&text(at + 1)) && !generic)
        || name.starts_with(char::is_uppercase)
        || is_listed(sig::PRIMITIVE, name))
}
