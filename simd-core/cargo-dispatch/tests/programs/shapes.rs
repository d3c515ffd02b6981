//! Loops of many kinds. A function `kind` is not vectorised for its reason, and `kind_mended` follows the advice.
use simd_core::dispatch;

/// One attribute for most of them.
#[dispatch(targets = "x86-64-v3")]
pub mod kinds {
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::{tripled, tripled_mended};

    pub fn position(xs: &[u8], wanted: u8) -> Option<usize> {
        xs.iter().position(|x| *x == wanted)
    }

    pub fn panics(xs: &mut [u32]) {
        for x in xs {
            *x = x.checked_mul(3).expect("a small value");
        }
    }

    pub fn panics_mended(xs: &mut [u32]) {
        let mut is_large = false;
        for x in xs {
            is_large |= *x > u32::MAX / 3;
            *x = x.wrapping_mul(3);
        }
        assert!(!is_large, "a small value");
    }

    pub fn calls(xs: &mut [u32]) {
        for x in xs {
            *x = tripled(*x);
        }
    }

    pub fn calls_mended(xs: &mut [u32]) {
        for x in xs {
            *x = tripled_mended(*x);
        }
    }

    pub fn calls_far(xs: &mut [u32]) {
        for x in xs {
            *x = far::far(*x);
        }
    }

    pub fn depends(xs: &mut [u32]) {
        for i in 1..xs.len() {
            xs[i] = xs[i].wrapping_add(xs[i - 1]);
        }
    }

    /// Of another function: sums of neighbours, which need nothing that was written.
    pub fn depends_mended(out: &mut [u32], xs: &[u32]) {
        for (sum, pair) in out.iter_mut().zip(xs.windows(2)) {
            *sum = pair[0].wrapping_add(pair[1]);
        }
    }

    pub fn histogram(counts: &mut [u32; 256], xs: &[u8]) {
        for x in xs {
            counts[*x as usize] += 1;
        }
    }

    pub fn hash(xs: &[u8]) -> u32 {
        let mut hash = 5381u32;
        for x in xs {
            hash = hash.rotate_left(5) ^ u32::from(*x);
        }
        hash
    }

    pub fn carried(xs: &[u32]) -> Option<u32> {
        let mut sum = 0u32;
        for x in xs {
            sum = sum.checked_add(*x)?;
        }
        Some(sum)
    }

    pub fn carried_mended(xs: &[u32]) -> Option<u32> {
        let mut sum = 0u64;
        for x in xs {
            sum += u64::from(*x);
        }
        u32::try_from(sum).ok()
    }

    pub fn maximum(xs: &[f32]) -> f32 {
        let mut most = f32::MIN;
        for x in xs {
            if *x > most {
                most = *x;
            }
        }
        most
    }

    pub fn maximum_mended(xs: &[f32]) -> f32 {
        let mut most = [f32::MIN; 8];
        for chunk in xs.chunks_exact(8) {
            for (most, x) in most.iter_mut().zip(chunk) {
                *most = if *x > *most { *x } else { *most };
            }
        }
        let rest = xs.chunks_exact(8).remainder();
        most.iter().chain(rest).fold(f32::MIN, |most, x| if *x > most { *x } else { most })
    }

    pub fn unknown_count(xs: &[u32], ys: &[u32]) -> u32 {
        let mut sum = 0u32;
        for x in xs.iter().chain(ys) {
            sum = sum.wrapping_add(*x);
        }
        sum
    }

    pub fn unknown_count_mended(xs: &[u32], ys: &[u32]) -> u32 {
        let mut sum = 0u32;
        xs.iter().chain(ys).for_each(|x| sum = sum.wrapping_add(*x));
        sum
    }

    pub fn divides(xs: &mut [u16], by: u16) {
        for x in xs {
            *x /= by | 1;
        }
    }

    pub fn divides_mended(xs: &mut [u16], by: u16) {
        let by = f32::from(by | 1);
        for x in xs {
            // SAFETY: a quotient of two `u16`, of which the second is not zero, is in its range.
            *x = unsafe { (f32::from(*x) / by).to_int_unchecked::<i32>() } as u16;
        }
    }

