//! The types of elements. `align` keeps vectors of words within one line of the cache.

macro_rules! element {
    ($($(#[$doc:meta])* $Element:ident($repr:ty) align $align:literal;)*) => { $(
        $(#[$doc])*
        ///
        /// `==` and `subtle`'s traits compare in constant time. `Debug` does not show the value.
        #[derive(Clone, Copy)]
        #[repr(C, align($align))]
        pub struct $Element(pub(crate) $repr);
    )* };
}

element! {
    /// An element of GF(2^8), modulo x^8 + x^4 + x^3 + x + 1: a byte of AES. See also the operations on whole slices.
    ///
    /// ```
    /// use simd_crypto::gf::{Field, Gf8};
    /// // FIPS 197, section 4.2: {57} * {83} = {c1}
    /// assert_eq!(Gf8::from(0x57) * Gf8::from(0x83), Gf8::from(0xc1));
    /// ```
    Gf8(u8) align 1;

    /// An element of GF(2^16), modulo x^16 + x^5 + x^3 + x + 1.
    Gf16(u16) align 2;

    /// An element of GF(2^32), modulo x^32 + x^7 + x^3 + x^2 + 1.
    Gf32(u32) align 4;

    /// An element of GF(2^64), modulo x^64 + x^4 + x^3 + x + 1.
    ///
    /// ```
    /// use simd_crypto::gf::{Field, Gf64};
    /// let a = Gf64::from(0x0123_4567_89ab_cdef);
    /// assert_eq!(a * a.invert(), Gf64::ONE);
    /// ```
    Gf64(u64) align 8;

    /// An element of GF(2^128), modulo x^128 + x^7 + x^2 + x + 1.
    ///
    /// ```
    /// use simd_crypto::gf::{Field, Gf128};
    /// let a = Gf128::from([0x0123_4567_89ab_cdef, 42]);
    /// assert_eq!(a.square() / a, a);
    /// ```
    Gf128([u64; 2]) align 16;

    /// An element of GF(2^256), modulo x^256 + x^10 + x^5 + x^2 + 1.
    Gf256([u64; 4]) align 32;

    /// An element of GF(2^512), modulo x^512 + x^8 + x^5 + x^2 + 1.
    Gf512([u64; 8]) align 64;

    /// An element of GF(2^1024), modulo x^1024 + x^19 + x^6 + x + 1.
    Gf1024([u64; 16]) align 64;

    /// An element of GF(2^2048), modulo x^2048 + x^19 + x^14 + x^13 + 1.
    Gf2048([u64; 32]) align 64;
}
