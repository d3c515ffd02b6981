//! Stream ciphers: `KeyIvInit`, `StreamCipher` and `StreamCipherSeek`.
use crate::chacha20::{ChaCha20, ChaCha20Legacy, KEYSTREAM_LENGTH, XChaCha20};
use crate::ctr::AesCtr;
use cipher::consts::{U8, U12, U16, U24, U32};
use cipher::{
    InOutBuf, Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};

macro_rules! keys {
    ($Cipher:ty, $new:ident, $Key:ident, $Iv:ident) => {
        impl KeySizeUser for $Cipher {
            type KeySize = $Key;
        }

        impl IvSizeUser for $Cipher {
            type IvSize = $Iv;
        }

        impl KeyIvInit for $Cipher {
            #[inline]
            fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                Self::$new(&key.0, &iv.0)
            }
        }
    };
}

keys!(ChaCha20, from_key_and_nonce, U32, U12);
keys!(XChaCha20, from_key_and_nonce, U32, U24);
keys!(ChaCha20Legacy, from_key_and_nonce, U32, U8);
keys!(AesCtr<11>, from_key_and_counter, U16, U16);
keys!(AesCtr<13>, from_key_and_counter, U24, U16);
keys!(AesCtr<15>, from_key_and_counter, U32, U16);

/// `$end` is the greatest position.
macro_rules! stream {
    (($($generics:tt)*) $Cipher:ty, $block:literal, $end:expr) => {
        impl<$($generics)*> StreamCipher for $Cipher {
            fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
                let end = self.position().checked_add(data_len as u64).filter(|end| *end <= $end);
                end.map(drop).ok_or(StreamCipherError)
            }

            fn unchecked_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) {
                let mut left = buf;
                while !left.is_empty() {
                    // As much as the caches keep between the copy, if it takes one, and the cipher.
                    let length = left.len().min(16384);
                    let (now, later) = left.split_at(length);
                    self.xor_keystream(now.into_out_with_copied_in()).expect("the caller has checked the length");
                    left = later;
                }
            }

            fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
                self.keystream(buf).expect("the caller has checked the length");
            }
        }

        impl<$($generics)*> StreamCipherSeek for $Cipher {
            fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
                let position = self.position();
                // The trait asks for the number of blocks made, and how many bytes of the last one are used up.
                let used = match (position % $block) as u8 {
                    0 => $block,
                    part => part,
                };
                T::from_block_byte(position.div_ceil($block), used, $block)
            }

            fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
                let (block, byte) = pos.into_block_byte::<u64>($block)?;
                let start = block.checked_mul($block).ok_or(StreamCipherError)?;
                let position = start.checked_add(u64::from(byte)).ok_or(StreamCipherError)?;
                self.set_position(position).map_err(|_| StreamCipherError)
            }
        }
    };
}

stream!(() ChaCha20, 64, KEYSTREAM_LENGTH);
stream!(() XChaCha20, 64, KEYSTREAM_LENGTH);
stream!(() ChaCha20Legacy, 64, u64::MAX);
stream!((const N: usize) AesCtr<N>, 16, u64::MAX);
