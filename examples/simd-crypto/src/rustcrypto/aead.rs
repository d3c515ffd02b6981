//! Authenticated encryption: `KeyInit`, `AeadCore` and `AeadInOut`, and with them `Aead`.
use crate::aead::{AesGcm, ChaCha20Poly1305, XChaCha20Poly1305};
use aead::consts::{U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

macro_rules! aead {
    ($Aead:ty, $Key:ident, $Nonce:ident) => {
        impl KeySizeUser for $Aead {
            type KeySize = $Key;
        }

        impl KeyInit for $Aead {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self::from_key(&key.0)
            }
        }

        impl AeadCore for $Aead {
            type NonceSize = $Nonce;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $Aead {
            #[inline]
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> Result<Tag<Self>, Error> {
                let data = buffer.into_out_with_copied_in();
                self.encrypt_in_place_detached(&nonce.0, associated_data, data)
                    .map(|tag| tag.0.into())
                    .map_err(|_| Error)
            }

            #[inline]
            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> Result<(), Error> {
                let data = buffer.into_out_with_copied_in();
                self.decrypt_in_place_detached(&nonce.0, associated_data, data, &crate::aead::Tag(tag.0))
                    .map_err(|_| Error)
            }
        }
    };
}

aead!(AesGcm<11>, U16, U12);
aead!(AesGcm<13>, U24, U12);
aead!(AesGcm<15>, U32, U12);
aead!(ChaCha20Poly1305, U32, U12);
aead!(XChaCha20Poly1305, U32, U24);
