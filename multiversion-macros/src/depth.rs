//! Whether code is nested too deeply to be parsed: `syn` and the visitors recurse, on the remaining stack of the
//! compiler's thread.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tokens::is_punct;

/// The limit for one branch of a syntax tree, in units of about 1.4 KiB of stack: two thirds of a thread's 2 MiB in a
/// build of this crate without optimisation. That is 50 groups, 25 types or 1,000 operators.
const LIMIT: usize = 1000;

/// A group in a group.
const GROUP: usize = 20;

/// Whether the syntax tree of `tokens` may be deeper than the stack.
///
/// A group is a level. So is each operator, call and keyword between two separators around it, since `a + b + c`,
/// `!!a`, `a.b().c()` and `if a {} else if b {}` are nested as well.
pub(crate) fn exceeded(tokens: &TokenStream) -> bool {
    let mut open = vec![(0, tokens.clone())];
    while let Some((outside, tokens)) = open.pop() {
        // Operators before an operand end with it.
        let (mut cost, mut prefix, mut generics) = (outside, 0_usize, 0_usize);
        let mut groups = Vec::new();
        let (mut before, mut lifetime) = (None, false);
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let closed = closed_angles(&tokens);
        let mut tokens = tokens.into_iter().zip(closed).peekable();
        while let Some((token, closed)) = tokens.next() {
            let mut ends = tokens.peek().is_none();
            let after_operand = is_operand(before.as_ref()) && !lifetime;
            lifetime = is_punct(before.as_ref(), '\'');
            match &token {
                TokenTree::Punct(punct) => match punct.as_char() {
                    // A separator between generic arguments ends nothing.
                    ',' => ends |= generics == 0,
                    ';' => ends = true,
                    '<' if closed => generics += 40,
                    '>' if closed => generics = generics.saturating_sub(40),
                    '&' | '*' if !after_operand => prefix += 27,
                    '\'' => prefix += 27,
                    '|' | '=' => cost += 6,
                    '!' | '-' if !after_operand => prefix += 3,
                    '+' | '-' | '*' | '/' | '%' | '&' | '^' => (cost, prefix) = (cost + 3, 0),
                    _ => cost += 1,
                },
                TokenTree::Ident(word) => cost += keyword(&word.to_string()),
                TokenTree::Group(group) => {
                    cost += 1;
                    groups.push((generics + prefix, group.stream()));
                    // Another statement or arm follows a block, unless the expression continues.
                    ends |= group.delimiter() == Delimiter::Brace
                        && match tokens.peek() {
                            Some((TokenTree::Ident(word), _)) => word != "else" && word != "as",
                            Some((TokenTree::Group(_), _)) => true,
                            _ => false,
                        };
                }
                TokenTree::Literal(_) => {}
            }
            if cost + prefix + generics > LIMIT {
                return true;
            }
            if ends {
                open.extend(groups.drain(..).map(|(generics, group)| (cost + generics + GROUP, group)));
                (cost, prefix, generics) = (outside, 0, 0);
            }
            before = Some(token);
        }
    }
    false
}

/// For each token, whether it is an angle bracket of a pair. A shift or a comparison opens nothing.
fn closed_angles(tokens: &[TokenTree]) -> Vec<bool> {
    let (mut closed, mut open) = (vec![false; tokens.len()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Punct(punct) = token else { continue };
        match punct.as_char() {
            ';' => open.clear(),
            '<' => open.push(at),
            '>' => {
                let before = at.checked_sub(1).and_then(|at| tokens.get(at));
                let arrow = is_punct(before, '-') || is_punct(before, '=');
                if let Some(start) = if arrow { None } else { open.pop() } {
                    (closed[start], closed[at]) = (true, true);
                }
            }
            _ => {}
        }
    }
    closed
}

fn keyword(word: &str) -> usize {
    match word {
        "fn" | "mod" => 16,
        "async" | "break" | "const" | "dyn" | "impl" | "move" | "return" | "static" | "unsafe" => 6,
        "as" | "else" | "for" | "if" | "in" | "loop" | "match" | "while" => 1,
        _ => 0,
    }
}

/// Whether an expression may end with `token`, so that an operator after it is binary.
fn is_operand(token: Option<&TokenTree>) -> bool {
    match token {
        Some(TokenTree::Ident(word)) => word != "mut" && keyword(&word.to_string()) == 0,
        Some(TokenTree::Punct(punct)) => punct.as_char() == '?',
        Some(_) => true,
        None => false,
    }
}

#[cfg(test)]
mod tests;
