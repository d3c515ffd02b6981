//! `cfg` as the compiler decides it, so that only the code that it keeps is shown.

use cargo_metadata::cargo_platform::{Cfg, CfgExpr};
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ExprArray, ExprMatch, ExprStruct, FieldsNamed, File, FnArg, ImplItem, Item, ItemEnum,
    ItemImpl, ItemMod, ItemTrait, Meta, PatType, Receiver, Signature, Stmt, Token, TraitItem,
};

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

/// [`Configuration::keeps`] of a value, if it is one of these variants.
macro_rules! keeps {
    ($configuration:ident, $of:expr, $kind:ident: $($variant:ident)*) => {
        match $of {
            $($kind::$variant(of) => $configuration.keeps(&mut of.attrs),)*
            _ => true,
        }
    };
}

impl Configuration {
    fn keeps_item(&self, item: &mut Item) -> bool {
        keeps!(self, item, Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
    }

    fn keeps_expression(&self, expression: &mut Expr) -> bool {
        keeps!(self, expression, Expr: Array Assign Async Await Binary Block Break Call Cast Closure Continue Field
            ForLoop If Index Let Lit Loop Macro Match MethodCall Paren Path Range Reference Repeat Return Struct Try Tuple Unary
            Unsafe While)
    }

    fn retain<T>(elements: &mut Punctuated<T, Token![,]>, keeps: impl Fn(&mut T) -> bool) {
        let kept =
            core::mem::take(elements).into_iter().filter_map(|mut element| keeps(&mut element).then_some(element));
        *elements = kept.collect();
    }
}

impl VisitMut for &Configuration {
    fn visit_file_mut(&mut self, file: &mut File) {
        file.items.retain_mut(|item| self.keeps_item(item));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain_mut(|item| self.keeps_item(item));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        item.items.retain_mut(|item| keeps!(self, item, ImplItem: Const Fn Type Macro));
        visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        item.items.retain_mut(|item| keeps!(self, item, TraitItem: Const Fn Type Macro));
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        Configuration::retain(&mut item.variants, |variant| self.keeps(&mut variant.attrs));
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut FieldsNamed) {
        Configuration::retain(&mut fields.named, |field| self.keeps(&mut field.attrs));
        visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|statement| match statement {
            Stmt::Local(local) => self.keeps(&mut local.attrs),
            Stmt::Item(item) => self.keeps_item(item),
            Stmt::Expr(expression, _) => self.keeps_expression(expression),
            Stmt::Macro(call) => self.keeps(&mut call.attrs),
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut ExprMatch) {
        expression.arms.retain_mut(|arm| self.keeps(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, expression);
    }

    fn visit_expr_struct_mut(&mut self, expression: &mut ExprStruct) {
        Configuration::retain(&mut expression.fields, |field| self.keeps(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, expression);
    }

    fn visit_expr_array_mut(&mut self, array: &mut ExprArray) {
        Configuration::retain(&mut array.elems, |element| self.keeps_expression(element));
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_signature_mut(&mut self, signature: &mut Signature) {
        Configuration::retain(&mut signature.inputs, |input| {
            let (FnArg::Receiver(Receiver { attrs, .. }) | FnArg::Typed(PatType { attrs, .. })) = input;
            self.keeps(attrs)
        });
        visit_mut::visit_signature_mut(self, signature);
    }
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
            #[cfg(windows)] enum Gone {} enum Kept { A, #[cfg(windows)] B } struct S { #[cfg(windows)] a: u8, b: u8 } \
            fn arms(#[cfg(windows)] a: u8, b: S) -> u8 { match b { #[cfg(windows)] S { .. } => 0, S { b, .. } => [#[cfg(windows)] 1, b][0] } } \
            impl A { #[cfg(windows)] fn no() {} #[cfg_attr(windows, no)] #[cfg_attr(unix, inline)] fn yes() {} }";
        let mut file = syn::parse_file(text).unwrap();
        (&Configuration::new("unix\ntarget_feature=\"sse2\"\n")).visit_file_mut(&mut file);
        let shown = prettyplease::unparse(&file);
        let expected = "fn kept() {\n    unsafe { yes() }\n    #[cfg(accessible(std))]\n    let unknown = 1;\n}\n\
                        enum Kept {\n    A,\n}\nstruct S {\n    b: u8,\n}\n\
                        fn arms(b: S) -> u8 {\n    match b {\n        S { b, .. } => [b][0],\n    }\n}\n\
                        impl A {\n    #[inline]\n    fn yes() {}\n}\n";
        assert_eq!(shown, expected);
    }
}
