//! A library with an initialiser, as a C dependency has one, which fills a table.
use std::arch::x86_64::{_mm256_add_epi32, _mm256_set1_epi32, _mm256_storeu_si256};

#[unsafe(no_mangle)]
pub static mut TABLE: [u32; 8] = [0; 8];

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = start;

#[cfg(tested)]
extern "C" fn start() {
    if is_x86_feature_detected!("avx2") {
        unsafe { at_load() }
    }
}

#[cfg(not(tested))]
extern "C" fn start() {
    unsafe { at_load() }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn at_load() {
    let one = _mm256_set1_epi32(std::hint::black_box(1));
    unsafe { _mm256_storeu_si256((&raw mut TABLE).cast(), _mm256_add_epi32(one, one)) }
}
