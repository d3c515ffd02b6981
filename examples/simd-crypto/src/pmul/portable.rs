//! Carry-less products out of integer products, for CPUs that have no instruction for them.
//!
//! An integer product is a carry-less one where no column of it can carry. So the bits of both factors are dealt into four
//! classes by their position modulo 4, each product of two classes has its columns four bits apart, a column adds up at
//! most 15 ones, and its lowest bit is the wanted exclusive or. (Described by Thomas Pornin for `BearSSL`'s `ghash_ctmul64`,
//! <https://www.bearssl.org/constanttime.html>.) The multiplications are as constant in time as the CPU's multiplier.
//! They wrap, though none overflows: a check would be a branch on a secret.

/// Every fourth bit.
const CLASS: u64 = 0x1111_1111_1111_1111;

/// The carry-less product of two polynomials of degree below 64.
///
/// Never inlined: some sixty copies of it in one product of many words run at half the speed.
#[inline(never)]
#[cfg(not(target_pointer_width = "32"))]
pub(super) fn clmul64(a: u64, b: u64) -> u128 {
    // Sixteen ones in a column would carry, so one factor gives only 60 bits to the classes.
    let low = a & (u64::MAX >> 4);
    let classes_a: [u64; 4] = core::array::from_fn(|i| low & (CLASS << i));
    let classes_b: [u64; 4] = core::array::from_fn(|i| b & (CLASS << i));
    let mut product = 0u128;
    for k in 0..4 {
        let mut columns = 0u128;
        for i in 0..4 {
            columns ^= u128::from(classes_a[i]).wrapping_mul(u128::from(classes_b[(k + 4 - i) % 4]));
        }
        let class = (u128::from(CLASS) << 64 | u128::from(CLASS)) << k;
        product ^= columns & class;
    }
    let mut top = 0u128;
    for i in 0..4 {
        let bit = 0u64.wrapping_sub(a >> (60 + i) & 1);
        top ^= u128::from(b & bit) << i;
    }
    product ^ top << 60
}

/// The same by Karatsuba's method over [`clmul32`], where the widest product of the CPU is that of two 32-bit words.
#[inline(never)]
#[cfg(target_pointer_width = "32")]
pub(super) fn clmul64(a: u64, b: u64) -> u128 {
    let (a0, a1) = (a as u32, (a >> 32) as u32);
    let (b0, b1) = (b as u32, (b >> 32) as u32);
    let low = clmul32(a0, b0);
    let high = clmul32(a1, b1);
    let middle = clmul32(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    u128::from(high) << 64 ^ u128::from(middle) << 32 ^ u128::from(low)
}

/// The carry-less product of two polynomials of degree below 32.
#[inline]
pub(crate) fn clmul32(a: u32, b: u32) -> u64 {
    let classes_a: [u64; 4] = core::array::from_fn(|i| u64::from(a) & (CLASS << i));
    let classes_b: [u64; 4] = core::array::from_fn(|i| u64::from(b) & (CLASS << i));
    let mut product = 0;
    for k in 0..4 {
        let mut columns = 0;
        for i in 0..4 {
            columns ^= classes_a[i].wrapping_mul(classes_b[(k + 4 - i) % 4]);
        }
        product ^= columns & (CLASS << k);
    }
    product
}

/// The carry-less product of two polynomials of degree below 16. Three classes do: a column adds up at most six ones.
#[inline]
pub(crate) fn clmul16(a: u16, b: u16) -> u32 {
    const CLASS: u32 = 0x4924_9249;
    let classes_a: [u32; 3] = core::array::from_fn(|i| u32::from(a) & (CLASS << i));
    let classes_b: [u32; 3] = core::array::from_fn(|i| u32::from(b) & (CLASS << i));
    let mut product = 0;
    for k in 0..3 {
        let mut columns = 0;
        for i in 0..3 {
            columns ^= classes_a[i].wrapping_mul(classes_b[(k + 3 - i) % 3]);
        }
        product ^= columns & (CLASS << k);
    }
    product
}

/// The square of a polynomial of degree below 32: a zero between every two bits.
#[inline]
pub(crate) fn spread32(a: u32) -> u64 {
    let a = u64::from(a);
    let a = (a | a << 16) & 0x0000_ffff_0000_ffff;
    let a = (a | a << 8) & 0x00ff_00ff_00ff_00ff;
    let a = (a | a << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let a = (a | a << 2) & 0x3333_3333_3333_3333;
    (a | a << 1) & 0x5555_5555_5555_5555
}
