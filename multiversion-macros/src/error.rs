//! The mistakes found in one use of the macro, reported together.
use core::cell::RefCell;
use core::fmt::Display;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

use crate::compiler::COMPILER;

/// A list of mistakes, each with its place.
#[derive(Default)]
pub(crate) struct Errors(Vec<(Span, String)>);

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn push(&mut self, span: Span, message: impl Display) {
        self.0.push((span, message.to_string()));
    }

    /// A mistake, and a help.
    pub(crate) fn push_help(&mut self, span: Span, message: impl Display, help: impl Display) {
        self.push(span, format_args!("{message}\nhelp: {help}"));
    }

    /// An error of `syn`.
    pub(crate) fn push_syn(&mut self, error: &syn::Error) {
        for error in error.clone() {
            self.push(error.span(), error);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One error for each mistake.
impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for (span, message) in &self.0 {
            if COMPILER.writes {
                report(*span, message, true);
            } else {
                tokens.extend(compile_error(*span, message));
            }
        }
    }
}

/// An error at `span`, by the library's macro: the user may have one of that name. In the edition 2015, at a place in the user's code,
/// `::core` would be a path in the user's crate; and with the colons of another edition, rustc adds two lines about the macro.
pub(crate) fn compile_error(span: Span, message: &str) -> TokenStream {
    let library = (!COMPILER.edition_2015).then(|| quote_spanned!(span=> ::core::));
    quote_spanned!(span=> #library compile_error! { #message })
}

/// The names of constants in warnings.
pub(crate) const ADDS_NOTHING: &str = "ADDS_NOTHING";
pub(crate) const WITHOUT_CLONES: &str = "WITHOUT_CLONES";

/// An item that makes rustc warn about a constant `name`. A macro has no other way on stable Rust.
pub(crate) fn warning(span: Span, name: &str, note: &str) -> TokenStream {
    if COMPILER.writes {
        report(span, note, false);
        return TokenStream::new();
    }
    let declared = Ident::new(name, Span::mixed_site());
    let used = Ident::new(name, span.resolved_at(Span::mixed_site()));
    quote_spanned! {Span::mixed_site()=>
        const _: () = {
            #[deprecated(note = #note)]
            const #declared: () = ();
            #used
        };
    }
}

/// What a macro would make the compiler say, for a program that writes expansions into files.
pub struct Message {
    /// The place.
    pub span: Span,
    /// The message, and its help in further lines.
    pub text: String,
    /// Otherwise it is a warning.
    pub is_error: bool,
}

thread_local! {
    static REPORTED: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

/// Says it to that program.
pub(crate) fn report(span: Span, text: &str, is_error: bool) {
    REPORTED.with_borrow_mut(|reported| reported.push(Message { span, text: text.to_owned(), is_error }));
}

/// The messages since the last call.
pub(crate) fn reported() -> Vec<Message> {
    REPORTED.take()
}

#[cfg(test)]
mod tests;
