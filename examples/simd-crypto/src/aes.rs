//! The Advanced Encryption Standard, [FIPS 197]: its rounds as primitives, its key schedules and its block cipher.
//!
//! The rounds ([`aesenc`], [`aesenclast`], [`aesdec`], [`aesdeclast`], [`aesimc`]) have the semantics of the x86
//! instructions of these names on every platform: the round key is added last. On Arm, where the instructions add it
//! first, a chain of rounds still costs one `aese` and one `aesmc` each, because the addition moves into the following
//! `aese`.
//! [`Quad`] holds four blocks, and its rounds are one instruction where the CPU has VAES and AVX-512.
//!
//! # Constant time
//! No function of this module branches on, indexes by or shifts by a key or a block. The baseline is bitsliced.
//!
//! # Limits
//! A block cipher by itself does not encrypt messages: that needs a mode of operation and authentication, as in
//! [`aead`](crate::aead).
//!
//! [FIPS 197]: https://doi.org/10.6028/NIST.FIPS.197-upd1

mod bitslice;
mod block;
mod cipher;
mod ecb;
mod quad;
mod round;

pub(crate) use bitslice::{Key, Planes, key};
#[cfg(feature = "rustcrypto")]
pub(crate) use block::DECRYPT;
pub(crate) use block::ENCRYPT;
pub use block::{Block, Quad};
pub use cipher::{Aes, Aes128, Aes128Enc, Aes192, Aes192Enc, Aes256, Aes256Enc, AesEnc};
#[cfg(feature = "rustcrypto")]
pub(crate) use ecb::crypt_block;
pub(crate) use ecb::crypt_blocks;
pub use quad::{aesdec4, aesdeclast4, aesenc4, aesenclast4};
pub use round::{
    aesdec, aesdeclast, aesenc, aesenclast, aesimc, inverse_round_keys, round_keys128, round_keys192, round_keys256,
};
