//! The parts of the user's header that a method needs in the trait of its clones, as far as tokens show.
//!
//! The trait repeats as little of the user's header as possible: conditions that hold implicitly in an impl have to be
//! proved in a trait.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Path, ReceiverKind, Signature};

use super::header::{Header, Implementor};
use crate::item::{Body, Function};
use crate::tokens::{find_word, is_punct, is_standard_macro};

pub(super) struct Needs {
    /// The user's trait is a supertrait.
    pub(super) bound: bool,
    /// So is `Sized`.
    pub(super) sized: bool,
}

impl Needs {
    pub(super) fn of(definitions: &[&Function], header: &Header) -> Needs {
        let Implementor::Type { may_be_unsized, .. } = header.implementor else {
            return Needs { bound: true, sized: false };
        };
        let mut needs = Needs { bound: false, sized: false };
        let mut plain = false;
        for method in definitions {
            let mention = mention_in_signature(&method.sig);
            let body = method.body.as_ref().map(Body::stream).unwrap_or_default();
            needs.bound |= mention.projected || mention.argument || asks_self(body);
            needs.sized |= mention.by_value;
            plain |= mention.plain;
        }
        // A parameter of the user's trait without arguments may stand for `Self`. It is `Sized` unless the trait has
        // `?Sized`.
        if needs.bound
            && plain
            && let Ok(path) = syn::parse2::<Path>(header.bound.clone())
        {
            needs.sized |= path.segments.last().is_some_and(|last| last.arguments.is_none());
        }
        // A generic argument in a condition has to be `Sized`.
        needs.sized |= find_word(header.generics.where_clause.to_token_stream(), "Self").is_some();
        needs.sized &= !may_be_unsized;
        needs
    }
}

/// Where `Self` is in a signature.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
struct Mention {
    /// `Self::…` or `<Self as …>`.
    projected: bool,
    /// `Self` as a generic argument: the type may have the same bounds as the user's trait.
    argument: bool,
    /// `Self` as a type.
    plain: bool,
    /// The same, and not behind a reference or a pointer.
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
        let mut angles = 0_i32;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) if word == "Self" => {
                    let projected = match tokens.peek() {
                        Some(TokenTree::Punct(punct)) => punct.as_char() == ':',
                        Some(TokenTree::Ident(word)) => word == "as",
                        _ => false,
                    };
                    self.projected |= projected;
                    self.plain |= !projected;
                    self.argument |= !projected && angles > 0;
                    self.by_value |= !indirect && !projected;
                    indirect = false;
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), '&' | '*') => indirect = true,
                // Tokens between a reference and its type.
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    tokens.next();
                }
                TokenTree::Ident(word) if word == "mut" || word == "const" => {}
                TokenTree::Punct(punct) if punct.as_char() == '-' => {
                    // The `>` of an arrow closes nothing.
                    tokens.next();
                    indirect = false;
                }
                TokenTree::Punct(punct) if matches!(punct.as_char(), '<' | '>') => {
                    angles += if punct.as_char() == '<' { 1 } else { -1 };
                    indirect = false;
                }
                TokenTree::Group(group) => {
                    self.add(group.stream());
                    indirect = false;
                }
                _ => indirect = false,
            }
        }
    }
}

/// Whether `body` may name a type by `Self::…`, itself or through a macro of the user's own, of which only the name is
/// known. Calls through such a path are resolved without the user's trait as a bound, and so is `<Self as …>`.
fn asks_self(body: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let punct = |at: usize, char| is_punct(tokens.get(at), char);
    let called =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(word) if word == "Self" => punct(at + 1, ':') && !called(at + 4),
        TokenTree::Ident(word) => punct(at + 1, '!') && !punct(at + 2, '=') && !is_standard_macro(&word.to_string()),
        TokenTree::Group(group) => asks_self(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
