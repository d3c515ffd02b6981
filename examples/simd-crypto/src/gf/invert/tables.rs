//! The matrices by which elements are inverted, worked out by the compiler.
//!
//! An element here is an array of words of 128 bits, the lowest first, because the compiler takes as long for a step with a
//! small integer as for one with a large one.
#![allow(clippy::cast_possible_truncation, reason = "words are cut into bytes")]
use crate::gf::matrix::{COLUMN, Matrix};

/// The columns of a matrix for one byte of an element: a matrix for each byte of the product.
pub(crate) type Columns<const N: usize> = [[Matrix; 8]; N];

/// The linear map `a -> a^(2^k)`, for elements of `N` words.
///
/// The power of a product is the product of the powers. So the element is cut into eight chunks of `N` bytes, and one matrix does
/// for all of them: with `a = sum of c_i x^(8 N i)` the power is the sum of `c_i^(2^k)` times the power of `x^(8 N i)`.
pub(crate) struct Power<const N: usize> {
    /// For each byte of a chunk, the powers of its bits.
    pub(crate) of_chunk: [Columns<N>; N],
    /// The powers of `x^(8 N i)`.
    pub(crate) of_places: [[u64; N]; 8],
}

impl<const N: usize> Power<N> {
    /// `W` is half of `N`.
    pub(crate) const fn new<const W: usize>(modulus: [u32; 5], k: usize) -> Self {
        let field = Modulus::new(modulus);
        let of_x = field.power(x(), k);
        let mut map = Self { of_chunk: [[[0; 8]; N]; N], of_places: [[0; N]; 8] };
        let powers: [[u128; W]; 128] = field.powers(of_x, 8 * N);
        set_columns(&mut map.of_chunk, &powers, 8 * N);
        let of_place = field.product(powers[8 * N - 1], of_x);
        let powers: [[u128; W]; 8] = field.powers(of_place, 8);
        let mut place = 0;
        while place < 8 {
            map.of_places[place] = words(&powers[place]);
            place += 1;
        }
        map
    }
}

/// Maps of subfields of a field with elements of `N` words.
///
/// An element of a subfield of `2^d` elements is known from its lowest `d + 8` bits, and these maps look at no others. (In some
/// fields, the lowest `d` bits are not enough.)
pub(crate) struct Subfields<const N: usize, const ROWS: usize> {
    /// For `d` from the largest subfield to 16, the map `a -> a^(2^(d / 2))`: columns for each byte looked at.
    pub(crate) conjugates: [Columns<N>; ROWS],
    /// From the subfield of 2^8 elements to the field of AES.
    pub(crate) to_aes: [Matrix; 2],
    /// From the field of AES to the subfield of 2^8 elements.
    pub(crate) from_aes: Columns<N>,
}

impl<const N: usize, const ROWS: usize> Subfields<N, ROWS> {
    /// From the subfield of `2^largest` elements on: the field itself with up to 2^256, or one of up to 2^128. `ROWS` is how many
    /// bytes the conjugates look at, and `W` the length of an element here.
    pub(crate) const fn new<const W: usize>(modulus: [u32; 5], largest: usize) -> Self {
        let field = Modulus::new(modulus);
        let mut maps = Self { conjugates: [[[0; 8]; N]; ROWS], to_aes: [0; 2], from_aes: [[0; 8]; N] };
        let (mut d, mut row) = (field.bits, 0);
        let mut normal: [u128; W] = field.of_trace_one();
        while d > 8 {
            let conjugate = field.power(normal, d / 2);
            if d == field.bits && d == largest {
                let columns: [_; 256] = field.powers(field.power(x::<W>(), d / 2), d);
                set_columns(&mut maps.conjugates, &columns, d);
                row = d / 8;
            } else if d <= largest {
                // The conjugate of each element of this basis is another one.
                let basis = field.normal_basis(normal, d);
                let columns = linear_map(&basis, &field.normal_basis(conjugate, d), d);
                set_columns(maps.conjugates.split_at_mut(row).1, &columns, d + 8);
                row += d / 8 + 1;
            }
            // The trace over the subfield, which has trace 1 as well.
            normal = add(normal, conjugate);
            d /= 2;
        }
        assert!(row == ROWS, "as many rows as bytes are looked at");

        let aes = Modulus::new([8, 4, 3, 1, 0]);
        let powers = field.powers(normal, 9);
        let aes_powers = aes.powers([in_aes(&powers)], 8);
        let (to_aes, from_aes) = (linear_map(&powers, &aes_powers, 8), linear_map(&aes_powers, &powers, 8));
        let mut bit = 0;
        while bit < 16 {
            maps.to_aes[bit / 8] |= COLUMN[to_aes[bit][0] as usize] << (bit % 8);
            bit += 1;
        }
        set_columns(core::slice::from_mut(&mut maps.from_aes), &from_aes, 8);
        maps
    }
}

