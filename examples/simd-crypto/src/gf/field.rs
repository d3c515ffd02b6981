//! The trait of all fields.
use core::fmt::Debug;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use rand_core::CryptoRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// A field of `2^BITS` elements, each a polynomial over GF(2) of degree below [`BITS`](Self::BITS).
///
/// Sums and differences are the same, and every element is its own negative. `a / b` is `a * b.invert()`, so a division by
/// zero gives zero. All operations are constant time unless they say otherwise.
///
/// ```
/// use simd_crypto::gf::{Field, Gf8, Gf256};
///
/// fn distance<F: Field>(a: F, b: F) -> F {
///     (a - b) / (a + F::ONE)
/// }
/// // In the field of AES, 0x53 and 0xca are inverse to each other.
/// assert_eq!(Gf8::from(0x53) * Gf8::from(0xca), Gf8::ONE);
/// assert_eq!(distance(Gf256::from_word(6).unwrap(), Gf256::ZERO), Gf256::from_word(6).unwrap() / Gf256::from_word(7).unwrap());
/// ```
pub trait Field:
    Copy
    + Default
    + Debug
    + Eq
    + Send
    + Sync
    + ConditionallySelectable
    + ConstantTimeEq
    + Zeroize
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
    + Product
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
    + for<'a> MulAssign<&'a Self>
    + for<'a> DivAssign<&'a Self>
    + 'static
{
    /// The binary logarithm of the number of elements.
    const BITS: usize;
    /// The length of an element in bytes.
    const BYTES: usize;
    /// The exponents of the modulus, the highest first.
    const MODULUS: [u32; 5];
    /// The element that changes nothing when added.
    const ZERO: Self;
    /// The element that changes nothing when multiplied.
    const ONE: Self;
    /// An array of [`BYTES`](Self::BYTES) bytes.
    type Bytes: Copy + Debug + Ord + Send + Sync + AsRef<[u8]> + AsMut<[u8]> + Zeroize + 'static;

    /// The square.
    #[must_use]
    fn square(&self) -> Self;

    /// The multiplicative inverse. Zero, which has none, gives zero.
    #[must_use]
    fn invert(&self) -> Self;

    /// The product with [`from_word(word)`](Self::from_word), which costs less than a product of two elements.
    ///
    /// # Panics
    /// If `word` is no element, which takes a field of fewer than 64 bits.
    #[must_use]
    fn mul_word(&self, word: u64) -> Self;

    /// The sum of all `a[i] * b[i]`, reduced once: about as fast as `a.len()` products of polynomials. Only the length
    /// affects the time.
    ///
    /// # Panics
    /// If `a` and `b` are not as long as each other.
    ///
    /// ```
    /// use simd_crypto::gf::{Field, Gf128};
    /// let [a, b, c, d] = [3, 5, 7, 11].map(|word| Gf128::from([word, word]));
    /// assert_eq!(Gf128::sum_of_products(&[a, b], &[c, d]), a * c + b * d);
    /// ```
    #[must_use]
    fn sum_of_products(a: &[Self], b: &[Self]) -> Self {
        assert_eq!(a.len(), b.len(), "as many factors as there are of the other kind");
        a.iter().zip(b).fold(Self::ZERO, |sum, (a, b)| sum + *a * b)
    }

    /// The element whose coefficients are the bits of `word`, if the field has it.
    #[must_use]
    fn from_word(word: u64) -> Option<Self>;

    /// The word of which this is [`from_word`](Self::from_word), if there is one.
    ///
    /// Not meant for secrets: whether there is one is plain to see.
    #[must_use]
    fn to_word(&self) -> Option<u64>;

    /// The element in [`BYTES`](Self::BYTES) bytes, the lowest coefficient first: in the lowest bit of the first byte.
    #[must_use]
    fn to_bytes(&self) -> Self::Bytes;

    /// The element that [`to_bytes`](Self::to_bytes) gave.
    #[must_use]
    fn from_bytes(bytes: &Self::Bytes) -> Self;

    /// [`to_bytes`](Self::to_bytes) in reverse: the highest coefficient first, as numbers are written.
    #[must_use]
    fn to_be_bytes(&self) -> Self::Bytes {
        let mut bytes = self.to_bytes();
        bytes.as_mut().reverse();
        bytes
    }

    /// The element that [`to_be_bytes`](Self::to_be_bytes) gave.
    #[must_use]
    fn from_be_bytes(bytes: &Self::Bytes) -> Self {
        let mut bytes = *bytes;
        bytes.as_mut().reverse();
        Self::from_bytes(&bytes)
    }

    /// The element of these bytes, in the order of [`to_bytes`](Self::to_bytes); none if they are not
    /// [`BYTES`](Self::BYTES) many.
    #[must_use]
    fn from_slice(bytes: &[u8]) -> Option<Self> {
        let mut array = Self::ZERO.to_bytes();
        (bytes.len() == Self::BYTES).then(|| {
            array.as_mut().copy_from_slice(bytes);
            Self::from_bytes(&array)
        })
    }

    /// Any element, each as likely as every other.
    #[must_use]
    fn random<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = Self::ZERO.to_bytes();
        rng.fill_bytes(bytes.as_mut());
        let element = Self::from_bytes(&bytes);
        bytes.zeroize();
        element
    }

    /// Any element except zero, all with the same probability. The time reveals the number of attempts, not the result.
    #[must_use]
    fn random_nonzero<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        loop {
            let element = Self::random(rng);
            if !bool::from(element.is_zero()) {
                return element;
            }
        }
    }

    /// Whether this is zero.
    #[must_use]
    fn is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }
}
