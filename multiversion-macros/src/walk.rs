//! A visitor of syntax trees that is compiled once. The compiler copies all of `syn`'s visitor, about 180 functions, for
//! each type that implements it.

use syn::visit_mut::{self, VisitMut};

/// Visits a tree with the functions of a [`Walk`].
pub(crate) struct Walker<'a>(pub(crate) &'a mut dyn Walk);

macro_rules! parts {
    ($($name:ident: $visit:ident($part:ident)),*; $($visit_inert:ident($inert:ident)),*) => {
        /// Looks at parts of a tree, and may replace them. Each function returns whether the walk enters the part.
        pub(crate) trait Walk {
            $(fn $name(&mut self, _: &mut syn::$part) -> bool { true })*

            /// Whether the walk enters what runs no code.
            fn inert(&self) -> bool { true }
        }

        impl VisitMut for Walker<'_> {
            $(fn $visit(&mut self, part: &mut syn::$part) {
                if self.0.$name(part) {
                    visit_mut::$visit(self, part);
                }
            })*
            $(fn $visit_inert(&mut self, part: &mut syn::$inert) {
                if self.0.inert() {
                    visit_mut::$visit_inert(self, part);
                }
            })*
        }
    };
}

parts! {
    block: visit_block_mut(Block),
    expr: visit_expr_mut(Expr),
    item: visit_item_mut(Item),
    macro_call: visit_macro_mut(Macro),
    stmt: visit_stmt_mut(Stmt);
    visit_attribute_mut(Attribute),
    visit_generic_argument_mut(GenericArgument),
    visit_pat_mut(Pat),
    visit_type_mut(Type)
}
