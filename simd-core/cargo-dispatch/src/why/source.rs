//! The functions and loops of a source file, and what keeps a function in a program that does not call it.

use core::fmt::Write as _;
use core::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, GenericParam, Generics, ImplItem, Item, Signature, TraitItem, Type, Visibility};

use crate::tune::source::joined;

/// Why a function in a module with the attribute cannot be named outside of it.
pub(super) const HIDDEN: &str = "it is private in a module with the attribute, and nothing calls it";

/// Line and column, from 1 as in DWARF.
pub(super) type Position = (u32, u32);

/// A source file, with its path from the workspace's root.
pub(super) struct File {
    pub(super) path: PathBuf,
    lines: Vec<String>,
    pub(super) functions: Vec<Function>,
    pub(super) loops: Vec<Loop>,
}

pub(super) struct Function {
    /// Within the file: `module::Type::name`.
    pub(super) path: String,
    pub(super) lines: RangeInclusive<u32>,
    pub(super) is_dispatched: bool,
    /// Why it is in no program that does not call it, or where an item that keeps it goes and what this says.
    keeper: Result<(usize, String), &'static str>,
}

/// A `for`, `while` or `loop`.
pub(super) struct Loop {
    pub(super) all: RangeInclusive<Position>,
    /// From the keyword to what stands before the body.
    pub(super) header: RangeInclusive<Position>,
    /// It has neither a condition nor an iterator.
    pub(super) is_bare: bool,
    /// `return` or `break` ends it before its time.
    pub(super) leaves: bool,
    /// `?` does.
    pub(super) tries: bool,
}

impl File {
    pub(super) fn new(path: PathBuf, text: &str) -> Result<Self> {
        let parsed = syn::parse_str::<syn::File>(text).with_context(|| path.display().to_string())?;
        let mut loops = Loops(Vec::new());
        loops.visit_file(&parsed);
        let lines = text.lines().map(str::to_owned).collect();
        let mut file = Self { path, lines, functions: Vec::new(), loops: loops.0 };
        file.items(&parsed.items, "", None);
        Ok(file)
    }

    /// The loops around a position, the innermost first.
    pub(super) fn loops_around(&self, position: Position) -> Vec<&Loop> {
        let mut around: Vec<&Loop> = self.loops.iter().filter(|one| one.all.contains(&position)).collect();
        around.sort_by_key(|one| core::cmp::Reverse(*one.all.start()));
        around
    }

    pub(super) fn line(&self, line: u32) -> String {
        let text = self.lines.get(line as usize - 1).map_or("", |line| line.trim());
        let text = text.strip_suffix('{').unwrap_or(text).trim_end();
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }

    /// The text with items that keep functions, on the lines that are there. Counted across files by `count`.
    pub(super) fn with_keepers(&self, text: &str, wanted: impl Fn(&Function) -> bool, count: &mut usize) -> String {
        let mut keepers: Vec<&(usize, String)> =
            self.functions.iter().filter(|one| wanted(one)).filter_map(|one| one.keeper.as_ref().ok()).collect();
        keepers.sort();
        let mut out = text.to_owned();
        for (at, path) in keepers.into_iter().rev() {
            *count += 1;
            let (attributes, path) = path.split_once('\n').unwrap_or(("", path));
            let item = format!(
                " {attributes} #[used(linker)] static __DISPATCH_WHY_{count}: fn() -> *const () = {{ fn keep() -> *const () \
                 {{ {path} as *const () }} keep }};"
            );
            out.insert_str(*at, &item);
        }
        out
    }