/// Puts the first `len` columns, each what a bit adds to the product, into the matrices of the bytes.
const fn set_columns<const N: usize, const W: usize>(matrices: &mut [Columns<N>], columns: &[[u128; W]], len: usize) {
    let mut bit = 0;
    while bit < len {
        let mut byte = 0;
        while byte < 8 * N {
            let image = (columns[bit][byte / 16] >> (8 * (byte % 16)) & 255) as usize;
            matrices[bit / 8][byte / 8][byte % 8] |= COLUMN[image] << (bit % 8);
            byte += 1;
        }
        bit += 1;
    }
}

/// A linear map that takes the first `d` of these elements to their images, by Gauss-Jordan elimination: the images of the
/// lowest `d + 8` bits, in which the elements are independent.
const fn linear_map<const W: usize, const V: usize>(
    elements: &[[u128; W]; 128],
    images: &[[u128; V]; 128],
    d: usize,
) -> [[u128; V]; 136] {
    let (mut elements, mut images) = (*elements, *images);
    let mut map = [[0; V]; 136];
    let mut done = 0;
    let mut pivots = [0; 128];
    let mut bit = 0;
    while bit < d + 8 && bit < 128 * W {
        let (word, shift) = (bit / 128, bit % 128);
        let mut pivot = done;
        while pivot < d && elements[pivot][word] >> shift & 1 == 0 {
            pivot += 1;
        }
        if pivot < d {
            elements.swap(done, pivot);
            images.swap(done, pivot);
            let mut i = 0;
            while i < d {
                if i != done && elements[i][word] >> shift & 1 == 1 {
                    elements[i] = add(elements[i], elements[done]);
                    images[i] = add(images[i], images[done]);
                }
                i += 1;
            }
            pivots[done] = bit;
            done += 1;
        }
        bit += 1;
    }
    assert!(done == d, "elements that are independent in these bits");
    while done > 0 {
        done -= 1;
        map[pivots[done]] = images[done];
    }
    map
}

/// The element of the field of AES with the same minimal polynomial as the element whose powers these are.
const fn in_aes<const W: usize>(powers: &[[u128; W]; 128]) -> u128 {
    let mut units = [[0]; 128];
    let mut i = 0;
    while i < 8 {
        units[i][0] = 1 << i;
        i += 1;
    }
    let coefficients = linear_map(powers, &units, 8);
    // The polynomial without its x^8.
    let mut polynomial = 0;
    i = 0;
    while i < 16 {
        polynomial ^= (powers[8][0] >> i & 1) * coefficients[i][0];
        i += 1;
    }
    // The powers of x + 1 are all elements but zero.
    let mut elements = [1; 255];
    i = 1;
    while i < 255 {
        let twice = elements[i - 1] << 1;
        elements[i] = elements[i - 1] ^ twice ^ ((twice >> 8) * 0b1_0001_1011);
        i += 1;
    }
    i = 1;
    loop {
        assert!(i < 255, "an irreducible polynomial of degree 8 has roots");
        let mut value = elements[8 * i % 255];
        let mut power = 0;
        while power < 8 {
            value ^= (polynomial >> power & 1) * elements[power * i % 255];
            power += 1;
        }
        if value == 0 {
            return elements[i];
        }
        i += 1;
    }
}

