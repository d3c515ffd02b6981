//! What a method asks of the trait that holds its clones, as far as tokens tell.
//!
//! The trait repeats no more of the user's header than it must: what holds by itself in an impl has to be proved in a
//! trait.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Path, PathArguments, ReceiverKind, Signature};

use super::header::{Header, Implementor};
use crate::item::Function;
use crate::transform::STANDARD_MACROS;

pub(super) struct Needs {
    /// The user's trait is a supertrait.
    pub(super) bound: bool,
    /// So is `Sized`.
    pub(super) sized: bool,
}

/// Traits of the standard library that unsized types implement, and that have no parameter that is `Self` by default.
const FOR_UNSIZED: [&str; 19] = [
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "Debug",
    "Deref",
    "DerefMut",
    "Display",
    "Eq",
    "Error",
    "Hash",
    "Index",
    "IndexMut",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "ToOwned",
    "ToString",
];

impl Needs {
    pub(super) fn of<'a>(definitions: impl Iterator<Item = &'a Function>, header: &Header) -> Needs {
        let Implementor::Type { may_be_unsized, .. } = header.implementor else {
            return Needs { bound: true, sized: false };
        };
        let mut needs = Needs { bound: false, sized: false };
        for method in definitions {
            let mention = mention_in_signature(&method.sig);
            let body = method.body.as_ref().map(proc_macro2::Group::stream).unwrap_or_default();
            needs.bound |= mention.anywhere || asks_self(body);
            needs.sized |= mention.by_value;
        }
        // Without arguments, a parameter of the user's trait may stand for `Self`.
        if needs.bound
            && let Ok(path) = syn::parse2::<Path>(header.bound.clone())
            && let Some(last) = path.segments.last()
        {
            let plain = FOR_UNSIZED.iter().any(|name| last.ident == name);
            needs.sized |= matches!(last.arguments, PathArguments::None) && !plain;
        }
        needs.sized &= !may_be_unsized;
        needs
    }
}

/// Where `Self` is in a signature.
#[derive(Default)]
struct Mention {
    anywhere: bool,
    by_value: bool,
}

fn mention_in_signature(sig: &Signature) -> Mention {
    let mut mention = Mention::default();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => mention.by_value |= matches!(receiver.kind, ReceiverKind::Value),
            FnArg::Typed(typed) => mention.add(typed.ty.to_token_stream()),
        }
    }
    mention.add(sig.output.to_token_stream());
    mention.add(sig.generics.to_token_stream());
    mention.add(sig.generics.where_clause.to_token_stream());
    mention
}

impl Mention {
    fn add(&mut self, tokens: TokenStream) {
        let mut indirect = false;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "Self" => {
                    self.anywhere = true;
                    let path = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
                    self.by_value |= !indirect && !path;
                    indirect = false;
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), '&' | '*') => indirect = true,
                // What stands between a reference and its type.
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    tokens.next();
                }
                TokenTree::Ident(word) if word == "mut" || word == "const" => {}
                TokenTree::Group(group) => {
                    self.add(group.stream());
                    indirect = false;
                }
                _ => indirect = false,
            }
        }
    }
}

/// Whether `body` names something by `Self::…` or `<Self as …>`, itself or through a macro of the user's own, of which
/// only the name is here.
fn asks_self(body: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let punct = |at: usize, char: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == char);
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(word) => {
            let call = punct(at + 1, '!') && !punct(at + 2, '=');
            let cast = matches!(tokens.get(at + 1), Some(TokenTree::Ident(next)) if next == "as");
            (word == "Self" && (punct(at + 1, ':') || cast))
                || (call && !STANDARD_MACROS.iter().any(|name| word == name))
        }
        TokenTree::Group(group) => asks_self(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(signature: &str) -> (bool, bool) {
        let Mention { anywhere, by_value } = mention_in_signature(&syn::parse_str(signature).unwrap());
        (anywhere, by_value)
    }

    #[test]
    fn where_self_is_named() {
        assert_eq!(mention("fn f(&self, other: &u8) -> u8"), (false, false));
        assert_eq!(mention("fn f(self: Box<Self>)"), (false, false));
        assert_eq!(mention("fn f(self)"), (false, true));
        assert_eq!(mention("fn f(mut self, n: u8)"), (false, true));
        assert_eq!(mention("fn f(&self, other: &Self) -> &mut Self"), (true, false));
        assert_eq!(mention("fn f<'a>(&'a self, other: &'a mut Self, raw: *const Self)"), (true, false));
        assert_eq!(mention("fn f(&self) -> Self::Output"), (true, false));
        assert_eq!(mention("fn f(&self, other: Self)"), (true, true));
        assert_eq!(mention("fn f(&self) -> Option<Self>"), (true, true));
        assert_eq!(mention("fn f(&self) -> [Self; 2]"), (true, true));
        assert_eq!(mention("fn f<T>(&self, t: T) where T: Into<Self>"), (true, true));
    }

    #[test]
    fn what_a_body_asks() {
        let asks = |body: &str| asks_self(body.parse().unwrap());
        assert!(!asks("{ if a != self.b { Self(1) } else { Self { b: !a } } }"));
        assert!(asks("{ let x: Self::Item = f(); x }"));
        assert!(asks("{ <Self as Shape>::area(self) }"));
        assert!(asks("{ f(|| m!(x)) }"));
        assert!(!asks("{ assert!(x); }"));
        assert!(asks("{ assert!(Self::N > 1); }"));
    }
}
