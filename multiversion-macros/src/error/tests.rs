use super::*;

impl Errors {
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.0.iter().map(|(_, message)| message.as_str()).collect()
    }
}
use core::str::FromStr;

#[test]
fn no_mistake_no_tokens() {
    let errors = Errors::new();
    assert!(errors.is_empty());
    assert!(errors.into_token_stream().is_empty());
}

#[test]
fn one_item_each() {
    let mut errors = Errors::new();
    errors.push(Span::call_site(), "first \"quoted\"");
    errors.push_help(Span::call_site(), format_args!("second `{}`", 2), "write `3`");
    assert!(!errors.is_empty());
    let file: syn::File = syn::parse2(errors.into_token_stream()).unwrap();
    let messages: Vec<String> = file.items.iter().map(message).collect();
    assert_eq!(messages, ["first \"quoted\"", "second `2`\nhelp: write `3`"]);
}

fn message(item: &syn::Item) -> String {
    let syn::Item::Macro(item) = item else { panic!("not a macro call") };
    assert!(item.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error"));
    item.mac.parse_body::<syn::LitStr>().unwrap().value()
}

#[test]
fn each_at_its_place() {
    let tokens = TokenStream::from_str("one two").unwrap();
    let spans: Vec<Span> = tokens.into_iter().map(|token| token.span()).collect();
    let mut errors = Errors::new();
    errors.push(spans[1], "wrong");
    let written =
        errors.into_token_stream().into_iter().all(|token| token.span().source_text().as_deref() == Some("two"));
    assert!(written);
}

#[test]
fn several_from_syn() {
    let mut error = syn::Error::new(Span::call_site(), "a");
    error.combine(syn::Error::new(Span::call_site(), "b"));
    let mut errors = Errors::new();
    errors.push_syn(&error);
    assert_eq!(errors.messages(), ["a", "b"]);
}