const fn add<const W: usize>(mut a: [u128; W], b: [u128; W]) -> [u128; W] {
    let mut i = 0;
    while i < W {
        a[i] ^= b[i];
        i += 1;
    }
    a
}

const fn x<const W: usize>() -> [u128; W] {
    let mut x = [0; W];
    x[0] = 2;
    x
}

const fn words<const N: usize, const W: usize>(element: &[u128; W]) -> [u64; N] {
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        words[i] = (element[i / 2] >> (64 * (i % 2))) as u64;
        i += 1;
    }
    words
}

/// For `pshufb`: the bytes of two words, turn by turn.
pub(crate) const PAIRS_IN_LANES: [u8; 64] = {
    let mut pairs = [0; 64];
    let mut i = 0;
    while i < 64 {
        pairs[i] = (i % 2 * 8 + i % 16 / 2) as u8;
        i += 1;
    }
    pairs
};

/// For `vpermw`, after that: of every word the first byte, then of every word the second, and so on.
pub(crate) const PAIRS_IN_ROWS: [u16; 32] = {
    let mut pairs = [0; 32];
    let mut i = 0;
    while i < 32 {
        pairs[i] = (i % 4 * 8 + i / 4) as u16;
        i += 1;
    }
    pairs
};

/// The polynomial `x^bits` and the sum of `x^e` for four exponents, by which products are reduced.
#[derive(Clone, Copy)]
struct Modulus {
    bits: usize,
    exponents: [u32; 4],
}

impl Modulus {
    const fn new(modulus: [u32; 5]) -> Self {
        let [bits, exponents @ ..] = modulus;
        Self { bits: bits as usize, exponents }
    }

    /// `low + high * x^(128 W)`.
    const fn reduce<const W: usize>(self, mut low: [u128; W], mut high: [u128; W]) -> [u128; W] {
        if self.bits < 128 {
            high[0] = low[0] >> self.bits;
            low[0] ^= high[0] << self.bits;
        }
        let [a, b, c, _] = self.exponents;
        let mut above = 0;
        let mut i = 0;
        while i < W {
            let h = high[i];
            low[i] ^= h ^ h << a ^ h << b ^ h << c;
            let carry = h >> (128 - a) ^ h >> (128 - b) ^ h >> (128 - c);
            if i + 1 < W {
                low[i + 1] ^= carry;
            } else {
                above = carry;
            }
            i += 1;
        }
        if self.bits < 128 {
            above = low[0] >> self.bits;
            low[0] ^= above << self.bits;
        }
        low[0] ^= above ^ above << a ^ above << b ^ above << c;
        low
    }

    const fn product<const W: usize>(self, a: [u128; W], b: [u128; W]) -> [u128; W] {
        self.product_by(a, &self.multiples(b))
    }

    /// The product of `a` and the element whose products with all polynomials of eight bits these are.
    const fn product_by<const W: usize>(self, a: [u128; W], multiples: &[[u128; W]; 256]) -> [u128; W] {
        let (mut low, mut high) = ([0; W], [0; W]);
        let mut byte = 16;
        while byte > 0 {
            byte -= 1;
            let mut i = W;
            while i > 0 {
                i -= 1;
                high[i] = high[i] << 8 | if i > 0 { high[i - 1] >> 120 } else { low[W - 1] >> 120 };
            }
            i = W;
            while i > 0 {
                i -= 1;
                low[i] = low[i] << 8 | if i > 0 { low[i - 1] >> 120 } else { 0 };
            }
            while i < W {
                let multiple = &multiples[(a[i] >> (8 * byte) & 255) as usize];
                let mut j = 0;
                while i + j < W {
                    low[i + j] ^= multiple[j];
                    j += 1;
                }
                while j < W {
                    high[i + j - W] ^= multiple[j];
                    j += 1;
                }
                i += 1;
            }
        }
        self.reduce(low, high)
    }

