//! The attribute macro of `simd-core`; use it through that crate.
mod error;
mod features;
mod targets;

use proc_macro::TokenStream;

/// Leaves the item as it is.
#[proc_macro_attribute]
pub fn dispatch(_args: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Calls the macro at the given path with the table of CPU features; for `simd-core` and its tests alone.
#[doc(hidden)]
#[proc_macro]
pub fn __features(callback: TokenStream) -> TokenStream {
    features::export::call(&callback.into()).into()
}