    pub fn atomics(xs: &[AtomicU32; 4096]) -> u32 {
        let mut sum = 0u32;
        for x in xs {
            sum = sum.wrapping_add(x.load(Ordering::Relaxed).wrapping_mul(7));
        }
        sum
    }

    pub fn atomics_mended(xs: &mut [AtomicU32; 4096]) -> u32 {
        let mut sum = 0u32;
        for x in xs {
            sum = sum.wrapping_add(x.get_mut().wrapping_mul(7));
        }
        sum
    }

    pub fn table(out: &mut [u8], xs: &[u8], digits: &[u8; 256]) {
        for (out, x) in out.iter_mut().zip(xs) {
            *out = digits[*x as usize];
        }
    }

    pub fn table_mended(out: &mut [u8], xs: &[u8]) {
        for (out, x) in out.iter_mut().zip(xs) {
            *out = if *x & 15 < 10 { b'0' + (*x & 15) } else { b'a' - 10 + (*x & 15) };
        }
    }

    pub fn text(text: &str) -> u32 {
        let mut count = 0;
        for c in text.chars() {
            count += u32::from(c > 'z');
        }
        count
    }

    pub fn text_mended(text: &[char]) -> u32 {
        let mut count = 0;
        for c in text {
            count += u32::from(*c > 'z');
        }
        count
    }

    pub fn branch(xs: &[u32], out: &mut Vec<u32>) {
        for x in xs {
            if *x > 7 {
                out.push(*x);
            }
        }
    }

    pub fn fine_indices(out: &mut [u32], xs: &[u32]) {
        for i in 0..xs.len() {
            out[i] = xs[i].wrapping_mul(3);
        }
    }

    pub fn fine_two_slices(xs: &[u32], ys: &[u32]) -> u32 {
        let mut sum = 0u32;
        for i in 0..xs.len().min(ys.len()) {
            sum = sum.wrapping_add(xs[i] ^ ys[i]);
        }
        sum
    }

    pub fn fine_bytes(xs: &[u8]) -> u64 {
        let mut sum = 0;
        for x in xs {
            sum += u64::from(*x);
        }
        sum
    }

    pub fn fine_while(xs: &mut [u32]) {
        let mut i = 0;
        while i < xs.len() {
            xs[i] ^= 5;
            i += 1;
        }
    }

    pub fn fine_adaptors(xs: &[u32]) -> u32 {
        xs.iter()
            .map(|x| x ^ 5)
            .fold(0, u32::wrapping_add)
    }

    pub fn becomes_a_call(xs: &mut [u8]) {
        for x in xs {
            *x = 0;
        }
    }

    pub fn is_unrolled(xs: &mut [u32; 8]) {
        for x in xs {
            *x = x.wrapping_mul(3);
        }
    }
}

#[dispatch(targets = "x86-64-v3")]
pub fn order_of_floats(xs: &[f32]) -> f32 {
    let mut sum = 0.0;
    for x in xs {
        sum += *x;
    }
    sum
}

