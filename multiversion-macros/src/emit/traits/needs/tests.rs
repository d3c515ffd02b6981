use super::*;

/// The signature in an impl for `ty`, and whether `Self` is a type in it.
fn named(ty: &str, signature: &str) -> (String, bool) {
    let mut sig = syn::parse_str(signature).unwrap();
    let found = name_self(&mut sig, &syn::parse_str(ty).unwrap());
    (sig.to_token_stream().to_string().replace(' ', ""), found)
}

#[test]
fn self_becomes_the_type() {
    for (signature, expected, found) in [
        ("fn f(&self, other: &u8) -> u8", "fnf(&self,other:&u8)->u8", false),
        ("fn f(self: Box<Self>)", "fnf(self:Box<Self>)", false),
        ("fn f(mut self, n: u8)", "fnf(mutself,n:u8)", true),
        ("fn f(&self, other: &Self) -> &mut Self", "fnf(&self,other:&S)->&mutS", true),
        ("fn f(&self) -> Self::Output", "fnf(&self)->Self::Output", false),
        ("fn f(&self) -> <Self as Shape>::Output", "fnf(&self)-><SasShape>::Output", true),
        ("fn f(&self, other: Self)", "fnf(&self,other:S)", true),
        ("fn f(&self, f: fn() -> Option<Self>)", "fnf(&self,f:fn()->Option<S>)", true),
        ("fn f(&self) -> [Self; 2]", "fnf(&self)->[S;2]", true),
        ("fn f(&self) -> A<{ Self::N }>", "fnf(&self)->A<{<S>::N}>", false),
        ("fn f<T>(&self, t: T) where T: Into<Self>", "fnf<T>(&self,t:T)whereT:Into<S>", true),
    ] {
        assert_eq!(named("S", signature), (expected.to_owned(), found));
    }
    assert_eq!(named("dyn A + B", "fn f(x: &Self)").0, "fnf(x:&(dynA+B))");
}

#[test]
fn lifetimes_of_the_type_are_not_the_output_s() {
    for (signature, kept) in [
        ("fn f(x: Self, y: &u8) -> &u8", true),
        ("fn f(self, x: Self) -> A<'_>", true),
        ("fn f(&self, x: Self) -> &u8", false),
        ("fn f(x: Self, y: &u8) -> u8", false),
    ] {
        assert_eq!(named("S<'a>", signature).0.contains("Self"), kept, "{signature}");
    }
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
