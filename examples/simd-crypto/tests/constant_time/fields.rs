//! Products of polynomials, fields and secret sharing.
use core::convert::Infallible;
use rand_core::utils::next_word_via_fill;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};
use simd_crypto::gf::{Field, Gf8, Gf16, Gf32, Gf64, Gf128, Gf256, Gf512, Gf1024, Gf2048};
use simd_crypto::pmul::{mul_words, pmul};
use simd_crypto::shamir::{ByteShare, Combiner, Scheme, SeededRng, Share, combine, reconstruct, split, split_random};
use subtle::Choice;

use crate::kernels::{Kernel, array};

pub(crate) const KERNELS: &[Kernel] = &[
    ("pmul", 16, |secret| {
        let [a, b] = words(secret);
        pmul(a, b).to_le_bytes().to_vec()
    }),
    ("mul_words of 2", 32, |secret| products::<2>(secret)),
    ("mul_words of 4", 64, |secret| products::<4>(secret)),
    ("mul_words of 8", 128, |secret| products::<8>(secret)),
    ("mul_words of 16", 256, |secret| products::<16>(secret)),
    ("mul_words of 32", 512, |secret| products::<32>(secret)),
    ("GF(2^8)", 2, field::<Gf8>),
    ("GF(2^16)", 4, field::<Gf16>),
    ("GF(2^32)", 8, field::<Gf32>),
    ("GF(2^64)", 16, field::<Gf64>),
    ("GF(2^128)", 32, field::<Gf128>),
    ("GF(2^256)", 64, field::<Gf256>),
    ("GF(2^512)", 128, field::<Gf512>),
    ("GF(2^1024)", 256, field::<Gf1024>),
    ("GF(2^2048)", 512, field::<Gf2048>),
    ("a slice of GF(2^8), by a secret", 1 + 333, |secret| {
        let mut product = secret[1..].to_vec();
        Gf8::mul_slice(&mut product, Gf8::from(secret[0]));
        product
    }),
    ("sharing in GF(2^8)", 33, elements::<Gf8>),
    ("sharing in GF(2^64)", 40, elements::<Gf64>),
    ("sharing in GF(2^128)", 48, elements::<Gf128>),
    ("sharing in GF(2^256)", 64, elements::<Gf256>),
    ("sharing in GF(2^512)", 32 + 64, elements::<Gf512>),
    ("sharing of 1 byte", 32 + 1, |secret| shared(secret, 3, 5)),
    ("sharing of 60 bytes, 1 of 2", 32 + 60, |secret| shared(secret, 1, 2)),
    ("sharing of 100 bytes", 32 + 100, |secret| shared(secret, 3, 5)),
    ("sharing of 1500 bytes", 32 + 1500, |secret| shared(secret, 3, 5)),
    ("sharing of 100 bytes, 18 of 20", 32 + 100, |secret| shared(secret, 18, 20)),
    ("shares of bytes, by their set", 32 + 100, shares_of_bytes),
];

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    core::array::from_fn(|i| u64::from_le_bytes(*array(&bytes[8 * i..])))
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(bytes: &[u8]) -> [&[u8]; 2] {
    let (a, b) = bytes.split_at(bytes.len() / 2);
    [a, b]
}

fn products<const N: usize>(secret: &[u8]) -> Vec<u8> {
    let (a, b) = (words::<N>(secret), words::<N>(&secret[8 * N..]));
    bytes(mul_words(&a, &b).as_flattened())
}

/// All that a field does with two elements.
fn field<F: Field>(secret: &[u8]) -> Vec<u8> {
    let [a, b] = halves(secret).map(|bytes| F::from_slice(bytes).unwrap());
    // A word that every field has.
    let word = u64::from(secret[0]);
    let chosen = F::conditional_select(&a, &b, Choice::from(secret[1] & 1));
    let sum = F::sum_of_products(&[a, b, a], &[b, b, a]);
    let results = [a * b, a.square(), a.invert(), a / b, a + b, a.mul_word(word), chosen, sum];
    let answers = [u8::from(a == b), a.is_zero().unwrap_u8(), u8::from(a != F::ONE)];
    let results = results.iter().flat_map(|result| result.to_be_bytes().as_ref().to_vec());
    results.chain(answers).collect()
}

/// A generator whose first bytes are public, and the others secret.
struct Later {
    public: usize,
    rngs: [SeededRng; 2],
}

impl Later {
    fn new(public: usize, secret: &[u8]) -> Self {
        Self { public, rngs: [SeededRng::from_seed([7; 32]), SeededRng::from_seed(*array(secret))] }
    }
}

impl TryRng for Later {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        let (public, secret) = bytes.split_at_mut(self.public.min(bytes.len()));
        self.public -= public.len();
        self.rngs[0].try_fill_bytes(public)?;
        self.rngs[1].try_fill_bytes(secret)
    }
}

impl TryCryptoRng for Later {}

/// Shares of an element at small points and at random ones, and the element again. The first bytes that are drawn are the set and
/// the points, which are public.
fn elements<F: Field>(secret: &[u8]) -> Vec<u8> {
    let element = F::from_slice(&secret[32..]).unwrap();
    let compact = split(&element, 3, 5, &mut Later::new(16, secret)).unwrap();
    let random = split_random(&element, 3, 5, &mut Later::new(16 + 5 * F::BYTES, secret)).unwrap();
    let mut out: Vec<u8> = vec![];
    for shares in [compact, random] {
        // Of no set, so that all are used.
        let used: Vec<_> = shares[2..].iter().map(|share| Share::new(*share.x(), *share.y())).collect();
        let values = shares.iter().map(|share| *share.y()).chain([reconstruct(&used).unwrap()]);
        out.extend(values.flat_map(|value| value.to_bytes().as_ref().to_vec()));
    }
    out
}

/// Shares of bytes, and the bytes again.
fn shared(secret: &[u8], threshold: usize, shares: usize) -> Vec<u8> {
    let mut out = vec![];
    for scheme in
        [Scheme::compact(threshold, shares), Scheme::random(threshold, shares, &mut SeededRng::from_seed([7; 32]))]
    {
        let scheme = scheme.unwrap();
        let mut shares = vec![vec![0; secret.len() - 32]; shares];
        scheme.split_into(&secret[32..], &mut shares, &mut SeededRng::from_seed(*array(secret))).unwrap();
        let mut again = vec![0; secret.len() - 32];
        let combiner = Combiner::new(&scheme.points()[..threshold]).unwrap();
        combiner.combine_into(&shares[..threshold], &mut again).unwrap();
        out.extend(shares.concat());
        out.extend(again);
    }
    out
}

/// Shares that know their set, those that do not, and the bytes again.
fn shares_of_bytes(secret: &[u8]) -> Vec<u8> {
    // The set is drawn first, and public.
    let shares = Scheme::compact(3, 5).unwrap().split(&secret[32..], &mut Later::new(16, secret));
    let unknown: Vec<_> = shares[..3].iter().map(|share| ByteShare::new(share.x(), share.data().to_vec())).collect();
    let again = [combine(&shares[1..]).unwrap().to_vec(), combine(&unknown).unwrap().to_vec()].concat();
    shares.iter().flat_map(|share| share.data().to_vec()).chain(again).collect()
}
