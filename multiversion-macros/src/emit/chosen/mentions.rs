//! Where tokens name an item of the module they stand in.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};

/// Words after which a name is declared, not used.
const DECLARING: [&str; 10] = ["const", "enum", "fn", "mod", "mut", "static", "struct", "trait", "type", "union"];

/// Whether `name` occurs in `tokens`, also captured by a format string: more often than it is meant, never less.
pub(super) fn occurs(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => occurs(&group.stream(), name),
        TokenTree::Literal(literal) => literal.to_string().contains(&format!("{{{name}")),
        TokenTree::Punct(_) => false,
    })
}

/// The first of `names` that `tokens` use by itself; nothing if they declare one of that name.
pub(super) fn word(tokens: &TokenStream, names: &[String]) -> Option<Ident> {
    let found = plain(tokens, &|ident| names.iter().any(|name| ident == name))?;
    (!declares(tokens, &found.to_string(), true)).then_some(found)
}

fn plain(tokens: &TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> Option<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().find_map(|(at, token)| match token {
        TokenTree::Ident(ident) if wanted(ident) => {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let range = at >= 2 && is_punct(tokens.get(at - 2), '.');
            let member = (is_punct(before, '.') && !range) || ends_path(&tokens[..at]);
            let declared = matches!(before, Some(TokenTree::Ident(word)) if DECLARING.iter().any(|kind| word == kind));
            let named = is_punct(tokens.get(at + 1), '!') || is_field(&tokens[at + 1..]);
            (!member && !declared && !named).then(|| ident.clone())
        }
        TokenTree::Group(group) => plain(&group.stream(), wanted),
        _ => None,
    })
}

/// Whether an item, or with `parameters` a constant parameter too, of this name is declared in `tokens`; without
/// `parameters` only by a statement of `tokens` themselves.
pub(super) fn declares(tokens: &TokenStream, name: &str, parameters: bool) -> bool {
    let mut declaring = false;
    tokens.clone().into_iter().any(|token| {
        let after = core::mem::take(&mut declaring);
        match token {
            TokenTree::Ident(ident) => {
                declaring = DECLARING.iter().any(|kind| ident == kind);
                after && ident == name
            }
            TokenTree::Group(group) => parameters && declares(&group.stream(), name, parameters),
            _ => false,
        }
    })
}

/// All of `names` that `tokens` in a module `up` levels below name by a path: `self::W`, `super::W`, `super::{W}`.
pub(super) fn by_path(tokens: &TokenStream, up: usize, names: &[String], found: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let TokenTree::Group(group) = &tokens[at] {
            by_path(&group.stream(), up, names, found);
        } else if (is_word(&tokens[at], "self") || is_word(&tokens[at], "super")) && !ends_path(&tokens[..at]) {
            let mut levels = 0;
            while let Some(step) = tokens.get(at).filter(|_| is_path_sep(&tokens[at + 1..])) {
                if is_word(step, "super") {
                    levels += 1;
                } else if !is_word(step, "self") {
                    break;
                }
                at += 3;
            }
            match tokens.get(at) {
                Some(last) if levels == up => leaves(last, tokens.get(at + 1), names, found),
                _ => {}
            }
        }
        at += 1;
    }
}

/// What a path that has come to the module names there: one item, or those in the braces of an import.
fn leaves(token: &TokenTree, next: Option<&TokenTree>, names: &[String], found: &mut Vec<Ident>) {
    match token {
        TokenTree::Ident(ident) if names.iter().any(|name| ident == name) && !is_punct(next, '!') => {
            found.push(ident.clone());
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
            for (at, token) in tokens.iter().enumerate() {
                let first = at == 0 || is_punct(tokens.get(at - 1), ',');
                if first {
                    leaves(token, tokens.get(at + 1), names, found);
                }
            }
        }
        _ => {}
    }
}

/// The macros that `tokens` call, by the last parts of their paths.
pub(super) fn called(tokens: &TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident)
                if is_punct(tokens.get(at + 1), '!') && matches!(tokens.get(at + 2), Some(TokenTree::Group(_))) =>
            {
                names.push(ident.to_string());
            }
            TokenTree::Group(group) => called(&group.stream(), names),
            _ => {}
        }
    }
}

/// Whether a macro of the standard library has this name: those see nothing of ours but their arguments.
pub(in crate::emit) fn is_of_std(name: &str) -> bool {
    const NAMES: [&str; 46] = [
        "addr_of",
        "addr_of_mut",
        "asm",
        "assert",
        "assert_eq",
        "assert_matches",
        "assert_ne",
        "cfg",
        "cfg_select",
        "column",
        "compile_error",
        "concat",
        "dbg",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "env",
        "eprint",
        "eprintln",
        "file",
        "format",
        "format_args",
        "include",
        "include_bytes",
        "include_str",
        "line",
        "match_target",
        "matches",
        "module_path",
        "offset_of",
        "option_env",
        "panic",
        "pin",
        "print",
        "println",
        "ready",
        "stringify",
        "thread_local",
        "todo",
        "unimplemented",
        "unreachable",
        "vec",
        "write",
        "writeln",
        "is_x86_feature_detected",
        "is_aarch64_feature_detected",
    ];
    NAMES.contains(&name)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// Whether `::` ends `before`.
fn ends_path(before: &[TokenTree]) -> bool {
    before.len() >= 2 && is_path_sep(&before[before.len() - 2..])
}

fn is_path_sep(tokens: &[TokenTree]) -> bool {
    matches!(tokens.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
        && is_punct(tokens.get(1), ':')
}

/// Whether `:` begins `after`, as it does after the name of a field.
fn is_field(after: &[TokenTree]) -> bool {
    is_punct(after.first(), ':') && !is_path_sep(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["W".to_owned(), "Lanes".to_owned()]
    }

    fn uses(text: &str) -> bool {
        word(&text.parse().unwrap(), &names()).is_some()
    }

    #[test]
    fn words() {
        assert!(uses("[u32; W]") && uses("f::<{ W + 1 }>()") && uses("Lanes::default()") && uses("x..W"));
        for text in ["Self::W", "<T as Wide>::W", "x.W", "const W: usize = 4;", "P { W: 1 }", "W!(1)"] {
            assert!(!uses(text), "{text}");
        }
        assert!(!uses("fn f<const W: usize>() -> [u8; W]"));
    }

    #[test]
    fn occurrences() {
        let occurs = |text: &str| occurs(&text.parse().unwrap(), "W");
        assert!(occurs("f(W)") && occurs("format!(\"{W}\")") && occurs("println!(\"{W:?} {W}\")") && occurs("S::W"));
        assert!(!occurs("format!(\"W {}\", w)") && !occurs("WW"));
    }

    #[test]
    fn paths() {
        let found = |text: &str, up| {
            let mut found = Vec::new();
            by_path(&text.parse().unwrap(), up, &names(), &mut found);
            found.len()
        };
        assert_eq!(found("self::W + self::Lanes::N", 0), 2);
        assert_eq!(found("super::W + self::W", 1), 1);
        assert_eq!(found("use super::{f, W, g::{W}, Lanes as L};", 1), 2);
        assert_eq!(found("super::super::W + super::W", 2), 1);
        assert_eq!(found("self::super::W", 1), 1);
        assert_eq!(found("self.W + self::inner::W + W + x::self::W", 0), 0);
    }

    #[test]
    fn calls() {
        let mut names = Vec::new();
        called(&"a!(b! { x != y }) + c::d![1] + e".parse().unwrap(), &mut names);
        assert_eq!(names, ["a", "b", "d"]);
        assert!(is_of_std("format") && !is_of_std("w"));
    }
}
