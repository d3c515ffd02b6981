//! Code in a body that is compiled separately repeats the clone's assertion.
//!
//! A closure repeats it at its start. An async body is a state machine: the code after an `.await` runs in the call of
//! `poll` that resumes it, and where paths meet of which one has awaited, no assertion dominates the code after them.
//! So the next statement after an expression that branches and awaits has an assertion, and so has each round of a loop
//! that awaits.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ExprAwait, ExprBlock, ExprClosure, ExprWhile, Item, Local, LocalInit, Pat, Stmt};

use super::nested::takes_features;
use super::unsafety::Permit;
use super::{Features, Of, TargetCode};
use crate::tokens::{braces, called, find_word, is_standard_macro, regroup};
use crate::walk::{Walk, Walker};

pub(super) struct Rewriter<'a> {
    pub(super) features: &'a Features,
    pub(super) target: &'a TargetCode,
    /// The current function, closure or block.
    pub(super) of: Of,
    /// Nested functions may be called from places where the target alone is known.
    pub(super) carried: bool,
    /// A statement that asserts the facts that hold wherever the current code runs.
    pub(super) known: &'a TokenStream,
    /// There may be an `.await` between the last assertion and this point.
    stale: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(features: &'a Features, target: &'a TargetCode, of: Of, carried: bool) -> Self {
        Rewriter { features, target, of, carried, known: &target.assertion, stale: false }
    }

    /// The statements of a block. Other code may run instead of them.
    pub(super) fn statements(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let before = self.stale;
        let mut out = Vec::with_capacity(statements.len());
        for mut statement in statements {
            if self.stale && !is_trivial_statement(&statement) {
                out.push(self.assertion());
                self.stale = false;
            }
            Walker(self).visit_stmt_mut(&mut statement);
            out.push(statement);
        }
        self.stale |= before;
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

    /// Visits code that runs separately: a closure, an async block or a function.
    pub(super) fn apart<T>(&mut self, asynchronous: bool, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.of.asynchronous, self.stale);
        (self.of.asynchronous, self.stale) = (asynchronous, false);
        let result = visit(self);
        (self.of.asynchronous, self.stale) = outer;
        result
    }

    /// A `while` that awaits becomes the equivalent `loop`, so that the assertion also precedes its condition.
    fn visit_while(&mut self, expr: &mut ExprWhile) -> TokenStream {
        let ExprWhile { attrs, label, while_token, cond, body } = expr;
        self.stale = false;
        self.visit(cond);
        Walker(self).visit_block_mut(body);
        let (outer, inner): (Vec<_>, Vec<_>) =
            attrs.iter().partition(|attr| matches!(attr.style, syn::AttrStyle::Outer));
        let (assertion, statements) = (self.known, &body.stmts);
        let body = braces(quote!(#(#inner)* #(#statements)*), body.brace_token.span.join());
        let (while_, break_) = (quote_spanned!(while_token.span=> loop), quote_spanned!(Span::mixed_site()=> break));
        quote!(#(#outer)* #label #while_ { #assertion if #cond #body else { #break_ } })
    }

    /// The arms of `cfg_select!` are code in the place of the call.
    fn arms(&mut self, arms: TokenStream) -> TokenStream {
        let arm = |token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let Ok(statements) = Block::parse_within.parse2(group.stream()) else { return TokenTree::Group(group) };
                let rewritten = self.statements(statements);
                regroup(&group, quote!(#(#rewritten)*))
            }
            token => token,
        };
        arms.into_iter().map(arm).collect()
    }
}

impl Walk for Rewriter<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        block.stmts = self.statements(core::mem::take(&mut block.stmts));
        false
    }

    fn stmt(&mut self, statement: &mut Stmt) -> bool {
        let Some(awaited) = awaited_last(statement) else { return true };
        // The assertion is the next statement's, if there is one.
        self.visit(&mut awaited.base);
        self.stale = true;
        false
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        let meet = self.of.asynchronous && branches(expr) && may_await(expr.to_token_stream());
        match expr {
            Expr::Await(awaited) => {
                self.visit(&mut awaited.base);
                let assertion = self.known;
                // Keeps the operand's temporaries alive for as long as before.
                *expr = Expr::Verbatim(quote_spanned! {Span::mixed_site()=>
                    (match #awaited { __awaited => { #assertion __awaited } })
                });
                self.stale = false;
            }
            Expr::Async(expr) => {
                self.apart(true, |this| Walker(this).visit_block_mut(&mut expr.block));
                self.assert(&mut expr.block);
            }
            Expr::Closure(ExprClosure { asyncness, body, .. }) => {
                self.apart(asyncness.is_some(), |this| this.visit(body));
                self.assert_before(body);
            }
            // The compiler evaluates a length.
            Expr::Repeat(expr) => self.visit(&mut expr.expr),
            // The compiler evaluates constants.
            Expr::Const(_) => {}
            Expr::While(inner) if meet => {
                *expr = Expr::Verbatim(self.visit_while(inner));
                self.stale = true;
            }
            _ if meet => {
                // The rounds of a loop meet at its start.
                self.stale |= matches!(expr, Expr::ForLoop(_) | Expr::Loop(_));
                visit_mut::visit_expr_mut(&mut Walker(self), expr);
                self.stale = true;
            }
            _ => return true,
        }
        false
    }

    fn arm(&mut self, arm: &mut syn::Arm) -> bool {
        let before = self.stale;
        Walker(self).visit_pat_mut(&mut arm.pat);
        if self.stale && !matches!(*arm.body, Expr::Block(_) | Expr::If(_)) {
            self.assert_before(&mut arm.body);
            self.stale = false;
        }
        self.visit(&mut arm.body);
        self.stale |= before;
        false
    }

    fn macro_call(&mut self, call: &mut syn::Macro) -> bool {
        self.stale |= self.of.asynchronous && may_await(call.to_token_stream());
        if call.path.is_ident("cfg_select") {
            call.tokens = self.arms(call.tokens.clone());
        }
        false
    }

    /// Items are compiled on their own; nested functions get the clone's features.
    fn item(&mut self, item: &mut Item) -> bool {
        if let Item::Fn(function) = item
            && takes_features(function)
        {
            *item = Item::Verbatim(self.nested_function(function));
        } else if self.of.forbids_unsafe {
            Walker(&mut Permit).visit_item_mut(item);
        }
        false
    }

    // Types run no code, and patterns only in a guard.
    fn generic_argument(&mut self, _: &mut syn::GenericArgument) -> bool {
        false
    }

    fn ty(&mut self, _: &mut syn::Type) -> bool {
        false
    }

    fn pat(&mut self, pat: &mut Pat) -> bool {
        if let Pat::Guard(pat) = pat {
            self.visit(&mut pat.guard);
        }
        false
    }

    fn attribute(&mut self, _: &mut syn::Attribute) -> bool {
        false
    }
}

/// Whether a part of `expr` may be skipped, left early or repeated.
fn branches(expr: &Expr) -> bool {
    match expr {
        Expr::If(_) | Expr::Match(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => true,
        Expr::Binary(expr) => matches!(expr.op, BinOp::And(_) | BinOp::Or(_)),
        Expr::Block(expr) => expr.label.is_some(),
        _ => false,
    }
}

/// Whether `code` may await, itself or in a macro of the user's own.
fn may_await(code: TokenStream) -> bool {
    let mut calls = Vec::new();
    called(code.clone(), &mut calls);
    calls.iter().any(|name| !is_standard_macro(name)) || find_word(code, "await").is_some()
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