    /// `outer` is where items that name those within go, if the attribute is on a module around them, and how they are named
    /// there unless they are hidden.
    fn items(&mut self, items: &[Item], path: &str, outer: Option<(usize, Option<&str>)>) {
        for item in items {
            match item {
                Item::Fn(item) if !is_test(&item.attrs) => {
                    let end = outer.map_or_else(|| item.span().byte_range().end, |(end, _)| end);
                    let prefix = outer.map_or(Some(""), |(_, prefix)| prefix);
                    let name = format!("{}{}", prefix.unwrap_or_default(), item.sig.ident);
                    let is_hidden = prefix.is_none() || outer.is_some() && matches!(item.vis, Visibility::Inherited);
                    let keeper = if is_hidden { Err(HIDDEN) } else { keeper(&item.attrs, &item.sig, None) };
                    let keeper = keeper.map(|attributes| (end, format!("{attributes}\n{name}")));
                    self.function(path, &item.attrs, &item.sig, item.block.span(), outer.is_some(), keeper);
                }
                Item::Impl(item) if !is_test(&item.attrs) => {
                    let owner = match &*item.self_ty {
                        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
                        _ => None,
                    };
                    let path = joined(path, owner.as_deref().unwrap_or("impl"));
                    let end = outer.map_or_else(|| item.span().byte_range().end, |(end, _)| end);
                    let is_dispatched = outer.is_some() || is_dispatched(&item.attrs);
                    let ty = outlived(&item.self_ty.to_token_stream());
                    let owner = match &item.trait_ {
                        Some((of, _)) => format!("<{ty} as {}>", outlived(&of.to_token_stream())),
                        None => format!("<{ty}>"),
                    };
                    for method in &item.items {
                        let ImplItem::Fn(method) = method else { continue };
                        if is_test(&method.attrs) {
                            continue;
                        }
                        let attributes: Vec<Attribute> = item.attrs.iter().chain(&method.attrs).cloned().collect();
                        let keeper = match outer {
                            Some(_) => Err(HIDDEN),
                            _ => keeper(&attributes, &method.sig, Some(&item.generics)),
                        };
                        let keeper =
                            keeper.map(|attributes| (end, format!("{attributes}\n{owner}::{}", method.sig.ident)));
                        let is_skipped = is_skipped(&method.attrs);
                        self.function(
                            &path,
                            &method.attrs,
                            &method.sig,
                            method.block.span(),
                            is_dispatched && !is_skipped,
                            keeper,
                        );
                    }
                }
                Item::Trait(item) if !is_test(&item.attrs) => {
                    let path = joined(path, &item.ident.to_string());
                    let is_dispatched = outer.is_some() || is_dispatched(&item.attrs);
                    for method in &item.items {
                        if let TraitItem::Fn(method) = method
                            && let Some(body) = &method.default
                        {
                            let keeper = Err("it is a method of a trait, which each type has for itself");
                            self.function(&path, &method.attrs, &method.sig, body.span(), is_dispatched, keeper);
                        }
                    }
                }
                Item::Mod(item) if !is_test(&item.attrs) => {
                    let Some((_, items)) = &item.content else { continue };
                    let path = joined(path, &item.ident.to_string());
                    // The attribute would clone what is put between its items.
                    let is_hidden = outer.is_some() && matches!(item.vis, Visibility::Inherited);
                    let above = outer.map_or(Some(""), |(_, prefix)| prefix).filter(|_| !is_hidden);
                    let prefix = above.map(|above| format!("{above}{}::", item.ident));
                    let own = is_dispatched(&item.attrs).then(|| item.span().byte_range().end);
                    let end = outer.map(|(end, _)| end).or(own);
                    self.items(items, &path, end.map(|end| (end, prefix.as_deref())));
                }
                _ => {}
            }
        }
    }

    fn function(
        &mut self,
        path: &str,
        attributes: &[Attribute],
        signature: &Signature,
        body: Span,
        is_within: bool,
        keeper: Result<(usize, String), &'static str>,
    ) {
        self.functions.push(Function {
            path: joined(path, &signature.ident.to_string()),
            lines: signature.span().start().line as u32..=body.end().line as u32,
            is_dispatched: is_within || is_dispatched(attributes),
            keeper,
        });
    }
}

impl Function {
    /// Whether this is the end of its path.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    }

    pub(super) fn cannot_be_kept(&self) -> Option<&'static str> {
        self.keeper.as_ref().err().copied()
    }
}

/// The `cfg`s under which the function is there, or why no item can name it.
fn keeper(attributes: &[Attribute], signature: &Signature, owner: Option<&Generics>) -> Result<String, &'static str> {
    let is_generic = |generics: &Generics| generics.params.iter().any(|one| !matches!(one, GenericParam::Lifetime(_)));
    let has_opaque_argument = signature.inputs.to_token_stream().into_iter().any(|token| has_word(&token, "impl"));
    if owner.is_some_and(is_generic) || is_generic(&signature.generics) || has_opaque_argument {
        return Err("it is generic");
    }
    if signature.asyncness.is_some() {
        return Err("it is `async`");
    }
    let mut cfgs = String::new();
    for attribute in attributes.iter().filter(|one| one.path().is_ident("cfg")) {
        _ = write!(cfgs, "{} ", attribute.to_token_stream());
    }
    Ok(cfgs.replace('\n', " "))
}

fn has_word(token: &TokenTree, word: &str) -> bool {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().any(|token| has_word(&token, word)),
        TokenTree::Ident(ident) => ident == word,
        _ => false,
    }
}

/// With the one lifetime that can be named anywhere.
fn outlived(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\'') {
        out += &rest[..at];
        out += "'static";
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    }
    out + rest
}

