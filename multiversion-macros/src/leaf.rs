//! Leaves: code that calls nothing with clones. The list of names affects only speed; what ends with `_` in it is a prefix.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, FnArg, Ident, Local, Pat, Stmt};

use crate::attrs;
use crate::item::Function;
use crate::sig;
use crate::tokens::{Words, find_word};
use crate::walk::{Walk, Walker};

/// The most tokens of a body that is worth less than a call.
pub(crate) const SHORT: usize = 64;

/// What no leaf has.
const LONGER: [&str; 7] = ["async", "await", "const", "for", "loop", "unsafe", "while"];

/// Methods and functions of primitive types.
const PRIMITIVES: &str = "abs abs_diff as_ checked_ clamp clone cmp copied default eq first from from_be_ from_bits from_le_ from_ne_ get \
    get_mut into is_ascii is_ascii_ is_empty is_nan is_none is_some is_whitespace last leading_ len max min ne ok partial_cmp rotate_ \
    saturating_ signum swap to_ total_cmp trailing_ unwrap unwrap_ wrapping_";

/// Methods of iterators, which adaptors of the standard library call for each element, and what these call of other iterators.
const OF_ITERATORS: [&str; 3] = ["next", "next_back", "size_hint"];
const ITERATORS: &str = "and_then any by_ref cloned copied find get_unchecked map next next_back nth or_else peek position replace rev size_hint take";

pub(crate) fn lists(names: &str, name: &Ident) -> bool {
    let name = name.to_string();
    names.split(' ').any(|known| name == known || (known.ends_with('_') && name.starts_with(known)))
}

/// Whether `function` is a short leaf. LLVM inlines it into clones as it is; elsewhere a clone would cost a test and a call. Operators
/// count only on primitive types: others may have clones. With `#[inline]`, or of an iterator, a leaf may be longer.
pub(crate) fn is_leaf_function(function: &Function) -> bool {
    let iterates = OF_ITERATORS.iter().any(|name| function.sig.ident == name) && function.is_method();
    let longest = if iterates || attrs::says_inline(&function.attrs) { 3 * SHORT } else { SHORT };
    let Some(body) = function.body.as_ref().filter(|body| body.words.length <= longest) else { return false };
    let is_primitive = |input: &FnArg| matches!(input, FnArg::Typed(typed) if sig::is_primitive(&typed.ty));
    let calls = match iterates {
        true => Calls::Iterators,
        false if function.sig.inputs.iter().all(is_primitive) => Calls::Primitives,
        false => Calls::Constructors,
    };
    function.sig.asyncness.is_none()
        && function.sig.constness.is_none()
        && (iterates || !body.words.have_any(&LONGER))
        && !function.attrs.iter().any(|attr| find_word(attr.meta.to_token_stream(), "never").is_some())
        && syn::parse2(body.braces.to_token_stream()).is_ok_and(|mut body| Leaf::is(&mut body, calls))
}

/// Whether the body of a closure is a leaf.
pub(crate) fn is_leaf(body: &mut Expr) -> bool {
    !Words::of(body.to_token_stream()).have_any(&LONGER) && Leaf::is(body, Calls::Primitives)
}

/// The last name of the path that `expr` is.
pub(crate) fn last_name(expr: &Expr) -> Option<&Ident> {
    let Expr::Path(path) = expr else { return None };
    path.path.segments.last().map(|last| &last.ident)
}

/// Whether `expr` does nothing but name, take and put together.
fn hands_out(expr: &Expr) -> bool {
    use Expr::{Block, Field, Lit, Paren, Path, Reference, Struct, Tuple};
    matches!(expr, Block(_) | Field(_) | Lit(_) | Paren(_) | Path(_) | Reference(_) | Struct(_) | Tuple(_))
}

/// What a leaf may call, each with those before it. The first one is one expression of constructors, fields and names.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Calls {
    Constructors,
    Primitives,
    Iterators,
}

struct Leaf {
    holds: bool,
    calls: Calls,
    /// Those that have a name.
    closures: Vec<Ident>,
}

impl Leaf {
    fn is(code: &mut Expr, calls: Calls) -> bool {
        let mut leaf = Leaf { holds: true, calls, closures: Vec::new() };
        Walker(&mut leaf).visit_expr_mut(code);
        leaf.holds
    }
}

impl Walk for Leaf {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let is_known = |name: &Ident| {
            lists(PRIMITIVES, name)
                || self.calls == Calls::Iterators && lists(ITERATORS, name)
                || name.to_string().starts_with(char::is_uppercase)
                || self.closures.contains(name)
        };
        self.holds &= match expr {
            Expr::Call(call) => last_name(&call.func).is_some_and(is_known),
            Expr::MethodCall(call) => self.calls > Calls::Constructors && is_known(&call.method),
            Expr::Closure(_) => self.calls == Calls::Iterators,
            Expr::Macro(_) | Expr::Verbatim(_) => false,
            expr => self.calls > Calls::Constructors || hands_out(expr),
        };
        self.holds
    }

    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        if let Stmt::Local(Local { pat: Pat::Ident(name), init: Some(init), .. }) = stmt
            && let Expr::Closure(closure) = &mut *init.expr
        {
            self.closures.push(name.ident.clone());
            Walker(self).visit_expr_mut(&mut closure.body);
            return false;
        }
        self.holds &= match stmt {
            Stmt::Expr(..) => true,
            Stmt::Local(_) => self.calls > Calls::Constructors,
            _ => false,
        };
        self.holds
    }
}

#[cfg(test)]
mod tests;
