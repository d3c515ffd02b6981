//! Invisible groups, in which `macro_rules!` passes on its parsed fragments.
//!
//! The compiler drops such a group when a procedural macro emits it again, and `$e * 2` with `1 + 2` for `$e` becomes
//! `1 + 2 * 2`. Parentheses replace a group if an operator is next to it, and if its content is an expression or a type
//! that the operator would split. A type or a pattern that looks like such an expression has the same meaning in
//! parentheses.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;
use syn::{Expr, Type, UnOp};

use crate::depth;
use crate::tokens::{
    any, before, group_around, is_attribute, is_braces, is_punct, is_standard_macro, is_word, macro_before, map,
    regroup,
};

/// `tokens` with parentheses for invisible groups, where they are needed.
pub(crate) fn keep_groups(tokens: TokenStream) -> TokenStream {
    if holds_invisible(&tokens) { keep(tokens, false) } else { tokens }
}

/// `for_macro`: they are arguments of a macro, which may put them next to anything.
fn keep(tokens: TokenStream, for_macro: bool) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let kept = tokens.iter().enumerate().map(|(at, token)| {
        let TokenTree::Group(group) = token else { return token.clone() };
        if (is_attribute(&tokens, at) && is_cfg(&group.stream()))
            || macro_before(&tokens[..at]).is_some_and(|name| name == "cfg")
        {
            return regroup(group, without_invisible(group.stream()));
        }
        let called = macro_before(&tokens[..at]).is_some_and(|name| !is_standard_macro(&name.to_string()));
        let content = keep(group.stream(), for_macro || called);
        let split = || is_taken_apart(&tokens, at, &content) || (for_macro && is_compound(&content));
        if group.delimiter() != Delimiter::None || !split() {
            return regroup(group, content);
        }
        group_around(Delimiter::Parenthesis, content, group.span()).into()
    });
    quote!(#(#kept)*)
}

/// Whether `content` is an expression, or looks like one, that an operator would split. The argument of an attribute looks like
/// an assignment.
fn is_compound(content: &TokenStream) -> bool {
    let splits = |expr: &Expr| !matches!(expr, Expr::Assign(_)) && !matches!(shape(expr), Shape::Whole);
    depth::exceeded(content) || syn::parse2(content.clone()).is_ok_and(|expr| splits(&expr))
}

/// Whether an attribute with this content is a `cfg` or a `cfg_attr`, possibly passed on by a macro.
fn is_cfg(content: &TokenStream) -> bool {
    let first = without_invisible(content.clone()).into_iter().next();
    is_word(first.as_ref(), "cfg") || is_word(first.as_ref(), "cfg_attr")
}

/// A predicate means the same without the groups in which a macro passes on its parts.
fn without_invisible(tokens: TokenStream) -> TokenStream {
    map(tokens, &mut |tokens, at| match &tokens[at] {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => Some(without_invisible(group.stream())),
        _ => None,
    })
}

fn holds_invisible(tokens: &TokenStream) -> bool {
    let invisible =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::None);
    any(tokens.clone(), &mut |tokens, at| invisible(&tokens[at]))
}

/// Words that begin an expression with a block.
const BLOCKS: [&str; 8] = ["async", "const", "for", "if", "loop", "match", "unsafe", "while"];

/// Whether the tokens around the group at `at` would split `content`.
fn is_taken_apart(tokens: &[TokenTree], at: usize, content: &TokenStream) -> bool {
    let (operator, after) = (operator_before(&tokens[..at]), After::of(&tokens[at + 1..]));
    let previous = before(tokens, at, 1);
    if is_word(previous, "as") && is_punct(tokens.get(at + 1), '<') {
        // Otherwise the `<` begins arguments of the type.
        return true;
    }
    let whole: Vec<TokenTree> = content.clone().into_iter().collect();
    // A statement that begins with a block ends with it.
    let statement = previous.is_none() || is_punct(previous, ';') || is_punct(previous, '>') || is_braces(previous);
    let block = || is_braces(whole.first()) || BLOCKS.iter().any(|word| is_word(whole.first(), word));
    let ends = statement && block();
    if whole.len() < 2 || (!operator && !ends && after == After::Nothing) {
        return false;
    }
    if depth::exceeded(content) {
        return true;
    }
    if let Ok(expr) = syn::parse2::<Expr>(content.clone()) {
        let lazy = || whole.iter().any(|token| is_punct(Some(token), '&') || is_punct(Some(token), '|'));
        let braces = || whole.iter().any(|token| is_braces(Some(token)));
        return match (shape(&expr), after) {
            (Shape::Whole, _) | (Shape::Block, After::Braces | After::Nothing) => false,
            // In `if let … = $e {` an operator would end the scrutinee.
            (Shape::Compound, After::Braces) if is_punct(previous, '=') && lazy() => true,
            (_, After::Braces) => operator || braces(),
            (Shape::Compound, _) if ends && !operator => true,
            (Shape::Tight, after) => after == After::Postfix,
            (Shape::Compound, After::Assignment) => operator || whole.iter().any(|token| is_punct(Some(token), '|')),
            (Shape::Compound, After::Nothing) => operator,
            (Shape::Block | Shape::Compound, _) => true,
        };
    }
    // `&$t` with `dyn A + B`.
    let several = match syn::parse2(content.clone()) {
        Ok(Type::TraitObject(ty)) => ty.bounds.len() > 1,
        Ok(Type::ImplTrait(ty)) => ty.bounds.len() > 1,
        Ok(_) => false,
        // A pattern, or of another edition; a lifetime is neither.
        Err(_) => {
            whole.iter().any(|token| matches!(token, TokenTree::Punct(punct) if "+-*/%^|=".contains(punct.as_char())))
        }
    };
    several && (operator || after == After::Operator)
}

