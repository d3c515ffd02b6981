//! Block ciphers: `KeyInit`, `BlockCipherEncrypt` and `BlockCipherDecrypt`.
use core::fmt;

use crate::aes::{Aes, AesEnc, Block};
use cipher::consts::{U16, U24, U32};
use cipher::{
    AlgorithmName, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser,
    Key, KeyInit, KeySizeUser,
};

macro_rules! cipher {
    ($Cipher:ident, $keys:literal, $Size:ident, $name:literal) => {
        impl KeySizeUser for $Cipher<$keys> {
            type KeySize = $Size;
        }

        impl KeyInit for $Cipher<$keys> {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self::from_key(&key.0)
            }
        }

        impl AlgorithmName for $Cipher<$keys> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }
    };
}

cipher!(Aes, 11, U16, "Aes128");
cipher!(Aes, 13, U24, "Aes192");
cipher!(Aes, 15, U32, "Aes256");
cipher!(AesEnc, 11, U16, "Aes128");
cipher!(AesEnc, 13, U24, "Aes192");
cipher!(AesEnc, 15, U32, "Aes256");

impl<const N: usize> BlockSizeUser for Aes<N> {
    type BlockSize = U16;
}

impl<const N: usize> BlockSizeUser for AesEnc<N> {
    type BlockSize = U16;
}

impl<const N: usize> BlockCipherEncrypt for Aes<N> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        closures::encrypt(&self.enc, f);
    }
}

impl<const N: usize> BlockCipherDecrypt for Aes<N> {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        closures::decrypt(&self.dec, f);
    }
}

impl<const N: usize> BlockCipherEncrypt for AesEnc<N> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        closures::encrypt(&self.keys, f);
    }
}

/// The keys of a direction.
struct Keys<'a, const DIRECTION: bool, const N: usize>(&'a [Block; N]);

#[simd_core::dispatch(targets = crate::targets::blocks)]
mod closures {
    use super::{Block, Keys};
    use crate::aes::{DECRYPT, ENCRYPT};
    use cipher::{BlockCipherDecClosure, BlockCipherEncClosure, consts::U16};

    /// Runs what the mode does with the cipher, compiled for this target.
    pub(super) fn encrypt<const N: usize, F: BlockCipherEncClosure<BlockSize = U16>>(keys: &[Block; N], f: F) {
        f.call(&Keys::<ENCRYPT, N>(keys));
    }

    /// Runs what the mode does with the cipher, compiled for this target.
    pub(super) fn decrypt<const N: usize, F: BlockCipherDecClosure<BlockSize = U16>>(keys: &[Block; N], f: F) {
        f.call(&Keys::<DECRYPT, N>(keys));
    }
}

macro_rules! backend {
    ($Trait:ident, $DIRECTION:ident, $block:ident, $par_blocks:ident, $tail:ident) => {
        impl<const N: usize> cipher::$Trait for Keys<'_, $DIRECTION, N> {
            #[inline(always)]
            fn $block(&self, block: InOut<'_, '_, Array<u8, U16>>) {
                let mut block = block;
                let mut bytes = block.clone_in().0;
                crypt_block::<$DIRECTION, N>(self.0, &mut bytes);
                *block.get_out() = Array(bytes);
            }

            #[inline(always)]
            fn $par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.$tail(blocks.into_buf());
            }

            #[inline(always)]
            fn $tail(&self, blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                let blocks = Array::cast_slice_to_core_mut(blocks.into_out_with_copied_in());
                crypt_blocks::<$DIRECTION, N>(self.0, blocks);
            }
        }
    };
}

mod backends {
    #![allow(clippy::inline_always, reason = "what is not inlined into a clone does without its features")]
    use super::Keys;
    use crate::aes::{DECRYPT, ENCRYPT, crypt_block, crypt_blocks};
    use cipher::consts::{U16, U32};
    use cipher::{Array, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser};

    impl<const DIRECTION: bool, const N: usize> BlockSizeUser for Keys<'_, DIRECTION, N> {
        type BlockSize = U16;
    }

    /// 32 blocks at a time: as many as 512-bit vectors have in flight, and all others a whole number of times.
    impl<const DIRECTION: bool, const N: usize> ParBlocksSizeUser for Keys<'_, DIRECTION, N> {
        type ParBlocksSize = U32;
    }

    backend!(BlockCipherEncBackend, ENCRYPT, encrypt_block, encrypt_par_blocks, encrypt_tail_blocks);
    backend!(BlockCipherDecBackend, DECRYPT, decrypt_block, decrypt_par_blocks, decrypt_tail_blocks);
}
