//! Code in a body that is compiled separately repeats the clone's assertion.
//!
//! A closure repeats it at its start. An async body is a state machine: the code after an `.await` runs in the call of
//! `poll` that resumes it, and where paths meet of which one has awaited, no assertion dominates the code after them. So the
//! assertion follows each `.await`, and precedes what comes after a statement that awaits: the next statement, and each block in it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Block, Expr, ExprAwait, ExprBlock, ExprClosure, ExprWhile, Item, ItemFn, Local, LocalInit, Pat, Stmt,
};

use super::nested;
use crate::cfg::Features;
use crate::plan::TargetCode;
use crate::tokens::{braces, called, find_word, is_standard_macro};
use crate::walk::{Walk, Walker};

pub(super) struct Rewriter<'a> {
    features: &'a Features,
    target: &'a TargetCode,
    /// Nested functions may be called from places where the target alone is known.
    carried: bool,
    /// A statement that asserts the facts that hold wherever the current code runs.
    known: &'a TokenStream,
    /// The current code belongs to an async function, block or closure.
    asynchronous: bool,
    /// The current statement, or the current loop, awaits.
    awaits: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(features: &'a Features, target: &'a TargetCode, asynchronous: bool, carried: bool) -> Self {
        Rewriter { features, target, carried, known: &target.assertion, asynchronous, awaits: false }
    }

    /// The statements of a block.
    pub(super) fn statements(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        let (around, mut due) = (self.awaits, self.awaits);
        for mut statement in statements {
            if due && !is_trivial_statement(&statement) {
                // Without the statement, the assertion would end the block.
                let (cfgs, assertion) = (cfgs(&statement), self.known);
                due = !cfgs.is_empty();
                out.push(Stmt::Expr(Expr::Verbatim(quote!(#(#cfgs)* #assertion)), None));
            }
            self.awaits = self.awaits_in(&statement);
            due |= self.awaits;
            Walker(self).visit_stmt_mut(&mut statement);
            out.push(statement);
        }
        self.awaits = around;
        out
    }

    /// Whether there may be an `.await` in `code`: a macro may have one.
    fn awaits_in(&self, code: &impl ToTokens) -> bool {
        self.asynchronous && !self.known.is_empty() && {
            let code = code.to_token_stream();
            find_word(code.clone(), "await").is_some() || called(code).iter().any(|name| !is_standard_macro(name))
        }
    }

    fn assertion(&self) -> Stmt {
        Stmt::Expr(Expr::Verbatim(self.known.clone()), None)
    }

    /// Puts the assertion at the start of `block`, unless nothing in it could profit.
    fn assert(&self, block: &mut Block) {
        if !self.known.is_empty() && !block.stmts.iter().all(is_trivial_statement) {
            block.stmts.insert(0, self.assertion());
        }
    }

    /// Makes `expr` a block with the assertion at its start.
    fn assert_before(&self, expr: &mut Expr) {
        if let Expr::Block(ExprBlock { attrs, label: None, block }) = expr
            && attrs.iter().all(|attr| matches!(attr.style, syn::AttrStyle::Inner(_)))
        {
            return self.assert(block);
        }
        if self.known.is_empty() || is_trivial(expr) {
            return;
        }
        // The expression then ends for rustc where it ends for the user.
        let end = expr.to_token_stream().into_iter().last().map_or_else(Span::mixed_site, |last| last.span());
        let value = core::mem::replace(expr, Expr::Verbatim(TokenStream::new()));
        let stmts = vec![self.assertion(), Stmt::Expr(value, None)];
        let block = Block { brace_token: syn::token::Brace(end), stmts };
        *expr = Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block });
    }

    fn visit(&mut self, expr: &mut Expr) {
        Walker(self).visit_expr_mut(expr);
    }

    fn rewrite(&mut self, block: &mut Block) {
        block.stmts = self.statements(core::mem::take(&mut block.stmts));
    }

    /// Visits code that runs separately: a closure, an async block or a function.
    fn apart<T>(&mut self, asynchronous: bool, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.asynchronous, self.awaits);
        (self.asynchronous, self.awaits) = (asynchronous, false);
        let result = visit(self);
        (self.asynchronous, self.awaits) = outer;
        result
    }

    fn nested_function(&mut self, function: &mut ItemFn) -> TokenStream {
        let (outside, target) = (self.known, self.target);
        if self.carried {
            self.known = &target.apart.assertion;
        }
        let asynchronous = function.sig.asyncness.is_some();
        self.apart(asynchronous, |this| Walker(this).visit_block_mut(&mut function.block));
        let assertion = core::mem::replace(&mut self.known, outside);
        nested::wrapped(function, self.features, target, assertion, self.carried)
    }

    /// Visits the `body` of a loop, whose rounds meet at its start.
    fn repeated(&mut self, awaits: bool, body: &mut Block) {
        let outer = core::mem::replace(&mut self.awaits, awaits);
        self.rewrite(body);
        self.awaits = outer;
    }

    /// A `while` that awaits becomes the equivalent `loop`, so that the assertion also precedes its condition.
    fn visit_while(&mut self, expr: &mut Expr) {
        let awaits = self.awaits_in(expr);
        let Expr::While(ExprWhile { attrs, label, while_token, cond, body }) = expr else { return };
        self.visit(cond);
        // The assertion precedes the condition, and after an `.await` in it follows that.
        self.repeated(false, body);
        if !awaits {
            return;
        }
        let (outer, inner): (Vec<_>, Vec<_>) =
            attrs.iter().partition(|attr| matches!(attr.style, syn::AttrStyle::Outer));
        let (assertion, statements) = (self.known, &body.stmts);
        let body = braces(quote!(#(#inner)* #(#statements)*), body.brace_token.span.join());
        let (while_, break_) = (quote_spanned!(while_token.span=> loop), quote_spanned!(Span::mixed_site()=> break));
        *expr = Expr::Verbatim(quote!(#(#outer)* #label #while_ { #assertion if #cond #body else { #break_ } }));
    }
}

impl Walk for Rewriter<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        self.rewrite(block);
        false
    }

    fn stmt(&mut self, statement: &mut Stmt) -> bool {
        let Some(awaited) = awaited_last(statement).filter(|_| !self.known.is_empty()) else { return true };
        // The assertion is the next statement's, if there is one.
        self.visit(&mut awaited.base);
        false
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Await(awaited) if !self.known.is_empty() => {
                self.visit(&mut awaited.base);
                let (assertion, attrs) = (self.known, core::mem::take(&mut awaited.attrs));
                // Keeps the operand's temporaries alive for as long as before.
                *expr = Expr::Verbatim(quote_spanned! {Span::mixed_site()=>
                    #(#attrs)* (match #awaited { __awaited => { #assertion __awaited } })
                });
            }
            Expr::Async(expr) => {
                self.apart(true, |this| this.rewrite(&mut expr.block));
                self.assert(&mut expr.block);
            }
            Expr::Closure(ExprClosure { asyncness, body, .. }) => {
                self.apart(asyncness.is_some(), |this| this.visit(body));
                self.assert_before(body);
            }
            Expr::Match(expr) => {
                self.visit(&mut expr.expr);
                for arm in &mut expr.arms {
                    if let Pat::Guard(pat) = &mut arm.pat {
                        self.visit(&mut pat.guard);
                    }
                    self.visit(&mut arm.body);
                    if self.awaits && !matches!(*arm.body, Expr::Block(_) | Expr::If(_)) {
                        self.assert_before(&mut arm.body);
                    }
                }
            }
            Expr::While(_) => self.visit_while(expr),
            Expr::ForLoop(expr) => {
                self.visit(&mut expr.expr);
                let awaits = self.awaits_in(&expr.body);
                self.repeated(awaits, &mut expr.body);
            }
            Expr::Loop(expr) => {
                let awaits = self.awaits_in(&expr.body);
                self.repeated(awaits, &mut expr.body);
            }
            // The compiler evaluates a length.
            Expr::Repeat(expr) => self.visit(&mut expr.expr),
            // The compiler evaluates constants.
            Expr::Const(_) => {}
            _ => return true,
        }
        false
    }

    /// Items are compiled on their own; nested functions get the clone's features.
    fn item(&mut self, item: &mut Item) -> bool {
        if let Item::Fn(function) = item
            && nested::takes_features(function)
        {
            *item = Item::Verbatim(match nested::split(function) {
                Some(halves) => {
                    halves.map(|mut half| (self.item(&mut half), half.into_token_stream()).1).into_iter().collect()
                }
                None => self.nested_function(function),
            });
        }
        false
    }

    // Types and patterns run no code.
    fn generic_argument(&mut self, _: &mut syn::GenericArgument) -> bool {
        false
    }

    fn ty(&mut self, _: &mut syn::Type) -> bool {
        false
    }

    fn pat(&mut self, _: &mut Pat) -> bool {
        false
    }

    fn attribute(&mut self, _: &mut syn::Attribute) -> bool {
        false
    }
}

/// The attributes that decide whether `statement` exists.
fn cfgs(statement: &Stmt) -> Vec<Attribute> {
    let attributes = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<TokenStream>()?;
        Ok(attributes)
    };
    let mut attributes = attributes.parse2(statement.to_token_stream()).unwrap_or_default();
    attributes.retain(|attr| attr.path().is_ident("cfg"));
    attributes
}

