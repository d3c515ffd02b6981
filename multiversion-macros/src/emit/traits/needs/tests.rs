use super::*;

/// The letters for the forms of `Self` in the signature.
fn mention(signature: &str) -> String {
    let Mention { projected, argument, plain, by_value } = mention_in_signature(&syn::parse_str(signature).unwrap());
    [(projected, 'p'), (argument, 'a'), (plain, 's'), (by_value, 'v')]
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, letter)| letter)
        .collect()
}

#[test]
fn where_self_is_named() {
    assert_eq!(mention("fn f(&self, other: &u8) -> u8"), "");
    assert_eq!(mention("fn f(self: Box<Self>)"), "");
    assert_eq!(mention("fn f(self)"), "v");
    assert_eq!(mention("fn f(mut self, n: u8)"), "v");
    assert_eq!(mention("fn f(&self, other: &Self) -> &mut Self"), "s");
    assert_eq!(mention("fn f<'a>(&'a self, other: &'a mut Self, raw: *const Self)"), "s");
    assert_eq!(mention("fn f(&self) -> Self::Output"), "p");
    assert_eq!(mention("fn f(&self) -> <Self as Shape>::Output"), "p");
    assert_eq!(mention("fn f(&self, other: Self)"), "sv");
    assert_eq!(mention("fn f(&self) -> Option<Self>"), "asv");
    assert_eq!(mention("fn f(&self, f: fn() -> Self)"), "sv");
    assert_eq!(mention("fn f(&self, all: &Array<Self>)"), "asv");
    assert_eq!(mention("fn f(&self) -> [Self; 2]"), "sv");
    assert_eq!(mention("fn f<T>(&self, t: T) where T: Into<Self>"), "asv");
}

#[test]
fn what_a_body_asks() {
    let asks = |body: &str| asks_self(body.parse().unwrap());
    assert!(!asks("{ if a != self.b { Self(1) } else { Self { b: !a } } }"));
    assert!(asks("{ let x: Self::Item = f(); x }"));
    assert!(!asks("{ <Self as Shape>::area(self) }"));
    assert!(!asks("{ Self::area(self) }"));
    assert!(asks("{ Self::Item::new(self) }"));
    assert!(asks("{ f(|| m!(x)) }"));
    assert!(!asks("{ assert!(x); }"));
    assert!(asks("{ assert!(Self::N > 1); }"));
}
