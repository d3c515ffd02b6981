//! Functions that have no clones, and functions of several definitions.

use syn::Attribute;

use super::{Choice, Function, Node};
use crate::attrs;

impl Function {
    /// Whether a function in a dispatched item stays as it is.
    pub(crate) fn stays(&self) -> bool {
        matches!(self.choice, Choice::Skip)
            || self.body.is_none()
            || self.sig.constness.is_some()
            || attrs::has(&self.attrs, "target_feature")
            || attrs::has(&self.attrs, "naked")
            || self.attrs.iter().any(is_test)
            || (matches!(self.choice, Choice::Inherit(_)) && for_tests(&self.attrs))
    }
}

/// A function that `cfg(target_feature)` selects.
pub(crate) fn definition(node: &Node) -> Option<&Function> {
    match node {
        Node::Fn(item) if item.attrs.iter().any(attrs::tests_feature) && !item.stays() => Some(item),
        _ => None,
    }
}

/// An earlier definition of the function that `nodes[at]` is one of.
pub(crate) fn earlier_definition(nodes: &[Node], at: usize) -> Option<&Function> {
    let this = definition(&nodes[at])?;
    nodes[..at].iter().filter_map(definition).find(|first| first.sig.ident == this.sig.ident)
}

pub(crate) fn is_test(attr: &Attribute) -> bool {
    const NAMES: [&str; 6] = ["test", "bench", "test_case", "rstest", "proptest", "quickcheck"];
    NAMES.iter().any(|name| attrs::is(attr, name))
}

/// Whether `attrs` hold `#[cfg(test)]`.
pub(crate) fn for_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().filter_map(attrs::predicate).any(|predicate| predicate.to_string() == "test")
}