/// The `.await` that `statement` does last.
fn awaited_last(statement: &mut Stmt) -> Option<&mut ExprAwait> {
    let mut expr = match statement {
        Stmt::Local(Local { init: Some(LocalInit { expr, diverge: None, .. }), .. }) => expr,
        Stmt::Expr(expr, _) => expr,
        _ => return None,
    };
    while let Expr::Try(inner) = expr {
        expr = &mut inner.expr;
    }
    match expr {
        Expr::Await(awaited) => Some(awaited),
        _ => None,
    }
}

/// Whether `statement` does nothing that can be dispatched.
fn is_trivial_statement(statement: &Stmt) -> bool {
    match statement {
        Stmt::Item(_) => true,
        Stmt::Expr(expr, _) => is_trivial(expr),
        Stmt::Local(local) => local.init.as_ref().is_none_or(|init| init.diverge.is_none() && is_trivial(&init.expr)),
        Stmt::Macro(_) => false,
    }
}

fn is_trivial(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) | Expr::Continue(_) => true,
        Expr::Break(expr) => expr.expr.as_deref().is_none_or(is_trivial),
        Expr::Return(expr) => expr.expr.as_deref().is_none_or(is_trivial),
        Expr::Paren(expr) => is_trivial(&expr.expr),
        Expr::Group(expr) => is_trivial(&expr.expr),
        Expr::Tuple(expr) => expr.elems.iter().all(is_trivial),
        Expr::Verbatim(tokens) => tokens.is_empty(),
        _ => false,
    }
}
