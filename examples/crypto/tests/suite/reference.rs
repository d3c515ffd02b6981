//! AES written as FIPS 197 defines it, byte by byte with a table for the S-box: slow, leaky and easy to read.

use std::sync::LazyLock;

/// Addition of `a` to itself `b` times in the field of FIPS 197, section 4: polynomials modulo x^8 + x^4 + x^3 + x + 1.
pub(super) fn multiply(a: u8, b: u8) -> u8 {
    let (mut sum, mut power) = (0, a);
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            sum ^= power;
        }
        power = (power << 1) ^ if power >= 0x80 { 0x1b } else { 0 };
    }
    sum
}

/// Section 5.1.1: the inverse in the field (0 for 0), then an affine map.
fn sbox() -> [u8; 256] {
    let mut table = [0; 256];
    for byte in 0..=255 {
        let inverse = (0..=255).find(|&x| multiply(byte, x) == 1).unwrap_or(0);
        let turned = |n| u8::rotate_left(inverse, n);
        table[usize::from(byte)] = inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63;
    }
    table
}

/// The table and its inverse.
pub(super) struct Reference {
    sbox: [u8; 256],
    inverse: [u8; 256],
}

/// Computed once.
pub(super) static REFERENCE: LazyLock<Reference> = LazyLock::new(Reference::new);

impl Reference {
    fn new() -> Self {
        let sbox = sbox();
        let mut inverse = [0; 256];
        for (i, &s) in (0..=255).zip(&sbox) {
            inverse[usize::from(s)] = i;
        }
        Self { sbox, inverse }
    }

    fn sub_bytes(&self, state: [u8; 16]) -> [u8; 16] {
        state.map(|byte| self.sbox[usize::from(byte)])
    }

    fn inv_sub_bytes(&self, state: [u8; 16]) -> [u8; 16] {
        state.map(|byte| self.inverse[usize::from(byte)])
    }

    /// `aesenc`, from the Intel manual: `ShiftRows`, `SubBytes`, `MixColumns`, and the key.
    pub(super) fn enc(&self, state: [u8; 16], key: [u8; 16]) -> [u8; 16] {
        add(mix_columns(self.sub_bytes(shift_rows(state)), [2, 3, 1, 1]), key)
    }

    pub(super) fn enc_last(&self, state: [u8; 16], key: [u8; 16]) -> [u8; 16] {
        add(self.sub_bytes(shift_rows(state)), key)
    }

    pub(super) fn dec(&self, state: [u8; 16], key: [u8; 16]) -> [u8; 16] {
        add(imc(self.inv_sub_bytes(inv_shift_rows(state))), key)
    }

    pub(super) fn dec_last(&self, state: [u8; 16], key: [u8; 16]) -> [u8; 16] {
        add(self.inv_sub_bytes(inv_shift_rows(state)), key)
    }

    /// Section 5.2.
    pub(super) fn round_keys(&self, key: &[u8]) -> Vec<[u8; 16]> {
        let nk = key.len() / 4;
        let mut words: Vec<[u8; 4]> = key.chunks(4).map(|word| word.try_into().unwrap()).collect();
        let mut constant = 1;
        for i in nk..4 * (nk + 7) {
            let mut word = words[i - 1];
            if i % nk == 0 {
                word.rotate_left(1);
                word = word.map(|byte| self.sbox[usize::from(byte)]);
                word[0] ^= constant;
                constant = multiply(constant, 2);
            } else if nk > 6 && i % nk == 4 {
                word = word.map(|byte| self.sbox[usize::from(byte)]);
            }
            let before = words[i - nk];
            words.push(core::array::from_fn(|j| before[j] ^ word[j]));
        }
        words.chunks(4).map(|words| words.concat().try_into().unwrap()).collect()
    }

    /// Section 5.1.
    pub(super) fn encrypt(&self, key: &[u8], block: [u8; 16]) -> [u8; 16] {
        let keys = self.round_keys(key);
        let mut state = add(block, keys[0]);
        for key in &keys[1..keys.len() - 1] {
            state = self.enc(state, *key);
        }
        self.enc_last(state, keys[keys.len() - 1])
    }

    /// Section 5.3: the steps of encryption undone one by one.
    pub(super) fn decrypt(&self, key: &[u8], block: [u8; 16]) -> [u8; 16] {
        let keys = self.round_keys(key);
        let mut state = add(block, keys[keys.len() - 1]);
        for key in keys[1..keys.len() - 1].iter().rev() {
            state = imc(add(self.inv_sub_bytes(inv_shift_rows(state)), *key));
        }
        add(self.inv_sub_bytes(inv_shift_rows(state)), keys[0])
    }
}

/// Byte `row + 4·column` moves `row` columns to the left.
fn shift_rows(state: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| state[(i + 4 * (i % 4)) % 16])
}

fn inv_shift_rows(state: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| state[(i + 12 * (i % 4)) % 16])
}

/// Each column times the circulant matrix with this first row.
fn mix_columns(state: [u8; 16], matrix: [u8; 4]) -> [u8; 16] {
    core::array::from_fn(|i| {
        let (column, row) = (i / 4 * 4, i % 4);
        (0..4).fold(0, |sum, j| sum ^ multiply(state[column + (row + j) % 4], matrix[j]))
    })
}

pub(super) fn imc(state: [u8; 16]) -> [u8; 16] {
    mix_columns(state, [14, 11, 13, 9])
}

fn add(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}
