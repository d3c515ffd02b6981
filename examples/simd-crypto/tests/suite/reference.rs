//! Rounds of AES, by the crate `aes`.
use aes::hazmat::{cipher_round, equiv_inv_cipher_round, inv_mix_columns, mix_columns};

type Block = [u8; 16];

pub(super) fn add(a: Block, b: Block) -> Block {
    core::array::from_fn(|i| a[i] ^ b[i])
}

fn changed(state: Block, change: impl FnOnce(&mut aes::Block)) -> Block {
    let mut state = state.into();
    change(&mut state);
    state.0
}

pub(super) fn enc(state: Block, key: Block) -> Block {
    changed(state, |state| cipher_round(state, &key.into()))
}

pub(super) fn enc_last(state: Block, key: Block) -> Block {
    add(imc(enc(state, [0; 16])), key)
}

pub(super) fn dec(state: Block, key: Block) -> Block {
    changed(state, |state| equiv_inv_cipher_round(state, &key.into()))
}

pub(super) fn dec_last(state: Block, key: Block) -> Block {
    add(changed(dec(state, [0; 16]), mix_columns), key)
}

pub(super) fn imc(state: Block) -> Block {
    changed(state, inv_mix_columns)
}
