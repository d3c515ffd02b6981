//! The surroundings of an item.

use core::cell::RefCell;

use proc_macro2::TokenStream;

use crate::item::OtherItem;
use crate::plan::Plan;

pub(crate) struct Scope<'a> {
    /// One for each list of targets.
    pub(super) plans: &'a [Plan],
    /// The functions of the annotated item.
    pub(super) names: &'a [String],
    /// The current module, impl or trait.
    pub(super) container: Option<&'a OtherItem>,
    /// Items that belong next to it.
    pub(super) beside: RefCell<TokenStream>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(plans: &'a [Plan], names: &'a [String]) -> Scope<'a> {
        Scope { plans, names, container: None, beside: RefCell::default() }
    }
}
