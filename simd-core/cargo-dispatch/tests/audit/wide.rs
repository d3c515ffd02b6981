// Compiled with `-C target-feature=+avx2` for a program of the baseline.
#[inline(never)]
pub fn sum(xs: &mut [u32]) {
    for x in xs {
        *x = x.wrapping_mul(*x) ^ 12;
    }
}