/// The precedence of an expression's form.
enum Shape {
    /// Nothing splits it.
    Whole,
    /// It ends with braces: as a statement it ends there.
    Block,
    /// `a.b`, which becomes a method call before parentheses, and `-1`, which may be an end of a range pattern.
    Tight,
    Compound,
}

fn shape(expr: &Expr) -> Shape {
    use Expr::{
        Array, Async, Await, Block, Call, Const, Continue, Field, ForLoop, If, Index, Infer, Let, Lit, Loop, Macro,
        Match, MethodCall, Paren, Path, Repeat, Try, TryBlock, Tuple, Unary, Unsafe, While,
    };
    match expr {
        Array(_) | Await(_) | Call(_) | Continue(_) | Index(_) | Infer(_) | Let(_) | Lit(_) | Macro(_)
        | MethodCall(_) | Paren(_) | Path(_) | Repeat(_) | Try(_) | Tuple(_) => Shape::Whole,
        Async(_) | Block(_) | Const(_) | ForLoop(_) | If(_) | Loop(_) | Match(_) | TryBlock(_) | Unsafe(_)
        | While(_) => Shape::Block,
        Field(_) => Shape::Tight,
        Unary(expr) if matches!(expr.op, UnOp::Neg(_)) && matches!(*expr.expr, Lit(_)) => Shape::Tight,
        Expr::Group(group) => shape(&group.expr),
        _ => Shape::Compound,
    }
}

/// Whether `before` ends with an operator, or with a lifetime or a word of a reference, that takes an operand.
fn operator_before(before: &[TokenTree]) -> bool {
    let back = |n: usize| self::before(before, before.len(), n);
    let joint =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint);
    match back(1) {
        Some(TokenTree::Punct(punct)) => match punct.as_char() {
            ',' | ';' | ':' | '#' | '$' => false,
            // A part of a comparison or a compound assignment, and not the plain one.
            '=' => joint(back(2)),
            // A part of a comparison, and not of an arrow.
            '>' => !(joint(back(2)) && (is_punct(back(2), '=') || is_punct(back(2), '-'))),
            _ => true,
        },
        Some(TokenTree::Ident(word)) => {
            ["mut", "const", "raw"].iter().any(|name| word == name)
                || (is_punct(back(2), '\'') && is_punct(back(3), '&'))
        }
        _ => false,
    }
}

/// The kind of the tokens after a group.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Nothing,
    Operator,
    Assignment,
    /// `.name`, `?`, a call, an index.
    Postfix,
    Braces,
}

impl After {
    fn of(after: &[TokenTree]) -> After {
        match after.first() {
            Some(TokenTree::Punct(punct)) => match punct.as_char() {
                ',' | ';' | ':' | '#' | '$' | '\'' => After::Nothing,
                '.' if !is_punct(after.get(1), '.') => After::Postfix,
                '?' => After::Postfix,
                '=' if punct.spacing() == Spacing::Joint && is_punct(after.get(1), '>') => After::Nothing,
                '=' if !is_punct(after.get(1), '=') => After::Assignment,
                _ => After::Operator,
            },
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Brace => After::Braces,
                // A `$b:block`.
                Delimiter::None if is_braces(group.stream().into_iter().next().as_ref()) => After::Braces,
                Delimiter::None => After::Nothing,
                _ => After::Postfix,
            },
            token if is_word(token, "as") => After::Operator,
            _ => After::Nothing,
        }
    }
}
