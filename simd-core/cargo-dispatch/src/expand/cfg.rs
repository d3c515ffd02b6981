//! `cfg` as the compiler decides it, so that only the code that it keeps is shown.

use cargo_metadata::cargo_platform::{Cfg, CfgExpr};
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, File, ImplItem, Item, Meta, Stmt, Token, TraitItem};

/// Lines of `rustc --print cfg`: `unix`, `target_feature="avx2"`.
pub(super) struct Configuration(Vec<Cfg>);

impl Configuration {
    pub(super) fn new(printed: &str) -> Self {
        Self(printed.lines().filter_map(|line| line.parse().ok()).collect())
    }

    /// Whether a predicate holds, where it can be told.
    fn holds(&self, predicate: &Meta) -> Option<bool> {
        let predicate: CfgExpr = predicate.to_token_stream().to_string().parse().ok()?;
        Some(predicate.matches(&self.0))
    }

    /// Removes the predicates that hold. False if one does not, so that the compiler drops what they stand on.
    fn keeps(&self, attributes: &mut Vec<Attribute>) -> bool {
        let mut keeps = true;
        let mut left = Vec::new();
        for attribute in core::mem::take(attributes) {
            let Meta::List(list) = &attribute.meta else {
                left.push(attribute);
                continue;
            };
            if attribute.path().is_ident("cfg") {
                match list.parse_args().ok().and_then(|predicate| self.holds(&predicate)) {
                    Some(holds) => keeps &= holds,
                    None => left.push(attribute),
                }
            } else if attribute.path().is_ident("cfg_attr") {
                let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default();
                match metas.first().and_then(|predicate| self.holds(predicate)) {
                    Some(true) => {
                        let mut inner =
                            metas.into_iter().skip(1).map(|meta| Attribute { meta, ..attribute.clone() }).collect();
                        keeps &= self.keeps(&mut inner);
                        left.append(&mut inner);
                    }
                    Some(false) => {}
                    None => left.push(attribute),
                }
            } else {
                left.push(attribute);
            }
        }
        *attributes = left;
        keeps
    }
}

impl VisitMut for &Configuration {
    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain_mut(|item| attributes_of_item(item).is_none_or(|attributes| self.keeps(attributes)));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    items.retain_mut(|item| attributes_of_item(item).is_none_or(|attributes| self.keeps(attributes)));
                }
            }
            Item::Impl(item) => item.items.retain_mut(|item| match item {
                ImplItem::Fn(item) => self.keeps(&mut item.attrs),
                ImplItem::Const(item) => self.keeps(&mut item.attrs),
                _ => true,
            }),
            Item::Trait(item) => item.items.retain_mut(|item| match item {
                TraitItem::Fn(item) => self.keeps(&mut item.attrs),
                TraitItem::Const(item) => self.keeps(&mut item.attrs),
                _ => true,
            }),
            _ => {}
        }
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|statement| {
            let attributes = match statement {
                Stmt::Local(local) => Some(&mut local.attrs),
                Stmt::Item(item) => attributes_of_item(item),
                Stmt::Expr(expression, _) => attributes_of(expression),
                Stmt::Macro(call) => Some(&mut call.attrs),
            };
            attributes.is_none_or(|attributes| self.keeps(attributes))
        });
        visit_mut::visit_block_mut(self, block);
    }
}

fn attributes_of_item(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Mod(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

/// The attributes of the expressions that the attribute writes, and of those that people put a `cfg` on.
fn attributes_of(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expression {
        Expr::Block(expression) => &mut expression.attrs,
        Expr::Call(expression) => &mut expression.attrs,
        Expr::ForLoop(expression) => &mut expression.attrs,
        Expr::If(expression) => &mut expression.attrs,
        Expr::Macro(expression) => &mut expression.attrs,
        Expr::Match(expression) => &mut expression.attrs,
        Expr::MethodCall(expression) => &mut expression.attrs,
        Expr::Return(expression) => &mut expression.attrs,
        Expr::Unsafe(expression) => &mut expression.attrs,
        Expr::While(expression) => &mut expression.attrs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_drops_is_dropped() {
        let text = "#[cfg(all(unix, not(target_feature = \"avx2\")))] fn kept() { \
            #[cfg(any(target_feature = \"avx2\"))] fn no() {} \
            #[cfg(windows)] return; \
            #[cfg(unix)] unsafe { yes() } \
            #[cfg(accessible(std))] let unknown = 1; } \
            #[cfg_attr(unix, inline, cfg(windows))] fn gone() {} \
            impl A { #[cfg(windows)] fn no() {} #[cfg_attr(windows, no)] #[cfg_attr(unix, inline)] fn yes() {} }";
        let mut file = syn::parse_file(text).unwrap();
        (&Configuration::new("unix\ntarget_feature=\"sse2\"\n")).visit_file_mut(&mut file);
        let shown = prettyplease::unparse(&file);
        let expected = "fn kept() {\n    unsafe { yes() }\n    #[cfg(accessible(std))]\n    let unknown = 1;\n}\n\
                        impl A {\n    #[inline]\n    fn yes() {}\n}\n";
        assert_eq!(shown, expected);
    }
}