fn is_dispatched(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| one.path().segments.last().is_some_and(|last| last.ident == "dispatch"))
        && !is_skipped(attributes)
}

fn is_skipped(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        one.path().segments.last().is_some_and(|last| last.ident == "dispatch")
            && one.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "skip")
    })
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|one| {
        let is_cfg =
            one.path().is_ident("cfg") && one.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "test");
        is_cfg || one.path().is_ident("test") || one.path().is_ident("bench")
    })
}

struct Loops(Vec<Loop>);

impl Loops {
    fn add(&mut self, all: Span, body: &Block, is_bare: bool) {
        let (start, end) = (position(all.start()), position(all.end()));
        let header = position(body.brace_token.span.open().start());
        let mut leaves = Leaves::default();
        leaves.visit_block(body);
        self.0.push(Loop {
            all: start..=end,
            header: start..=header,
            is_bare,
            leaves: leaves.found,
            tries: leaves.tries,
        });
    }
}

impl<'a> Visit<'a> for Loops {
    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::ForLoop(one) => self.add(one.span(), &one.body, false),
            Expr::While(one) => {
                self.add(one.span(), &one.body, false);
                // A closure there (`position`, `find`) is called until it ends a loop of the standard library.
                let mut condition = Leaves::default();
                condition.visit_expr(&one.cond);
                if let Some(last) = self.0.last_mut() {
                    last.leaves |= condition.has_closure;
                }
            }
            Expr::Loop(one) => self.add(one.span(), &one.body, true),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}

#[derive(Default)]
struct Leaves {
    found: bool,
    tries: bool,
    has_closure: bool,
    /// Loops between the body and the expression, whose `break` is their own unless it has a label.
    depth: usize,
}

impl<'a> Visit<'a> for Leaves {
    fn visit_expr(&mut self, expression: &'a Expr) {
        let is_loop = matches!(expression, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
        match expression {
            Expr::Return(_) => self.found = true,
            Expr::Try(_) => self.tries = true,
            Expr::Break(one) => self.found |= self.depth == 0 || one.label.is_some(),
            Expr::Closure(_) => {
                self.has_closure = true;
                return;
            }
            Expr::Async(_) => return,
            _ => {}
        }
        self.depth += usize::from(is_loop);
        visit::visit_expr(self, expression);
        self.depth -= usize::from(is_loop);
    }
}

fn position(of: LineColumn) -> Position {
    (of.line as u32, of.column as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
pub fn plain(xs: &[u8]) -> u8 {
    let mut sum = 0;
    for x in
        xs
    {
        while sum > 9 || sum == 8 { sum -= 1; }
        sum ^= x;
    }
    sum
}
struct Of<'a>(&'a [u8]);
impl<'a> Of<'a> {
    fn method(&self) { while self.0.iter().any(|x| *x > 1) {} }
    fn generic<T>(&self, _: T) {}
}
#[simd_core::dispatch(targets = \"avx2\")]
mod inner {
    #[cfg(unix)]
    pub(super) fn within() {}
}
#[cfg(test)]
mod tests { fn left_out() {} }
";

    #[test]
    fn functions_and_loops() {
        let file = File::new("a.rs".into(), TEXT).unwrap();
        let paths: Vec<_> = file.functions.iter().map(|one| (&*one.path, one.is_dispatched)).collect();
        let expected = [("plain", false), ("Of::method", false), ("Of::generic", false), ("inner::within", true)];
        assert_eq!(paths, expected);
        assert_eq!(file.functions[2].cannot_be_kept(), Some("it is generic"));
        assert!(file.functions[3].is_called("within") && !file.functions[3].is_called("in"));
        let around = file.loops_around((7, 26));
        assert_eq!(around.iter().map(|one| *one.all.start()).collect::<Vec<_>>(), [(7, 9), (4, 5)]);
        assert_eq!(around[1].header, (4, 5)..=(6, 5));
        assert_eq!(file.loops.iter().map(|one| one.leaves).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn keepers_change_no_line() {
        let file = File::new("a.rs".into(), TEXT).unwrap();
        let text = file.with_keepers(TEXT, |_| true, &mut 0);
        assert_eq!(text.lines().count(), TEXT.lines().count());
        assert!(text.contains("{ <Of < 'static >>::method as *const () }"), "{text}");
        assert!(text.contains("} # [cfg (unix)]  #[used(linker)] static __DISPATCH_WHY_1:"), "{text}");
        assert!(text.contains("{ inner::within as *const () }"), "{text}");
        syn::parse_file(&text).unwrap();
    }
}