#[dispatch(targets = "x86-64-v3")]
pub fn order_of_floats_mended(xs: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    let chunks = xs.chunks_exact(8);
    let rest: f32 = chunks.remainder().iter().sum();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += *x;
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[dispatch(targets = "x86-64-v3")]
pub fn early_exit(xs: &[u32], limit: u32) -> bool {
    for x in xs {
        if *x > limit {
            return true;
        }
    }
    false
}

#[dispatch(targets = "x86-64-v3")]
pub fn early_exit_mended(xs: &[u32], limit: u32) -> bool {
    let mut chunks = xs.chunks_exact(32);
    for chunk in &mut chunks {
        if chunk.iter().fold(false, |any, x| any | (*x > limit)) {
            return true;
        }
    }
    chunks.remainder().iter().any(|x| *x > limit)
}

#[inline(never)]
fn tripled(x: u32) -> u32 {
    x.wrapping_mul(3)
}

#[inline]
fn tripled_mended(x: u32) -> u32 {
    x.wrapping_mul(3)
}

#[dispatch(targets = "x86-64-v4")]
pub fn gathers(out: &mut [u32], xs: &[u8], table: &[u32; 256]) {
    for (out, x) in out.iter_mut().zip(xs) {
        *out = table[*x as usize];
    }
}

/// Four loops that share a place in the standard library.
#[dispatch(targets = "x86-64-v3")]
pub fn four(xs: &mut [f32], ys: &mut [u32], n: usize) -> f32 {
    let n = n.min(xs.len()).min(ys.len());
    let (xs, ys) = (&mut xs[..n], &mut ys[..n]);
    for i in 0..n {
        xs[i] *= 2.0;
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += xs[i];
    }
    for i in 0..n {
        ys[i] = ys[i].wrapping_mul(7);
    }
    for i in 0..n {
        if ys[i] == 77 {
            return sum;
        }
    }
    sum * 2.0
}

#[dispatch(targets = "x86-64-v3")]
pub fn generic<T: Copy + core::ops::BitXor<Output = T>>(xs: &mut [T], by: T) {
    for x in xs {
        *x = *x ^ by;
    }
}

/// Without the attribute.
pub fn plain(xs: &mut [u64]) {
    for x in xs {
        *x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 7;
    }
}

#[dispatch(targets = "x86-64-v3")]
mod within {
    fn squared(x: u32) -> u32 {
        x.wrapping_mul(x)
    }

    pub fn squares(xs: &mut [u32]) {
        for x in xs {
            *x = squared(*x);
        }
    }
}

struct Of<'a>(&'a mut [u16]);

#[dispatch(targets = "x86-64-v3")]
impl<'a> Of<'a> {
    fn method(&mut self) {
        for x in self.0.iter_mut() {
            *x = x.rotate_left(3);
        }
    }
}

/// Its two sums are two places of one vector.
#[dispatch(targets = "x86-64-v3")]
pub fn two_sums(points: &[(f64, f64)]) -> (f64, f64) {
    points.iter().fold((0.0, 0.0), |(xs, ys), (x, y)| (xs + x, ys + y))
}

#[inline(always)]
fn put(out: &mut Vec<u8>, buffer: &mut u64, byte: u8) {
    *buffer = *buffer << 5 | u64::from(byte);
    if *buffer >> 55 != 0 {
        out.extend_from_slice(&buffer.to_le_bytes());
        *buffer = 1;
    }
}

/// What ends an iteration, and leads back, is in `put`.
#[dispatch(targets = "x86-64-v3")]
pub fn ends_elsewhere(out: &mut Vec<u8>, xs: &[u8]) -> u64 {
    let mut buffer = 1;
    for x in xs {
        if *x != 7 {
            put(out, &mut buffer, *x);
        }
    }
    buffer
}

/// Without a header, and most of its instructions are in `next`.
#[dispatch(targets = "x86-64-v3")]
pub fn bare(xs: &[u8], ys: &[u8]) -> Option<u32> {
    let (mut xs, mut ys, mut count) = (xs.iter(), ys.iter(), 0);
    loop {
        match (xs.next(), ys.next()) {
            (Some(x), Some(y)) => count += u32::from(x != y),
            (None, None) => return Some(count),
            _ => return None,
        }
    }
}

/// Of each clone, another loop is there.
#[dispatch(targets = "x86-64-v3")]
pub fn by_clone(xs: &[f32]) -> f32 {
    if cfg!(target_feature = "avx2") {
        xs.iter().sum()
    } else {
        xs.iter().copied().find(|x| *x > 1.0).unwrap_or(0.0)
    }
}

/// Two functions of one name, whose loops share a place in the standard library.
pub mod sums {
    #[simd_core::dispatch(targets = "x86-64-v3")]
    pub fn same(xs: &[f32]) -> f32 {
        xs.iter().sum()
    }
}

pub mod hashes {
    #[simd_core::dispatch(targets = "x86-64-v3")]
    pub fn same(xs: &[u32]) -> u32 {
        xs.iter().fold(5381, |hash, x| hash.rotate_left(5) ^ x)
    }
}
