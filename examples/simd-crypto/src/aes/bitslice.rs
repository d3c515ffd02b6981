//! AES states in planes: word `b` holds bit `b` of all 64 bytes of four states. [`Planes`] has `G` such groups side by side, so
//! that LLVM makes vectors of them: the loops over groups have no loop inside.
//!
//! Where a byte's bits go: bit `32·(column % 2) + 8·row + 4·(column / 2) + block` of each plane. With this order the way
//! in and out is an 8×8 transposition of bits only (each half of a block is one word, unshuffled), a step from row to
//! row is a rotation of 32-bit halves by 8, and a step from column to column swaps halves or nibbles.
//!
//! Everything is straight-line code of `and`, `xor`, `not` and shifts by constants: nothing depends on a secret.
#![cfg_attr(target_feature = "aes", allow(dead_code, reason = "a build for CPUs with AES leaves no baseline"))]
#![allow(clippy::inline_always, reason = "only the baseline runs this, and loops with calls are not vectorised")]
use super::block::{Block, ENCRYPT, Quad};
use zerocopy::transmute;

/// `G` groups of four states: word `g` of element `b` is plane `b` of group `g`.
#[derive(Clone, Copy)]
pub(crate) struct Planes<const G: usize>([[u64; G]; 8]);

pub(crate) type Key = [u64; 8];

pub(crate) const fn key(quad: Quad) -> Key {
    transpose(halves(&quad.to_bytes()))
}

/// The halves of four blocks: first those in columns 0 and 1, then the others.
const fn halves(bytes: &[u8; 64]) -> [u64; 8] {
    let (halves, _) = bytes.as_chunks::<8>();
    let mut words = [0; 8];
    let mut block = 0;
    while block < 4 {
        words[block] = u64::from_le_bytes(halves[2 * block]);
        words[block + 4] = u64::from_le_bytes(halves[2 * block + 1]);
        block += 1;
    }
    words
}

impl<const G: usize> Planes<G> {
    #[inline(never)]
    pub(crate) fn pack(quads: &[[u8; 64]; G]) -> Self {
        let mut planes = Self([[0; G]; 8]);
        for (g, quad) in quads.iter().enumerate() {
            planes.set(g, transpose(halves(quad)));
        }
        planes
    }

    #[inline(never)]
    pub(crate) fn unpack(&self) -> [[u8; 64]; G] {
        let mut quads = [[0; 64]; G];
        for (g, quad) in quads.iter_mut().enumerate() {
            let [w0, w1, w2, w3, w4, w5, w6, w7] = transpose(self.group(g)).map(u64::to_le_bytes);
            *quad = transmute!([w0, w4, w1, w5, w2, w6, w3, w7]);
        }
        quads
    }

    #[inline]
    fn group(&self, g: usize) -> [u64; 8] {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = &self.0;
        [p0[g], p1[g], p2[g], p3[g], p4[g], p5[g], p6[g], p7[g]]
    }

    #[inline]
    fn set(&mut self, g: usize, group: [u64; 8]) {
        for (plane, word) in self.0.iter_mut().zip(group) {
            plane[g] = word;
        }
    }

    #[inline]
    fn each(&mut self, step: impl Fn([u64; 8]) -> [u64; 8]) {
        for g in 0..G {
            let group = step(self.group(g));
            self.set(g, group);
        }
    }

    // Steps are not inlined: the loop over groups is more likely to stay one that way.

    /// A full round with the key added last: `aesenc`.
    #[inline(never)]
    pub(crate) fn enc(&mut self, key: &Key) {
        self.each(|x| add(mix_columns(shift_rows(sub_bytes(x), SHIFT_ROWS)), key));
    }

    #[inline(never)]
    pub(super) fn enc_last(&mut self, key: &Key) {
        self.each(|x| add(shift_rows(sub_bytes(x), SHIFT_ROWS), key));
    }

    #[inline(never)]
    pub(super) fn dec(&mut self, key: &Key) {
        self.each(|x| add(inv_mix_columns(inv_affine(sub_bytes(inv_affine(shift_rows(x, INV_SHIFT_ROWS))))), key));
    }

    #[inline(never)]
    pub(super) fn dec_last(&mut self, key: &Key) {
        self.each(|x| add(inv_affine(sub_bytes(inv_affine(shift_rows(x, INV_SHIFT_ROWS)))), key));
    }

    /// `aesimc`; adds the key as well, like the others.
    #[inline(never)]
    pub(super) fn imc(&mut self, key: &Key) {
        self.each(|x| add(inv_mix_columns(x), key));
    }

    fn add_key(&mut self, key: &Key) {
        self.each(|x| add(x, key));
    }
}

pub(super) fn quad(state: Quad, keys: Quad, round: fn(&mut Planes<1>, &Key)) -> Quad {
    let mut planes = Planes::pack(&[state.to_bytes()]);
    round(&mut planes, &key(keys));
    let [bytes] = planes.unpack();
    Quad::new(bytes)
}

