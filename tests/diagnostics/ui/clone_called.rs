//! A clone asserts what its dispatcher has tested: for example that other targets are absent. Safe code that has the
//! features can name a method's clone, but has no proof to call it with. The clones of a function
//! take another name where theirs is mentioned.

use simd_core::dispatch;

struct Table;

#[dispatch(targets = "avx512f | avx2 | sve2")]
impl Table {
    fn look_up(&self) -> u32 {
        if cfg!(target_feature = "avx2") { 2 } else { 1 }
    }
}

#[dispatch(targets = "avx2 | sve2")]
fn a_method() -> u32 {
    #[cfg(target_feature = "avx2")]
    {
        Table.__look_up__avx2()
    }
    #[cfg(not(target_feature = "avx2"))]
    {
        Table.__look_up__baseline(())
    }
}

#[dispatch(targets = "avx512f | avx2")]
fn its_own_clone(again: bool) -> u32 {
    if again { __its_own_clone__avx2(false) } else { __its_own_clone__baseline(true, simd_core::__private::Proof(())) }
}

fn behind_a_pointer() -> u32 {
    #[dispatch(targets = "avx512f | avx2")]
    fn selected(again: bool) -> u32 {
        if again { __selected__avx2(false) } else { 1 }
    }
    let f: fn(bool) -> u32 = selected;
    f(true)
}

fn main() {
    println!("{} {} {}", a_method(), its_own_clone(true), behind_a_pointer());
}
