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
            made.rest.is_none()
                && made.path.is_ident("Self")
                && made.fields.iter().all(|field| is_handed_out(&field.expr, is_given))
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
mod tests;
