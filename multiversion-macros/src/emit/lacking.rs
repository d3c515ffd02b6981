//! Functions without a definition for some clone.
//!
//! Other modules can call such a function, which then panics. In its own module or impl, a clone without a definition
//! that names the function is an error at the word, like any other name without a definition. A method of a trait needs a
//! definition in each clone, since its trait may have a default for it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprPath, Item, Macro, Pat, Token};

use super::{Unit, chosen};
use crate::item::{Body, Function};
use crate::plan::PlannedClone;
use crate::tokens::{find_word, is_standard_macro};
use crate::transform::too_deep;
use crate::walk::{Walk, Walker};

/// The functions that some clones have no definition of.
#[derive(Default)]
pub(super) struct Lacking<'a> {
    /// Functions that are named alone.
    pub(super) functions: Vec<Unit<'a>>,
    /// Functions that are named after `Self::` or `self.`, in an inherent impl.
    pub(super) members: Vec<Unit<'a>>,
}

impl Lacking<'_> {
    /// Whether `body` names one of them.
    pub(super) fn concern(&self, body: &Body) -> bool {
        self.functions.iter().chain(&self.members).any(|unit| body.words.have(&unit.name()))
    }

    /// The body of `function` in `clone`, where each name without a definition is an error.
    pub(super) fn mark(&self, body: TokenStream, function: &Function, clone: &PlannedClone) -> TokenStream {
        let Some(words) = function.body.as_ref().map(|body| &body.words) else { return body };
        let named = |unit: &&Unit<'_>| words.have(&unit.name());
        let parameter = |unit: &Unit<'_>| find_word(function.sig.inputs.to_token_stream(), &unit.name()).is_some();
        let functions: Vec<_> = self.functions.iter().filter(|unit| named(unit) && !parameter(unit)).collect();
        let members: Vec<_> = self.members.iter().filter(named).collect();
        if functions.is_empty() && members.is_empty() {
            return body;
        }
        // A body that `syn` cannot parse is left to panic.
        let Some(mut block) = parsed(&body) else { return body };
        let mut marker = Marker { functions, members, clone, marked: false };
        let mut bound = Bound(Vec::new());
        Walker(&mut bound).visit_block_mut(&mut block);
        marker.functions.retain(|unit| !bound.0.contains(&unit.name()));
        Walker(&mut marker).visit_block_mut(&mut block);
        if !marker.marked {
            return body;
        }
        let stmts = block.stmts;
        quote!(#(#stmts)*)
    }
}

/// The error that `clone` has no definition of `name`.
pub(super) fn error(name: &Ident, clone: &PlannedClone) -> TokenStream {
    let message = format!(
        "`{name}` has no definition in {clone}: the `cfg(target_feature)` of each is false there\n\
         help: add one, for example under `#[cfg(not(…))]`"
    );
    quote_spanned!(name.span()=> compile_error! { #message })
}

/// Whether `expr` is `self`.
fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// `body` as `syn` reads it.
fn parsed(body: &TokenStream) -> Option<Block> {
    let stmts = if too_deep(body) { None } else { Block::parse_within.parse2(body.clone()).ok() };
    stmts.map(|stmts| Block { brace_token: syn::token::Brace::default(), stmts })
}

/// The names that `body` declares itself.
pub(super) fn bound(body: &TokenStream) -> Vec<String> {
    let mut bound = Bound(Vec::new());
    if let Some(mut block) = parsed(body) {
        Walker(&mut bound).visit_block_mut(&mut block);
    }
    bound.0
}

/// Collects the names that a body declares itself.
struct Bound(Vec<String>);

impl Walk for Bound {
    fn pat(&mut self, pat: &mut Pat) -> bool {
        if let Pat::Ident(pat) = pat {
            self.0.push(pat.ident.to_string());
        }
        true
    }

    fn item(&mut self, item: &mut Item) -> bool {
        match item {
            Item::Fn(function) => self.0.push(function.sig.ident.to_string()),
            Item::Use(_) => self.0.extend(chosen::names(item)),
            _ => {}
        }
        true
    }
}

struct Marker<'a> {
    functions: Vec<&'a Unit<'a>>,
    members: Vec<&'a Unit<'a>>,
    clone: &'a PlannedClone,
    marked: bool,
}

impl Marker<'_> {
    /// The name that `path` is, with the `cfg` predicate under which the clone has no definition of it.
    fn missing(&self, path: &ExprPath) -> Option<(Ident, TokenStream)> {
        if path.qself.is_some() || path.path.leading_colon.is_some() {
            return None;
        }
        let mut segments = path.path.segments.iter().map(|segment| &segment.ident);
        let (name, among) = match (segments.next()?, segments.next(), segments.next()) {
            (name, None, None) => (name, &self.functions),
            (start, Some(name), None) if start == "self" => (name, &self.functions),
            (start, Some(name), None) if start == "Self" => (name, &self.members),
            _ => return None,
        };
        self.missing_among(among, name)
    }

    fn missing_among(&self, units: &[&Unit<'_>], name: &Ident) -> Option<(Ident, TokenStream)> {
        let unit = units.iter().find(|unit| unit.main().sig.ident == *name)?;
        Some((name.clone(), unit.missing(self.clone)))
    }
}

impl Walk for Marker<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        visit_mut::visit_expr_mut(&mut Walker(self), expr);
        let missing = match expr {
            Expr::Path(path) => self.missing(path),
            Expr::MethodCall(call) if is_self(&call.receiver) => self.missing_among(&self.members, &call.method),
            _ => None,
        };
        let Some((name, predicate)) = missing else { return false };
        let error = error(&name, self.clone);
        *expr = Expr::Verbatim(quote_spanned!(Span::mixed_site()=> ({ #[cfg(#predicate)] #error #expr })));
        self.marked = true;
        false
    }

    /// The arguments, if they are expressions.
    fn macro_call(&mut self, call: &mut Macro) -> bool {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let known = call.path.segments.last().is_some_and(|last| is_standard_macro(&last.ident.to_string()));
        let Ok(mut arguments) = parser.parse2(call.tokens.clone()) else { return false };
        let before = core::mem::take(&mut self.marked);
        if known {
            arguments.iter_mut().for_each(|argument| Walker(self).visit_expr_mut(argument));
        }
        if self.marked {
            call.tokens = arguments.into_token_stream();
        }
        self.marked |= before;
        false
    }

    /// A module inside the body has other names.
    fn item(&mut self, item: &mut Item) -> bool {
        !matches!(item, Item::Mod(_))
    }
}