    /// The products of `a` with all polynomials of eight bits.
    const fn multiples<const W: usize>(self, a: [u128; W]) -> [[u128; W]; 256] {
        let mut multiples = [[0; W]; 256];
        multiples[1] = a;
        let mut i = 2;
        while i < 256 {
            let half = multiples[i / 2];
            let (mut low, mut high) = ([0; W], [0; W]);
            low[0] = half[0] << 1;
            high[0] = half[W - 1] >> 127;
            let mut j = 1;
            while j < W {
                low[j] = half[j] << 1 | half[j - 1] >> 127;
                j += 1;
            }
            multiples[i] = add(multiples[i % 2], self.reduce(low, high));
            i += 1;
        }
        multiples
    }

    const fn power<const W: usize>(self, mut a: [u128; W], k: usize) -> [u128; W] {
        let mut done = 0;
        while done < k {
            let (mut low, mut high) = ([0; W], [0; W]);
            let mut i = 0;
            while i < 2 * W {
                let square = spread((a[i / 2] >> (64 * (i % 2))) as u64);
                if i < W {
                    low[i] = square;
                } else {
                    high[i - W] = square;
                }
                i += 1;
            }
            a = self.reduce(low, high);
            done += 1;
        }
        a
    }

    /// An element of trace 1, that is, `a + a^2 + a^4 + ...` is 1. By Newton's identities `x^(bits - e)` is one, with the largest odd
    /// exponent `e` of the modulus. If it were not, [`linear_map`] would stop the compiler.
    const fn of_trace_one<const W: usize>(self) -> [u128; W] {
        let [a, b, ..] = self.exponents;
        let at = self.bits - if a % 2 == 1 { a } else { b } as usize;
        let mut element = [0; W];
        element[at / 128] = 1 << (at % 128);
        element
    }

    /// The first `d` of `a, a^2, a^4, ...`. With an `a` of trace 1 they are a basis of the subfield of `2^d` elements, as `d` is a power
    /// of two (Perlis, *Normal bases of cyclic fields of prime-power degrees*, Duke Mathematical Journal 9, 1942).
    const fn normal_basis<const W: usize>(self, a: [u128; W], d: usize) -> [[u128; W]; 128] {
        let mut basis = [a; 128];
        let mut i = 1;
        while i < d {
            basis[i] = self.power(basis[i - 1], 1);
            i += 1;
        }
        basis
    }

    /// `1, a, a^2, ...`: the first `len` powers, and zeros.
    const fn powers<const W: usize, const COUNT: usize>(self, a: [u128; W], len: usize) -> [[u128; W]; COUNT] {
        let multiples = self.multiples(a);
        let mut powers = [[0; W]; COUNT];
        powers[0][0] = 1;
        let mut i = 1;
        while i < len {
            let half = self.power(powers[i / 2], 1);
            powers[i] = if i % 2 == 0 { half } else { self.product_by(half, &multiples) };
            i += 1;
        }
        powers
    }
}

/// The square of a polynomial: a zero between every two bits.
const fn spread(a: u64) -> u128 {
    let a = a as u128;
    let a = (a | a << 32) & 0x0000_0000_ffff_ffff_0000_0000_ffff_ffff;
    let a = (a | a << 16) & 0x0000_ffff_0000_ffff_0000_ffff_0000_ffff;
    let a = (a | a << 8) & 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff;
    let a = (a | a << 4) & 0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f;
    let a = (a | a << 2) & 0x3333_3333_3333_3333_3333_3333_3333_3333;
    (a | a << 1) & 0x5555_5555_5555_5555_5555_5555_5555_5555
}