/// Runs one round on one block. Three quarters of the work are wasted: callers with more blocks use [`Planes`] directly.
pub(super) fn single(state: Block, key: Block, round: fn(&mut Planes<1>, &Key)) -> Block {
    let [block, ..] = quad(Quad::splat(state), Quad::splat(key), round).to_blocks();
    block
}

/// The S-box on each byte of a word: `ShiftRows` leaves four equal columns as they are.
pub(super) fn sub_word(word: u32) -> u32 {
    let columns = Block::new(transmute!([word.to_le_bytes(); 4]));
    let [a, b, c, d, ..] = single(columns, Block::default(), Planes::enc_last).to_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// Round keys in planes, each key four times over.
pub(super) struct Keys<const N: usize>([Key; N]);

impl<const N: usize> Keys<N> {
    pub(super) fn new(keys: &[Block; N]) -> Self {
        Self(keys.map(|block| key(Quad::splat(block))))
    }

    /// Encrypts or decrypts `4·G` blocks; the keys are those of the direction.
    pub(super) fn run<const DIRECTION: bool, const G: usize>(&self, blocks: &[[u8; 64]; G]) -> [[u8; 64]; G] {
        type Round<const G: usize> = fn(&mut Planes<G>, &Key);
        let (round, last_round): (Round<G>, Round<G>) =
            if DIRECTION == ENCRYPT { (Planes::enc, Planes::enc_last) } else { (Planes::dec, Planes::dec_last) };
        const { assert!(N > 2, "a schedule has at least 11 keys") };
        let mut planes = Planes::pack(blocks);
        planes.add_key(&self.0[0]);
        for key in &self.0[1..N - 1] {
            round(&mut planes, key);
        }
        last_round(&mut planes, &self.0[N - 1]);
        planes.unpack()
    }
}

#[inline]
fn add(a: [u64; 8], b: &Key) -> [u64; 8] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Swaps bit `b` of each byte of word `k` with bit `k` of the same byte of word `b`, for all `b` and `k`.
#[inline]
const fn transpose(w: [u64; 8]) -> [u64; 8] {
    /// Swaps the bits of `a` that lie `shift` above `mask` with the bits of `b` under `mask`.
    #[inline]
    const fn swap(a: u64, b: u64, shift: u32, mask: u64) -> (u64, u64) {
        let t = ((a >> shift) ^ b) & mask;
        (a ^ (t << shift), b ^ t)
    }
    const M1: u64 = 0x5555_5555_5555_5555;
    const M2: u64 = 0x3333_3333_3333_3333;
    const M4: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let [w0, w1, w2, w3, w4, w5, w6, w7] = w;
    let ((w0, w1), (w2, w3)) = (swap(w0, w1, 1, M1), swap(w2, w3, 1, M1));
    let ((w4, w5), (w6, w7)) = (swap(w4, w5, 1, M1), swap(w6, w7, 1, M1));
    let ((w0, w2), (w1, w3)) = (swap(w0, w2, 2, M2), swap(w1, w3, 2, M2));
    let ((w4, w6), (w5, w7)) = (swap(w4, w6, 2, M2), swap(w5, w7, 2, M2));
    let ((w0, w4), (w1, w5)) = (swap(w0, w4, 4, M4), swap(w1, w5, 4, M4));
    let ((w2, w6), (w3, w7)) = (swap(w2, w6, 4, M4), swap(w3, w7, 4, M4));
    [w0, w1, w2, w3, w4, w5, w6, w7]
}

/// The low nibbles of the bytes (row, column parity) whose nibbles `ShiftRows` swaps.
const SHIFT_ROWS: u64 = 0x000f_0f00_0f0f_0000;
/// The same for its inverse, where rows 1 and 3 change places.
const INV_SHIFT_ROWS: u64 = 0x0f0f_0000_000f_0f00;

/// `ShiftRows` or its inverse. Rows 1 and 3 change column parity, so their bytes come from the other half; where the step
/// also carries into the upper column bit, as it always does in row 2, the nibbles change places.
#[inline]
fn shift_rows(planes: [u64; 8], nibbles: u64) -> [u64; 8] {
    const ODD_ROWS: u64 = 0xff00_ff00_ff00_ff00;
    planes.map(|x| {
        let x = (x & !ODD_ROWS) | (x.rotate_right(32) & ODD_ROWS);
        let t = ((x >> 4) ^ x) & nibbles;
        x ^ t ^ (t << 4)
    })
}

/// The plane whose row `r` is row `r + 1` of `x`.
#[inline]
fn next_row(x: u64) -> u64 {
    const WRAPPED: u64 = 0xff00_0000_ff00_0000;
    ((x >> 8) & !WRAPPED) | ((x << 24) & WRAPPED)
}

/// The plane whose row `r` is row `r + 2` of `x`.
#[inline]
fn next_but_one_row(x: u64) -> u64 {
    const WRAPPED: u64 = 0xffff_0000_ffff_0000;
    ((x >> 16) & !WRAPPED) | ((x << 16) & WRAPPED)
}

/// Every byte times 2 in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
#[inline]
fn double([x0, x1, x2, x3, x4, x5, x6, x7]: [u64; 8]) -> [u64; 8] {
    [x7, x0 ^ x7, x1, x2 ^ x7, x3 ^ x7, x4, x5, x6]
}

/// `2·a + 3·b + c + d` for the rows a, b, c, d of each column, as `2·(a + b) + b + (c + d)`.
#[inline(always)]
fn mix_columns(a: [u64; 8]) -> [u64; 8] {
    let b = a.map(next_row);
    let sum: [u64; 8] = core::array::from_fn(|i| a[i] ^ b[i]);
    let doubled = double(sum);
    core::array::from_fn(|i| doubled[i] ^ b[i] ^ next_but_one_row(sum[i]))
}

/// The matrix of `MixColumns` has order 4, so its inverse is its cube; its square takes `a` to `a + 4·(a + c)`.
#[inline(always)]
fn inv_mix_columns(a: [u64; 8]) -> [u64; 8] {
    let fourfold = double(double(core::array::from_fn(|i| a[i] ^ next_but_one_row(a[i]))));
    mix_columns(core::array::from_fn(|i| a[i] ^ fourfold[i]))
}

/// `SubBytes`: the circuit of Boyar and Peralta, "A new combinational logic minimization technique with applications to
/// cryptology" (SEA 2010), in its published form of 115 gates. Names are the paper's; `x0` is the highest bit.
#[inline(always)]
#[allow(clippy::many_single_char_names, clippy::similar_names, reason = "the names of the published circuit")]
#[allow(clippy::too_many_lines, reason = "a circuit")]
fn sub_bytes([x7, x6, x5, x4, x3, x2, x1, x0]: [u64; 8]) -> [u64; 8] {
    // Into the tower field, one linear form for each product to come.
    let y14 = x3 ^ x5;
    let y13 = x0 ^ x6;
    let y9 = x0 ^ x3;
    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;
    let y1 = t0 ^ x7;
    let y4 = y1 ^ x3;
    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;
    let y5 = y1 ^ x6;
    let y3 = y5 ^ y8;
    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;
    let y20 = t1 ^ x1;
    let y6 = y15 ^ x7;
    let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;
    let y7 = x7 ^ y11;
    let y17 = y10 ^ y11;
    let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;
    let y21 = y13 ^ y16;
    let y18 = x0 ^ y16;

    // The norm to GF(2^4), and its inverse there.
    let t2 = y12 & y15;
    let t3 = (y3 & y6) ^ t2;
    let t5 = (y4 & x7) ^ t2;
    let t7 = y13 & y16;
    let t9 = (y5 & y1) ^ t7;
    let t11 = (y2 & y7) ^ t7;
    let t12 = y9 & y11;
    let t14 = (y14 & y17) ^ t12;
    let t16 = (y8 & y10) ^ t12;
    let t21 = t3 ^ t14 ^ y20;
    let t22 = t5 ^ t16 ^ y19;
    let t23 = t9 ^ t14 ^ y21;
    let t24 = t11 ^ t16 ^ y18;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t29 = (t25 & t27) ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t33 = (t31 & t30) ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t40 = t25 ^ (t29 & t38);
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;

    // The inverse in GF(2^8) as 18 products.
    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & x7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;

    // Out of the tower field and through the affine map.
    let t46 = z15 ^ z16;
    let t47 = z10 ^ z11;
    let t48 = z5 ^ z13;
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;
    let t59 = z3 ^ t54;
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = t52 ^ t58;
    let t63 = t49 ^ t58;
    let t64 = z4 ^ t59;
    let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    [t48 ^ !t60, t56 ^ !t62, t47 ^ t65, t51 ^ t66, s3, t55 ^ !t67, t64 ^ !s3, t59 ^ t63]
}

/// The inverse of the affine map in `SubBytes` ([FIPS 197, 5.1.1]): bit `i` is the sum of bits `i + 2`, `i + 5` and `i + 7`
/// (modulo 8) and of bit `i` of 5.
///
/// The S-box `S` is that map after the inversion `I` in GF(2^8), so `I = inv_affine ∘ S`, and its inverse is `I ∘ inv_affine`.
///
/// [FIPS 197, 5.1.1]: https://doi.org/10.6028/NIST.FIPS.197-upd1
#[inline]
fn inv_affine(x: [u64; 8]) -> [u64; 8] {
    core::array::from_fn(|i| {
        let sum = x[(i + 2) % 8] ^ x[(i + 5) % 8] ^ x[(i + 7) % 8];
        if i == 0 || i == 2 { !sum } else { sum }
    })
}
