//! What rustdoc shows of the targets.

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan::Plan;

/// A paragraph that names the targets. It is there for rustdoc alone: for rustc an undocumented item stays one.
pub(super) fn paragraph(plan: &Plan) -> TokenStream {
    let targets: Vec<String> = plan.targets.iter().map(|target| target.target.display()).collect();
    let text = format!(
        "\n\nCompiled for {}, and for any other CPU; the first of these that the CPU has is taken at run time.",
        targets.join(", "),
    );
    quote!(#[cfg_attr(doc, doc = #text)])
}
