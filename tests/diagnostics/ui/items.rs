//! Items and functions that cannot have clones.
use simd_core::dispatch;

#[dispatch(targets = "avx2 | sve2")]
const NUMBER: u64 = 3;

#[dispatch(targets = "avx2 | sve2")]
enum Choice {
    One,
}

#[dispatch(targets = "avx2 | sve2")]
unsafe extern "C" {
    safe fn abs(n: i32) -> i32;
}

#[dispatch(targets = "avx2 | sve2")]
macro_rules! function {
    () => {
        fn made() {}
    };
}

#[dispatch(targets = "avx2 | sve2")]
function! {}

#[dispatch(targets = "avx2 | sve2")]
static STATIC: u64 = 3;

#[dispatch(targets = "avx2 | sve2")]
struct Struct(*const u64);

#[dispatch(targets = "avx2 | sve2")]
type Alias = u64;

#[dispatch(targets = "avx2 | sve2")]
use core::cmp::max;

#[dispatch(targets = "avx2 | sve2")]
mod module {
    #[dispatch(targets = "avx2")]
    pub struct Struct;
}

#[dispatch(targets = "avx2 | sve2")]
impl !Send for Struct {}

trait Trait {
    #[dispatch(targets = "avx2 | sve2")]
    fn without_a_body(start: u64) -> u64;
}

#[dispatch(targets = "avx2 | sve2")]
const fn constant() {}

#[dispatch(targets = "avx2 | sve2")]
#[unsafe(naked)]
extern "C" fn naked() {
    core::arch::naked_asm!("ret")
}

#[dispatch(targets = "avx2 | sve2")]
unsafe extern "C" fn variadic(_format: *const u8, _: ...) {}

#[dispatch(targets = "avx2 | sve2")]
#[target_feature(enable = "avx2")]
unsafe fn own_target_feature() {}

#[dispatch(targets = "avx2 | neon")]
fn generic_parameter_under_cfg<T, #[cfg(all())] const N: usize>(_: [T; N]) {}

#[dispatch(targets = "avx2 | sve2")]
fn returns_impl_trait(numbers: &[u64]) -> impl Iterator<Item = u64> {
    numbers.iter().map(|number| number * 2)
}

#[dispatch(targets = "avx2 | sve2")]
impl Struct {
    fn returns_impl_trait_inside(&self) -> Option<Box<impl Fn(u64) -> u64>> {
        Some(Box::new(|number| number + 1))
    }
}

#[dispatch(targets = "avx2 | sve2")]
#[test]
fn test() {}

fn main() {}
