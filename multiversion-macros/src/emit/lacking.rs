//! Functions without a definition for some clone.
//!
//! Other modules can call such a function, which then panics. In its own module or impl, a clone without a definition
//! that names the function is an error at the word, like any other name without a definition.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprPath, Item, Macro, Pat, Token};

use super::{Unit, chosen};
use crate::check::earlier_definition;
use crate::item::{Function, Node};
use crate::plan::PlannedClone;
use crate::tokens::{find_word, is_standard_macro};
use crate::transform::too_deep;
use crate::walk::{Walk, Walker};

/// The functions that some clones have no definition of.
#[derive(Default)]
pub(super) struct Lacking<'a> {
    /// Functions that are named alone.
    pub(super) functions: Vec<Missing<'a>>,
    /// Functions that are named after `Self::`.
    pub(super) members: Vec<Missing<'a>>,
}

/// A function, with the `cfg` predicate under which a clone has no definition.
pub(super) struct Missing<'a> {
    name: String,
    clones: Vec<(&'a PlannedClone, TokenStream)>,
}

impl<'a> Missing<'a> {
    /// The functions of several definitions among `nodes`.
    pub(super) fn among(nodes: &'a [Node]) -> Vec<Missing<'a>> {
        let mut all = Vec::new();
        for at in 0..nodes.len() {
            if let Some(unit @ Unit { plan, selected: true, .. }) = Unit::at(nodes, at)
                && earlier_definition(nodes, at).is_none()
            {
                let clones = plan.clones.iter().map(|clone| (clone, unit.missing(clone))).collect();
                all.push(Missing { name: unit.main().sig.ident.to_string(), clones });
            }
        }
        all
    }
}

impl Lacking<'_> {
    /// The body of `function` in `clone`, where each name without a definition is an error.
    pub(super) fn mark(&self, body: TokenStream, function: &Function, clone: &PlannedClone) -> TokenStream {
        let Some(words) = function.body.as_ref().map(|body| &body.words) else { return body };
        let named = |missing: &&Missing<'_>| words.have(&missing.name);
        let parameter =
            |missing: &&Missing<'_>| find_word(function.sig.inputs.to_token_stream(), &missing.name).is_some();
        let functions: Vec<_> = self.functions.iter().filter(|it| named(it) && !parameter(it)).collect();
        let members: Vec<_> = self.members.iter().filter(named).collect();
        if (functions.is_empty() && members.is_empty()) || too_deep(&body) {
            return body;
        }
        // A body that `syn` cannot parse is left to panic.
        let Ok(stmts) = Block::parse_within.parse2(body.clone()) else { return body };
        let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
        let mut marker = Marker { functions, members, clone, marked: false };
        let mut bound = Bound(Vec::new());
        Walker(&mut bound).visit_block_mut(&mut block);
        marker.functions.retain(|missing| !bound.0.contains(&missing.name));
        Walker(&mut marker).visit_block_mut(&mut block);
        if !marker.marked {
            return body;
        }
        let stmts = block.stmts;
        quote!(#(#stmts)*)
    }
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
    functions: Vec<&'a Missing<'a>>,
    members: Vec<&'a Missing<'a>>,
    clone: &'a PlannedClone,
    marked: bool,
}

impl Marker<'_> {
    fn missing(&self, path: &ExprPath) -> Option<(Ident, &TokenStream)> {
        let segments = &path.path.segments;
        let last = segments.last()?;
        if path.qself.is_some() || path.path.leading_colon.is_some() || segments.len() > 2 {
            return None;
        }
        let first = &segments.first()?.ident;
        let among = match segments.len() {
            1 => &self.functions,
            _ if first == "self" => &self.functions,
            _ if first == "Self" => &self.members,
            _ => return None,
        };
        let missing = among.iter().find(|missing| last.ident == missing.name)?;
        let (_, predicate) = missing.clones.iter().find(|(clone, _)| core::ptr::eq(*clone, self.clone))?;
        Some((last.ident.clone(), predicate))
    }
}

impl Walk for Marker<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        visit_mut::visit_expr_mut(&mut Walker(self), expr);
        let Expr::Path(path) = expr else { return false };
        let Some((name, predicate)) = self.missing(path) else { return false };
        let clone = match &self.clone.features.target {
            Some(target) => format!("the clone for {}", target.enable),
            None => "the baseline".to_owned(),
        };
        let message = format!(
            "`{name}` has no definition in {clone}: the `cfg(target_feature)` of each is false there\n\
             help: add one, for example under `#[cfg(not(…))]`"
        );
        let error = quote_spanned!(name.span()=> ::core::compile_error! { #message });
        *expr = Expr::Verbatim(quote_spanned!(Span::mixed_site()=> ({ #[cfg(#predicate)] #error #path })));
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
