//! Code in a body that is compiled separately repeats the clone's assertion.
//!
//! A closure repeats it at its start. An async body is a state machine: the code after an `.await` runs in the call of
//! `poll` that resumes it, and where paths meet of which one has awaited, no assertion dominates the code after them. So in async
//! code the assertion precedes each statement, and follows each `.await` inside one.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprAwait, ExprBlock, ExprClosure, ExprWhile, Item, ItemFn, Local, LocalInit, Pat, Stmt};

use super::nested;
use crate::cfg::Features;
use crate::inline;
use crate::plan::TargetCode;
use crate::tokens::{attributes, braces, called_macros, find_word, is_standard_macro, is_word};
use crate::walk::{Walk, Walker};

pub(super) struct Rewriter<'a> {
    features: &'a Features,
    target: &'a TargetCode,
    /// Nested functions may be called from places where only the target is known.
    carried: bool,
    /// A statement that asserts the facts that hold wherever the current code runs.
    known: &'a TokenStream,
    /// The current code belongs to an async function, block or closure, and there is an assertion.
    asynchronous: bool,
    /// The assertion has just been made.
    asserted: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(features: &'a Features, target: &'a TargetCode, asynchronous: bool, carried: bool) -> Self {
        let known = &target.assertion;
        let asynchronous = asynchronous && !known.is_empty();
        Rewriter { features, target, carried, known, asynchronous, asserted: asynchronous }
    }

    /// The statements of a block.
    pub(super) fn statements(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        for mut statement in statements {
            if self.asynchronous && !matches!(statement, Stmt::Item(_)) && !core::mem::take(&mut self.asserted) {
                // Without the statement, the assertion would end the block.
                let (cfgs, assertion) = (cfgs(&statement), self.known);
                out.push(Stmt::Expr(Expr::Verbatim(quote!(#cfgs #assertion)), None));
            }
            Walker(self).visit_stmt_mut(&mut statement);
            out.push(statement);
        }
        out
    }

    fn assertion(&self) -> Stmt {
        Stmt::Expr(Expr::Verbatim(self.known.clone()), None)
    }

    /// Makes `expr` a block with the assertion at its start.
    fn assert_before(&self, expr: &mut Expr) {
        let is_unit = matches!(expr, Expr::Tuple(tuple) if tuple.elems.is_empty());
        if self.known.is_empty() || is_unit || matches!(expr, Expr::Path(_) | Expr::Lit(_)) {
            return;
        }
        if let Expr::Block(ExprBlock { attrs, label: None, block }) = expr
            && attrs.iter().all(|attr| matches!(attr.style, syn::AttrStyle::Inner(_)))
        {
            block.stmts.insert(0, self.assertion());
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
    fn separately(&mut self, asynchronous: bool, visit: impl FnOnce(&mut Self)) {
        let outer = core::mem::replace(&mut self.asynchronous, asynchronous && !self.known.is_empty());
        self.asserted = false;
        visit(self);
        self.asynchronous = outer;
    }

    fn nested_function(&mut self, function: &mut ItemFn) -> TokenStream {
        let (outside, target) = (self.known, self.target);
        if self.carried {
            self.known = &target.nested.assertion;
        }
        let asynchronous = function.sig.asyncness.is_some();
        self.separately(asynchronous, |this| {
            this.asserted = this.asynchronous;
            this.rewrite(&mut function.block);
        });
        let assertion = core::mem::replace(&mut self.known, outside);
        nested::wrapped(function, self.features, target, assertion, self.carried)
    }

    /// A `while` that awaits becomes the equivalent `loop`, so that the assertion also precedes its condition.
    fn visit_while(&mut self, expr: &mut Expr) {
        let code = if self.asynchronous { expr.to_token_stream() } else { TokenStream::new() };
        // A macro may await.
        let awaits = || called_macros(code.clone()).iter().any(|name| !is_standard_macro(name));
        let awaits = find_word(code.clone(), "await").is_some() || awaits();
        let Expr::While(ExprWhile { attrs, label, while_token, cond, body }) = expr else { return };
        self.visit(cond);
        self.rewrite(body);
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
        let Some(awaited) = awaited_last(statement).filter(|_| self.asynchronous) else { return true };
        // The assertion is the next statement's, if there is one.
        self.visit(&mut awaited.base);
        false
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        match expr {
            Expr::Await(awaited) if self.asynchronous => {
                self.visit(&mut awaited.base);
                let (assertion, attrs) = (self.known, core::mem::take(&mut awaited.attrs));
                let value = &self.target.awaited;
                // Keeps the operand's temporaries alive for as long as before.
                *expr = Expr::Verbatim(quote_spanned! {Span::mixed_site()=>
                    #(#attrs)* (match #awaited { #value => { #assertion #value } })
                });
            }
            Expr::Async(expr) => self.separately(true, |this| this.rewrite(&mut expr.block)),
            Expr::Closure(ExprClosure { asyncness, body, .. }) => {
                self.separately(asyncness.is_some(), |this| this.visit(body));
                // A block of async code begins with the assertion.
                if asyncness.is_none() || !matches!(**body, Expr::Block(_)) {
                    self.assert_before(body);
                }
            }
            Expr::Match(expr) => {
                self.visit(&mut expr.expr);
                for arm in &mut expr.arms {
                    if let Pat::Guard(pat) = &mut arm.pat {
                        self.visit(&mut pat.guard);
                    }
                    self.visit(&mut arm.body);
                    if self.asynchronous && !matches!(*arm.body, Expr::Block(_)) {
                        self.assert_before(&mut arm.body);
                    }
                }
            }
            Expr::While(_) => self.visit_while(expr),
            // The compiler evaluates a length.
            Expr::Repeat(expr) => self.visit(&mut expr.expr),
            // The compiler evaluates constants.
            Expr::Const(_) => {}
            _ => {
                if self.target.shared {
                    inline::leaves_of(expr);
                }
                return true;
            }
        }
        false
    }

    /// Items are compiled on their own; nested functions get the clone's features.
    fn item(&mut self, item: &mut Item) -> bool {
        if let Item::Fn(function) = item
            && nested::takes_features(function)
        {
            *item = Item::Verbatim(match nested::split(function) {
                Some([mut one, mut other]) => {
                    self.item(&mut one);
                    self.item(&mut other);
                    quote!(#one #other)
                }
                None => self.nested_function(function),
            });
        }
        false
    }

    fn inert(&self) -> bool {
        false
    }
}

/// The attributes that decide whether `statement` exists.
fn cfgs(statement: &Stmt) -> TokenStream {
    let tokens: Vec<TokenTree> = statement.to_token_stream().into_iter().collect();
    let is_cfg = |content: TokenStream| is_word(content.into_iter().next().as_ref(), "cfg");
    let attrs = tokens[..attributes(&tokens, false)].chunks(2);
    let cfgs = attrs.filter(|attr| matches!(&attr[1], TokenTree::Group(group) if is_cfg(group.stream())));
    quote!(#(#(#cfgs)*)*)
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
    let Expr::Await(awaited) = expr else { return None };
    Some(awaited)
}
