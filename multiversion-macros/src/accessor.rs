//! Functions without work to dispatch: they hand out parameters, fields and literals.

use syn::parse::Parser;
use syn::{Expr, Ident, Stmt};

use crate::item::Function;
use crate::sig::is_named;
use crate::tokens::{find, is_punct};

/// Whether the function's body hands out what it is given, as accessors and simple constructors do: `&self.field`,
/// `Self { field }`, `Some(self.0)`. Its clones would be the same instructions, behind a test of the CPU's features.
///
/// Names of anything but parameters do not count: a constant can have another value in each clone.
pub(crate) fn is_accessor(function: &Function) -> bool {
    /// The most tokens of a body that is looked at.
    const LONGEST: usize = 24;
    let Some(body) = &function.body else { return false };
    let tokens = body.stream();
    if function.sig.asyncness.is_some()
        || body.words.bangs
        || tokens.clone().into_iter().nth(LONGEST).is_some()
        || find(tokens.clone(), &mut |token| is_punct(Some(token), '#').then_some(())).is_some()
    {
        return false;
    }
    let is_given = |name: &Ident| name == "self" || function.sig.inputs.iter().any(|input| is_named(input, name));
    match syn::Block::parse_within.parse2(tokens).as_deref() {
        Ok([]) => true,
        Ok([Stmt::Expr(value, None)]) => is_handed_out(value, &is_given),
        _ => false,
    }
}

fn is_handed_out(value: &Expr, is_given: &dyn Fn(&Ident) -> bool) -> bool {
    let all = |values: &syn::punctuated::Punctuated<Expr, _>| values.iter().all(|value| is_handed_out(value, is_given));
    match value {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.qself.is_none() && path.path.get_ident().is_some_and(is_given),
        Expr::Field(field) => is_handed_out(&field.base, is_given),
        Expr::Reference(reference) => is_handed_out(&reference.expr, is_given),
        Expr::Paren(inner) => is_handed_out(&inner.expr, is_given),
        Expr::Tuple(tuple) => all(&tuple.elems),
        Expr::Struct(made) => {
            let fields = || made.fields.iter();
            made.rest.is_none()
                && made.path.is_ident("Self")
                && fields().all(|field| is_handed_out(&field.expr, is_given))
        }
        Expr::Call(call) => {
            let is_constructor =
                |path: &syn::ExprPath| ["Self", "Some", "Ok", "Err"].iter().any(|name| path.path.is_ident(name));
            matches!(&*call.func, Expr::Path(path) if is_constructor(path)) && all(&call.args)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Node;

    fn is(text: &str) -> bool {
        match Node::parse(text.parse().unwrap()).unwrap() {
            Node::Fn(function) => is_accessor(&function),
            Node::Item(_) => false,
        }
    }

    #[test]
    fn what_hands_out_what_it_was_given() {
        for text in [
            "fn config(&self) -> &Config { &self.config }",
            "fn len(&self) -> usize { self.0.len }",
            "pub fn new(a: u8, b: Vec<u8>) -> Self { Self { a, b, c: 0 } }",
            "fn wrap(self) -> Option<Self> { Some(self) }",
            "fn of(inner: T) -> Self { Self((inner), 1, \"text\") }",
            "fn parts(&mut self) -> (&mut A, &B) { (&mut self.a, &self.b) }",
            "fn nothing(&self) {}",
        ] {
            assert!(is(text), "{text}");
        }
    }

    #[test]
    fn what_may_work_or_differ_between_clones() {
        for text in [
            "fn len(&self) -> usize { self.0.len() }",
            "fn lanes() -> usize { LANES }",
            "fn lanes() -> usize { lanes }",
            "fn lanes() -> usize { Self::LANES }",
            "fn made() -> Self { Self { a: make() } }",
            "fn made(self) -> Self { Self { a: 1, ..self } }",
            "fn other(a: u8) -> Other { Other { a } }",
            "fn call(f: fn(u8) -> u8) -> u8 { f(1) }",
            "fn sum(a: f32, b: f32) -> f32 { a + b }",
            "fn neg(a: f32) -> f32 { -a }",
            "fn at(&self, i: usize) -> u8 { self.0[i] }",
            "fn read(&self) -> u8 { *self.0 }",
            "fn set(&mut self, a: u8) { self.a = a }",
            "fn cast(self) -> f32 { self.0 as f32 }",
            "fn width() -> usize { cfg!(target_feature = \"avx2\") }",
            "fn width(a: u8, b: u8) -> u8 { #[cfg(target_feature = \"avx2\")] a }",
            "fn width((a, b): (u8, u8)) -> u8 { a }",
            "async fn later(&self) -> u8 { self.a }",
            "fn required(&self) -> u8;",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
