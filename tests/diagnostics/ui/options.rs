//! Options that the attribute does not take.
use simd_core::dispatch;

#[dispatch(targets = "avx2 | sve2", crate = "simd_core")]
fn crate_that_is_not_a_path() {}

#[dispatch(targets = "avx2", targets = "sve2")]
fn twice() {}

#[dispatch(target = "avx2 | sve2")]
fn unknown() {}

#[dispatch(targets = "avx2 | sve2" crate = simd_core)]
fn without_a_comma() {}

#[dispatch(targets = "avx2", list = "LIST")]
fn list_that_is_not_a_name() {}

#[dispatch(targets = "")]
fn targets_empty() {}

#[dispatch(targets = [])]
fn targets_in_an_empty_list() {}

#[dispatch(targets = ["avx2", sve2])]
fn targets_as_words_in_a_list() {}

#[dispatch(targets = avx2)]
fn targets_as_a_word() {}

#[dispatch(targets("avx2", "sve2"))]
fn targets_in_parentheses() {}

#[dispatch(targets)]
fn targets_without_a_value() {}

#[dispatch("avx2 | sve2")]
fn targets_without_a_name() {}

#[dispatch]
fn nothing() {}

#[dispatch()]
fn nothing_in_parentheses() {}

#[dispatch(crate = simd_core)]
fn crate_only() {}

#[dispatch(targets = "avx2", dispatcher = "indirect")]
fn dispatcher_of_another_tool() {}

#[dispatch(targets = "simd")]
fn list_of_another_tool() {}

#[dispatch(targets = "crate::lists::simd")]
fn quoted_path() {}

#[dispatch(targets = "avx2")]
#[dispatch(targets = "sve2")]
fn attribute_twice() {}

#[dispatch(targets = "avx2 | sve2")]
mod kernels {
    #[dispatch]
    pub fn nothing() {}

    #[dispatch(skip, targets = "sse4.2")]
    pub fn skip_beside_targets() {}

    #[dispatch(targets = "sse4.1", list = pub LIST)]
    pub fn list() {}

    #[dispatch(targets = "avx2")]
    #[inline]
    #[dispatch(skip)]
    pub fn attribute_twice() {}
}

fn main() {}
