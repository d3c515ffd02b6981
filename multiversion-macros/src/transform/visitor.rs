//! Code in a body that is compiled separately repeats the clone's assertion.
//!
//! A closure repeats it at its start. An async body is a state machine: the code after an `.await` runs in the call of
//! `poll` that resumes it, and where paths meet of which one has awaited, no assertion dominates the code after them.
//! The visitor tracks that, and asserts before the first statement after such a point.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    BinOp, Block, Expr, ExprAwait, ExprBlock, ExprClosure, ExprIf, ExprMatch, ExprWhile, Item, Local, LocalInit, Pat,
    Stmt,
};

use super::nested::takes_features;
use super::{Features, TargetCode};
use crate::tokens::{Words, braces, is_standard_macro};
use crate::walk::{Walk, Walker};

pub(super) struct Rewriter<'a> {
    pub(super) features: &'a Features,
    pub(super) target: &'a TargetCode,
    /// Nested functions may be called from places where the target alone is known.
    pub(super) carried: bool,
    /// A statement that asserts the facts that hold wherever the current code runs.
    pub(super) known: &'a TokenStream,
    pub(super) flow: Flow,
}

/// The path to the current code, in its function, closure or async block.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) asynchronous: bool,
    /// There may be an `.await` between the last assertion and this point.
    stale: bool,
    /// There was an `.await` since this was last reset.
    awaited: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(features: &'a Features, target: &'a TargetCode, asynchronous: bool, carried: bool) -> Self {
        let flow = Flow { asynchronous, ..Flow::default() };
        Rewriter { features, target, carried, known: &target.assertion, flow }
    }

    /// The statements of a block.
    pub(super) fn statements(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        for mut statement in statements {
            if self.flow.stale && !is_trivial_statement(&statement) {
                out.push(self.assertion());
                self.flow.stale = false;
            }
            Walker(self).visit_stmt_mut(&mut statement);
            out.push(statement);
        }
        out
    }

    fn assertion(&self) -> Stmt {
        Stmt::Expr(Expr::Verbatim(self.known.clone()), None)
    }

    /// Puts the assertion at the start of `block`, unless nothing in it could profit.
    fn assert(&self, block: &mut Block) {
        if !block.stmts.iter().all(is_trivial_statement) {
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
        if is_trivial(expr) {
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
    pub(super) fn apart<T>(&mut self, asynchronous: bool, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = core::mem::replace(&mut self.flow, Flow { asynchronous, ..Flow::default() });
        let result = visit(self);
        self.flow = outer;
        result
    }

    /// Visits code that may be skipped or left early; returns whether it awaits.
    fn maybe(&mut self, visit: impl FnOnce(&mut Self)) -> bool {
        let before = self.flow;
        self.flow.awaited = false;
        visit(self);
        let awaited = self.flow.awaited;
        self.flow = Flow { awaited: before.awaited || awaited, ..before };
        awaited
    }

    /// Visits a branch that is an expression.
    fn branch(&mut self, body: &mut Expr) -> bool {
        if self.flow.stale && !matches!(body, Expr::Block(_) | Expr::If(_)) {
            self.assert_before(body);
        }
        self.maybe(|this| this.visit(body))
    }

    /// Visits a loop, whose rounds meet at its start; returns whether it awaits, or begins where an assertion is due.
    fn repeated(&mut self, visit: impl FnOnce(&mut Self)) -> bool {
        let stale = core::mem::take(&mut self.flow.stale);
        let awaited = self.maybe(visit);
        self.flow.stale = stale || awaited;
        stale || awaited
    }

    fn visit_if(&mut self, expr: &mut ExprIf) {
        self.visit(&mut expr.cond);
        let mut awaited = self.maybe(|this| this.rewrite(&mut expr.then_branch));
        if let Some((_, other)) = &mut expr.else_branch {
            awaited |= self.branch(other);
        }
        self.flow.stale |= awaited;
    }

    fn visit_match(&mut self, expr: &mut ExprMatch) {
        self.visit(&mut expr.expr);
        let mut awaited = false;
        for arm in &mut expr.arms {
            if let Pat::Guard(pat) = &mut arm.pat
                && self.maybe(|this| this.visit(&mut pat.guard))
            {
                self.flow.stale = true;
                awaited = true;
            }
            awaited |= self.branch(&mut arm.body);
        }
        self.flow.stale |= awaited;
    }

    /// A `while` that awaits becomes the equivalent `loop`, so that the assertion also precedes its condition.
    fn visit_while(&mut self, expr: &mut Expr) {
        let Expr::While(ExprWhile { attrs, label, while_token, cond, body }) = expr else { return };
        let due = self.repeated(|this| {
            this.visit(cond);
            this.rewrite(body);
        });
        if !due {
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
        let Some(awaited) = awaited_last(statement) else { return true };
        // The assertion is the next statement's, if there is one.
        self.visit(&mut awaited.base);
        self.flow = Flow { stale: true, awaited: true, ..self.flow };
        false
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Await(awaited) => {
                self.visit(&mut awaited.base);
                let assertion = self.known;
                // Keeps the operand's temporaries alive for as long as before.
                *expr = Expr::Verbatim(quote_spanned! {Span::mixed_site()=>
                    (match #awaited { __awaited => { #assertion __awaited } })
                });
                self.flow = Flow { stale: false, awaited: true, ..self.flow };
            }
            Expr::Async(expr) => {
                self.apart(true, |this| this.rewrite(&mut expr.block));
                self.assert(&mut expr.block);
            }
            Expr::Closure(ExprClosure { asyncness, body, .. }) => {
                self.apart(asyncness.is_some(), |this| this.visit(body));
                self.assert_before(body);
            }
            Expr::If(expr) => self.visit_if(expr),
            Expr::Match(expr) => self.visit_match(expr),
            Expr::Binary(expr) if matches!(expr.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit(&mut expr.left);
                let awaited = self.maybe(|this| this.visit(&mut expr.right));
                self.flow.stale |= awaited;
            }
            Expr::While(_) => self.visit_while(expr),
            Expr::ForLoop(expr) => {
                self.visit(&mut expr.expr);
                if self.repeated(|this| this.rewrite(&mut expr.body)) {
                    self.assert(&mut expr.body);
                }
            }
            Expr::Loop(expr) => {
                if self.repeated(|this| this.rewrite(&mut expr.body)) {
                    self.assert(&mut expr.body);
                }
            }
            Expr::Block(ExprBlock { label: Some(_), block, .. }) => {
                let awaited = self.maybe(|this| this.rewrite(block));
                self.flow.stale |= awaited;
            }
            // The compiler evaluates a length.
            Expr::Repeat(expr) => self.visit(&mut expr.expr),
            // The compiler evaluates constants.
            Expr::Const(_) => {}
            _ => return true,
        }
        false
    }

    fn macro_call(&mut self, call: &mut syn::Macro) -> bool {
        if self.flow.asynchronous {
            let standard = call.path.segments.last().is_some_and(|last| is_standard_macro(&last.ident.to_string()));
            if !standard || Words::of(call.tokens.clone()).have_any(&["async", "await"]) {
                self.flow = Flow { stale: true, awaited: true, ..self.flow };
            }
        }
        false
    }

    /// Items are compiled on their own; nested functions get the clone's features.
    fn item(&mut self, item: &mut Item) -> bool {
        if let Item::Fn(function) = item
            && takes_features(function)
        {
            *item = Item::Verbatim(self.nested_function(function));
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
