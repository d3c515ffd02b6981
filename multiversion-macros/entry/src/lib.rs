//! The macros of [`simd-core`](https://docs.rs/simd-core), which documents them. Use them through that crate.

use proc_macro::TokenStream;
use simd_core_expand as expand;

// rustdoc would append documentation of the public macros to that of their re-exports in `simd_core`.
#[allow(missing_docs, reason = "documented in `simd_core`")]
#[proc_macro_attribute]
pub fn dispatch(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::dispatch(args.into(), item.into(), false).into()
}

#[allow(missing_docs, reason = "documented in `simd_core`")]
#[proc_macro]
pub fn match_target(input: TokenStream) -> TokenStream {
    expand::match_target(input.into()).into()
}

#[allow(missing_docs, reason = "documented in `simd_core::testing`")]
#[proc_macro_attribute]
pub fn each_target(args: TokenStream, test: TokenStream) -> TokenStream {
    expand::each_target(args.into(), &test.into()).into()
}

/// A list of targets under a name, with the path of `simd-core` before it; for `simd-core` only.
#[doc(hidden)]
#[proc_macro]
pub fn __target_list(input: TokenStream) -> TokenStream {
    let span = input.clone().into_iter().last().map_or_else(proc_macro::Span::call_site, |token| token.span());
    expand::declare(input.into(), &span.file(), span.line(), span.column()).into()
}

/// As [`macro@dispatch`], with clones that record that they run: `simd_core::dispatch` under `--cfg simd_core_ledger`.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn __dispatch_recorded(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::dispatch(args.into(), item.into(), true).into()
}

/// Macros for `simd-core` only, each with its expansion.
macro_rules! hidden {
    ($($(#[$docs:meta])* $name:ident($input:ident) => $expansion:expr;)*) => {
        $(
            $(#[$docs])*
            #[doc(hidden)]
            #[proc_macro]
            pub fn $name($input: TokenStream) -> TokenStream {
                $expansion.into()
            }
        )*
    };
}

hidden! {
    /// The attribute, with a list that it names, from the list's macro.
    __dispatch(input) => expand::answer_dispatch(input.into(), false);
    /// As `__dispatch`, with clones that record that they run.
    __dispatch_list_recorded(input) => expand::answer_dispatch(input.into(), true);
    /// Whether the CPU has the given features, with the path of `simd-core` before them.
    __detected(features) => expand::detected(features.into());
    /// The targets of a list as a value, with the path of `simd-core` before them.
    __targets(list) => expand::targets_value(list.into());
    /// Calls the macro at the given path with a table of CPU features; for the crates of this repository only.
    __table(input) => expand::table(input.into());
}
