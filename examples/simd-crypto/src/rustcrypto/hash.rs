//! Universal hashes: `KeyInit`, `UniversalHash` and `Reset`.
use crate::ghash::Hash;
use crate::poly1305::Poly1305;
use universal_hash::common::{BlockSizeUser, KeySizeUser, ParBlocksSizeUser};
use universal_hash::consts::{U16, U32};
use universal_hash::{Block, Key, KeyInit, ParBlocks, Reset, UhfBackend, UhfClosure, UniversalHash};

use universal_hash::array::Array;

macro_rules! hash {
    (($($generics:tt)*) $Hash:ty, $Key:ident) => {
        impl<$($generics)*> KeySizeUser for $Hash {
            type KeySize = $Key;
        }

        impl<$($generics)*> BlockSizeUser for $Hash {
            type BlockSize = U16;
        }

        impl<$($generics)*> KeyInit for $Hash {
            fn new(key: &Key<Self>) -> Self {
                Self::from_key(&key.0)
            }
        }

        impl<$($generics)*> UniversalHash for $Hash {
            fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
                f.call(&mut Backend(self));
            }

            /// All blocks at once: the kernel sums up as many products as it wants.
            fn update(&mut self, blocks: &[Block<Self>]) {
                self.absorb(Array::cast_slice_to_core(blocks).as_flattened());
            }

            fn finalize(self) -> Block<Self> {
                Array(self.finish())
            }
        }
    };
}

hash!((const REVERSED: bool) Hash<REVERSED>, U16);
hash!(() Poly1305, U32);

impl<const REVERSED: bool> Reset for Hash<REVERSED> {
    fn reset(&mut self) {
        self.clear();
    }
}

impl Poly1305 {
    /// The tag of what was updated before and of `data`, of any length, which is the last: RustCrypto's method of this name.
    #[must_use]
    pub fn compute_unpadded(mut self, data: &[u8]) -> Block<Self> {
        self.absorb(data);
        Array(self.finish())
    }
}

/// A hash that takes the blocks as they come.
struct Backend<'a, H>(&'a mut H);

impl<H> BlockSizeUser for Backend<'_, H> {
    type BlockSize = U16;
}

impl<H> ParBlocksSizeUser for Backend<'_, H> {
    type ParBlocksSize = U32;
}

impl<H: UniversalHash<BlockSize = U16>> UhfBackend for Backend<'_, H> {
    fn proc_block(&mut self, block: &Block<Self>) {
        self.0.update(core::slice::from_ref(block));
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.0.update(blocks.as_slice());
    }
}
